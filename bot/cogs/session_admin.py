"""For moderators: /session. The table's host may end it, too, from the table's menu."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import discord
from discord import app_commands

from bot.cogs import placing, soundness
from bot.cogs.base import Press, Reply
from bot.cogs.moderator import ModeratorCog, facts_of
from bot.cogs.rewinding import Rewinding
from bot.cogs.seating import Seating
from bot.sessions.faces import Status
from bot.sessions.moderating import Place
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from bot.ui import moderators
from bot.ui.buttons import NightButton, button
from bot.ui.dispatcher import Dispatcher, number
from bot.ui.fitting import OPTION, fit_label
from bot.ui.house import House, message_link
from bot.ui.ids import Control
from bot.ui.layout import Sheet

_LISTED = 25
_PAGE = 10


class SessionAdmin(ModeratorCog):
    """What needs "Manage Server", unless the server's settings give the command to others."""

    verbs: ClassVar[Mapping[str, str]] = {
        "end": "open_end",
        "end_yes": "end_now",
        "mod_list": "more_tables",
        "mod_log": "more_log",
    }

    session = app_commands.Group(
        name="session",
        description="-",
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )

    def __init__(
        self, house: House, dispatcher: Dispatcher, rewinding: Rewinding, seating: Seating
    ) -> None:
        super().__init__(house, dispatcher)
        self.rewinding = rewinding
        self.seating = seating

    @session.command(name="list", description="-")
    async def list_command(self, interaction: discord.Interaction) -> None:
        """All tables of this server, also those that have stopped."""
        await self.run(interaction, lambda press: self.list_tables(self.let_through(press), 0))

    @session.command(name="inspect", description="-")
    async def inspect_command(
        self, interaction: discord.Interaction, table: str, words: bool = False
    ) -> None:
        """A table as everybody may see it."""
        await self.run(
            interaction, lambda press: self.inspect(self.let_through(press), table, words=words)
        )

    @session.command(name="check", description="-")
    async def check_command(self, interaction: discord.Interaction, table: str) -> None:
        """Replay a table's journal beside the table."""
        await self.run(interaction, lambda press: self.check(self.let_through(press), table))

    @session.command(name="restore", description="-")
    async def restore_command(
        self,
        interaction: discord.Interaction,
        table: str,
        channel: placing.Named | None = None,
    ) -> None:
        """Bring a stopped table back, here or elsewhere."""
        await self.run(
            interaction, lambda press: self.restore(self.let_through(press), table, channel)
        )

    @session.command(name="rewind", description="-")
    async def rewind_command(self, interaction: discord.Interaction, table: str) -> None:
        """Take a table back to an earlier moment."""
        await self.run(interaction, lambda press: self.rewind(self.let_through(press), table))

    @session.command(name="pause", description="-")
    async def pause_command(self, interaction: discord.Interaction, table: str) -> None:
        """Stop a table for a while."""
        await self.run(interaction, lambda press: self.pause(self.let_through(press), table))

    @session.command(name="resume", description="-")
    async def resume_command(self, interaction: discord.Interaction, table: str) -> None:
        """Let a paused table go on."""
        await self.run(interaction, lambda press: self.resume(self.let_through(press), table))

    @session.command(name="seat", description="-")
    async def seat_command(
        self,
        interaction: discord.Interaction,
        table: str,
        seat: str,
        player: discord.User | None = None,
        barred: bool = False,
    ) -> None:
        """Put somebody else at a seat, after a confirmation."""
        await self.run(
            interaction,
            lambda press: self.seat(self.let_through(press), table, seat, player, bars=barred),
        )

    @session.command(name="end", description="-")
    async def end_command(self, interaction: discord.Interaction, table: str) -> None:
        """End a table without a result, after a second confirmation."""
        await self.run(interaction, lambda press: self.end(self.let_through(press), table))

    @session.command(name="log", description="-")
    async def log_command(self, interaction: discord.Interaction, table: str | None = None) -> None:
        """What moderators did, the newest first."""
        await self.run(interaction, lambda press: self.log(self.let_through(press), table))

    @inspect_command.autocomplete("table")
    @check_command.autocomplete("table")
    @restore_command.autocomplete("table")
    @rewind_command.autocomplete("table")
    @pause_command.autocomplete("table")
    @resume_command.autocomplete("table")
    @seat_command.autocomplete("table")
    @end_command.autocomplete("table")
    @log_command.autocomplete("table")
    async def _codes(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """The tables of this server."""
        found = self.house.registry.in_guild(interaction.guild_id or 0)
        names = [(f"{self.house.name_of(s)}, {self._status(s)}", s.code) for s in found]
        return [
            app_commands.Choice(name=fit_label(name, OPTION), value=code)
            for name, code in names
            if current.casefold() in name.casefold()
        ][:_LISTED]

    @seat_command.autocomplete("seat")
    async def _seats(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """The seats of the table that was named."""
        code = str(getattr(interaction.namespace, "table", "")).strip().upper()
        for session in self.house.registry.in_guild(interaction.guild_id or 0):
            if session.code == code:
                rows = sorted(session.seats.items())
                told = [(seat, self._seat_name(session, seat)) for seat, _ in rows]
                return [
                    app_commands.Choice(name=fit_label(name, OPTION), value=str(seat + 1))
                    for seat, name in told
                    if current.casefold() in name.casefold()
                ][:_LISTED]
        return []

    def _seat_name(self, session: Session, seat: int) -> str:
        who = self.house.voice(session).plain.seat(seat)
        return self.house.say("seat.choice", seat=seat + 1, who=who)

    def _status(self, session: Session) -> str:
        return self.house.say(f"status.{session.status.value}")

    # Looking

    async def list_tables(self, press: Press, page: int) -> Reply:
        """What there is, where, how it stands, and when something last happened."""
        found = sorted(
            self.house.registry.in_guild(press.interaction.guild_id or 0),
            key=lambda session: (-session.row.touched_at, session.id),
        )
        sheet = Sheet().text(f"## {self.house.say('session.heading')}")
        here = found[page * _PAGE : (page + 1) * _PAGE]
        lines = [self._line(press, session) for session in here]
        if len(found) <= (page + 1) * _PAGE:
            rows = self.unknown(press)[:_PAGE]
            lines += [self.house.say("session.line_unknown", name=self.name_of(r)) for r in rows]
        sheet.text("\n".join(lines) or self.house.say("tables.none"), 3400)
        more = len(found) > (page + 1) * _PAGE
        sheet.row(*await self._paging(press, "mod_list", page, more=more))
        return Reply(sheet.shown(), here=True)

    def _line(self, press: Press, session: Session) -> str:
        place = session.live_message or (session.channel_id, None)
        return self.house.say(
            "session.line",
            name=self.house.name_of(session),
            status=self._status(session),
            health=soundness.health_of(self.house, session, press.interaction.guild),
            count=len(session.seats),
            when=f"<t:{round(session.row.touched_at)}:R>",
            link=message_link(session.guild_id, *place),
        )

    async def _paging(
        self, press: Press, verb: str, page: int, *, more: bool, session: int = 0
    ) -> list[NightButton | None]:
        newer = older = None
        if page:
            key = await self.key(press, page - 1)
            newer = button(Control(verb, session, key=key), self.house.say("buttons.newer"))
        if more:
            key = await self.key(press, page + 1)
            older = button(Control(verb, session, key=key), self.house.say("buttons.older"))
        return [newer, older]

    async def more_tables(self, press: Press) -> Reply:
        """Another page of the list."""
        press = await self.again(press, press.interaction.guild_id or 0)
        return await self.list_tables(press, facts_of(press)[0])

    async def inspect(self, press: Press, code: str, *, words: bool) -> Reply:
        """The board, the public log, who is awaited, how far the game has come."""
        session = await self.table(press, code)
        await session.note_look(press.click, "inspect")
        snapshot = await session.snapshot()
        progress = None
        news: list[str] = []
        if session.game is not None:
            moments = await session.moments()
            news = self.house.voice(session).events(moments.events)
            progress = moderators.Progress(len(moments.moves), moments.branches, moments.mark)
        picture = None
        if snapshot.view is not None and not words:
            pictures = self.house.pictures
            picture = await pictures.board(session.title, snapshot.view, snapshot.seat_names)
        troubles = soundness.troubles_of(self.house, session, press.interaction.guild)
        standing = ", ".join([self._status(session), *troubles])
        heading = f"## {self.house.name_of(session)}\n{standing}"
        return Reply(
            moderators.inspection(session.title, snapshot, heading, progress, news, picture)
        )

    async def check(self, press: Press, code: str) -> Reply:
        """Play the journal once more, beside the table."""
        session = await self.table(press, code)
        found = await session.check()
        await session.note_look(press.click, "check")
        word = "session.check_good"
        if not found.is_good:
            word = "session.check_fails" if found.is_readable else "session.check_unreadable"
        told = self.house.say(
            word,
            name=self.house.name_of(session),
            moves=found.moves,
            branches=found.branches,
            reference=found.reference,
        )
        sheet = Sheet().text(told)
        if found.is_good and found.retold_from is not None:
            sheet.text(self.house.say("session.check_retold", move=found.retold_from))
        return Reply(sheet.shown())

    async def log(self, press: Press, code: str | None, page: int = 0) -> Reply:
        """The newest acts of moderators, ten a page."""
        session = (await self.table(press, code)).id if code else None
        return await self._log(press, session, page)

    async def _log(self, press: Press, session: int | None, page: int) -> Reply:
        guild_id = press.interaction.guild_id or 0
        store = self.house.registry.desk.store
        rows = await store.acts(guild_id, session, _PAGE + 1, page * _PAGE)
        lines = moderators.log_lines(rows[:_PAGE], self.house.say)
        sheet = Sheet().text(f"## {self.house.say('acts.heading')}")
        sheet.text("\n".join(lines) or self.house.say("acts.none"), 3400)
        more = len(rows) > _PAGE
        sheet.row(*await self._paging(press, "mod_log", page, more=more, session=session or 0))
        return Reply(sheet.shown(), here=True)

    async def more_log(self, press: Press) -> Reply:
        """Another page of the log."""
        press = await self.again(press, press.interaction.guild_id or 0)
        return await self._log(press, press.control.session or None, facts_of(press)[0])

    # Acting

    async def restore(self, press: Press, code: str, named: placing.Named | None) -> Reply:
        """Rebuild a table from its journal and post it again, in that channel if one is named."""
        session = await self.table(press, code)
        where = await placing.found(named)
        place = None
        if where is not None:
            placing.check(self.house, press, where)
            parent = where.parent_id if isinstance(where, discord.Thread) else None
            place = Place(where.id, parent)
        elif not await placing.is_there(press, session.channel_id):
            raise Refusal("restore_needs_channel")
        with placing.naming_another():
            moves = await session.restore(press.click, place)
        link = f"<#{session.channel_id}>"
        name = self.house.name_of(session)
        if moves is None:
            return self.house.note("session.restored", name=name, where=link)
        return self.house.note("session.restored_part", name=name, where=link, moves=moves)

    async def rewind(self, press: Press, code: str) -> Reply:
        """Choose the point to go back to."""
        session = await self.table(press, code)
        if session.status is not Status.PAUSED:
            session.check_running()
        return await self.rewinding.choose(press, session)

    async def pause(self, press: Press, code: str) -> Reply:
        """Stop a table for a while."""
        session = await self.table(press, code)
        await session.pause(press.click)
        return self.house.note("session.paused", name=self.house.name_of(session))

    async def resume(self, press: Press, code: str) -> Reply:
        """Let a paused table go on."""
        session = await self.table(press, code)
        await session.resume(press.click)
        return self.house.note("session.resumed", name=self.house.name_of(session))

    async def seat(
        self, press: Press, code: str, seat: str, player: discord.abc.User | None, *, bars: bool
    ) -> Reply:
        """Ask before a seat changes hands."""
        session = await self.table(press, code)
        if session.is_over:
            raise Refusal("game_over")
        return await self.seating.ask_seat(press, session, number(seat) - 1, player, bars=bars)

    async def end(self, press: Press, code: str) -> Reply:
        """Ask for the second confirmation."""
        for row in self.unknown(press, code):
            return await self._sure(press, row.id, self.name_of(row), begun=row.header is not None)
        return await self._ask_end(press, await self.table(press, code))

    async def _ask_end(self, press: Press, session: Session) -> Reply:
        if session.is_over:
            raise Refusal("game_over")
        begun = session.row.header is not None
        return await self._sure(press, session.id, self.house.name_of(session), begun=begun)

    async def _sure(self, press: Press, session_id: int, name: str, *, begun: bool) -> Reply:
        control = Control("end_yes", session_id, key=await self.key(press))
        word = "session.confirm" if begun else "session.confirm_lobby"
        return self.ask(self.house.say(word, name=name), control, "buttons.end_yes")

    async def open_end(self, press: Press) -> Reply:
        """The button "End the game" in the table's menu."""
        session = self.clicked(press)
        session.check_host(press.click)
        return await self._ask_end(press, session)

    async def end_now(self, press: Press) -> Reply:
        """Confirmed, by a moderator or by the host."""
        row = self.house.registry.unknown.get(press.control.session)
        if row is not None:
            press = await self.again(press, row.guild_id)
            await self.house.registry.unknown.end(press.click, row.id)
            return self._ended(self.name_of(row))
        session = self.clicked(press)
        click = press.click
        if click.user_id != session.host_id:
            try:
                click = (await self.again(press, session.guild_id)).click
            except Refusal:
                session.check_host(click)
        if session.status is Status.LOBBY:
            await session.cancel(click)
        else:
            await session.end(click)
        return self._ended(self.house.name_of(session))

    def _ended(self, name: str) -> Reply:
        told = self.house.say("session.ended", name=name)
        return Reply(Sheet().text(told).shown(), here=True)
