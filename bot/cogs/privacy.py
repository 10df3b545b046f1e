"""/privacy: what I know of the person who asks, as a file, and forgetting it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import ClassVar

import discord
from discord import app_commands

from bot.cogs.base import NightCog, Press, Reply
from bot.cogs.lobby import computer_name
from bot.sessions import forgetting
from bot.sessions.retention import Retention
from bot.store.rows import Json
from bot.ui.buttons import Style, button
from bot.ui.dispatcher import Dispatcher
from bot.ui.house import House
from bot.ui.ids import Control
from bot.ui.layout import MOST_FILE, Attached, Sheet

_KINDS = ("seats", "hosted", "sat", "marks", "asked", "acts")


class Privacy(NightCog):
    """Each person about themselves, in a server or in direct messages, seated or long gone."""

    verbs: ClassVar[Mapping[str, str]] = {"forget_me": "ask", "forget_yes": "forget"}

    privacy = app_commands.Group(name="privacy", description="-")

    def __init__(self, house: House, dispatcher: Dispatcher, retention: Retention) -> None:
        super().__init__(house, dispatcher)
        self.retention = retention

    @privacy.command(name="show", description="-")
    async def show_command(self, interaction: discord.Interaction) -> None:
        """What is stored about me, in short."""
        await self.run(interaction, self.show)

    @privacy.command(name="export", description="-")
    async def export_command(self, interaction: discord.Interaction) -> None:
        """What is stored about me, as a file."""
        await self.run(interaction, self.export)

    @privacy.command(name="delete", description="-")
    async def delete_command(self, interaction: discord.Interaction) -> None:
        """Forget me, after a question."""
        await self.run(interaction, self.ask)

    async def show(self, press: Press) -> Reply:
        """How much there is of what, and for how long."""
        found = await forgetting.about(self.house.registry, press.click.user_id)
        say = self.house.say
        counts = {kind: _count(found[kind]) for kind in _KINDS}
        lines = [
            say(f"privacy.kinds.{kind}", count=count) for kind, count in counts.items() if count
        ]
        if found["preferences"] is not None:
            lines.append(say("privacy.preferences"))
        lines = lines or [say("privacy.nothing")]
        sheet = Sheet().text(f"## {say('privacy.heading')}")
        sheet.text("\n".join(f"- {line}" for line in lines))
        sheet.text(
            say("privacy.kept", games=self.retention.games, servers=self.retention.servers), 1200
        )
        if any(counts.values()) or found["preferences"] is not None:
            sheet.row(button(Control("forget_me"), say("buttons.forget_me"), Style.danger))
        return Reply(sheet.shown())

    async def export(self, press: Press) -> Reply:
        """Everything, as JSON, seen by nobody else."""
        found = await forgetting.about(self.house.registry, press.click.user_id)
        data = json.dumps(found, indent=1, ensure_ascii=False).encode()
        attached = Attached("about-me.json", data[:MOST_FILE])
        sheet = Sheet().text(self.house.say("privacy.exported"))
        return Reply(sheet.attach(attached).attachment(attached.name).shown())

    async def ask(self, press: Press) -> Reply:
        """What forgetting means, before it is done."""
        say = self.house.say
        live = self.house.registry.of_user(press.click.user_id)
        yes = button(Control("forget_yes"), say("buttons.forget_yes"), Style.danger)
        no = button(Control("never_mind"), say("buttons.never_mind"))
        sheet = Sheet().text(say("privacy.confirm", count=len(live)), 1500).row(yes, no)
        return Reply(sheet.shown(), here=press.control.verb == "forget_me")

    async def forget(self, press: Press) -> Reply:
        """Confirmed."""
        name = self.house.say("privacy.nobody")
        count = await forgetting.forget(
            self.house.registry, press.click.user_id, name, computer_name
        )
        told = self.house.say("privacy.forgotten", count=count)
        return Reply(Sheet().text(told).shown(), here=True)


def _count(listed: Json) -> int:
    return len(listed) if isinstance(listed, list) else 0
