"""What a message shows already: its heading, and its picture with the alt text.

A table message that has had its day keeps these: the board that is drawn now belongs to the page
after it. They are remembered while the bot runs, and read from the message itself after a restart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import discord
from discord import ui


@dataclass(frozen=True, slots=True)
class Kept:
    """``picture`` is a file's name; empty if the message has none."""

    heading: str = ""
    picture: str = ""
    alt: str = ""


def in_layout(layout: ui.LayoutView, picture: str) -> Kept:
    """What a message shows that was just sent with that picture."""
    heading, alt = "", ""
    for item in layout.walk_children():
        if isinstance(item, ui.TextDisplay) and not heading:
            heading = item.content
        elif isinstance(item, ui.MediaGallery):
            alt = item.items[0].description or ""
    return Kept(heading, picture, alt if picture else "")


def in_message(message: discord.Message) -> Kept:
    """What a message of ours shows."""
    picture = message.attachments[0].filename if message.attachments else ""
    heading, alt = "", ""
    for component in _walk(message.components):
        if isinstance(component, discord.TextDisplay) and not heading:
            heading = component.content
        elif isinstance(component, discord.MediaGalleryComponent):
            alt = component.items[0].description or ""
    return Kept(heading, picture, alt if picture else "")


def texts(message: discord.Message) -> list[str]:
    """The texts of a message, its containers' too."""
    return [
        one.content for one in _walk(message.components) if isinstance(one, discord.TextDisplay)
    ]


def _walk(components: list[Any]) -> Iterator[Any]:
    for component in components:
        yield component
        yield from _walk(getattr(component, "children", []))
