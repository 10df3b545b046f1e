"""A server's settings in words, for the panel and for the log of acts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from bot.store.rows import Json

Say = Callable[..., str]

_SWITCHES: Final = ("thread", "ballots")
_LISTED: Final = 12
_BRIEFLY: Final = 3


def is_anywhere(_: int) -> bool:
    """For the log, which tells of channels and roles as they were."""
    return True


def value_told(
    key: str,
    value: Json,
    say: Say,
    *,
    has_channel: Callable[[int], bool] = is_anywhere,
    has_role: Callable[[int], bool] = is_anywhere,
) -> str:
    """What a setting is set to; places and roles as Discord shows them."""
    if key == "channels":
        listed = [one for one in value if isinstance(one, int)] if isinstance(value, list) else []
        if not listed:
            return say("settings.everywhere")
        names = [
            f"<#{one}>" if has_channel(one) else say("settings.channel_gone") for one in listed
        ]
        more = " …" if len(names) > _LISTED else ""
        return ", ".join(dict.fromkeys(names[:_LISTED])) + more
    if key == "role":
        if not isinstance(value, int):
            return say("settings.everybody")
        return f"<@&{value}>" if has_role(value) else say("settings.role_gone")
    if key == "pace":
        return say(f"pace.{value}")
    if key in _SWITCHES:
        return say("settings.on" if value else "settings.off")
    return str(value)


def change_told(facts: Mapping[str, Json], defaults: Mapping[str, Json], say: Say) -> str:
    """What somebody changed, for the log: all of it in one line, so in short forms."""
    known = {key: facts[key] for key in defaults if key in facts}
    chosen = [
        say("settings.together", name=say(f"settings.short.{key}"), value=_briefly(key, value, say))
        for key, value in known.items()
        if value is not None
    ]
    back = [say(f"settings.short.{key}") for key, value in known.items() if value is None]
    return say("settings.change", chosen=", ".join(chosen), back=", ".join(back))


def _briefly(key: str, value: Json, say: Say) -> str:
    if key == "pace":
        return say(f"pace.chosen_{value}")
    if key == "channels" and isinstance(value, list) and len(value) > _BRIEFLY:
        first = value_told(key, value[:_BRIEFLY], say)
        return say("settings.more", first=first, count=len(value) - _BRIEFLY)
    return value_told(key, value, say)
