"""Whoever has left, or whose table is over, is free: whenever the process dies in between."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from bot import titles
from bot.sessions.faces import LobbyFace, Status, TableFace
from bot.sessions.ports import Refusal, ThreadShut, Unreachable
from bot.sessions.session import Session
from bot.store.protocol import StoreBusy
from tests.sessions.house import ANN, BEA, CID, DOT, MOD, ROOM, House

Deed = Callable[[House, Session], Awaitable[object]]


async def everybody_leaves(house: House, session: Session) -> None:
    """The last seat of a game goes with its table."""
    for user in (CID, BEA):
        await session.hand_over(house.click(user), name="Agatha")
    await session.hand_over(house.click(ANN), name="Barnaby")


#: Whether there is a game, and what is done.
DEEDS: dict[str, tuple[bool, Deed]] = {
    "the host closes the lobby": (False, lambda h, s: s.cancel(h.click(ANN))),
    "everybody is gone from the lobby": (False, lambda h, s: gone(s)),
    "the lobby's hour has come": (False, lambda h, s: h.run(1900, step=30)),
    "a moderator ends it": (True, lambda h, s: s.end(h.click(MOD, may_manage=True))),
    "the host ends it": (True, lambda h, s: s.end(h.click(ANN))),
    "everybody leaves the game": (True, everybody_leaves),
    "everybody is gone from the server": (True, lambda h, s: gone(s)),
}


async def gone(session: Session) -> None:
    """All leave the server."""
    for user in (CID, BEA, ANN):
        await session.gone(user, f"Agatha {user}")


async def check_free(house: House, number: int) -> None:
    """Nobody is held by the table that is over, its place is free, and its messages are settled."""
    old = await house.registry.recall(number)
    assert old.is_over
    assert house.registry.in_channel(ROOM) is None
    for user in (ANN, BEA, CID):
        assert old not in house.registry.of_user(user)
        with pytest.raises(Refusal):
            await old.hand_over(house.click(user), name="Agatha")
    fresh = await house.lobby(BEA, ANN, CID)
    assert [row.user_id for row in fresh.seats.values()] == [BEA, ANN, CID]
    await house.run(3)
    for message in house.channel.messages.values():
        face: Any = message.face
        if face.mark.startswith(old.code) and not message.is_deleted:
            assert not (isinstance(face, TableFace) and face.live)
            assert not (isinstance(face, LobbyFace) and face.snapshot.status is Status.LOBBY)
    await fresh.leave_lobby(house.click(CID))
    assert fresh.seat_of(CID) is None


class Death:
    """The process dies at its call of Discord number ``step``, or just after Discord has done what
    it asked for (``done``): after that it says nothing and writes nothing.
    """

    def __init__(self, house: House, step: int, *, done: bool) -> None:
        self.house, self.step, self.done = house, step, done
        self.calls = 0
        self.commit = house.store.commit
        self.real = {name: getattr(house.channel, name) for name in CALLS}
        for name in CALLS:
            setattr(house.channel, name, functools.partial(self._called, name))
        house.store.commit = self._written

    @property
    def came(self) -> bool:
        """Whether the process has come as far as that call."""
        return self.calls > self.step

    async def _called(self, name: str, *args: Any, **more: Any) -> Any:
        if not self.came:
            self.calls += 1
            result = await self.real[name](*args, **more) if self.done or not self.came else None
            if not self.came:
                return result
        raise Unreachable("the process is dead")

    async def _written(self, write: Any) -> None:
        if self.came:
            raise StoreBusy("the process is dead")
        await self.commit(write)

    async def buried(self) -> None:
        """The next process is there."""
        for name in CALLS:
            setattr(self.house.channel, name, self.real[name])
        self.house.store.commit = self.commit
        await self.house.restart()


CALLS = ("post", "edit", "delete", "find", "depth")


async def all_leave(house: House, session: Session) -> None:
    """Whoever still sits there leaves by themselves."""
    for user in (CID, BEA, ANN):
        if session.seat_of(user) is None or session.is_over:
            continue
        if session.status is Status.LOBBY:
            await session.leave_lobby(house.click(user))
        else:
            await session.hand_over(house.click(user), name="Agatha")
        assert session.seat_of(user) is None or session.is_over


@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize("deed", DEEDS)
async def test_a_process_that_dies_holds_nobody(tmp_path: Path, deed: str, done: bool) -> None:
    """GAM-10: the process dies at each call that tells of the end of a lobby or a game, before
    Discord has heard it or after: whatever had counted until then counts after the restart, who
    still has a seat can leave it, then everybody can sit down again, in the same place too, and
    nothing old can be clicked.
    """
    in_game, do = DEEDS[deed]
    for step in range(30):
        house = await House(tmp_path / str(step)).open()
        session = await (house.game if in_game else house.lobby)(ANN, BEA, CID)
        await house.run(2)
        death = Death(house, step, done=done)
        with contextlib.suppress(Refusal, StoreBusy):
            await do(house, session)
        await house.run(2)
        is_over = session.is_over
        await death.buried()
        session = await house.registry.recall(session.id)
        assert session.is_over or not is_over
        await all_leave(house, session)
        await house.run(3)
        await check_free(house, session.id)
        await house.die()
        if not death.came:  # the deed is told in so many calls: each was cut once
            assert is_over
            assert step >= 1
            return
    raise AssertionError("it never came to an end")


@pytest.mark.parametrize("deed", [name for name in DEEDS if "hour" not in name])
async def test_what_was_not_written_is_tried_again(
    house: House, deed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GAM-10: the process dies before the end is on the disk: the table goes on after the restart,
    everybody can still leave it by themselves, and then they are free.
    """
    in_game, do = DEEDS[deed]
    session = await (house.game if in_game else house.lobby)(ANN, BEA, CID)
    await house.run(2)

    async def full(write: Any) -> None:
        raise StoreBusy("the process is dead")

    monkeypatch.setattr(house.store, "commit", full)
    with pytest.raises((Refusal, StoreBusy)):
        await do(house, session)
    monkeypatch.undo()
    await house.restart()
    session = house.same(session)
    assert not session.is_over
    assert all(session.seat_of(user) is not None for user in (ANN, BEA, CID))
    await all_leave(house, session)
    await house.run(3)
    await check_free(house, session.id)


