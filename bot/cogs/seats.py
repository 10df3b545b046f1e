"""Seats that change hands during a game: /leave, taking a computer's seat, calling one in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import discord
from discord import app_commands

from bot.cogs.base import NightCog, Press, Reply
from bot.cogs.lobby import computer_name
from bot.sessions.faces import Status
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from bot.ui import panel
from bot.ui.buttons import Choice, Style, button, menu
from bot.ui.dispatcher import number
from bot.ui.ids import MENU_SIZE, Control
from bot.ui.layout import Sheet


class Seats(NightCog):
    """Who sits where, once a game has begun."""

    verbs: ClassVar[Mapping[str, str]] = {
        "leave": "open_leave",
        "leave_yes": "leave_now",
        "take": "open_take",
        "take_seat": "take_seat",
        "replace": "open_replace",
        "replace_seat": "ask_replace",
        "replace_yes": "replace_now",
        "never_mind": "never_mind",
    }
    actions: ClassVar[Mapping[str, str]] = {"leave": "leave"}

    @app_commands.command(name="leave", description="-")
    async def leave_command(self, interaction: discord.Interaction) -> None:
        """Give one's seat up; in a game, to a computer player."""
        await self.at_table(interaction, "leave")

    async def leave(self, press: Press, session: Session) -> Reply:
        """Ask before a seat is given up; a lobby may be left without."""
        session.require_seat(press.click.user_id)
        if session.status is Status.LOBBY:
            await session.leave_lobby(press.click)
            return self.house.note("leave.left_lobby")
        session.check_running()
        last = session.is_last(session.require_seat(press.click.user_id))
        told = self.house.say("leave.confirm", name=self.house.name_of(session), last=last)
        return self._confirm(told, Control("leave_yes", session.id), "buttons.leave_yes")

    def _confirm(self, told: str, control: Control, word: str) -> Reply:
        yes = button(control, self.house.say(word), Style.danger)
        no = button(Control("never_mind", control.session), self.house.say("buttons.never_mind"))
        return Reply(Sheet().text(told).row(yes, no).shown())

    async def open_leave(self, press: Press) -> Reply:
        """The button "Leave"."""
        return await self.leave(press, self.clicked(press))

    async def leave_now(self, press: Press) -> Reply:
        """Confirmed: a computer player takes the seat."""
        session = self.clicked(press)
        await session.hand_over(press.click, name=computer_name(session))
        told = self.house.say("leave.left", name=self.house.name_of(session), last=session.is_over)
        return Reply(Sheet().text(told).shown(), here=True)

    async def never_mind(self, press: Press) -> Reply:
        """Not confirmed."""
        return Reply(Sheet().text(self.house.say("leave.stays")).shown(), here=True)

    # Taking a computer's seat

    async def open_take(self, press: Press) -> Reply:
        """The seats of computer players, to choose from."""
        session = self.clicked(press)
        session.check_running()
        choices = [
            Choice(f"{session.id}.{seat}", row.name)
            for seat, row in sorted(session.seats.items())
            if row.user_id is None
        ]
        sitting = session.sitting_of(press.click.user_id)
        if sitting is not None and sitting.barred:
            raise Refusal("sent_away")
        if sitting is not None:
            choices = [one for one in choices if one.key == f"{session.id}.{sitting.seat}"]
            if not choices:
                raise Refusal("sat_before")
        if not choices:
            raise Refusal("seat_is_taken")
        sheet = Sheet().text(self.house.say("take.which"))
        control = Control("take_seat", session.id)
        placeholder = self.house.say("tables.take")
        return Reply(sheet.row(menu(control, placeholder, choices[:MENU_SIZE])).shown())

    async def take_seat(self, press: Press) -> Reply:
        """Sit down; the briefing is what the seat knows."""
        session_id, _, seat = press.value.partition(".")
        session = self.at_home(press, number(session_id))
        look = await session.take_over(press.click, number(seat))
        note = self.house.say("take.taken", name=self.house.name_of(session))
        return Reply(panel.briefing(session.title, look, note=note), here=True)

    # The host calls a computer player in for somebody who is away

    async def open_replace(self, press: Press) -> Reply:
        """The people at the table, for the host to choose from."""
        session = self.clicked(press)
        session.check_host(press.click)
        session.check_running()
        choices = [
            Choice(str(seat), row.name)
            for seat, row in sorted(session.seats.items())
            if row.user_id is not None and row.user_id != press.click.user_id
        ]
        if not choices:
            raise Refusal("nobody_to_replace")
        control = Control("replace_seat", session.id)
        placeholder = self.house.say("replace.choose")
        sheet = Sheet().text(self.house.say("replace.which"))
        return Reply(sheet.row(menu(control, placeholder, choices[:MENU_SIZE])).shown())

    async def ask_replace(self, press: Press) -> Reply:
        """One was chosen: ask again."""
        session = self.clicked(press)
        row = session.seats.get(number(press.value))
        if row is None or row.user_id is None:
            raise Refusal("stale", kind="")
        told = self.house.say("replace.confirm", name=row.name, last=session.is_last(row.seat))
        control = Control("replace_yes", session.id, key=str(row.seat))
        return self._confirm(told, control, "buttons.replace_yes")

    async def replace_now(self, press: Press) -> Reply:
        """Confirmed: a computer player takes that seat."""
        session = self.clicked(press)
        await session.hand_over(press.click, press.number, computer_name(session))
        told = self.house.say("replace.done", last=session.is_over)
        return Reply(Sheet().text(told).shown(), here=True)
