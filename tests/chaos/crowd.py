"""People who play at many tables at once: mostly in turn, often twice, late, or where they may not.

They see messages and click what these show; only whose turn it is they read from the table.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from simcord import BackendError, SetupError

from bot.sessions.faces import Status
from bot.sessions.session import Session
from tests.chaos.town import STRANGER, Place, Town, usable
from tests.e2e.world import Part


class Crowd:
    """All the people of a town."""

    def __init__(self, town: Town, rng: random.Random) -> None:
        self.town = town
        self.rng = rng
        self.steps = 0

    async def step(self) -> None:
        """Somebody somewhere does something."""
        self.steps += 1
        await self.town.beat(0.4)
        place = self.rng.choice(self.town.places)
        session = self.town.session(place)
        try:
            if session is None:
                await self._open(place)
            elif session.status is Status.LOBBY:
                await self._gather(place, session)
            elif session.status is Status.PAUSED:
                await self._moderate("session resume", session)
            elif self.rng.random() < 0.7:
                await self._play(place, session)
            else:
                await self._err(place)
        except (BackendError, SetupError) as gone:
            # What was to be clicked is not there (any more), or the channel cannot be seen.
            if "ETIMEDOUT" in str(gone):
                raise

    # A table from its lobby on

    async def _open(self, place: Place) -> None:
        await self.town.look_for(place)

    async def _gather(self, place: Place, session: Session) -> None:
        lobby = self._newest(place, ("join",))
        if lobby is None:
            return
        missing = [n for n in place.people if session.seat_of(self.town.players[n].id) is None]
        host = place.people[0]
        by_id = {self.town.players[name].id: name for name in place.people}
        host = by_id.get(session.host_id or 0, place.people[0])
        if missing and self.rng.random() < 0.8:
            await self._press(self.rng.choice(missing), place, lobby, "join")
        elif self.rng.random() < 0.2:
            await self._press(host, place, lobby, "add_computer")
        elif len(session.seats) in session.title.game.seats:
            await self._press(host, place, lobby, "start", twice=self.rng.random() < 0.3)
        else:
            await self._press(host, place, lobby, "add_computer")

    async def _play(self, place: Place, session: Session) -> None:
        snapshot = await session.snapshot()
        seated = {seat.user_id: n for n, seat in enumerate(snapshot.seats)}
        names = {seated.get(self.town.players[name].id): name for name in place.people}
        waited = [one.seat for one in snapshot.waiting if one.seat in names]
        if not waited:
            return
        seat = self.rng.choice(waited)
        name = names[seat]
        table = self._newest(place, ("act",))
        is_public = any(d.seat == seat for d in snapshot.public_asked)
        if table is not None and is_public:
            await self._choose(name, place, table, usable(table, ("act",)))
            return
        table = self._newest(place, ("panel",))
        if table is not None:
            await self._in_panel(name, place, table)

    async def _choose(self, name: str, place: Place, message: Any, acts: Sequence[Part]) -> Any:
        if not acts:
            return None
        part = self.rng.choice(acts)
        values = self._values(part)
        twice = self.rng.random() < 0.15
        if not twice:
            return await self.town.use(name, place, message, part.custom_id, values)
        other = self.rng.choice(place.people)
        click = self._clicking(name, place, message, part.custom_id, values)
        theirs = self._clicking(other, place, message, part.custom_id, values)
        await self.town.at_once(click, click, theirs)
        return None

    def _clicking(
        self, name: str, place: Place, message: Any, custom_id: str, values: Sequence[str] | None
    ) -> Callable[[], Any]:
        return lambda: self.town.send(name, place, message, custom_id, values)

    def _values(self, part: Part) -> Sequence[str] | None:
        return self.rng.sample(part.options, max(1, part.least)) if part.options else None

    async def _in_panel(self, name: str, place: Place, table: Any) -> None:
        part = usable(table, ("panel",))[0]
        result = await self.town.use(name, place, table, part.custom_id, None)
        panel = result.response
        if panel is None:
            return
        drafts = usable(panel, ("draft",))
        if not drafts:
            await self._choose(name, place, panel, usable(panel, ("act",)))
            return
        first = self.rng.randrange(3)
        for index, draft in enumerate(drafts):
            value = draft.options[(first + index) % len(draft.options)]
            await self.town.use(name, place, panel, draft.custom_id, [value])
        panel = result.response
        for cast in usable(panel, ("cast",)) if panel is not None else ():
            await self.town.use(name, place, panel, cast.custom_id, None)

    # What people should not do

    async def _err(self, place: Place) -> None:
        name = self.rng.choice([*place.people, STRANGER])
        if place.past and self.rng.random() < 0.4:
            await self.town.again(name, place, self.rng.choice(place.past))
            return
        message = self._newest(place)
        controls = [] if message is None else usable(message)
        harmless = [part for part in controls if ":leave:" not in part.custom_id]
        if message is None or not harmless:
            return
        part = self.rng.choice(harmless)
        await self.town.use(name, place, message, part.custom_id, self._values(part))

    # Moderators

    async def _moderate(self, command: str, session: Session) -> Any:
        result = await self.town.owner.slash(self.town.lounge, command, table=session.code)
        return self.town.did(command, result)

    # Messages

    def _newest(self, place: Place, verbs: Sequence[str] = ()) -> Any:
        for message in reversed(self.town.messages(place.channel)):
            if usable(message, verbs):
                return message
        return None

    async def _press(
        self, name: str, place: Place, message: Any, verb: str, *, twice: bool = False
    ) -> None:
        for part in usable(message, (verb,))[:1]:
            if twice:
                click = self._clicking(name, place, message, part.custom_id, None)
                await self.town.at_once(click, click)
            else:
                await self.town.use(name, place, message, part.custom_id, None)
