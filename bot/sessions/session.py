"""A table as the Discord side sees it: one door for everything that may be done to it.

Every door takes the lock, returns only after the commit, and refuses with a ``Refusal``.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

from bot.sessions import (
    absence,
    agreeing,
    computer,
    deadlines,
    giving,
    lobby,
    moderating,
    pacing,
    play,
    undo,
)
from bot.sessions.branching import told_branches
from bot.sessions.change import Change
from bot.sessions.core import Core
from bot.sessions.faces import SeatLook, Snapshot, Status
from bot.sessions.giving import NewSitter
from bot.sessions.moderating import Checked, Place
from bot.sessions.moves import Moments, moments_of
from bot.sessions.play import Answered
from bot.sessions.pledge import dice_secret
from bot.sessions.ports import Click, PlaceGone, Refusal
from bot.sessions.record import Record, public_record
from bot.sessions.replaying import Broken
from bot.sessions.showing import is_told, own_log, public_log, snapshot_of
from bot.sessions.undo import Undoable
from bot.sessions.upkeep import orphan
from bot.store.rows import MotionState
from engines.kernel.decision import Seat
from engines.kernel.event import Numbered

_T = TypeVar("_T")


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
            is_abandoned = self.status is Status.ABANDONED
            if (
                is_abandoned and self.row.told_at is None
            ):  # whoever knows the secret knows the dice to come
                await self.commit(Change(fields={"told_at": self.desk.time.epoch()}))
            try:
                branches = await told_branches(self)
            except Broken as broken:
                raise Refusal("no_record") from broken
            return public_record(self.game, dice_secret(self.row.secret), branches)

        return await self.locked(work, "record")

    async def moments(self) -> Moments:
        """To what points of the game a moderator could go back."""

        async def work() -> Moments:
            await self._load_to_look()
            return moments_of(self)

        return await self.locked(work, "moments")

    async def can_return(self) -> bool:
        """Whether the last that happened is a moderator's rewind, which can be taken back."""
        return await self.locked(lambda: moderating.can_return(self), "return")

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

    async def set_pace(self, click: Click, value: str) -> None:
        """Host or moderators: choose how long players have for an answer, also during the game."""
        await self.locked(lambda: pacing.set_pace(self, click, value), "pace")

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

    async def end(self, click: Click) -> None:
        """Host or moderators: end the table without a result."""
        await self.locked(lambda: play.end(self, click), "end")

    async def come_back(self, click: Click) -> bool:
        """Take one's seat back from the computer player that plays for it; False if none does."""
        self.check_click(click)
        return await self.locked(lambda: deadlines.welcome(self, click), "welcome")

    async def gone(self, user_id: int, name: str) -> bool:
        """A person has left the server; a computer player of that name may have their seat."""
        return await self.locked(lambda: absence.gone(self, user_id, name), "gone")

    # Taking back

    async def undo_look(self, click: Click) -> Undoable:
        """What this person could take back now, or why nothing."""
        return await self.locked(lambda: undo.look(self, click), "undo")

    async def ask_undo(self, click: Click, length: int) -> bool:
        """Take the last answer back; False if the others at the table were asked first."""
        return await self.locked(lambda: undo.ask(self, click, length), "undo")

    async def speak(self, click: Click, number: int, *, agrees: bool) -> MotionState:
        """Agree or not to what the table is asked."""
        return await self.locked(
            lambda: agreeing.speak(self, click, number, agrees=agrees), "motion"
        )

    async def let_lapse(self) -> None:
        """Close a motion that nobody has settled."""
        await self.locked(lambda: agreeing.let_lapse(self), "lapse")

    # For moderators

    async def note_look(self, click: Click, what: str) -> None:
        """Write down that a moderator looked at the table in that way."""
        await self.locked(lambda: moderating.note_look(self, click, what), "note")

    async def check(self) -> Checked:
        """Play the stored journal in a game of its own, beside the table."""
        return await moderating.check(self)

    async def restore(self, click: Click, place: Place | None = None) -> int | None:
        """Bring a crashed, orphaned or ended table back, here or in another place.

        After how many moves it goes on, if what came then could not be played again.
        """
        return await self._in_its_place(lambda: moderating.restore(self, click, place), "restore")

    async def pause(self, click: Click) -> None:
        """Stop the table for a while."""
        await self.locked(lambda: moderating.pause(self, click), "pause")

    async def resume(self, click: Click) -> None:
        """Let a paused table go on."""
        await self._in_its_place(lambda: moderating.resume(self, click), "resume")

    async def _in_its_place(self, work: Callable[[], Coroutine[Any, Any, _T]], name: str) -> _T:
        """Do work for which the table's place is looked at: a table without one is ``orphaned``."""
        try:
            return await self.locked(work, name)
        except PlaceGone as gone:
            await orphan(self)
            raise Refusal("orphaned") from gone

    async def rewind(self, click: Click, keep: int, mark: str, *, knowing: bool = False) -> None:
        """Go on from after the first ``keep`` answers; ``mark`` is that of the present moment."""
        await self.locked(
            lambda: moderating.rewind(self, click, keep, mark, knowing=knowing), "rewind"
        )

    async def take_back_rewind(self, click: Click, mark: str) -> None:
        """Go on from where the table stood before a moderator took it back."""
        await self.locked(lambda: moderating.take_back_rewind(self, click, mark), "return")

    async def check_seat(self, click: Click, seat: Seat, sitter: NewSitter) -> bool:
        """Refuse what ``give_seat`` would; whether the table has to agree to it first."""

        async def work() -> bool:
            return await giving.check(self, click, seat, sitter)

        return await self.locked(work, "check seat")

    async def give_seat(
        self, click: Click, seat: Seat, sitter: NewSitter, *, bars: bool = False
    ) -> bool:
        """Put somebody else at a seat; False if the table was asked to agree first."""
        return await self.locked(
            lambda: giving.give_seat(self, click, seat, sitter, bars=bars), "seat"
        )

    # Time

    async def look_after_start(self) -> None:
        """Replay the journal, if it is not in memory yet, and note that this program has."""

        async def work() -> None:
            await self.load()
            await self.note_checked()

        await self.locked(work, "start")

    async def run_out(self, moment: float) -> None:
        """Answer for the clock if a glass has run out."""

        async def work() -> None:
            if self.status is Status.RUNNING and self.game is not None:
                await play.run_out(self, moment)

        await self.locked(work, "clock")

    async def pass_time(self, moment: float | None) -> None:
        """Answer for those whose time had run out at that moment; remind those whose time does."""

        async def work() -> None:
            if self.status is Status.RUNNING and self.game is not None:
                if moment is not None:
                    await deadlines.answer_due(self, moment)
                await deadlines.remind(self)

        await self.locked(work, "deadline")

    async def let_expire(self) -> None:
        """End a table at which nobody is, or announce that; close a lobby that nobody joins."""
        await self.locked(lambda: absence.expire(self), "expiry")
        await self.locked(lambda: absence.fall_quiet(self), "expiry")

    async def act_for_computers(self) -> None:
        """Let the computer players move."""
        await self.locked(lambda: computer.act(self), "computer")


def _newest(events: Sequence[Numbered], limit: int | None) -> tuple[Numbered, ...]:
    return tuple(events if limit is None else events[-limit:])
