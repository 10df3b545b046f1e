"""Questions that any of several players may answer, clicked on a simulated Discord."""

from __future__ import annotations

from pathlib import Path

from engines.kernel.decision import several
from tests.e2e.play import begin, controls, world_of
from tests.e2e.script import Question, calm, script
from tests.e2e.world import World, labels, parts, text

STEP = Question("step", 3, shared=True)
THREE_OF_NINE = Question("step", 9, several(3, 3), shared=True)


async def test_anybody_at_the_table_answers_on_the_table(tmp_path: Path) -> None:
    """One set of buttons for all; whoever sits there presses them, and the answer is theirs."""
    async with world_of(tmp_path, STEP, STEP, STEP) as world:
        await begin(world, "script", "Ben", "Cleo")
        table = world.live()
        assert "Anybody at the table: **What now?**" in text(table)
        assert labels(table)[:3] == ["Thing 1", "Thing 2", "Thing 3"]
        for name in ("Cleo", "Ben"):
            await world.press(name, world.live(), controls(world.live(), "act")[1].custom_id)
            await world.beat()
            assert f"{name} chose one thing." in text(world.live())
        watching = await world.press(
            "Dan", world.live(), controls(world.live(), "act")[0].custom_id
        )
        assert text(watching.response).startswith("You have no seat at this table.")
        assert not any("it is your move" in text(m) for m in world.messages())


async def test_of_two_clicks_at_once_the_second_sees_what_is_asked_now(tmp_path: Path) -> None:
    """The first counts; the second player is told that the table moved on, with today's choices."""
    async with world_of(tmp_path, STEP, Question("step", 2, shared=True)) as world:
        await begin(world, "script", "Ben")
        table = world.live()
        first = controls(table, "act")[0].custom_id
        ann, ben = await world.burst(
            world["Ann"].click(table, custom_id=first), world["Ben"].click(table, custom_id=first)
        )
        late = [one.response for one in (ann, ben) if one.response.ephemeral]
        assert len(late) == 1
        assert text(late[0]).startswith("The table has moved on")
        assert "**What now?**" in text(late[0])
        assert labels(late[0])[:2] == ["Thing 1", "Thing 2"]
        (entry,) = world.bot.registry.of_user(world["Ann"].user.id)[0].playing.entries
        assert entry.value == ("thing_1",)


async def test_three_of_nine_in_the_menu_of_the_table(tmp_path: Path) -> None:
    """The menu is everybody's; what one player chooses in it is the answer for all."""
    async with world_of(tmp_path, THREE_OF_NINE, STEP) as world:
        await begin(world, "script", "Ben")
        (menu,) = [part for part in parts(world.live()) if part.options]
        chosen = ["thing_9", "thing_1", "thing_5"]
        await world.select("Ben", world.live(), chosen, custom_id=menu.custom_id)
        await world.beat()
        assert "Ben chose 3 things." in text(world.live())


async def test_only_those_asked_may_answer_also_by_command(tmp_path: Path) -> None:
    """The panel and `/act` show it to each asked seat; who is not asked hears who is."""
    two = Question("step", 3, seats=(1, 2), shared=True)
    async with world_of(tmp_path, two, two, STEP) as world:
        await begin(world, "script", "Ben", "Cleo")
        table = world.live()
        assert "Ben and Cleo, one of you: **What now?**" in text(table)
        no = await world.press("Ann", table, controls(table, "act")[0].custom_id)
        assert text(no.response) == "That is for Ben and Cleo to decide, not for you."
        nothing = await world.slash("Ann", "act")
        assert "Waiting for Ben and Cleo." in text(nothing.response)
        panel = await world.slash("Ben", "vote")
        assert "**What now?**" in text(panel.response)
        done = await world.press(
            "Ben", panel.response, controls(panel.response, "act")[2].custom_id
        )
        assert "Counted: Thing 3." in text(done.response)
        await world.beat()
        typed = await world.slash("Cleo", "act", choice="thing 2")
        assert "Counted: Thing 2." in text(typed.response)
        await world.beat()
        assert "Anybody at the table: **What now?**" in text(world.live())


async def test_a_person_among_computers_plays_alone(tmp_path: Path) -> None:
    """The question bears that one name, waits as long as it takes, and outlives a restart."""
    title = script(STEP, STEP, agent=calm)
    async with World(tmp_path, {title.key: title}) as world:
        await world.slash("Ann", "play", game="script")
        await world.beat()
        for _ in range(2):
            await world.click("Ann", world.live(), "add_computer")
        await world.beat()
        await world.click("Ann", world.live(), "start")
        await world.beat(20)
        await world.restart()
        await world.beat(20)
        tables = [m for m in world.messages() if controls(m, "act")]
        assert "Ann: **What now?**" in text(tables[-1])
        await world.press("Ann", tables[-1], controls(tables[-1], "act")[0].custom_id)
        await world.beat()
        table = [m for m in world.messages() if controls(m, "act")][-1]
        assert "Ann chose one thing." in text(table)
