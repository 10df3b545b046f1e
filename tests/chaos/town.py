"""A server with many tables and people, and what can be done to the bot on it."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import simcord
from simcord import BackendError, SetupError
from simcord.builders import ChannelHandle

from bot import titles
from bot.sessions.session import Session
from bot.store.protocol import StoreBusy
from bot.titles import Title
from bot.ui import ids
from content.words import Words
from tests.chaos.wire import Wire
from tests.e2e.plain_picture import PlainPicture
from tests.e2e.script import BALLOT, Question, script
from tests.e2e.world import World, parts

PEOPLE = (
    "Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lea",
)  # fmt: skip
STRANGER = "Zoe"
GAMES = ("escape_the_night", "fear_of_the_dark", "script")
_QUESTIONS = (
    Question("pick", 3, seats=(0,)),
    BALLOT,
    Question("step", 4, shared=True),
    Question("pick", 30, seats=(1,)),
    Question("spread", 5, BALLOT.shape, seconds=90),
)


class Plain(PlainPicture):
    """A picture that costs nothing, of any of these games."""

    def hand_words(self, view: Any, words: Words) -> str:
        """What a seat holds, one word a piece."""
        return ", ".join(str(piece) for piece in getattr(view, "hand", ())) or "empty"


def games() -> Mapping[str, Title]:
    """The published games and the toy, with pictures that cost nothing."""
    known = {key: titles.load(key) for key in GAMES[:2]}
    plain = {key: dataclasses.replace(title, renderer=Plain()) for key, title in known.items()}
    toy = script(*_QUESTIONS * 2, seats=range(2, 5))
    return {**plain, toy.key: toy}


_STEP = 2.0
_PATIENCE = 20.0
"""Real seconds for one step, on a machine that has other things to do."""

Click = tuple[Any, str, Sequence[str] | None]


@dataclass
class Place:
    """A channel in which one table after the other is played, by these people."""

    channel: ChannelHandle
    game: str
    people: tuple[str, ...]
    past: list[Click] = field(default_factory=list[Click])
    """Controls that were clicked: message, custom_id, choices."""


class Town(World):
    """So many places; ``answered`` and ``unanswered`` count what people did."""

    def __init__(self, folder: Path, places: int, rng: random.Random) -> None:
        super().__init__(folder, games())
        self.rng = rng
        self.count = places
        self.places: list[Place] = []
        self.answered = 0
        self.unanswered: list[str] = []
        self.is_full = False
        self.kills = 0
        self.away: dict[str, Any] = {}
        """Those who have left the server, and how they come back."""
        self.wire: Wire

    def attach(self, bot: Any) -> Any:
        """The bot on a Discord that all its requests reach by one wire."""
        run = simcord.run(bot, shard_count=1, settle_timeout=_PATIENCE)
        self.wire = Wire(run._env, self.rng)
        self.wire.__enter__()
        return run

    async def __aexit__(self, *failure: Any) -> None:  # noqa: PYI036 - passed on as it is
        try:
            await super().__aexit__(*failure)
        finally:
            self.wire.__exit__()

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        for name in (*PEOPLE[4:], STRANGER):
            self.join_server(self.env, name)
        for number in range(self.count):
            self.places.append(self.place(number, GAMES[number % len(GAMES)]))
        await self.env.settle(idle=0.0005)
        return self

    def place(self, number: int, game: str) -> Place:
        """A new channel, or every fourth time a thread, with two to four people who play there."""
        channel = self.guild.create_text_channel(f"room-{number}")
        if number % 4 == 3:
            channel = self._thread(channel)
        people = tuple(self.rng.sample(PEOPLE, self.rng.randint(2, 4)))
        return Place(channel, game, people)

    def _thread(self, parent: ChannelHandle) -> ChannelHandle:
        owner = self.players[PEOPLE[0]].id
        made = self.env.backend.create_thread(parent.id, f"{parent.name}-thread", owner)
        return ChannelHandle(self.env, self.guild, made)

    def leave(self, name: str, *, banned: bool) -> None:
        """Somebody leaves the server, which nobody announces, or is banned from it."""
        member = self.players[name]
        if banned:
            self.env.backend.apply_ban(self.guild.id, member.id, None)
        else:
            self.guild.remove_member(member)
        self.away[name] = member.user

    def return_(self, name: str) -> None:
        """Whoever was away is on the server again."""
        user = self.away.pop(name)
        if user.id in self.guild._guild.bans:
            self.env.backend.remove_ban(self.guild.id, user.id)
        self.players[name] = self.guild.add_member(user)

    def session(self, place: Place) -> Session | None:
        """The table that holds a place."""
        return self.bot.registry.in_channel(place.channel.id)

    async def _bot(self) -> Any:
        bot = await super()._bot()
        commit = self.store.commit

        async def limited(write: Any) -> None:
            if self.is_full:
                raise StoreBusy("the disk is full")
            await commit(write)

        self.store.commit = limited
        return bot

    async def beat(self, seconds: float = 1.2) -> None:
        """Some time passes, little by little: a busy machine needs long for much of it at once."""
        while seconds > 0:
            await super().beat(min(seconds, _STEP))
            self.wire.go_on()
            seconds -= _STEP

    async def kill(self) -> None:
        """The process dies with clicks in flight: nothing more reaches its disk."""
        self.kills += 1
        for task in (self.bot.pump, self.bot.beat):
            task.cancel()
        await self.store.close()
        await self.env.restart_bot(await self._bot())
        await self.beat()

    # What people do

    async def look_for(self, place: Place) -> None:
        """Somebody asks for the table of a place, or for a new one."""
        here = [name for name in place.people if name not in self.away]
        if not here:
            return
        name = here[0]
        result = await self.players[name].slash(place.channel, "play", game=place.game)
        self.did(f"{name} /play", result)

    def did(self, what: str, result: Any) -> Any:
        """Note whether somebody was answered."""
        if result.acknowledged:
            self.answered += 1
        else:
            self.unanswered.append(what)
        return result

    async def use(
        self, name: str, place: Place, message: Any, custom_id: str, values: Sequence[str] | None
    ) -> Any:
        """Click a button, or choose in a menu (``values``), of what a message shows."""
        result = await self.send(name, place, message, custom_id, values)
        return self.did(f"{name} {custom_id}", result)

    async def send(
        self, name: str, place: Place, message: Any, custom_id: str, values: Sequence[str] | None
    ) -> Any:
        """The click by itself; whether it was answered is still to be seen."""
        if name in self.away:
            raise SetupError(f"{name} is not on the server")
        place.past = [*place.past[-30:], (message, custom_id, values)]
        member = self.players[name]
        if values is None:
            return await member.click(message, custom_id=custom_id)
        return await member.select(message, values, custom_id=custom_id)

    async def at_once(self, *actions: Callable[[], Any]) -> None:
        """Several actions that the bot finds waiting together."""

        async def no_wait(**_: Any) -> None:
            return

        env: Any = self.env
        env._settle_internal = no_wait
        results: list[Any] = []
        try:
            for act in actions:
                try:
                    results.append(await act())
                except (
                    BackendError,
                    SetupError,
                ):  # the control is gone from the message: nobody can click it
                    continue
        finally:
            del env._settle_internal
        await self.env.settle(idle=0.0005)
        for result in results:
            self.did("at once", result)

    async def again(self, name: str, place: Place, click: Click) -> None:
        """A click on something that its message may have lost since."""
        message, custom_id, values = click
        try:
            result = await self.forge(name, message, custom_id, values)
        except (BackendError, SetupError):  # the message or the person is gone
            return
        self.did(f"{name} again {custom_id}", result)


def usable(message: Any, verbs: Sequence[str] = ()) -> list[Any]:
    """The controls of a message that can be clicked, of these verbs (default: any)."""
    found: list[Any] = []
    for part in parts(message):
        control = ids.read(part.custom_id)
        if control is not None and not part.disabled and (not verbs or control.verb in verbs):
            found.append(part)
    return found
