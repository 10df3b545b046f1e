"""A bot that may not write in the table's place: time stands still, and goes on after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.sessions.faces import Status
from tests.e2e.play import begin, picks, world_of
from tests.e2e.test_silence import LACKS, asides, here, time_out
from tests.e2e.world import World, text


def silence(world: World, why: str, *, is_so: bool) -> None:
    """Take from the bot what it needs to write, or give it back."""
    if why == "permission":
        world.permit(send_messages=not is_so)
    else:
        time_out(world, **({} if is_so else {"until": None}))


@pytest.mark.parametrize("after", [10, 130])
@pytest.mark.parametrize("why", ["permission", "timeout"])
async def test_nobody_loses_a_turn_while_the_bot_is_silent(
    tmp_path: Path, why: str, after: float
) -> None:
    """It cannot write before or after the reminder, and is started anew in that state: nothing is
    answered for Ann, nothing tells her of a deadline, and afterwards she has time again.
    """
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world, pace="live")
        await world.beat(after)
        assert "⏱ Your time to answer ends" in text((await world.slash("Ann", "act")).response)
        silence(world, why, is_so=True)
        await world.beat(400)
        await world.restart()
        silence(world, why, is_so=True)
        await world.beat(400)
        session = here(world)
        assert (await session.snapshot()).ply == 0
        panel = await world.slash("Ann", "act")
        assert "⏱" not in text(panel.response)
        if why == "permission":
            assert asides(panel)[0].startswith(LACKS.format(world.channel.id))
        silence(world, why, is_so=False)
        await world.beat(15)
        assert "⏱ Your time to answer ends" in text((await world.slash("Ann", "act")).response)
        assert (await session.snapshot()).ply == 0
        await world.beat(190)
        assert (await session.snapshot()).ply == 1
        assert session.status is Status.RUNNING
