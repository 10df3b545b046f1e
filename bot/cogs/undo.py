"""/undo, and the clicks on what a table is asked to agree to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import discord
from discord import app_commands

from bot.cogs.base import NightCog, Press, Reply
from bot.sessions.session import Session
from bot.ui.buttons import Style, button
from bot.ui.ids import Control
from bot.ui.layout import Sheet


class Undo(NightCog):
    """Taking the last answer back."""

    verbs: ClassVar[Mapping[str, str]] = {
        "undo": "open_undo",
        "undo_yes": "undo_now",
        "motion": "speak",
    }
    actions: ClassVar[Mapping[str, str]] = {"undo": "undo"}

    @app_commands.command(name="undo", description="-")
    async def undo_command(self, interaction: discord.Interaction) -> None:
        """Take the last answer back, if everybody agrees."""
        await self.at_table(interaction, "undo")

    async def open_undo(self, press: Press) -> Reply:
        """The button "Take back" in the table's menu."""
        return await self.undo(press, self.clicked(press))

    async def undo(self, press: Press, session: Session) -> Reply:
        """Alone at the table one is asked first; otherwise the others are."""
        found = await session.undo_look(press.click)
        if not found.alone:
            await session.ask_undo(press.click, found.length)
            return self.house.note("undo.asked")
        voice = self.house.voice(session)
        told = voice.events(found.told) or [self.house.say("undo.nothing_told")]
        what = "\n".join(f"- {line}" for line in told)
        control = Control("undo_yes", session.id, key=str(found.length))
        yes = button(control, self.house.say("buttons.undo_yes"), Style.danger)
        no = button(Control("never_mind", session.id), self.house.say("buttons.never_mind"))
        sheet = Sheet().text(self.house.say("undo.confirm", what=what), 1500)
        return Reply(sheet.row(yes, no).shown())

    async def undo_now(self, press: Press) -> Reply:
        """Confirmed."""
        done = await self.clicked(press).ask_undo(press.click, press.number)
        told = self.house.say("undo.done" if done else "undo.asked")
        return Reply(Sheet().text(told).shown(), here=True)

    async def speak(self, press: Press) -> Reply:
        """Somebody agrees or does not."""
        agrees = press.control.key == "yes"
        state = await self.clicked(press).speak(press.click, press.control.question, agrees=agrees)
        word = "motion.agree" if agrees else "motion.disagree"
        return self.house.note("motion.agree_done" if state == "carried" else word)