@pytest.mark.parametrize("key", titles.KEYS)
async def test_a_lobby_of_each_game_keeps_its_hour(tmp_path: Path, key: str) -> None:
    """GAM-03: a lobby of every game closes half an hour after the last change, through a restart,
    with its message, and sets everybody free.
    """
    house = await House(tmp_path, titles.load(key)).open()
    try:
        session = await house.lobby(ANN, BEA)
        await house.run(900, step=30)
        await house.restart()
        await house.run(840, step=30)
        assert house.same(session).status is Status.LOBBY
        await house.run(120, step=30)
        assert house.same(session).status is Status.CANCELLED
        (message,) = [m for m in house.channel.of(LobbyFace) if not m.is_deleted]
        assert getattr(message.face, "snapshot").status is Status.CANCELLED  # noqa: B009
        assert house.registry.of_user(ANN) == ()
        assert (await house.lobby(BEA, DOT)).status is Status.LOBBY
    finally:
        await house.die()


async def test_a_hundred_races_for_the_last_seats(house: House) -> None:
    """GAM-09: twenty people press Join in one tick, a hundred times over: as many sit there as the
    lobby has seats, each once, and every other is told that it is full.
    """
    most = max(house.title.game.seats)
    for turn in range(100):
        session = await house.lobby(ANN)
        users = list(range(10, 30))
        users = users[turn % 20 :] + users[: turn % 20]
        results = await asyncio.gather(
            *(session.join(house.click(user)) for user in users), return_exceptions=True
        )
        seated = [row.user_id for row in session.seats.values()]
        assert len(seated) == len(set(seated)) == most
        problems = [one.problem for one in results if isinstance(one, Refusal)]
        assert problems == ["full"] * (21 - most)
        await session.cancel(house.click(ANN))


@pytest.mark.parametrize("deeds", ["jlj", "jljl", "jjl", "jljlj"])
async def test_join_leave_join_in_one_breath(house: House, deeds: str) -> None:
    """GAM-08: however quickly somebody joins and leaves, what counts in the end is what they have
    pressed last, and they have one seat or none.
    """
    session = await house.lobby(ANN)
    does = {"j": session.join, "l": session.leave_lobby}
    await asyncio.gather(*(does[one](house.click(BEA)) for one in deeds), return_exceptions=True)
    seats = [row.user_id for row in session.seats.values()]
    assert seats == [ANN, BEA] if deeds.endswith("j") else seats == [ANN]


async def test_controls_in_a_thread_that_is_shut(house: House) -> None:
    """GAM-24: just after its end was told, the thread of a game is locked, so that nothing in it
    can be changed. Opened again, or after the next start of the bot, its controls are gone;
    meanwhile nobody asks on.
    """
    for restarts in (False, True):
        session = await house.game(ANN, BEA, CID)
        await house.run(2)
        edit = house.channel.edit

        async def shut(channel_id: int, message_id: int, face: Any, *, anew: bool = False) -> None:
            house.channel.calls.append("shut")
            raise ThreadShut("it is locked")

        house.channel.edit = shut
        await session.end(house.click(ANN))
        before = house.channel.calls.count("shut")
        await house.run(120, step=2)
        assert house.channel.calls.count("shut") - before <= 3
        house.channel.edit = edit
        if restarts:
            await house.restart()
        else:
            house.registry.publisher.opened(session, session.channel_id)
        await house.run(5)
        live = [m for m in house.channel.of(TableFace) if getattr(m.face, "live", False)]
        assert live == []
