"""People at the bot's tables, who play by clicks alone and note what they were told has counted."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.offline.wire import CannotAct, Reply, Shown
from tests.wire.harness import Harness
from tests.wire.playing import NAMES

#: A first answer that comes sooner than the bot's bare receipt says that the click has counted.
SOONER = 1.4


def verb(custom_id: str) -> str:
    """What a control does."""
    return custom_id.split(":")[2]


def controls(shown: Shown, *verbs: str) -> list[str]:
    """The controls of a message that can be used and do one of these things."""
    return [one for one in shown.custom_ids if verb(one) in verbs]


@dataclass(frozen=True, slots=True)
class Told:
    """Somebody was told that this has counted; ``interaction`` is the click's id."""

    interaction: int
    name: str
    custom_id: str
    keys: tuple[str, ...]

    @property
    def verb(self) -> str:
        """What the control does."""
        return verb(self.custom_id)

    @property
    def question(self) -> int:
        """The question that was answered."""
        return int(self.custom_id.split(":")[4], 36)


@dataclass
class Evening:
    """One channel with the people who play there. ``told`` is what they were told has counted."""

    world: Harness
    channel: str = "table"
    told: list[Told] = field(default_factory=list[Told])
    panels: dict[str, Shown] = field(default_factory=dict[str, Shown])

    @property
    def channel_id(self) -> int:
        """The channel's id."""
        return self.world.channels[self.channel]

    # Looking

    def public(self) -> list[Shown]:
        """The bot's messages in the channel, the oldest first."""
        mine = self.world.simulation.backend.bot_user.id
        found = self.world.players["Ann"].messages(self.channel_id)
        return [one for one in found if one.author_id == mine and not one.ephemeral]

    def live(self) -> Shown:
        """The newest message that carries the lobby, the table or its end; CannotAct if none."""
        found = [one for one in self.public() if controls(one, "howto", "menu", "again")]
        if not found:
            raise CannotAct("there is no table")
        return found[-1]

    async def up(self, wanted: str = "menu", *, timeout: float = 15.0) -> Shown:  # noqa: ASYNC109
        """The message with such a control, as soon as there is one."""

        def found() -> list[Shown]:
            return [one for one in self.public() if controls(one, wanted)]

        return (await self.world.until(found, timeout))[-1]

    def letters(self, name: str) -> list[Shown]:
        """The bot's direct messages to somebody."""
        return self.world.players[name].direct_messages()

    def ballots(self, name: str) -> list[Shown]:
        """Somebody's letters that still have controls."""
        return [one for one in self.letters(name) if one.custom_ids]

    # Acting

    async def press(
        self, name: str, shown: Shown, custom_id: str, values: Sequence[str] = ()
    ) -> Reply:
        """Use a control, and note it if the answer says that it has counted."""
        player, began = self.world.players[name], time.monotonic()
        if custom_id.startswith("n:m:"):
            reply = await player.select(shown, custom_id, values)
        else:
            reply = await player.click(shown, custom_id)
        self._note(name, custom_id, tuple(values), reply, time.monotonic() - began)
        return reply

    async def click(self, name: str, shown: Shown, wanted: str) -> Reply:
        """Use the one control that does this; CannotAct if there is none."""
        found = controls(shown, wanted)
        if len(found) != 1:
            raise CannotAct(f"no {wanted}")
        return await self.press(name, shown, found[0])

    async def panel(self, name: str) -> Shown | None:
        """What somebody is asked, in a panel of their own; None if the bot does not answer."""
        reply = await self.world.players[name].slash(self.channel_id, "act")
        return reply.message

    async def move(self, name: str) -> Reply | None:
        """Answer the first thing that somebody is asked with the first choices that will do.

        None when nothing is asked, or when the bot does not answer.
        """
        panel = await self.panel(name)
        return None if panel is None else await self.choose(name, panel)

    async def choose(self, name: str, panel: Shown) -> Reply | None:
        """Answer the first thing in a panel or a letter."""
        if controls(panel, "draft"):
            return await self.vote(name, panel)
        acts = controls(panel, "act")
        if not acts:
            return None
        return await self.press(name, panel, acts[0], self.first_values(panel, acts[0]))

    async def vote(self, name: str, panel: Shown, *, shift: int = 0) -> Reply | None:
        """Mark every token, each on another guest, and cast the ballot."""
        for index in range(len(controls(panel, "draft"))):
            reply = await self.mark(name, panel, index, shift + index)
            if not reply.acknowledged or reply.message is None:
                return reply
            panel = reply.message
        return await self.click(name, panel, "cast")

    async def mark(self, name: str, panel: Shown, index: int, choice: int) -> Reply:
        """Put one token of a ballot on the guest with that number; CannotAct if it is none."""
        drafts = controls(panel, "draft")
        if index >= len(drafts):
            raise CannotAct("no such token")
        custom_id = drafts[index]
        (menu,) = [one for one in panel.menus if one.custom_id == custom_id]
        value, _ = menu.options[choice % len(menu.options)]
        return await self.press(name, panel, custom_id, [value])

    @staticmethod
    def first_values(panel: Shown, custom_id: str) -> list[str]:
        """The first choices of a menu that will do; nothing for a button."""
        for menu in panel.menus:
            if menu.custom_id == custom_id:
                return [value for value, _ in menu.options[: max(1, menu.least)]]
        return []

    async def play(self, names: Sequence[str] = NAMES, *, answers: int = 10**6) -> int:
        """Everybody answers what they are asked, until nobody is asked or the bot is gone."""
        given = 0
        while given < answers:
            before = given
            for name in names:
                if self.world.simulation.nobody_answers:
                    return given
                reply = await self.move(name)
                given += reply is not None and reply.acknowledged
                if given >= answers:
                    break
            if given == before:
                return given
        return given

    def _note(
        self, name: str, custom_id: str, values: tuple[str, ...], reply: Reply, took: float
    ) -> None:
        if not reply.acknowledged:
            return
        on_table = reply.kind == "deferred_update" and took < SOONER
        key = custom_id.rsplit(":", 1)[1]
        told = Told(reply.id, name, custom_id, values or (key,) * (verb(custom_id) == "act"))
        match verb(custom_id):
            case "act" | "cast":
                if on_table or reply.text.startswith("Counted"):
                    self.told.append(told)
            case "draft":
                if reply.kind == "update":
                    self.told.append(told)
            case "join" | "leave_lobby" | "add_computer" | "start":
                if on_table:
                    self.told.append(told)
            case _:
                pass
