"""Discord's limits that SimCord does not check itself: breaking one is refused with 50035 here too.

SimCord already refuses more than 40 components, 4,000 characters of text, labels beyond 80, menus
beyond 25 options, custom_ids beyond 100 or used twice, and galleries beyond 10 pictures.
Source of the numbers: Discord's developer documentation, August 2026; the byte wall was measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.counted import counted

FILE_BYTES = 10 << 20
REQUEST_BYTES = 25 << 20
FILES = 10
ALT_TEXT = 1024
NONCE = 25
#: UTF-8 bytes over all text displays of a message; Discord itself answers 500 near here.
TEXT_BYTES = 10_000
COMMANDS = 100
COMMAND_CHARACTERS = 8000
CHOICES = 25
OPTIONS = 25

_COMMAND_NAME = re.compile(r"[-_'\w]{1,32}")
_KEYCAP = re.compile(r"[0-9#*]\ufe0f?\u20e3")
_SUBCOMMANDS = (1, 2)
_BUTTON, _TEXT, _MENUS, _STRING_MENU = 2, 10, (3, 5, 6, 7, 8), 3
_LINK, _PREMIUM = 5, 6


class Refusal(Exception):
    """What Discord answers instead of doing what was asked: HTTP status, error code, message."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(f"{status} ({code}): {message}")
        self.status = status
        self.code = code
        self.message = message

    def to_json(self) -> dict[str, Any]:
        """The body of Discord's answer."""
        return {"code": self.code, "message": self.message}


def malformed(detail: str) -> Refusal:
    """Discord's ``Invalid Form Body``."""
    return Refusal(400, 50035, f"Invalid Form Body: {detail}")


def check_files(sizes: Sequence[int]) -> None:
    """Refuse more than ten files, a file over 10 MiB, or more than 25 MiB in one request."""
    if any(size > FILE_BYTES for size in sizes) or sum(sizes) > REQUEST_BYTES:
        raise Refusal(413, 40005, "Request entity too large")
    if len(sizes) > FILES:
        raise malformed(f"attachments: Must be {FILES} or fewer in length")


def check_message(body: Mapping[str, Any]) -> None:
    """Refuse a message or an edit of one that Discord would not take."""
    nonce = body.get("nonce")
    if nonce is not None and len(str(nonce)) > NONCE:
        raise malformed(f"nonce: Must be {NONCE} or fewer in length")
    attachments = body.get("attachments") or []
    if len(attachments) > FILES:
        raise malformed(f"attachments: Must be {FILES} or fewer in length")
    for attachment in attachments:
        if len(attachment.get("description") or "") > ALT_TEXT:
            raise malformed(f"attachments.description: Must be {ALT_TEXT} or fewer in length")
    text = 0
    for component in walk(body.get("components") or []):
        kind = component.get("type")
        if kind == _TEXT:
            text += len(str(component.get("content", "")).encode())
        elif kind == _BUTTON:
            _check_button(component)
        elif kind in _MENUS:
            _check_menu(component)
    if text > TEXT_BYTES:
        raise malformed(f"components: {text} bytes of text, at most {TEXT_BYTES}")


def check_modal(modal: Mapping[str, Any]) -> None:
    """Refuse a form whose menus Discord would not take."""
    for component in walk(modal.get("components") or []):
        if component.get("type") in _MENUS:
            _check_menu(component)


def check_choices(choices: Sequence[Mapping[str, Any]]) -> None:
    """Refuse autocomplete choices that are too many or too long."""
    if len(choices) > CHOICES:
        raise malformed(f"choices: Must be {CHOICES} or fewer in length")
    for choice in choices:
        if not 1 <= len(str(choice.get("name", ""))) <= 100:
            raise malformed("choices.name: Must be between 1 and 100 in length")
        value = choice.get("value")
        if isinstance(value, str) and not 1 <= len(value) <= 100:
            raise malformed("choices.value: Must be between 1 and 100 in length")


def check_commands(commands: Sequence[Mapping[str, Any]]) -> None:
    """Refuse application commands whose names, texts or numbers Discord would not register."""
    slash = [command for command in commands if command.get("type", 1) == 1]
    if len(slash) > COMMANDS:
        raise malformed(f"at most {COMMANDS} slash commands")
    for command in slash:
        _check_option(command, str(command.get("name")))
        if (size := _characters(command)) > COMMAND_CHARACTERS:
            raise malformed(f"/{command['name']}: {size} characters, at most {COMMAND_CHARACTERS}")


def walk(components: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Every component with everything nested in it, in the order of the message."""
    for component in components:
        if not isinstance(component, Mapping):
            continue
        yield component
        yield from walk(component.get("components") or [])
        for key in ("accessory", "component"):
            if isinstance(nested := component.get(key), Mapping):
                yield from walk([nested])


def _check_button(button: Mapping[str, Any]) -> None:
    if button.get("style") == _PREMIUM:
        return
    if not button.get("label") and not button.get("emoji"):
        raise malformed(f"button {button.get('custom_id')}: A button needs a label or an emoji")
    _check_emoji(button.get("emoji"))


def _check_menu(menu: Mapping[str, Any]) -> None:
    if menu.get("type") != _STRING_MENU:
        return
    options = menu.get("options") or []
    most = menu.get("max_values", 1)
    if most is not None and most > len(options):
        raise malformed(
            f"menu {menu.get('custom_id')}: max_values {most} of {counted(len(options), 'option')}"
        )
    if most is not None and sum(bool(option.get("default")) for option in options) > most:
        raise malformed(f"menu {menu.get('custom_id')}: more defaults than max_values")
    for option in options:
        _check_emoji(option.get("emoji"))


def _check_emoji(emoji: Mapping[str, Any] | None) -> None:
    """A button's emoji is one of the server's or a real Unicode emoji, never a word or a letter."""
    if not emoji or emoji.get("id"):
        return
    name = str(emoji.get("name") or "")
    if not name or (name.isascii() and not _KEYCAP.fullmatch(name)):
        raise malformed(f"emoji.name: Invalid emoji {name!r}")


def _check_option(option: Mapping[str, Any], path: str) -> None:
    name, description = str(option.get("name", "")), str(option.get("description", ""))
    if not _COMMAND_NAME.fullmatch(name) or name != name.lower():
        raise malformed(f"/{path}: name {name!r} is not 1-32 lower-case letters, digits, - or _")
    if not 1 <= len(description) <= 100:
        raise malformed(f"/{path}: description of length {len(description)}, needs 1-100")
    nested = option.get("options") or []
    if len(nested) > OPTIONS:
        raise malformed(f"/{path}: {counted(len(nested), 'option')}, at most {OPTIONS}")
    names = [one.get("name") for one in nested]
    if len(set(names)) != len(names):
        raise malformed(f"/{path}: two options of the same name")
    optional = False
    for one in nested:
        if one.get("type") not in _SUBCOMMANDS:
            if one.get("required") and optional:
                raise malformed(f"/{path}: required option {one.get('name')} after an optional one")
            optional = optional or not one.get("required")
        _check_option(one, f"{path} {one.get('name')}")
    check_choices(option.get("choices") or [])


def _characters(option: Mapping[str, Any]) -> int:
    """Length of names, descriptions and choice values, as Discord counts a command."""
    size = len(str(option.get("name", ""))) + len(str(option.get("description", "")))
    for choice in option.get("choices") or []:
        size += len(str(choice.get("name", ""))) + len(str(choice.get("value", "")))
    return size + sum(_characters(one) for one in option.get("options") or [])
