"""Looking at tables: /board, /log, /tables, /history, and the table's own menu."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import discord
from discord import app_commands

from bot.cogs.base import NightCog, Press, Reply
from bot.sessions.faces import Snapshot, Status
from bot.sessions.past import FinishedTable
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from bot.ui import faces
from bot.ui.buttons import Choice, NightButton, Style, button, menu
from bot.ui.fitting import fit, fit_lines
from bot.ui.house import message_link
from bot.ui.ids import MENU_SIZE, Control
from bot.ui.layout import Attached, Sheet
from bot.ui.text import Voice, said

_LOG_LINES = 40
_PAGE = 10
_LISTED = 20
_PLAYED = (Status.RUNNING, Status.PAUSED)


class Tables(NightCog):
    """What is going on, and what has been."""

    verbs: ClassVar[Mapping[str, str]] = {
        "menu": "open_menu",
        "board": "open_board",
        "words": "open_words",
        "log": "open_log",
        "story": "story",
        "history": "open_history",
    }
    actions: ClassVar[Mapping[str, str]] = {"board": "board", "words": "words", "log": "log"}

    @app_commands.command(name="board", description="-")
    async def board_command(self, interaction: discord.Interaction, words: bool = False) -> None:
        """Show the board, as a picture or in words."""
        await self.at_table(interaction, "words" if words else "board")

    @app_commands.command(name="log", description="-")
    async def log_command(self, interaction: discord.Interaction) -> None:
        """What has happened so far, with what only you know."""
        await self.at_table(interaction, "log")

    @app_commands.command(name="tables", description="-")
    async def tables_command(self, interaction: discord.Interaction) -> None:
        """The tables of this server, or your own."""
        await self.run(interaction, self.tables)

    @app_commands.command(name="history", description="-")
    @app_commands.guild_only()
    async def history_command(self, interaction: discord.Interaction) -> None:
        """Games that are over."""
        await self.run(interaction, lambda press: self.history(press, 0))

    # At one table

    async def board(self, press: Press, session: Session) -> Reply:
        """The board as a picture."""
        snapshot = await self._seen(session)
        picture = await self.house.pictures.board(session.title, snapshot.view, snapshot.seat_names)
        seat = session.seat_of(press.click.user_id)
        return Reply(faces.board(session.title, snapshot, picture, words=False, seat=seat))

    async def words(self, press: Press, session: Session) -> Reply:
        """The board in words."""
        snapshot = await self._seen(session)
        seat = session.seat_of(press.click.user_id)
        return Reply(faces.board(session.title, snapshot, None, words=True, seat=seat))

    async def _seen(self, session: Session) -> Snapshot:
        snapshot = await session.snapshot()
        if snapshot.view is None:
            session.check_running()
            raise Refusal("not_running")
        return snapshot

    async def log(self, press: Press, session: Session) -> Reply:
        """The newest events that this person may know."""
        user_id = press.click.user_id
        seated = session.seat_of(user_id) is not None
        events = await (session.own_log(user_id) if seated else session.public_log())
        voice = self.house.voice(session)
        lines = voice.events(events)
        sheet = Sheet().text(f"## {self.house.say('log.heading', code=session.code)}")
        newest = fit_lines(lines[-_LOG_LINES:], 3000)
        sheet.text("\n".join(f"- {line}" for line in newest) or self.house.say("log.empty"))
        if len(newest) < len(lines):
            plain = "\n".join(voice.events(events, plain=True))
            attached = Attached(f"log-{session.code}.txt", plain.encode())
            sheet.attach(attached).attachment(attached.name)
        return Reply(sheet.shown())

    async def open_board(self, press: Press) -> Reply:
        """The button "Board"."""
        return await self.board(press, await self.recalled(press))

    async def open_words(self, press: Press) -> Reply:
        """The button "Board in words"."""
        return await self.words(press, await self.recalled(press))

    async def open_log(self, press: Press) -> Reply:
        """The button "Log"."""
        return await self.log(press, await self.recalled(press))

    async def story(self, press: Press) -> Reply:
        """The public log of a game that has ended, as a file."""
        session = await self.recalled(press)
        events = await session.public_log()
        voice = self.house.voice(session)
        names = ", ".join(voice.plain.seat(seat) for seat in range(len(voice.names)))
        head = voice.label("story.heading", game=voice.label("game.name"), code=session.code)
        text = "\n".join([head, names, "", *voice.events(events, plain=True), ""])
        attached = Attached(f"story-{session.code}.txt", text.encode())
        sheet = Sheet().text(self.house.say("story.here"))
        return Reply(sheet.attach(attached).attachment(attached.name).shown())

    async def open_menu(self, press: Press) -> Reply:
        """The table's menu: everything that is not a move."""
        session = self.clicked(press)
        seat = session.seat_of(press.click.user_id)
        voice = self.house.voice(session)

        def made(verb: str, style: Style = Style.secondary) -> NightButton:
            return button(Control(verb, session.id), voice.label(f"buttons.{verb}"), style)

        sheet = Sheet().text(self.house.say("tables.menu", name=self.house.name_of(session)))
        sheet.row(made("board"), made("words"), made("log"), made("rules"), made("howto"))
        computers = _may_take(session, press.click.user_id)
        mayend = press.click.user_id == session.host_id or press.click.may_manage
        sheet.row(
            made("take") if computers else None,
            made("undo") if seat is not None and session.status is Status.RUNNING else None,
            made("leave", Style.danger) if seat is not None else None,
            made("replace") if mayend and len(session.persons()) > 1 else None,
            made("end", Style.danger) if mayend else None,
        )
        sheet.row(made("set_pace") if mayend and session.status in _PLAYED else None)
        return Reply(sheet.shown())

    # Lists

    async def tables(self, press: Press) -> Reply:
        """The live tables of the server; in direct messages, one's own."""
        registry = self.house.registry
        guild_id = press.interaction.guild_id
        user_id = press.click.user_id
        found = registry.in_guild(guild_id) if guild_id else registry.of_user(user_id)
        sheet = Sheet().text(f"## {self.house.say('tables.heading')}")
        if not found:
            none = "tables.none" if guild_id else "tables.none_yours"
            return Reply(sheet.text(self.house.say(none)).shown())
        lines = [self._line(session, user_id) for session in found[:_LISTED]]
        sheet.text("\n".join(lines), 3200)
        free = [
            Choice(f"{session.id}.{row.seat}", self._seat(session, row.name))
            for session in found
            if session.status is Status.RUNNING and session.seat_of(user_id) is None
            for row in session.seats.values()
            if _is_free(session, user_id, row.seat)
        ]
        if free:
            sheet.row(menu(Control("take_seat"), self.house.say("tables.take"), free[:MENU_SIZE]))
        return Reply(sheet.shown())

    def _line(self, session: Session, user_id: int) -> str:
        place = session.live_message or (session.channel_id, None)
        return self.house.say(
            "tables.line",
            name=self.house.name_of(session),
            status=self.house.say(f"status.{session.status.value}"),
            count=len(session.seats),
            yours=session.seat_of(user_id) is not None,
            link=message_link(session.guild_id, *place),
        )

    def _seat(self, session: Session, name: str) -> str:
        return self.house.say("tables.seat", name=fit(name, 40), table=self.house.name_of(session))

    async def open_history(self, press: Press) -> Reply:
        """Another page of the history."""
        return await self.history(press, press.number)

    async def history(self, press: Press, page: int) -> Reply:
        """The games of this server that are over, ten a page."""
        guild_id = press.interaction.guild_id
        if guild_id is None:
            raise Refusal("server_command")
        rows = await self.house.registry.finished(guild_id, _PAGE + 1, page * _PAGE)
        sheet = Sheet().text(f"## {self.house.say('history.heading')}")
        lines = [self._finished(guild_id, row) for row in rows[:_PAGE]]
        sheet.text("\n".join(lines) or self.house.say("history.none"), 3200)
        newer = (
            button(Control("history", key=str(page - 1)), self.house.say("buttons.newer"))
            if page
            else None
        )
        older = (
            button(Control("history", key=str(page + 1)), self.house.say("buttons.older"))
            if len(rows) > _PAGE
            else None
        )
        return Reply(sheet.row(newer, older).shown(), here=True)

    def _finished(self, guild_id: int, table: FinishedTable) -> str:
        title = self.house.titles[table.game]
        voice = Voice(title, table.seats)
        ended = self.house.say("history.unfinished")
        if table.outcome is not None:
            ended = self.house.say("history.won" if table.outcome.won else "history.lost")
        names = voice.words.joined([voice.words.seat(n) for n in range(len(table.seats))])
        return self.house.say(
            "history.line",
            name=self.house.say(
                "tables.name", game=said(title.content.words, "game.name"), code=table.code
            ),
            ended=ended,
            when=f"<t:{round(table.ended_at)}:d>",
            names=fit(names, 150),
            link=message_link(guild_id, table.channel_id, table.message_id),
        )


def _is_free(session: Session, user_id: int, seat: int) -> bool:
    """Whether a person may take that seat: a computer's, and no other than they had before."""
    sitting = session.sitting_of(user_id)
    known = sitting is None or (sitting.seat == seat and not sitting.barred)
    return known and session.seats[seat].user_id is None


def _may_take(session: Session, user_id: int) -> bool:
    """Whether there is a seat for somebody who sits at none."""
    seats = session.seats if session.seat_of(user_id) is None else ()
    return any(_is_free(session, user_id, seat) for seat in seats)
