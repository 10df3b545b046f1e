"""What a message shows already: its heading, and its picture with the alt text.

A table message that has had its day keeps these: the board that is drawn now belongs to the page
after it. They are remembered while the bot runs, and read from the message itself after a restart.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import discord
from discord import ui

_SEEN: Final = (
    "type",
    "content",
    "label",
    "custom_id",
    "style",
    "disabled",
    "placeholder",
    "min_values",
    "max_values",
    "value",
    "default",
    "description",
    "accent_color",
    "url",
)
"""What of a component can be seen or pressed; where its picture lies is not among it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """``picture`` is a file's name; empty if the message has none.

    ``seen`` is a digest of all texts and controls; empty if they are not known.
    """

    heading: str = ""
    picture: str = ""
    alt: str = ""
    seen: str = ""


def in_layout(layout: ui.LayoutView, picture: str) -> Kept:
    """What a message shows that was just sent with that picture."""
    heading, alt = "", ""
    for item in layout.walk_children():
        if isinstance(item, ui.TextDisplay) and not heading:
            heading = item.content
        elif isinstance(item, ui.MediaGallery):
            alt = item.items[0].description or ""
    return Kept(heading, picture, alt if picture else "", _seen(layout.to_components()))


def in_message(message: discord.Message) -> Kept:
    """What a message of ours shows."""
    picture = message.attachments[0].filename if message.attachments else ""
    heading, alt = "", ""
    for component in _walk(message.components):
        if isinstance(component, discord.TextDisplay) and not heading:
            heading = component.content
        elif isinstance(component, discord.MediaGalleryComponent):
            alt = component.items[0].description or ""
    parts = [component.to_dict() for component in message.components]
    return Kept(heading, picture, alt if picture else "", _seen(parts))


def texts(message: discord.Message) -> list[str]:
    """The texts of a message, its containers' too."""
    return [
        one.content for one in _walk(message.components) if isinstance(one, discord.TextDisplay)
    ]


def _walk(components: list[Any]) -> Iterator[Any]:
    for component in components:
        yield component
        yield from _walk(getattr(component, "children", []))


def _seen(components: Sequence[Mapping[str, Any]]) -> str:
    parts = [_part(component) for component in components]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _part(component: Mapping[str, Any]) -> dict[str, Any]:
    """A component without what Discord adds to it, and what is false or empty like what is not."""
    part = {key: component[key] for key in _SEEN if component.get(key)}
    for inner in ("components", "options", "items"):
        if component.get(inner):
            part[inner] = [_part(one) for one in component[inner]]
    return part
