"""Playing: answers, ballots, the hand; by button, menu, panel, letter or command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import discord
from discord import app_commands

from bot.cogs.base import NightCog, Press, Reply
from bot.sessions.faces import SeatLook
from bot.sessions.play import Answered
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from bot.ui import ids, panel, prompt
from bot.ui.dispatcher import Opens, number
from bot.ui.fitting import OPTION, fit_label
from bot.ui.ids import Control
from bot.ui.kept import texts
from bot.ui.text import Voice

_CHOICES = 25


class Play(NightCog):
    """What a seat decides."""

    verbs: ClassVar[Mapping[str, str]] = {
        "act": "act",
        "draft": "draft",
        "cast": "cast",
        "more": "more",
        "ballot": "more",
        "form": "form",
        "panel": "open_panel",
        "hand": "open_hand",
    }
    actions: ClassVar[Mapping[str, str]] = {"panel": "panel", "hand": "hand"}

    # Commands

    @app_commands.command(name="act", description="-")
    async def act_command(
        self, interaction: discord.Interaction, choice: str | None = None
    ) -> None:
        """Decide by command: all choices, however many, are found by typing."""
        if choice is None:
            await self.at_table(interaction, "panel")
        else:
            await self.run(interaction, lambda press: self.act_by_words(press, choice))

    @app_commands.command(name="vote", description="-")
    async def vote_command(self, interaction: discord.Interaction) -> None:
        """Open one's ballot, or whatever else is asked."""
        await self.at_table(interaction, "panel")

    @app_commands.command(name="hand", description="-")
    async def hand_command(self, interaction: discord.Interaction) -> None:
        """Open one's hand."""
        await self.at_table(interaction, "hand")

    @act_command.autocomplete("choice")
    async def _choices(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """Everything that the seat may choose now and that has the typed words in it."""
        press = Press(interaction, self.dispatcher.click(interaction))
        found: list[app_commands.Choice[str]] = []
        for session, look in await self._looks(press):
            found += _offered(session, look, current)
        return found[:_CHOICES]

    async def _looks(self, press: Press) -> list[tuple[Session, SeatLook]]:
        registry = self.house.registry
        here = registry.in_channel(press.interaction.channel_id or 0, stopped=True)
        tables = (here,) if here is not None else registry.of_user(press.click.user_id)
        looks: list[tuple[Session, SeatLook]] = []
        for session in tables:
            try:
                looks.append((session, await session.look(press.click.user_id)))
            except Refusal:
                continue
        return looks

    async def act_by_words(self, press: Press, choice: str) -> Reply | None:
        """The choice as autocomplete wrote it, or as the player typed it."""
        control = ids.read(choice)
        if control is None:
            control = await self._understood(press, choice)
        session = self.house.registry.session(control.session)
        return await self._answer(press, session, control, (control.key,))

    async def _understood(self, press: Press, choice: str) -> Control:
        looks = await self._looks(press)
        if not looks:
            session = self.house.table_of(press, "panel")
            looks = [(session, await session.look(press.click.user_id))]
        for exactly in (True, False):
            found = [
                one
                for session, look in looks
                for one in _offered(session, look, choice)
                if not exactly or one.name.casefold() == choice.strip().casefold()
            ]
            if len(found) == 1:
                control = ids.read(found[0].value)
                assert control is not None
                return control
        if not any(look.asked for _, look in looks):
            snapshot = looks[0][1].snapshot
            waited = dict.fromkeys(one.seat for one in snapshot.waiting)
            if waited:
                raise Refusal("not_your_turn", who=tuple(waited))
        raise Refusal("not_understood", said=choice[:80])

    # Buttons and menus

    async def act(self, press: Press) -> Reply | None:
        """An option was chosen."""
        return await self._answer(press, self.clicked(press), press.control, press.values)

    async def draft(self, press: Press) -> Reply:
        """A token was put on an option of a ballot that is not cast yet."""
        session = self.clicked(press)
        index, _, page = press.control.key.partition(".")
        look = await session.draft(press.click, press.control.question, number(index), press.value)
        return self._page(press, session, look, number(page))

    async def cast(self, press: Press) -> Reply | None:
        """The ballot as marked is cast."""
        session = self.clicked(press)
        answered = await session.cast(press.click, press.control.question)
        return self._after(press, session, answered)

    async def more(self, press: Press) -> Reply:
        """Another page of the choices."""
        session = self.clicked(press)
        look = await session.look(press.click.user_id)
        return replace(self._page(press, session, look, press.number), turns=True)

    async def form(self, press: Press) -> Reply | None:
        """Open the form for a choice of several among very many."""
        session = self.clicked(press)
        look = await session.look(press.click.user_id)
        for decision in (*look.asked, *look.offers):
            if (decision.question, decision.kind) == (press.control.question, press.control.kind):
                raise Opens(prompt.Form(self.house.voice(session), session.id, decision))
        raise Refusal("stale", kind=press.control.kind)

    async def open_panel(self, press: Press) -> Reply:
        """The button "Your move": what this seat is asked now."""
        return await self.panel(press, self.clicked(press))

    async def open_hand(self, press: Press) -> Reply:
        """The button "My hand"."""
        return await self.hand(press, self.clicked(press))

    # At a table

    async def panel(self, press: Press, session: Session) -> Reply:
        """What a seat is asked now. Whoever was away is back with that."""
        note = self._note(back=await session.come_back(press.click))
        look = await session.look(press.click.user_id)
        return Reply(panel.panel(session.title, look, note=note), here=is_panel(press))

    async def hand(self, press: Press, session: Session) -> Reply:
        """What a seat holds. Whoever was away is back with that."""
        note = self._note(back=await session.come_back(press.click))
        look = await session.look(press.click.user_id)
        return Reply(panel.hand(session.title, look, note=note), here=is_panel(press))

    def _note(self, *, back: bool) -> str:
        return self.house.say("absence.back") if back else ""

    async def _answer(
        self, press: Press, session: Session, control: Control, keys: tuple[str, ...]
    ) -> Reply | None:
        answered = await session.answer(press.click, control.question, control.kind, keys)
        return self._after(press, session, answered)

    def _after(self, press: Press, session: Session, answered: Answered) -> Reply | None:
        """The table itself shows what was decided there; a private panel says so."""
        message = press.interaction.message
        if message is not None and not is_panel(press) and press.interaction.guild_id:
            return None
        decision, value = answered.decision, answered.value
        if answered.look is None:
            note = panel.counted(self.house.voice(session), decision, value, is_open=False)
            return self.house.note("panel.ended_by", note=note)
        shown = panel.answered(session.title, answered.look, decision, value, foot=_foot(press))
        return Reply(shown, here=True)

    def _page(self, press: Press, session: Session, look: SeatLook, page: int) -> Reply:
        control = press.control
        shown = panel.page_of(
            session.title, look, control.question, control.kind, page, foot=_foot(press)
        )
        if shown is None:
            raise Refusal("stale", kind=control.kind)
        return Reply(shown, here=True)


def is_panel(press: Press) -> bool:
    """Whether what was clicked is a private panel (and not a message that stays)."""
    message = press.interaction.message
    return message is not None and message.flags.ephemeral


def _foot(press: Press) -> str:
    """A letter keeps the mark at its foot when a click changes it."""
    message = press.interaction.message
    if message is None or message.flags.ephemeral:
        return ""
    return next((text for text in reversed(texts(message)) if text.startswith("-# ")), "")


def _offered(session: Session, look: SeatLook, typed: str) -> list[app_commands.Choice[str]]:
    """The single choices of a seat as autocomplete shows them."""
    voice = Voice.of(session.title, look.snapshot)
    wanted = typed.casefold().split()
    made: list[app_commands.Choice[str]] = []
    for decision in (*look.asked, *look.offers):
        if not prompt.is_single(decision):
            continue
        short = voice.short(decision.kind, plain=True)
        for option in decision.options:
            label = voice.choice(decision, option)
            told = f"{short}: {label}" if short else label
            if all(word in told.casefold() for word in wanted):
                value = Control(
                    "act", session.id, decision.question, decision.kind, option.key
                ).button
                made.append(app_commands.Choice(name=fit_label(told, OPTION), value=value))
    return made
