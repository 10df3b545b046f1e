"""What a person at the simulated Discord is shown: places, messages, answers to what they did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.offline.wire.limits import walk
from bot.offline.wire.simulation import Interaction, Message, Simulation

BUTTON, TEXT, GALLERY, THUMBNAIL, MENUS, STRING_MENU = 2, 10, 12, 11, (3, 5, 6, 7, 8), 3
_LOADING = 1 << 7


@dataclass(frozen=True, slots=True)
class Place:
    """A channel, thread or direct message that a player can open; ``latest`` is 0 when empty."""

    id: int
    name: str
    kind: str
    latest: int
    parent: int | None = None


@dataclass(frozen=True, slots=True)
class Button:
    """A button as shown. Link buttons have no custom_id."""

    label: str
    custom_id: str | None
    disabled: bool
    style: int


@dataclass(frozen=True, slots=True)
class Menu:
    """A select menu as shown; ``options`` pairs value and label (empty for menus of people)."""

    custom_id: str
    placeholder: str
    options: tuple[tuple[str, str], ...]
    disabled: bool
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in a message, with its alt text."""

    url: str
    alt: str | None


class Shown:
    """A message as one person sees it now; it does not change when the message does."""

    def __init__(self, simulation: Simulation, message: Message) -> None:
        self.payload = simulation.message_payload(message)
        self.id = message.id
        self.channel_id = message.channel_id
        self.author_id = message.author_id
        self.content = message.content
        self.ephemeral = message.is_ephemeral
        self.pings = frozenset(message.ping_user_ids)
        self.loading = bool(message.flags & _LOADING)
        self.components: list[dict[str, Any]] = self.payload["components"]
        self.attachments: list[dict[str, Any]] = self.payload["attachments"]

    @property
    def text(self) -> str:
        """All words of the message: content, embeds and text displays, in order."""
        embeds = [
            str(embed[key])
            for embed in self.payload["embeds"]
            for key in ("title", "description")
            if embed.get(key)
        ]
        shown = [str(one["content"]) for one in walk(self.components) if one.get("type") == TEXT]
        return "\n".join(part for part in (self.content, *embeds, *shown) if part)

    @property
    def buttons(self) -> list[Button]:
        """The buttons in order."""
        return [
            Button(
                str(one.get("label") or ""),
                one.get("custom_id"),
                bool(one.get("disabled")),
                int(one.get("style", 2)),
            )
            for one in walk(self.components)
            if one.get("type") == BUTTON
        ]

    @property
    def menus(self) -> list[Menu]:
        """The select menus in order."""
        return [
            Menu(
                str(one["custom_id"]),
                str(one.get("placeholder") or ""),
                tuple((o["value"], o["label"]) for o in one.get("options") or []),
                bool(one.get("disabled")),
                int(one.get("min_values", 1)),
                int(one.get("max_values", 1)),
            )
            for one in walk(self.components)
            if one.get("type") in MENUS
        ]

    @property
    def pictures(self) -> list[Picture]:
        """The pictures of galleries and thumbnails; of a plain message its attachments."""
        found = [
            Picture(str(item["media"]["url"]), item.get("description"))
            for one in walk(self.components)
            for item in (
                one.get("items") or []
                if one.get("type") == GALLERY
                else [one]
                if one.get("type") == THUMBNAIL
                else []
            )
        ]
        if found or self.components:
            return found
        return [Picture(str(one["url"]), one.get("description")) for one in self.attachments]

    @property
    def custom_ids(self) -> list[str]:
        """The custom_id of every control that is not disabled."""
        return [
            str(one["custom_id"])
            for one in walk(self.components)
            if one.get("custom_id") and not one.get("disabled")
        ]

    def __repr__(self) -> str:
        return f"<Shown {self.id} {self.text[:60]!r} buttons={[b.label for b in self.buttons]}>"


class Reply:
    """What the bot made of one interaction, read afresh each time."""

    def __init__(self, simulation: Simulation, interaction: Interaction) -> None:
        self._simulation = simulation
        self._interaction = interaction

    @property
    def id(self) -> int:
        """The interaction's id."""
        return self._interaction.id

    @property
    def acknowledged(self) -> bool:
        """Whether the bot gave its first answer in time."""
        return self._interaction.responded

    @property
    def kind(self) -> str | None:
        """``message``, ``deferred``, ``deferred_update``, ``update``, ``modal``, or None."""
        return str(self._interaction.response_kind) if self._interaction.response_kind else None

    @property
    def message(self) -> Shown | None:
        """The bot's answer (for an update: the message clicked), unless it was deleted."""
        return self._shown(self._interaction.message_id)

    @property
    def followups(self) -> list[Shown]:
        """The later messages of the same interaction."""
        found = (self._shown(one) for one in self._interaction.followup_ids)
        return [one for one in found if one is not None]

    @property
    def modal(self) -> dict[str, Any] | None:
        """The form that the bot opened."""
        return self._interaction.modal

    @property
    def choices(self) -> list[dict[str, Any]]:
        """The choices of an autocomplete."""
        return self._interaction.autocomplete_choices or []

    @property
    def ephemeral(self) -> bool:
        """Whether the answer is for this person only."""
        return self._interaction.ephemeral

    @property
    def text(self) -> str:
        """All words of the answer and its follow-ups."""
        shown = [self.message, *self.followups]
        return "\n".join(one.text for one in shown if one is not None)

    def _shown(self, message_id: int | None) -> Shown | None:
        channel = self._simulation.backend.messages.get(self._interaction.channel_id, {})
        message = channel.get(message_id) if message_id is not None else None
        return Shown(self._simulation, message) if message is not None else None

    def __repr__(self) -> str:
        return f"<Reply {self.kind} {self.text[:60]!r}>"
