"""/session rewind: a list of points, a question, and the way back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.moderating import at_table, beginning, choose, move, newest, press, session, table
from tests.e2e.play import controls, pick
from tests.e2e.script import Question
from tests.e2e.world import labels, parts, text


@pytest.mark.parametrize("seated", [False, True])
async def test_rewind_by_a_list_and_a_question(tmp_path: Path, seated: bool) -> None:
    """A point of the public log is chosen, the question names the table, and only then it is
    done; a seated moderator is always asked once more. Old buttons have moved on.
    """
    async with at_table(tmp_path, seated=seated) as world:
        other = "Olga" if seated else "Ben"
        for name in ("Ann", other, "Ann", other):
            await move(world, name)
        old = [m for m in world.messages() if controls(m, "act")][-1]
        stale = controls(old, "act")[0].custom_id
        code = table(world).code
        listed = await session(world, "rewind")
        menu = next(part for part in parts(listed) if part.options)
        assert [value.partition(".")[0] for value in menu.options] == ["3", "2", "1", "0"]
        asked = await choose(world, listed, menu.options[2])
        assert code in text(asked)
        assert "3 moves are taken back" in text(asked)
        assert table(world).row.ply == 4
        stays = await press(world, asked, "never_mind")
        assert "Nothing was changed." in text(stays)
        asked = await choose(world, await session(world, "rewind"), menu.options[2])
        told = await press(world, asked, "rewind_yes")
        if seated:
            assert "Go back all the same?" in text(told)
            assert table(world).row.ply == 4
            told = await press(world, told, "rewind_sure")
        assert "is back at that point" in text(told)
        await world.beat()
        assert "A moderator took the table back" in newest(world)
        assert "gone on from another moment once" in text(await session(world, "check"))
        assert text(world.live()).count("chose one thing") == 1
        assert f"**{other}, pick one.**" in text(world.live())
        refused = await world.forge("Ann", world.live(), stale)
        assert "The table has moved on" in text(refused.response)
        await move(world, other)
        assert len(table(world).playing.entries) == 2


@pytest.mark.parametrize("seated", [False, True])
async def test_a_rewind_by_mistake(tmp_path: Path, seated: bool) -> None:
    """A button of the next list takes it back, after a question; also from the very beginning, and
    not once somebody has answered.
    """
    async with at_table(tmp_path, seated=seated) as world:
        other = "Olga" if seated else "Ben"
        await move(world)
        await move(world, other)
        for answered in (False, True):
            listed = await session(world, "rewind")
            assert not controls(listed, "return")
            asked = await choose(world, listed, beginning(listed))
            told = await press(world, asked, "rewind_yes")
            if seated:
                await press(world, told, "rewind_sure")
            await world.beat()
            listed = await session(world, "rewind")
            assert labels(listed) == ["Take the rewind back"]
            asked = await press(world, listed, "return")
            assert "Dice to come fall differently" in text(asked)
            if answered:
                await move(world)
            told = await press(world, asked, "return_yes")
            await world.beat()
            if answered:
                assert "The table has moved on" in text(told)
                assert table(world).playing.ply == 1
            else:
                assert "stands again where it stood" in text(told)
                assert table(world).playing.ply == 2
                assert "A moderator took the rewind back." in newest(world)
        assert "took the rewind of" in text(await session(world, "log"))


async def test_a_long_list_of_points_is_paged(tmp_path: Path) -> None:
    """More than a menu holds: every point can be reached, and a page survives a restart."""
    questions = [Question("pick", 3, seats=(0,)) for _ in range(32)]
    async with at_table(tmp_path, *questions) as world:
        for _ in range(30):
            await pick(world)
        first = await session(world, "rewind")
        values = [value for part in parts(first) for value in part.options]
        await world.restart()
        second = await press(world, first, "rewind")
        values += [value for part in parts(second) for value in part.options]
        keeps = [value.partition(".")[0] for value in values]
        assert keeps == [str(n) for n in reversed(range(30))]
        asked = await choose(world, second, values[-1])
        assert "30 moves are taken back" in text(asked)
        await press(world, asked, "rewind_yes")
        await world.beat()
        assert table(world).playing.ply == 0


async def test_a_list_that_is_out_of_date(tmp_path: Path) -> None:
    """Somebody has answered since: nothing is taken back by mistake."""
    async with at_table(tmp_path) as world:
        await move(world)
        listed = await session(world, "rewind")
        await move(world, "Ben")
        refused = await choose(world, listed, beginning(listed))
        assert "The table has moved on" in text(refused)
        listed = await session(world, "rewind")
        asked = await choose(world, listed, beginning(listed))
        await move(world)
        await press(world, asked, "rewind_yes")
        assert table(world).row.ply == 3
