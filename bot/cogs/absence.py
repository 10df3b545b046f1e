"""Time to answer, and coming back: the pace menu of a table, and the button "I am back"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from bot.cogs.base import NightCog, Press, Reply
from bot.sessions.faces import Status
from bot.sessions.ports import Refusal
from bot.ui import lobby, panel
from bot.ui.absence import choose_pace
from bot.ui.layout import Sheet


class Absence(NightCog):
    """What people do about the time that they have, and about seats that are played for them."""

    verbs: ClassVar[Mapping[str, str]] = {"back": "back", "pace": "pace", "set_pace": "open_pace"}

    async def back(self, press: Press) -> Reply:
        """Play one's seat oneself again; whatever the seat is asked comes with it."""
        session = self.clicked(press)
        session.require_seat(press.click.user_id)
        session.check_running()
        back = await session.come_back(press.click)
        look = await session.look(press.click.user_id)
        note = self.house.say("absence.back" if back else "absence.not_away")
        return Reply(panel.panel(session.title, look, note=note))

    async def open_pace(self, press: Press) -> Reply:
        """The button "Time to answer" in the table's menu."""
        session = self.clicked(press)
        session.check_host(press.click)
        if session.status is not Status.PAUSED:
            session.check_running()
        snapshot = await session.snapshot()
        sheet = Sheet()
        choose_pace(sheet, self.house.voice(session), snapshot, may_choose=True)
        return Reply(sheet.text(self.house.say("pace.restarts"), 300).shown())

    async def pace(self, press: Press) -> Reply:
        """Host or moderators: choose how long everybody has for an answer."""
        session = self.clicked(press)
        if session.status is not Status.LOBBY:
            await session.set_pace(press.click, press.value)
            told = self.house.say("pace.changed", name=self.house.name_of(session))
            return Reply(Sheet().text(told).shown(), here=True)
        try:
            await session.set_pace(press.click, press.value)
            note = self.house.say("lobby.option_set")
        except Refusal as refusal:
            if session.status is not Status.LOBBY:
                raise
            note = self.house.sentence(refusal, session)
        may_choose = press.click.user_id == session.host_id or press.click.may_manage
        snapshot = await session.snapshot()
        shown = lobby.options(session.title, snapshot, note=note, may_choose=may_choose)
        return Reply(shown, here=True)
