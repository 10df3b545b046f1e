"""Messages of Components V2, built so that they cannot break Discord's limits.

A ``Sheet`` collects texts, a picture and controls; ``Sheet.layout`` makes a fresh view of them. A
view of ours is finished from birth, so that the library never stores it: stored views are how
dynamic items get lost, and every ephemeral one would be given a timer.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import discord
from discord import ui

from bot.counted import counted
from bot.ui.fitting import ALT, ELLIPSIS, fit, units

MOST_COMPONENTS: Final = 40
MOST_TEXT: Final = 3900  # of 4,000 over all texts of a message
MOST_BYTES: Final = 9000  # Discord fails near 10,000
MOST_FILE: Final = 8 * 1024 * 1024  # of 10 MiB

Item = ui.Item[Any]


class Layout(ui.LayoutView):
    """A view that only dynamic items answer for."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    def is_finished(self) -> bool:
        """Always: the library stores no view that has finished."""
        return True


@dataclass(frozen=True, slots=True)
class Attached:
    """A file to go with a message: a picture shows in the gallery, a text can be opened."""

    name: str
    data: bytes

    def file(self) -> discord.File:
        """A new file object; the library uses each only once. ValueError if it is too large."""
        if len(self.data) > MOST_FILE:
            raise ValueError(f"{self.name} has {counted(len(self.data), 'byte')}")
        return discord.File(io.BytesIO(self.data), self.name)


@dataclass(frozen=True, slots=True)
class Shown:
    """A message's content. ``mentions`` are the only users whom it may ping."""

    layout: Layout
    files: tuple[Attached, ...] = ()
    mentions: tuple[int, ...] = ()

    @property
    def allowed_mentions(self) -> discord.AllowedMentions:
        """Nobody but the users named."""
        users = [discord.Object(user) for user in self.mentions]
        return discord.AllowedMentions(everyone=False, roles=False, users=users, replied_user=False)


@dataclass(slots=True)
class _Text:
    content: str


@dataclass(slots=True)
class Sheet:
    """What goes into a message, from top to bottom; ``accent`` colours its edge."""

    accent: int | None = None
    _blocks: list[_Text | Item] = field(default_factory=list["_Text | Item"])
    _files: list[Attached] = field(default_factory=list[Attached])
    _mentions: list[int] = field(default_factory=list[int])

    def text(self, content: str, limit: int = MOST_TEXT) -> Sheet:
        """A paragraph, shortened to ``limit``; an empty one is left out."""
        if content.strip():
            self._blocks.append(_Text(fit(content.strip("\n"), limit)))
        return self

    def code(self, content: str, limit: int) -> Sheet:
        """Plain text in a box, its lines as they are."""
        room = limit - 8
        kept = content.replace("```", "'''").strip("\n")
        if units(kept) > room:
            kept = kept[:room].rsplit("\n", 1)[0] + f"\n{ELLIPSIS}"
        return self.text(f"```\n{kept}\n```") if kept.strip() else self

    def line(self) -> Sheet:
        """A dividing line."""
        self._blocks.append(ui.Separator())
        return self

    def picture(self, name: str, alt: str) -> Sheet:
        """The picture attached to the message under that name."""
        gallery: ui.MediaGallery[Any] = ui.MediaGallery()
        gallery.add_item(media=f"attachment://{name}", description=fit(alt, ALT) or None)
        self._blocks.append(gallery)
        return self

    def attachment(self, name: str) -> Sheet:
        """A file attached to the message, to be opened."""
        self._blocks.append(ui.File(f"attachment://{name}"))
        return self

    def attach(self, *files: Attached) -> Sheet:
        """Send these files along."""
        self._files += files
        return self

    def mention(self, *users: int) -> Sheet:
        """Let the message ping these users."""
        self._mentions += users
        return self

    def row(self, *items: Item | None) -> Sheet:
        """Controls side by side (up to five buttons, or one menu); None is left out."""
        present = [item for item in items if item is not None]
        if present:
            self._blocks.append(ui.ActionRow(*present))
        return self

    def fits(self, rows: Sequence[Sequence[Item]], *, beside: int = 0) -> bool:
        """Whether these rows and so many other parts still have room."""
        taken = 1 + sum(_parts(block) for block in self._blocks)
        return taken + beside + sum(1 + len(row) for row in rows) <= MOST_COMPONENTS

    def rows(self, rows: Sequence[Sequence[Item]]) -> Sheet:
        """Several rows of controls."""
        for row in rows:
            self.row(*row)
        return self

    def shown(self) -> Shown:
        """The message. ValueError if it has more parts than Discord takes: a bug of the caller."""
        self._shorten()
        container: ui.Container[Any] = ui.Container(accent_colour=self.accent)
        for block in self._blocks:
            container.add_item(ui.TextDisplay(block.content) if isinstance(block, _Text) else block)
        layout = Layout()
        layout.add_item(container)
        check(layout)
        return Shown(layout, tuple(self._files), tuple(dict.fromkeys(self._mentions)))

    def _shorten(self) -> None:
        """Take from the longest texts until all fit together."""
        texts = [block for block in self._blocks if isinstance(block, _Text)]
        while texts:
            over = sum(units(text.content) for text in texts) - MOST_TEXT
            heavy = sum(len(text.content.encode()) for text in texts) - MOST_BYTES
            if over <= 0 and heavy <= 0:
                return
            longest = max(texts, key=lambda text: len(text.content.encode()))
            cut = max(over, heavy // 4 + 1, 1)
            longest.content = fit(longest.content, max(1, units(longest.content) - cut))


def _parts(block: _Text | Item) -> int:
    if isinstance(block, ui.ActionRow):
        return 1 + len(block.children)
    return 1


def check(layout: ui.LayoutView) -> None:
    """Raise ValueError if Discord would not take the message."""
    count = sum(1 for _ in layout.walk_children())
    if count > MOST_COMPONENTS:
        raise ValueError(f"{counted(count, 'component')}, at most {MOST_COMPONENTS}")
    seen: dict[str, None] = {}
    for item in layout.walk_children():
        custom_id = getattr(item, "custom_id", None)
        if custom_id is None:
            continue
        if custom_id in seen:
            raise ValueError(f"custom_id {custom_id!r} stands twice")
        seen[custom_id] = None
