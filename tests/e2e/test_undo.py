"""/undo through Discord: asked by command or menu, agreed to by one click each."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.moderating import move, newest, table
from tests.e2e.play import begin, controls, mark, pick, picks, world_of
from tests.e2e.script import BALLOT, Question
from tests.e2e.world import find, labels, parts, text

PICKS = [Question("pick", 3, seats=(n % 2,)) for n in range(8)]


async def test_all_agree_and_the_answer_is_gone(tmp_path: Path) -> None:
    """The message names the answer and who is still asked, works after a restart, and closes."""
    async with world_of(tmp_path, *PICKS) as world:
        await begin(world, "script", "Ben", "Cleo")
        await move(world)
        asked = await world.slash("Ann", "undo")
        assert text(asked.response).startswith("I have asked the others.")
        await world.beat()
        motion = [m for m in world.messages() if controls(m, "motion")][-1]
        told = text(motion)
        assert "Ann would like to take the last answer back." in told
        assert "- Ann chose one thing." in told
        assert f"<@{world['Ben'].id}>" in told
        assert labels(motion) == ["Agree", "No"]
        await world.restart()
        agree = controls(motion, "motion")[0].custom_id
        refused = await world.press("Dan", motion, agree)
        assert text(refused.response) == "That is for others to agree to."
        noted = await world.press("Ben", motion, agree)
        assert text(noted.response).startswith("Noted.")
        await world.beat()
        done = await world.press("Cleo", motion, agree)
        assert text(done.response) == "Agreed, and done."
        await world.beat()
        assert "The last answer was taken back." in newest(world)
        assert "**Ann, pick one.**" in text(world.live())
        assert "chose" not in text(world.live())
        assert not parts(next(m for m in world.messages() if m.id == motion.id))
        late = await world.forge("Ben", world.live(), agree)
        assert text(late.response) == "That is settled already."
        await move(world)


async def test_one_no_from_the_table(tmp_path: Path) -> None:
    """Nothing changes, and the game goes on."""
    async with world_of(tmp_path, *PICKS) as world:
        await begin(world, "script", "Ben")
        await move(world)
        menu = (await world.click("Ann", world.live(), "menu")).response
        assert "Take back" in labels(menu)
        await world.click("Ann", menu, "undo")
        await world.beat()
        motion = [m for m in world.messages() if controls(m, "motion")][-1]
        said = await world.press("Ben", motion, controls(motion, "motion")[1].custom_id)
        assert "nothing changes" in text(said.response)
        await world.beat()
        closed = next(m for m in world.messages() if m.id == motion.id)
        assert "Somebody did not agree" in text(closed)
        again = await world.slash("Ann", "undo")
        assert "did not agree" in text(again.response)
        await move(world, "Ben")


async def test_alone_a_question_is_enough(tmp_path: Path) -> None:
    """The confirmation shows what would be taken back, also after a restart."""
    async with world_of(tmp_path, *picks(4)) as world:
        await begin(world)
        nothing = await world.slash("Ann", "undo")
        assert "nothing of yours to take back yet" in text(nothing.response)
        await pick(world)
        asked = await world.slash("Ann", "undo")
        assert "- Ann chose one thing." in text(asked.response)
        stale = find(asked.response, "undo_yes").custom_id
        await world.restart()
        done = await world.click("Ann", asked.response, "undo_yes")
        assert text(done.response) == "It is taken back."
        await world.beat()
        assert table(world).playing.ply == 0
        await pick(world)
        refused = await world.forge("Ann", world.live(), stale)
        assert "The table has moved on" in text(refused.response)
        assert table(world).playing.ply == 1


async def test_a_ballot_is_never_taken_back(tmp_path: Path) -> None:
    """Cast it anew while the vote is open, or live with it."""
    async with world_of(tmp_path, BALLOT, *PICKS) as world:
        await begin(world, "script", "Ben")
        panel = (await world.click("Ann", world.live(), "panel")).response
        marked = await mark(world, "Ann", panel, ["thing_1", "thing_2"] * 3)
        await world.click("Ann", marked.response, "cast")
        own = await world.slash("Ann", "undo")
        assert text(own.response) == "Secret answers and cards from your hand cannot be taken back."
        other = await world.slash("Ben", "undo")
        assert "nothing of yours to take back yet" in text(other.response)
        outside = await world.slash("Dan", "undo")
        assert text(outside.response).startswith("You have no seat")
