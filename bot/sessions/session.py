"""A table as the Discord side sees it: one door for everything that may be done to it.

Every door takes the lock, returns only after the commit, and refuses with a ``Refusal``.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.sessions import computer, lobby, play
from bot.sessions.core import Core
from bot.sessions.faces import SeatLook, Snapshot, Status
from bot.sessions.play import Answered
from bot.sessions.pledge import dice_secret
from bot.sessions.ports import Click, Refusal
from bot.sessions.record import Record, public_record
from bot.sessions.showing import is_told, own_log, public_log, snapshot_of
from engines.kernel.decision import Seat
from engines.kernel.event import Numbered


class Session(Core):
    """A table with its doors."""

    # Looking

    @property
    def pledge_message(self) -> tuple[int, int] | None:
        """Channel and id of the message with the hash of the dice secret."""
        for row in self.messages.values():
            if row.purpose == "pledge" and row.message_id and row.channel_id:
                return row.channel_id, row.message_id
        return None

    async def snapshot(self) -> Snapshot:
        """The table as anybody may see it."""

        async def work() -> Snapshot:
            await self.load()
            return snapshot_of(self)

        return await self.locked(work, "snapshot")

    async def look(self, user_id: int) -> SeatLook:
        """The table as a person at it may see it. Refusal ``not_seated``."""

        async def work() -> SeatLook:
            self.check_running()
            await self.load()
            return self.look_now(user_id)

        return await self.locked(work, "look")

    async def public_log(self, limit: int | None = None) -> tuple[Numbered, ...]:
        """The newest public events, oldest first; all of them without a limit."""

        async def work() -> tuple[Numbered, ...]:
            await self._load_to_look()
            return _newest(public_log(self), limit)

        return await self.locked(work, "log")

    async def own_log(self, user_id: int, limit: int | None = None) -> tuple[Numbered, ...]:
        """The newest events that a person at the table may know, oldest first."""

        async def work() -> tuple[Numbered, ...]:
            seat = self.require_seat(user_id)
            await self._load_to_look()
            return _newest(own_log(self, seat), limit)

        return await self.locked(work, "log")

    async def public_record(self) -> Record:
        """What anybody can check the game with, once it is over.

        Refusal ``game_not_over``, ``no_record`` if no game was begun or it cannot be replayed.
        """

        async def work() -> Record:
            if not self.is_over:
                raise Refusal("game_not_over")
            await self.load()
            if self.game is None or not is_told(self):
                raise Refusal("no_record")
            return public_record(self.game, dice_secret(self.row.secret))

        return await self.locked(work, "record")

    async def _load_to_look(self) -> None:
        await self.load()
        if self.game is None:
            self.check_running()
            raise Refusal("not_running")

    # The lobby

    async def join(self, click: Click) -> None:
        """Take a free seat."""
        await self.locked(lambda: lobby.join(self, click), "join")

    async def leave_lobby(self, click: Click) -> None:
        """Give one's seat up again; the host passes on."""
        await self.locked(lambda: lobby.leave(self, click), "leave")

    async def add_computer(self, click: Click, name: str) -> None:
        """Host: fill a seat with a computer player."""
        await self.locked(lambda: lobby.add_computer(self, click, name), "add")

    async def remove_computer(self, click: Click) -> None:
        """Host: send a computer player away."""
        await self.locked(lambda: lobby.remove_computer(self, click), "remove")

    async def set_option(self, click: Click, key: str, value: str) -> None:
        """Host: choose one of the game's options."""
        await self.locked(lambda: lobby.set_option(self, click, key, value), "option")

    async def start(self, click: Click) -> None:
        """Host: begin."""
        await self.locked(lambda: lobby.start(self, click), "start")

    async def cancel(self, click: Click) -> None:
        """Host: close the lobby."""
        await self.locked(lambda: lobby.cancel(self, click), "cancel")

    # The game

    async def answer(self, click: Click, question: int, kind: str, keys: Sequence[str]) -> Answered:
        """Answer a question or (question 0) play an offer."""
        return await self.locked(lambda: play.answer(self, click, question, kind, keys), "answer")

    async def draft(self, click: Click, question: int, index: int, key: str) -> SeatLook:
        """Mark one token of a ballot."""
        return await self.locked(lambda: play.draft(self, click, question, index, key), "draft")

    async def cast(self, click: Click, question: int) -> Answered:
        """Cast the ballot as marked."""
        return await self.locked(lambda: play.cast(self, click, question), "cast")

    async def hand_over(self, click: Click, seat: Seat | None = None, name: str = "") -> None:
        """Give one's own seat (the host: anybody's) to a computer player of that name."""
        await self.locked(lambda: play.hand_over(self, click, seat, name), "hand over")

    async def take_over(self, click: Click, seat: Seat) -> SeatLook:
        """Take a computer player's seat."""
        return await self.locked(lambda: play.take_over(self, click, seat), "take over")

    async def restore(self, click: Click) -> None:
        """Moderators: bring a crashed or orphaned table back."""
        await self.locked(lambda: play.restore(self, click), "restore")

    async def end(self, click: Click) -> None:
        """Host or moderators: end the table without a result."""
        await self.locked(lambda: play.end(self, click), "end")

    # Time

    async def run_out(self, moment: float) -> None:
        """Answer for the clock if a glass has run out."""

        async def work() -> None:
            if self.status is Status.RUNNING and self.game is not None:
                await play.run_out(self, moment)

        await self.locked(work, "clock")

    async def act_for_computers(self) -> None:
        """Let the computer players move."""
        await self.locked(lambda: computer.act(self), "computer")


def _newest(events: Sequence[Numbered], limit: int | None) -> tuple[Numbered, ...]:
    return tuple(events if limit is None else events[-limit:])
