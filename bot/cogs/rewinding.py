"""/session rewind: a list of what happened, a question, and another one if something was seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from bot.cogs.base import Press, Reply
from bot.cogs.moderator import ModeratorCog, facts_of
from bot.sessions.moves import Moments
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from bot.ui.buttons import Choice, button, menu
from bot.ui.dispatcher import number
from bot.ui.ids import MENU_SIZE, Control
from bot.ui.layout import Sheet


class Rewinding(ModeratorCog):
    """Taking a table back. Everything it shows is from the public log."""

    verbs: ClassVar[Mapping[str, str]] = {
        "rewind": "choose_page",
        "rewind_to": "confirm",
        "rewind_yes": "go_back",
        "rewind_sure": "go_back_knowing",
        "return": "confirm_return",
        "return_yes": "take_back",
    }

    async def choose(self, press: Press, session: Session, page: int = 0) -> Reply:
        """The points to which the table can go back, the newest first."""
        moments = await session.moments()
        points = self._points(session, moments)
        returns = not page and await session.can_return()
        if not points and not returns:
            raise Refusal("nothing_to_rewind")
        returning = None
        if returns:
            target = Control("return", session.id, key=await self.key(press, moments.mark))
            returning = button(target, self.house.say("buttons.return"))
        if not points:
            told = self.house.say("rewind.only_return", name=self.house.name_of(session))
            return Reply(Sheet().text(told).row(returning).shown(), here=True)
        pages = -(-len(points) // MENU_SIZE)
        page = min(max(page, 0), pages - 1)
        choices = [
            Choice(f"{move}.{moments.mark}", label)
            for move, label in points[page * MENU_SIZE : (page + 1) * MENU_SIZE]
        ]
        told = self.house.say("rewind.choose", name=self.house.name_of(session))
        control = Control("rewind_to", session.id, key=await self.key(press))
        sheet = Sheet().text(told).row(menu(control, self.house.say("rewind.placeholder"), choices))
        newer = older = None
        if page:
            target = Control("rewind", session.id, key=await self.key(press, page - 1))
            newer = button(target, self.house.say("buttons.newer"))
        if page < pages - 1:
            target = Control("rewind", session.id, key=await self.key(press, page + 1))
            older = button(target, self.house.say("buttons.older"))
        return Reply(sheet.row(newer, older, returning).shown(), here=True)

    async def choose_page(self, press: Press) -> Reply:
        """Another page of the list."""
        session = self.clicked(press)
        press = await self.again(press, session.guild_id)
        return await self.choose(press, session, facts_of(press)[0])

    async def confirm(self, press: Press) -> Reply:
        """A point was chosen: ask, naming the table and what is taken back."""
        session = self.clicked(press)
        press = await self.again(press, session.guild_id)
        chosen, _, mark = press.value.partition(".")
        move = number(chosen)
        moments = await session.moments()
        what = dict(self._points(session, moments)).get(move)
        if what is None or mark != moments.mark:
            raise Refusal("stale", kind="")
        told = self.house.say(
            "rewind.confirm",
            name=self.house.name_of(session),
            what=what,
            count=len(moments.moves) - move,
            secret=moments.is_open,
        )
        key = await self.key(press, move, mark)
        return self.ask(
            told, Control("rewind_yes", session.id, key=key), "buttons.rewind_yes", here=True
        )

    async def confirm_return(self, press: Press) -> Reply:
        """The last rewind shall be taken back: ask."""
        session = self.clicked(press)
        press = await self.again(press, session.guild_id)
        told = self.house.say("rewind.return", name=self.house.name_of(session))
        mark = press.control.key.partition(".")[0]
        control = Control("return_yes", session.id, key=await self.key(press, mark))
        return self.ask(told, control, "buttons.return_yes", here=True)

    async def take_back(self, press: Press) -> Reply:
        """Confirmed."""
        session = self.clicked(press)
        press = await self.again(press, session.guild_id)
        await session.take_back_rewind(press.click, press.control.key.partition(".")[0])
        done = self.house.say("rewind.returned", name=self.house.name_of(session))
        return Reply(Sheet().text(done).shown(), here=True)

    async def go_back(self, press: Press) -> Reply:
        """Confirmed; if something was seen since, ask once more."""
        return await self._go_back(press, knowing=False)

    async def go_back_knowing(self, press: Press) -> Reply:
        """Confirmed again."""
        return await self._go_back(press, knowing=True)

    async def _go_back(self, press: Press, *, knowing: bool) -> Reply:
        session = self.clicked(press)
        press = await self.again(press, session.guild_id)
        chosen, _, mark = press.control.key.rpartition(".")[0].partition(".")
        move = number(chosen)
        moments = await session.moments()
        if not 0 <= move <= moments.points:
            raise Refusal("stale", kind="")
        try:
            await session.rewind(press.click, moments.keep(move), mark, knowing=knowing)
        except Refusal as refusal:
            if refusal.problem != "rewind_reveals":
                raise
            told = self.house.say("rewind.reveals", name=self.house.name_of(session))
            key = await self.key(press, move, mark)
            control = Control("rewind_sure", session.id, key=key)
            return self.ask(told, control, "buttons.rewind_sure", here=True)
        done = self.house.say("rewind.done", name=self.house.name_of(session))
        return Reply(Sheet().text(done).shown(), here=True)

    def _points(self, session: Session, moments: Moments) -> list[tuple[int, str]]:
        """The moves that can be the last that stands, each with the last words told of it."""
        voice = self.house.voice(session)
        moves = {ply: move for move, ply in enumerate(moments.moves, 1)}
        found: dict[int, str] = {}
        if moments.points >= 0:
            found[0] = self.house.say("rewind.beginning")
        for numbered in moments.events:
            move = moves.get(numbered.ply, 0)
            line = voice.event(numbered, plain=True)
            if line and 0 < move <= moments.points:
                found[move] = f"{move}. {line}"
        return sorted(found.items(), reverse=True)
