"""The real games with people who are gone: each comes to its end, or rests and expires."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot import titles
from bot.sessions.faces import Status
from bot.sessions.session import Session
from engines.kernel.chance import Chance
from tests.sessions.house import ANN, BEA, House
from tests.sessions.live_table import LIVE

GAMES = tuple(titles.KEYS)


async def act_sensibly(house: House, session: Session, user: int) -> None:
    """A person who is there answers as the computer player would."""
    seat = session.seat_of(user)
    assert seat is not None
    game = session.playing
    mine = [d for d in game.asked if d.seat == seat and d.current is None]
    if mine:
        agent: Any = session.title.game.agents["sensible"]
        choice = agent(game.view(seat), tuple(mine), (), Chance(str(game.ply).encode()))
        decision = choice.decision if choice is not None else mine[0]
        value = choice.value if choice is not None else mine[0].keys()[:1]
        await session.answer(house.click(user), decision.question, decision.kind, value)


@pytest.mark.parametrize("key", GAMES)
async def test_one_player_is_gone_for_ever(tmp_path: Path, key: str) -> None:
    """GAM-01: whatever each game asks of whom and when, it reaches an end with one present player;
    the other is asked nothing any more once a computer player plays for her.
    """
    house = await House(tmp_path, titles.load(key)).open()
    try:
        session = await house.game(ANN, BEA, computers=2, pace="live")
        for _ in range(4000):
            if session.status is not Status.RUNNING:
                break
            await act_sensibly(house, session, ANN)
            await house.run(2, step=2)
        assert session.status is Status.FINISHED
        entries = session.playing.entries
        assert not [e for e in entries if e.seat == 1 and e.by == "player"]
        assert len([e for e in entries if e.seat == 1 and e.by == "clock"]) <= 2
    finally:
        await house.die()


@pytest.mark.parametrize("key", GAMES)
async def test_all_players_are_gone_for_ever(tmp_path: Path, key: str) -> None:
    """GAM-01: computer players do not play on alone: the table rests, and ends a day later."""
    house = await House(tmp_path, titles.load(key)).open()
    try:
        session = await house.game(ANN, BEA, computers=1, pace="live")
        for _ in range(200):
            if session.is_resting:
                break
            await house.run(LIVE / 3, step=6)
        assert session.is_resting
        count = len(session.playing.entries)
        await house.run(86400 + LIVE, step=120)
        assert session.status is Status.ABANDONED
        assert session.row.ply == count
    finally:
        await house.die()
