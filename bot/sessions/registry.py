"""All tables: finding them, opening them, waking them after a start, and the pump."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bot.sessions import motions, opening, sand, ticking
from bot.sessions.desk import Desk
from bot.sessions.faces import SeatCard, Status
from bot.sessions.listening import listen
from bot.sessions.passes import Passes
from bot.sessions.past import FinishedTable, finished
from bot.sessions.ports import Channel, Click, Refusal, Time
from bot.sessions.publisher import Publisher
from bot.sessions.session import Session
from bot.sessions.starting import Start
from bot.sessions.tending import save, tend
from bot.sessions.unknown import Unknown
from bot.sessions.upkeep import orphan, repost, tell_of_loss, turn_page
from bot.store.protocol import (
    AlreadyCounted,
    ChannelTaken,
    CodeTaken,
    JournalDamaged,
    Store,
    StoreError,
)
from bot.store.rows import Pace, SessionRow
from bot.titles import Title

log = logging.getLogger(__name__)

_SAVE_EVERY: Final = 5.0
_ASK_AGAIN: Final = 5.0
_INTERACTIONS_KEPT: Final = 3 * 86400.0


class Registry:
    """Every table of this process."""

    def __init__(
        self, titles: Mapping[str, Title], store: Store, channel: Channel, clock: Time
    ) -> None:
        self.desk = Desk(titles, store, channel, clock)
        self.publisher = Publisher(self.desk)
        self.start = Start(self.desk, self.publisher)
        self.passes = Passes(store, clock)
        self.unknown = Unknown(self.desk)
        self._sessions: dict[int, Session] = {}
        self._saved = clock.monotonic()
        self._is_restored = False
        self._ask_again: float | None = None
        self.desk.nudge = self._nudge
        self.desk.taken = self._taken

    @property
    def titles(self) -> Mapping[str, Title]:
        """The games by key."""
        return self.desk.titles

    # Start and stop

    async def open(self) -> None:
        """Know every live table; clicks may come in from here on.

        Tables of a game that this version does not have are left as they are, and so are those of
        which something cannot be read.
        """
        await self.desk.take_fingerprints()
        for row in await self.desk.store.live_sessions():
            await self._remember_if_readable(row)
        await self.desk.store.purge_interactions(self.desk.time.epoch() - _INTERACTIONS_KEPT)

    async def restore(self) -> None:
        """Once, when Discord can be reached: find out which tables are to be looked at.

        The pump does that, a few at a time; a table that is clicked is replayed for that click.
        Where the store cannot tell now, it is asked again after a while.
        """
        if self._is_restored:
            return
        self._is_restored = True
        self._ask_again = None
        try:
            left_over = {row.session for row in await self.desk.store.open_messages()}
            for session_id in sorted(left_over - set(self._sessions)):
                row = await self.desk.store.session(session_id)
                if row is not None:
                    await self._remember_if_readable(row)
        except StoreError as error:
            log.warning("the tables cannot be brought back now: %s; it is tried again", error)
            self._is_restored = False
            self._ask_again = self.desk.time.monotonic() + _ASK_AGAIN
            return
        self.start.plan(self._sessions.values())
        for session in self._sessions.values() if self.desk.store.newest_lost else ():
            self.desk.spawn(tell_of_loss(session), f"loss {session.code}")

    def connected(self) -> None:
        """Discord delivers clicks (again): tables are brought up to date, sand runs."""
        if not self.desk.online:
            self.desk.online = True
            for session in self._sessions.values():
                listen(session, self.publisher, afresh=True)
                session.wake_computers()
                if session.game is not None and (session.sands or session.clocks):
                    session.version += 1
                    self.publisher.nudge(session)

    def disconnected(self) -> None:
        """Discord is out of reach: sand stands still."""
        self.desk.online = False
        for session in self._sessions.values():
            ticking.stop(session)

    def arrived(self, interaction_id: int, at: float) -> None:
        """An interaction was delivered at that moment (monotonic)."""
        self.desk.arrived(interaction_id, at)

    def handled(self, interaction_id: int) -> None:
        """It has been dealt with."""
        self.desk.handled(interaction_id)

    async def close(self) -> None:
        """Take no more clicks, finish and answer those in flight, publish what is due."""
        self.desk.closing = True
        await self._save_time(self.desk.time.monotonic(), whole=True)
        await self.desk.drain(3.0)
        await self.desk.answered(1.0)
        for session in self._sessions.values():
            if self.publisher.shown(session).dirty and not session.publishing.locked():
                self.desk.spawn(self.publisher.publish(session), f"last words {session.code}")
        await self.desk.drain(2.0)

    # Finding tables

    def session(self, session_id: int) -> Session:
        """A live table, or one that ended since the start. Refusal ``no_such_table``."""
        try:
            return self._sessions[session_id]
        except KeyError as error:
            raise Refusal("no_such_table") from error

    async def recall(self, session_id: int) -> Session:
        """Any table, also one that ended long ago. Refusal ``no_such_table``."""
        if session_id not in self._sessions:
            row = await self.desk.store.session(session_id)
            if row is None or row.game not in self.titles:
                raise Refusal("no_such_table")
            await self._remember(row)
        return self._sessions[session_id]

    def by_code(self, code: str) -> Session:
        """A table in memory by its code. Refusal ``no_such_table``."""
        for session in self._sessions.values():
            if session.code == code.strip().upper():
                return session
        raise Refusal("no_such_table")

    def in_channel(self, channel_id: int, *, stopped: bool = False) -> Session | None:
        """The table that holds a channel; if there is none, the newest that has ``stopped`` there.

        A stopped table holds no channel: a new one can be opened beside it.
        """
        holding = (Status.LOBBY, Status.RUNNING, Status.PAUSED)
        found = [
            session
            for session in self._sessions.values()
            if session.channel_id == channel_id
            and (session.status in holding or (stopped and not session.is_over))
        ]
        return max(found, key=lambda one: (one.status in holding, one.id), default=None)

    def check_free(self, channel_id: int) -> None:
        """Refuse, with the way to it, where a table holds the channel."""
        session = self.in_channel(channel_id)
        if session is not None:
            raise self._taken(session.id)

    def look_again(self, session: Session) -> None:
        """Somebody looks for a table: its message is checked, and posted afresh if it is gone."""
        self.publisher.look_again(session)

    def replaced(self, session_id: int, message_id: int) -> None:
        """An answer to a click stands in place of one of a table's messages: it is made whole."""
        if session_id in self._sessions:
            self.publisher.replaced(self._sessions[session_id], message_id)

    def of_user(self, user_id: int) -> tuple[Session, ...]:
        """The live tables at which a person sits."""
        return tuple(
            session
            for session in self._sessions.values()
            if not session.is_over and session.seat_of(user_id) is not None
        )

    def everything(self) -> tuple[Session, ...]:
        """Every table in memory, also those that have ended."""
        return tuple(self._sessions.values())

    def drop(self, session_ids: Iterable[int]) -> None:
        """Tables whose rows are gone."""
        for session_id in session_ids:
            self.unknown.drop(session_id)
            session = self._sessions.pop(session_id, None)
            self.publisher.forget(session_id)
            if session is not None:
                session.let_go()

    def live(self) -> tuple[Session, ...]:
        """The live tables of all servers, crashed and orphaned ones too."""
        return tuple(session for session in self._sessions.values() if not session.is_over)

    def in_guild(self, guild_id: int) -> tuple[Session, ...]:
        """The live tables of a server, crashed and orphaned ones too."""
        return tuple(
            session
            for session in self._sessions.values()
            if not session.is_over and session.guild_id == guild_id
        )

    async def finished(
        self, guild_id: int, limit: int = 25, offset: int = 0
    ) -> tuple[FinishedTable, ...]:
        """A server's history, the latest first."""
        return await finished(self.desk, guild_id, limit, offset)

    # Opening

    async def open_lobby(
        self,
        click: Click,
        *,
        game: str,
        guild_id: int,
        channel_id: int,
        parent_id: int | None = None,
        options: Mapping[str, str] | None = None,
        seats: Sequence[SeatCard] = (),
        pace: Pace = "none",
    ) -> Session:
        """A new table with its first seats (by default the person who asked, as host).

        Refusal ``channel_taken`` names the table that holds the channel.
        """
        if self.desk.closing:
            raise Refusal("shutting_down")
        title = self.titles.get(game)
        if title is None:
            raise Refusal("no_such_game")
        at = self.desk.time.epoch()
        chosen = opening.chosen(title.game.options, options or {})
        sitting = seats or (SeatCard(0, click.user_id, click.name),)
        rows = opening.seat_rows(sitting, click.user_id, at)
        messages = opening.message_rows(at)
        while True:
            row = opening.session_row(
                game=game,
                guild_id=guild_id,
                channel_id=channel_id,
                parent_id=parent_id,
                host_id=click.user_id,
                options=chosen,
                pace=pace,
                at=at,
            )
            try:
                session_id = await self.desk.store.open_session(
                    row, rows, messages, click.interaction_id
                )
                break
            except CodeTaken:
                continue
            except ChannelTaken as taken:
                raise self._taken(taken.session_id) from taken
            except AlreadyCounted as error:
                raise Refusal("already_counted") from error
            except StoreError as error:
                raise Refusal("not_saved") from error
        stored = await self.desk.store.session(session_id)
        assert stored is not None
        session = await self._remember(stored)
        self._nudge(session.id, urgent=True)
        return session

    def _taken(self, session_id: int) -> Refusal:
        session, unknown = self._sessions.get(session_id), self.unknown.get(session_id)
        if unknown is not None:
            return Refusal("channel_rests", code=unknown.code)
        if session is not None:
            self.look_again(session)
        place = session.live_message if session else None
        return Refusal(
            "channel_taken",
            session=session_id,
            guild_id=session.guild_id if session else 0,
            channel_id=place[0] if place else 0,
            message_id=place[1] if place else 0,
        )

    # What happens on Discord

    async def channel_gone(self, channel_id: int) -> None:
        """A channel or thread was deleted: its tables rest."""
        for session in list(self._sessions.values()):
            if session.channel_id == channel_id and not session.is_over:
                await orphan(session)

    async def guild_gone(self, guild_id: int) -> None:
        """The bot was removed from a server: its tables rest."""
        for session in self.in_guild(guild_id):
            await orphan(session, removed=True)

    async def message_gone(self, channel_id: int, message_id: int) -> None:
        """Somebody deleted a message: a table or lobby message is posted afresh."""
        for session in list(self._sessions.values()):
            if session.live_message != (channel_id, message_id) or session.is_over:
                continue
            for row in list(session.messages.values()):
                if row.message_id == message_id:
                    act = turn_page if row.purpose == "table" else repost
                    await session.locked(lambda r=row, a=act, s=session: a(s, r.serial), "repost")

    # The pump

    async def pump(self) -> None:
        """Called several times a second: the clock, computer players, messages, saved sand."""
        if self.desk.closing:
            return
        now = self.desk.time.monotonic()
        if self._ask_again is not None and now >= self._ask_again and not self._is_restored:
            self.desk.spawn(self.restore(), "restore")
        self.start.go_on()
        for session in list(self._sessions.values()):
            if self.desk.online and not session.is_over:
                listen(session, self.publisher)
            if any(self._is_out(glass, now) for glass in session.sands.values()):
                self.desk.spawn(session.run_out(now), f"clock {session.code}")
            tend(session, now)
            motion = session.motion
            if motion is not None and motions.is_stale(motion, self.desk.time.epoch()):
                self.desk.spawn(session.let_lapse(), f"motion {session.code}")
            due = session.computers_due
            if due is not None and now >= due and not session.stands_still:
                session.computers_due = None
                self.desk.spawn(session.act_for_computers(), f"computer {session.code}")
            if self.desk.online and self.publisher.is_due(session, now):
                self.desk.spawn(self.publisher.publish(session), f"publish {session.code}")
        if now - self._saved >= _SAVE_EVERY:
            await self._save_time(now)

    def _is_out(self, glass: sand.Sand, now: float) -> bool:
        """Run out, and no click that came in time is still on its way through."""
        if not glass.has_run_out(now) or glass.since is None:
            return False
        return not self.desk.is_click_before(glass.since + glass.left)

    async def _save_time(self, now: float, *, whole: bool = False) -> None:
        self._saved = now
        for session in list(self._sessions.values()):
            await save(session, now, whole=whole)

    def _nudge(self, session_id: int, urgent: bool) -> None:
        session = self._sessions.get(session_id)
        if session is None:
            return
        self.publisher.nudge(session, urgent=urgent)
        now = self.desk.time.monotonic()
        if self.desk.online and self.publisher.is_due(session, now):
            self.desk.spawn(self.publisher.publish(session), f"publish {session.code}")

    async def _remember_if_readable(self, row: SessionRow) -> None:
        """No table keeps another one from being known."""
        if row.game not in self.titles:
            self.unknown.note(row)
            return
        try:
            await self._remember(row)
        except JournalDamaged as error:
            log.error("table %s cannot be read, it rests: %s", row.code, error)  # noqa: TRY400

    async def _remember(self, row: SessionRow) -> Session:
        known = self._sessions.get(row.id)
        if known is not None:
            return known
        seats = await self.desk.store.seats(row.id)
        messages = await self.desk.store.messages(row.id)
        sittings = await self.desk.store.sittings(row.id)
        asked = await self.desk.store.motions(row.id)
        formers = await self.desk.store.formers(row.id)
        known = self._sessions.get(row.id)
        if known is not None:
            return known
        title = self.titles[row.game]
        session = Session(self.desk, title, row, seats, messages, sittings, asked, formers)
        self._sessions[row.id] = session
        return session
