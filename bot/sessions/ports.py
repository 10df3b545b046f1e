"""What the sessions need from outside: a channel to speak in, and the time.

The Discord side implements ``Channel`` and translates its library's errors into the named failures
below, so that the publisher can answer each by rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.sessions.faces import Face


@dataclass(frozen=True, slots=True)
class Address:
    """Where a message goes: a channel or thread of a server, or a person's direct messages."""

    channel_id: int | None = None
    user_id: int | None = None


class ChannelError(Exception):
    """A message could not be sent, edited or deleted."""


class MessageGone(ChannelError):
    """The message was deleted (10008): post a new one."""


class EditLimit(MessageGone):
    """The message is there, but too old to be edited as often as this (30046): post a new one.

    What is to be taken away from it has to wait.
    """


class PlaceGone(ChannelError):
    """The channel does not exist or cannot be seen any more (10003, 50001)."""


class NotAllowed(ChannelError):
    """A permission is missing (50013)."""


class ThreadShut(NotAllowed):
    """The thread is archived or locked (50083, 160005), and we may not open it."""


class DirectMessagesClosed(ChannelError):
    """The person takes no direct messages from us (50007)."""


class Unreachable(ChannelError):
    """Discord did not take it this time: try again later."""


class Channel(Protocol):
    """How the publisher speaks. Every method raises only ``ChannelError``s."""

    async def post(self, address: Address, face: Face, nonce: str) -> tuple[int, int]:
        """Send a message; (channel id, message id). The same nonce again gives the first one."""
        ...

    async def edit(
        self, channel_id: int, message_id: int, face: Face, *, anew: bool = False
    ) -> None:
        """Bring a message up to its face; nothing need be sent if it shows that already.

        ``anew``: MessageGone also for a message that needs no change.
        """
        ...

    async def delete(self, channel_id: int, message_id: int) -> None:
        """Delete a message of ours; quiet if it is gone."""
        ...

    async def find(self, address: Address, mark: str) -> tuple[int, int] | None:
        """A message of ours that carries this mark, among the newest hundred of the place."""
        ...

    async def depth(self, channel_id: int, message_id: int, limit: int) -> int:
        """How many messages stand below this one, up to ``limit``."""
        ...

    async def open(self, channel_id: int) -> None:
        """One attempt to open a thread that is shut; quiet if it, or a channel, is open.

        ThreadShut if that cannot be.
        """
        ...


class Time(Protocol):
    """The two clocks: ``monotonic`` for what lasts, ``epoch`` for what is written down."""

    def monotonic(self) -> float:
        """Seconds that only ever grow."""
        ...

    def epoch(self) -> float:
        """Seconds since 1970."""
        ...


@dataclass(frozen=True, slots=True)
class Click:
    """Who did something, when it reached this process (monotonic), and Discord's id for it."""

    user_id: int
    name: str
    interaction_id: int
    arrived: float
    may_manage: bool = False


class Refusal(Exception):
    """A click that changes nothing; ``problem`` is a word id under ``refusals``."""

    def __init__(self, problem: str, **facts: object) -> None:
        self.problem = problem
        self.facts = facts
        super().__init__(problem)
