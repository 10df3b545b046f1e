"""What goes wrong around the bot, for a while or once; each fault can be taken back."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import ClassVar

from simcord import BackendError

from bot.sessions.faces import Status
from tests.chaos.town import Town

_STATUSES = ((500, 0), (502, 0), (503, 0), (429, 0), (400, 30046), (400, 20028))
_FORBIDDEN = (
    {"attach_files": False},
    {"send_messages": False},
    {"embed_links": False},
    {"read_message_history": False},
)


class Trouble:
    """Begins a fault every few steps and ends it a few steps later; ``seen`` counts them."""

    KINDS: ClassVar[Mapping[str, int]] = {
        "errors": 6,
        "permission": 3,
        "limited": 3,
        "slow": 3,
        "archived": 3,
        "left": 3,
        "deleted": 6,
        "gateway": 3,
        "disk": 2,
        "restart": 1,
        "kill": 1,
        "channel": 1,
        "wait": 2,
    }
    """The faults, by the names of their methods, and how often each comes."""

    def __init__(self, town: Town, rng: random.Random) -> None:
        self.town = town
        self.rng = rng
        self.seen: Counter[str] = Counter()
        self._ends: list[tuple[int, Callable[[], Awaitable[None]]]] = []
        self.step = 0

    async def next(self) -> None:
        """One step later: end what is over, and now and then begin something."""
        self.step += 1
        due = [end for at, end in self._ends if at <= self.step]
        self._ends = [(at, end) for at, end in self._ends if at > self.step]
        for end in due:
            await end()
        if self.rng.random() < 0.2:
            (kind,) = self.rng.choices(list(self.KINDS), list(self.KINDS.values()))
            await self.begin(kind)

    async def begin(self, kind: str) -> None:
        """Begin this fault."""
        self.seen[kind] += 1
        await getattr(self, kind)()

    async def calm(self) -> None:
        """End everything, and give the tables the time to recover."""
        for _, end in self._ends:
            await end()
        self._ends = []
        self.town.env.backend.faults.clear()
        self.town.is_full = False
        for name in list(self.town.away):
            self.town.return_(name)
        for _ in range(4):
            await self.town.beat(70)
        await self._restore_orphans()
        for place in self.town.places:  # whoever misses the table asks for it
            await self.town.look_for(place)
        await self.town.beat(5)

    def _later(self, steps: int, end: Callable[[], Awaitable[None]]) -> None:
        self._ends.append((self.step + self.rng.randint(2, steps), end))

    # The faults

    async def errors(self) -> None:
        """Discord fails some requests about messages, once or for a while."""
        status, code = self.rng.choice(_STATUSES)
        method = "PATCH" if code == 30046 else self.rng.choice(("POST", "PATCH", "DELETE", "*"))
        place = self.rng.choice(self.town.places).channel.id
        path = f"/channels/{self.rng.choice((place, '*'))}/messages*"
        self.town.env.inject_error(
            method, path, status=status, code=code, times=self.rng.choice((1, 2, 6))
        )

    async def limited(self) -> None:
        """Discord takes nothing in one channel for a while: it was asked too often."""
        place = self.rng.choice(self.town.places).channel.id
        path = f"/channels/{place}/messages*"
        self.town.env.inject_error("*", path, status=429, times=None)
        (fault,) = self.town.env.backend.faults[-1:]

        async def end() -> None:
            if fault in self.town.env.backend.faults:
                self.town.env.backend.faults.remove(fault)

        self._later(8, end)

    async def slow(self) -> None:
        """Discord takes seconds: requests arrive late, or their answers do."""
        self.town.wire.slow = True

        async def end() -> None:
            self.town.wire.slow = False
            self.town.wire.go_on(all_of_them=True)

        self._later(8, end)

    async def archived(self) -> None:
        """A thread in which a table is played is archived; sometimes locked too, for a while."""
        threads = [place for place in self.town.places if place.channel.is_thread]
        if not threads:
            return
        thread = self.rng.choice(threads).channel._channel
        locked = self.rng.random() < 0.3
        self.town.wire.archive(thread, locked=locked)

        async def end() -> None:
            if thread.id in self.town.env.backend.channels:
                self.town.wire.archive(thread, archived=False)

        if locked:
            self._later(12, end)

    async def left(self) -> None:
        """Somebody leaves the server or is banned, and comes back later."""
        here = [name for place in self.town.places for name in place.people]
        name = self.rng.choice(here)
        if name in self.town.away or len(self.town.away) > 2:
            return
        self.town.leave(name, banned=self.rng.random() < 0.3)

        async def end() -> None:
            if name in self.town.away:
                self.town.return_(name)

        self._later(30, end)

    async def permission(self) -> None:
        """The bot may not do something that it could, and may again later."""
        denied = self.rng.choice(_FORBIDDEN)
        self.town.permit(**denied)
        allowed = dict.fromkeys(denied, True)

        async def end() -> None:
            self.town.permit(**allowed)

        self._later(12, end)

    async def deleted(self) -> None:
        """Somebody deletes messages of the bot: the newest, any, or all in a channel."""
        place = self.rng.choice(self.town.places)
        messages = self.town.messages(place.channel)
        one = self.rng.sample(messages, min(1, len(messages)))
        chosen = self.rng.choice((messages[-1:], messages, one))
        for message in chosen:
            self.town.env.backend.delete_message(place.channel.id, message.id)

    async def gateway(self) -> None:
        """The connection is lost, and comes back by RESUMED or by a fresh READY, more than once."""
        with self.town.env._bot_scope():
            self.town.bot.dispatch("disconnect")
        await self.town.beat(3)
        with self.town.env._bot_scope():
            for _ in range(self.rng.randint(1, 3)):
                self.town.bot.dispatch(self.rng.choice(("ready", "resumed")))
        await self.town.beat(0.5)

    async def disk(self) -> None:
        """Nothing can be written for a while."""
        self.town.is_full = True

        async def end() -> None:
            self.town.is_full = False

        self._later(5, end)

    async def restart(self) -> None:
        """The bot stops in order and starts again."""
        self.town.is_full = False
        self.town.wire.go_on(all_of_them=True)
        await self.town.restart()

    async def kill(self) -> None:
        """The bot dies."""
        self.town.is_full = False
        await self.town.kill()

    async def channel(self) -> None:
        """A channel is deleted; its people meet elsewhere."""
        number = self.rng.randrange(len(self.town.places))
        old = self.town.places[number]
        try:
            self.town.env.backend.delete_channel(old.channel.id)
        except BackendError:
            return
        self.town.places[number] = self.town.place(self.town.count + self.step, old.game)
        await self.town.beat()

    async def wait(self) -> None:
        """Everybody is away for some minutes: sand runs out, letters are sent, pages get old."""
        await self.town.beat(self.rng.choice((5, 40, 200)))

    async def _restore_orphans(self) -> None:
        """A moderator brings back what lost its channel."""
        for session in list(self.town.bot.registry.in_guild(self.town.guild.id)):
            if session.status is Status.ORPHANED:
                channel = self.town.guild.create_text_channel(f"refuge-{session.code.lower()}")
                result = await self.town.owner.slash(
                    self.town.lounge, "session restore", table=session.code, channel=channel
                )
                self.town.did("/session restore", result)
