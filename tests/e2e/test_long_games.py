"""What is looked up in the messages of a real game that has gone on for long."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.sessions.faces import Status
from bot.sessions.letters import NOTICES
from bot.sessions.ports import Click
from bot.sessions.session import Session
from tests.e2e.real import GAMES, begun, real_world
from tests.e2e.world import NAMES, World, text

MOST = 400


async def _play_on(world: World, session: Session) -> None:
    """Ann and Ben answer, until their messages speak of more questions than there are notices."""
    for number in range(MOST):
        numbers = [row.question for row in session.messages.values() if row.purpose != "notice"]
        if max(numbers) > len(NOTICES) + 20 and session.row.ply > len(NOTICES):
            return
        assert session.status is Status.RUNNING
        decision = next(d for d in session.playing.asked if d.current is None)
        name = NAMES[decision.seat]
        click = Click(world[name].id, name, 7_000_000 + number, world.time.monotonic())
        options = list(decision.keys())
        count = max(decision.shape.least, 1)
        keys = [options[n % len(options)] for n in range(count)]
        await session.answer(click, decision.question, decision.kind, keys)
    raise AssertionError(f"no such message after {MOST} answers")


@pytest.mark.parametrize("game", GAMES)
async def test_commands_in_a_long_game(
    tmp_path: Path, caplog: Any, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """Moderators' and everybody's commands answer, and nothing goes wrong in or beside them."""
    # With other dice a game may be over too early.
    monkeypatch.setattr("bot.sessions.opening.secrets.token_bytes", lambda size: b"\x03" * size)
    async with real_world(tmp_path) as world:
        world.players["Olga"] = world.owner
        session = await begun(world, game, "Ben")
        await _play_on(world, session)
        await world.beat(3)
        for command in ("session list", "help", "status", "session log", "tables", "board"):
            told = text((await world.slash("Olga", command)).response)
            assert told
            assert "my fault" not in told, (command, told)
        told = text((await world.slash("Olga", "session list")).response)
        assert f"{session.code}**: being played, nothing wrong" in told
        for command in ("inspect", "check"):
            told = await world.slash("Olga", f"session {command}", table=session.code)
            assert "my fault" not in text(told.response)
        assert [r.getMessage() for r in caplog.records if r.levelname == "ERROR"] == []
