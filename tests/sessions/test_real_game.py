"""Rewinds and /undo of a real game: Escape the Night, with its own content."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from bot import titles
from bot.sessions.moves import mark_of
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from engines.kernel.chance import Chance
from tests.sessions.house import ALL, MOD, House


async def play(house: House, session: Session, rng: Chance, answers: int) -> None:
    """So many sensible answers by the people at the table."""
    agent = session.title.game.agents["sensible"]
    for _ in range(answers):
        game = session.playing
        decision = next(d for d in game.asked if d.current is None)
        mine = [d for d in game.asked if d.seat == decision.seat and d.current is None]
        choice = agent(game.view(decision.seat), mine, (), rng)
        assert choice is not None
        asked = choice.decision
        user = session.seats[asked.seat].user_id or 0
        await session.answer(house.click(user), asked.question, asked.kind, choice.value)


@pytest.fixture(autouse=True)
def same_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every run plays the same games: others might be over before they are taken back."""
    monkeypatch.setattr("bot.sessions.opening.secrets.token_bytes", lambda size: b"\x03" * size)


@pytest.mark.parametrize("back", [1, 3, 17, 40])
@pytest.mark.parametrize("key", titles.KEYS)
async def test_a_game_is_taken_back(tmp_path: Path, key: str, back: int) -> None:
    """GAM-26: one, three, many and all answers of each game: every seat's view is what it was, and
    the game goes on from there and replays after a restart.
    """
    house = await House(tmp_path / "data", titles.load(key)).open()
    session = await house.game(*ALL)
    rng = Chance(b"\x01" * 16)
    seen: list[list[object]] = []
    for _ in range(40):
        seen.append([session.playing.view(seat) for seat in (None, 0, 1, 2)])
        await play(house, session, rng, 1)
    keep = 40 - back
    click = house.click(MOD, may_manage=True)
    await session.rewind(click, keep, mark_of(session), knowing=True)
    assert [session.playing.view(seat) for seat in (None, 0, 1, 2)] == seen[keep]
    await play(house, session, rng, 10)
    events = session.playing.events
    await house.restart()
    session = house.same(session)
    await session.snapshot()
    assert session.playing.events == events
    assert (await session.check()).is_good
    await house.die()


async def test_what_can_be_taken_back_in_a_night(tmp_path: Path) -> None:
    """Some steps through the house can; whatever a die, a card or a ballot has to do with cannot.
    Where it can, no event since names anything for some seats only, and no draw was made.
    """
    house = await House(tmp_path / "data", titles.load("escape_the_night")).open()
    session = await house.game(*ALL)
    rng = Chance(b"\x02" * 16)
    could: list[str] = []
    for _ in range(90):
        before = len(session.playing.chance.ledger)
        decision = next(d for d in session.playing.asked if d.current is None)
        await play(house, session, rng, 1)
        entry = session.playing.entries[-1]
        user = session.seats[entry.seat].user_id or 0
        with contextlib.suppress(Refusal):
            await session.undo_look(house.click(user))
            could.append(entry.kind)
            assert len(session.playing.chance.ledger) == before
            assert not decision.secret or decision.kind != entry.kind

    assert "move" in could
    assert len(could) < 60
    await house.die()
