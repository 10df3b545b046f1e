"""Reading up: /rules and /help."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import discord
from discord import app_commands

from bot.cogs.base import NightCog, Press, Reply
from bot.sessions.faces import Status
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from bot.ui.buttons import Choice, menu
from bot.ui.dispatcher import Dispatcher
from bot.ui.fitting import OPTION, fit, fit_label
from bot.ui.house import House
from bot.ui.ids import MENU_SIZE, Control
from bot.ui.layout import Sheet
from bot.ui.rulebook import Rulebook, Topic
from bot.ui.text import said


class Rules(NightCog):
    """What the rules say, and what can be done here now."""

    verbs: ClassVar[Mapping[str, str]] = {"rules": "open_rules", "topic": "choose_topic"}

    def __init__(self, house: House, dispatcher: Dispatcher, rulebook: Rulebook) -> None:
        super().__init__(house, dispatcher)
        self.rulebook = rulebook

    @app_commands.command(name="rules", description="-")
    async def rules_command(
        self, interaction: discord.Interaction, topic: str | None = None
    ) -> None:
        """Look something up in the rules."""
        await self.run(interaction, lambda press: self.rules(press, topic or ""))

    @app_commands.command(name="help", description="-")
    async def help_command(self, interaction: discord.Interaction) -> None:
        """What can be done in this channel now."""
        await self.run(interaction, self.help)

    @rules_command.autocomplete("topic")
    async def _topics(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """Topics that have the typed words in them, those of the table's game first."""
        game = self._game_here(interaction.channel_id)
        return [
            app_commands.Choice(name=fit_label(self._named(t), OPTION), value=f"{t.game}/{t.key}")
            for t in self.rulebook.search(current, game)[:MENU_SIZE]
        ]

    def _game_here(self, channel_id: int | None) -> str | None:
        session = self.house.registry.in_channel(channel_id or 0, stopped=True)
        if session is not None:
            return session.title.key
        return next(iter(self.house.titles)) if len(self.house.titles) == 1 else None

    def _named(self, topic: Topic) -> str:
        if len(self.house.titles) == 1:
            return topic.title
        game = said(self.house.titles[topic.game].content.words, "game.name")
        return f"{game}: {topic.title}"

    async def rules(self, press: Press, typed: str) -> Reply:
        """One topic, or a menu of those that were found."""
        game, _, key = typed.partition("/")
        exact = self.rulebook.topic(game, key)
        here = self._game_here(press.interaction.channel_id)
        found = [exact] if exact else self.rulebook.search(typed, here)
        if not found:
            raise Refusal("no_such_topic", typed=typed[:60])
        return Reply(self._sheet(found if typed else [], found if not typed else []).shown())

    def _sheet(self, shown: list[Topic], listed: list[Topic]) -> Sheet:
        sheet = Sheet()
        if shown:
            first = shown[0]
            sheet.text(f"## {self._named(first)}", 200).text(first.text, 3000)
            listed = [t for t in self.rulebook.topics if t.game == first.game and t is not first]
            also = shown[1:]
            listed = [*also, *(topic for topic in listed if topic not in also)]
        else:
            sheet.text(self.house.say("rules.heading"))
        choices = [
            Choice(f"{topic.game}/{topic.key}", self._named(topic), fit(topic.text, OPTION))
            for topic in listed[:MENU_SIZE]
        ]
        if choices:
            sheet.row(menu(Control("topic"), self.house.say("rules.choose"), choices))
        return sheet

    async def open_rules(self, press: Press) -> Reply:
        """The button "Rules"."""
        session = await self.recalled(press)
        topics = self.rulebook.search("", session.title.key)
        return Reply(self._sheet([], topics).shown())

    async def choose_topic(self, press: Press) -> Reply:
        """A topic was chosen from a menu."""
        game, _, key = press.value.partition("/")
        topic = self.rulebook.topic(game, key)
        if topic is None:
            raise Refusal("no_such_topic", typed=key)
        return Reply(self._sheet([topic], []).shown(), here=_is_own(press))

    async def help(self, press: Press) -> Reply:
        """What can be done in this channel now."""
        interaction = press.interaction
        session = self.house.registry.in_channel(interaction.channel_id or 0, stopped=True)
        always = "help.always"
        if interaction.guild_id is None:
            own = self.house.registry.of_user(press.click.user_id)
            told = self.house.say("help.direct" if own else "help.direct_none")
            always = "help.always_direct"
        elif session is None:
            told = self.house.say("help.nothing")
        else:
            told = self._at(press, session)
        now = await self._now(press, session) if session is not None else ""
        parts = (told, fit(now, 600), self.house.say(always))
        return Reply(Sheet().text("\n\n".join(part for part in parts if part)).shown())

    def _at(self, press: Press, session: Session) -> str:
        """What can be done at the table of a channel, or why nothing can."""
        if session.status is Status.LOBBY:
            return self.house.say("help.lobby")
        try:
            session.check_running()
        except Refusal as refusal:
            return self.house.say(
                "help.stopped",
                name=self.house.name_of(session),
                why=self.house.sentence(refusal, session),
                paused=session.status is Status.PAUSED,
            )
        if session.seat_of(press.click.user_id) is not None:
            return self.house.say("help.seated")
        sitting = session.sitting_of(press.click.user_id)
        is_barred = sitting is not None and sitting.barred
        return self.house.say("help.sent_away" if is_barred else "help.watching")

    async def _now(self, press: Press, session: Session) -> str:
        """Whether it is this person's move."""
        if session.status is not Status.RUNNING:
            return ""
        try:
            look = await session.look(press.click.user_id)
        except Refusal:
            return ""
        voice = self.house.voice(session)
        return "\n".join(f"**{voice.prompt(decision)}**" for decision in look.asked[:3])


def _is_own(press: Press) -> bool:
    message = press.interaction.message
    return message is not None and message.flags.ephemeral
