"""Slash commands: their words, and registering them only when something has really changed."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import discord
from discord import app_commands

from bot.counted import counted
from bot.store.protocol import Store
from bot.ui.fitting import OPTION, capitalised, fit_label
from bot.ui.text import said
from content.words import Words

_log = logging.getLogger(__name__)

_SETTING: Final = "commands_guild"
_LISTS: Final = ("contexts", "integration_types")
_DEFAULTS: Final[Mapping[str, object]] = {
    "type": 1,
    "required": False,
    "autocomplete": False,
    "nsfw": False,
    "default_member_permissions": None,
    "options": [],
    "choices": [],
    "contexts": [0, 1, 2],
    "integration_types": [0],
}
_COMPARED: Final = ("name", "description", "value", "min_value", "max_value", *_DEFAULTS)

Tree = app_commands.CommandTree[Any]


def put_into_words(tree: Tree, words: Words, games: Sequence[Words]) -> None:
    """Give each command and parameter its description from the words under ``commands``.

    A parameter that these do not know is a lobby option of one of the games.
    """
    for command in tree.walk_commands():
        path = f"commands.{command.qualified_name.replace(' ', '_')}"
        command.description = fit_label(said(words, f"{path}.about"), OPTION)
        if isinstance(command, app_commands.Command) and command.parameters:
            texts = {
                one.name: fit_label(capitalised(_parameter(words, games, path, one.name)), OPTION)
                for one in command.parameters
            }
            app_commands.describe(**texts)(command)


def _parameter(words: Words, games: Sequence[Words], path: str, name: str) -> str:
    """A parameter's words: the command's own for it, or those of the games that have the option."""
    if words.has(f"{path}.{name}"):
        return said(words, f"{path}.{name}")
    told: list[str] = []
    for game in games:
        for place in (f"lobby_options.{name}.about", f"lobby_options.{name}.name"):
            if game.has(place):
                about = said(game, place).removesuffix(".")
                facts = {"game": said(game, "game.name"), "about": about}
                told.append(said(words, "commands.play.option", facts) if len(games) > 1 else about)
                break
    return "; ".join(told) or said(words, f"{path}.{name}")


async def register(client: discord.Client, tree: Tree, store: Store, guild_id: int | None) -> None:
    """Have Discord know the commands, in the one scope in which they are wanted.

    A development server gets them at once; otherwise they are global. The other scope ends empty,
    so that nothing is offered twice. Nothing is written where nothing has changed.
    """
    application_id = client.application_id
    if application_id is None:
        raise RuntimeError("commands are registered after signing in")
    http = client.http
    wanted: list[Any] = [command.to_dict(tree) for command in tree.get_commands()]
    known = await http.get_global_commands(application_id)
    before = await store.setting(_SETTING)
    old_guild = int(before) if before and before.isdigit() else None
    if guild_id is None:
        if differs(wanted, known):
            await http.bulk_upsert_global_commands(application_id, wanted)
            _log.info("registered %s", counted(len(wanted), "command"))
    else:
        if known:
            await http.bulk_upsert_global_commands(application_id, [])
        if differs(wanted, await http.get_guild_commands(application_id, guild_id)):
            await http.bulk_upsert_guild_commands(application_id, guild_id, wanted)
            _log.info("registered %s in server %d", counted(len(wanted), "command"), guild_id)
    if old_guild != guild_id:
        if old_guild is not None:
            await _clear(client, application_id, old_guild)
        await store.set_setting(_SETTING, None if guild_id is None else str(guild_id))


async def _clear(client: discord.Client, application_id: int, guild_id: int) -> None:
    try:
        if await client.http.get_guild_commands(application_id, guild_id):
            await client.http.bulk_upsert_guild_commands(application_id, guild_id, [])
    except (discord.Forbidden, discord.NotFound):
        _log.info("the commands of server %d cannot be cleared any more", guild_id)


def differs(wanted: Sequence[Mapping[str, Any]], known: Sequence[Mapping[str, Any]]) -> bool:
    """Whether Discord has other commands than these, ignoring defaults that it fills in."""
    return _by_name(wanted) != _by_name(known)


def _by_name(commands: Sequence[Mapping[str, Any]]) -> dict[tuple[object, object], object]:
    return {(one.get("name"), one.get("type", 1)): _plain(one) for one in commands}


def _plain(part: Mapping[str, Any]) -> dict[str, object]:
    """A command or option with every default written out, and nothing else that is not ours."""
    plain: dict[str, object] = {}
    for key in _COMPARED:
        value = part.get(key)
        if value is None:
            value = _DEFAULTS.get(key)
        if key in _LISTS and isinstance(value, Sequence):
            value = sorted(int(item) for item in value)
        elif isinstance(value, list):
            value = [_plain(item) for item in cast("list[Mapping[str, Any]]", value)]
        elif key == "default_member_permissions" and value is not None:
            value = str(value)
        plain[key] = value
    return plain
