"""/session seat: a moderator puts somebody else at a seat, after a question that names it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import discord

from bot.cogs.base import Press, Reply
from bot.cogs.lobby import computer_name
from bot.cogs.moderator import ModeratorCog, facts_of
from bot.sessions.faces import Status
from bot.sessions.giving import NewSitter
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from bot.ui.ids import Control
from bot.ui.layout import Sheet
from content.names import Style, styled


class Seating(ModeratorCog):
    """Who sits where, decided from above."""

    verbs: ClassVar[Mapping[str, str]] = {"seat_yes": "seat_now"}

    async def ask_seat(
        self,
        press: Press,
        session: Session,
        seat: int,
        player: discord.abc.User | None,
        *,
        bars: bool,
    ) -> Reply:
        """The question before a seat changes hands; what stands in the way is said instead."""
        user_id = None if player is None else player.id
        name = "" if user_id is None else await self._name(press, user_id)
        asks = await session.check_seat(press.click, seat, NewSitter(user_id, name))
        row = session.seats[seat]
        word = "seat.confirm_computer"
        if player is not None:
            word = "seat.confirm_person"
        elif session.status is Status.LOBBY:
            word = "seat.confirm_lobby"
        told = self.house.say(
            word,
            name=self.house.name_of(session),
            seat=seat + 1,
            who=styled(row.name, Style.MESSAGE),
            person=styled(name, Style.MESSAGE) if name else "",
            barred=bars and row.user_id is not None,
            asks=asks,
        )
        key = await self.key(press, seat, user_id or 0, int(bars))
        return self.ask(told, Control("seat_yes", session.id, key=key), "buttons.seat_yes")

    async def seat_now(self, press: Press) -> Reply:
        """Confirmed."""
        session = self.clicked(press)
        press = await self.again(press, session.guild_id)
        seat, user_id, bars = facts_of(press, 3)
        sitter = NewSitter(None, computer_name(session))
        if user_id:
            sitter = NewSitter(user_id, await self._name(press, user_id))
        was_lobby = session.status is Status.LOBBY
        old = session.seats.get(seat)
        done = await session.give_seat(press.click, seat, sitter, bars=bool(bars))
        word = "seat.done" if done else "seat.asked"
        if was_lobby:
            word = "seat.done_lobby"
        elif session.is_over:
            word = "seat.done_over"
        told = self.house.say(
            word,
            name=self.house.name_of(session),
            seat=seat + 1,
            who=styled(old.name, Style.MESSAGE) if old is not None else "",
            barred=bool(bars) and old is not None and old.user_id is not None,
            over=session.is_over,
        )
        return Reply(Sheet().text(told).shown(), here=True)

    async def _name(self, press: Press, user_id: int) -> str:
        guild = press.interaction.guild
        if guild is None:
            raise Refusal("server_command")
        try:
            member = guild.get_member(user_id) or await guild.fetch_member(user_id)
        except discord.NotFound as error:
            raise Refusal("not_a_member") from error
        if member.bot:
            raise Refusal("not_a_member")
        return member.display_name
