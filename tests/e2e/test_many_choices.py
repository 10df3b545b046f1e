"""More choices than a menu holds, and names that break what can be broken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from simcord.actors import MemberActor

from engines.kernel.decision import several
from tests.e2e.play import begin, controls, mark, world_of
from tests.e2e.script import BALLOT, Question, script
from tests.e2e.world import World, find, labels, parts, raw, text

MONSTERS = (
    "@everyone",
    "**bold** _it_ ||spoiler|| ~~gone~~",
    "```\nblock",
    "# heading",
    "[link](http://example.org)",
    "<@123456789012345678>",
    "\u202e\u202ereversed",
    "👩‍👩‍👧‍👦" * 8,
    "Z̸̡̢̛̺̣͖̫͔͎̟̈́̈́̾̊͘͜͝" * 3,
    "\u200b\u200b",
    "1. first",
    "W" * 32,
)


@pytest.mark.parametrize("count", [26, 60])
async def test_every_one_of_many_choices_can_be_reached(tmp_path: Path, count: int) -> None:
    """The table shows the first 25 and "More choices"; the panel's pages show all of them, each
    once; choosing one on the last page counts.
    """
    pick = Question("pick", count, seats=(0,))
    async with world_of(tmp_path, pick, Question("pick", 2, seats=(1,))) as world:
        await begin(world, "script", "Ben")
        table = world.live()
        (menu,) = [part for part in parts(table) if part.options]
        assert len(menu.options) == 25
        assert f"More choices ({count} in all)" in labels(table)
        message: Any = (await world.click("Ann", table, "more")).response
        seen: list[str] = []
        pages = -(-count // 25)
        assert find_page(message).custom_id.endswith(":1")
        first = await world.press("Ann", message, more(message, 0).custom_id)
        for page in range(pages):
            if page:
                await world.press("Ann", message, more(message, page).custom_id)
            seen += find_page(message).options
        assert first.response.id == message.id
        assert sorted(seen) == sorted(f"thing_{n}" for n in range(1, count + 1))
        last = find_page(message)
        done = await world.select("Ann", message, [f"thing_{count}"], custom_id=last.custom_id)
        assert f"Counted: Thing {count}." in text(done.response)
        await world.beat()
        assert "Ben, pick one." in text(world.live())


def find_page(message: Any) -> Any:
    """The menu of the page that is shown."""
    (menu,) = [part for part in parts(message) if part.options]
    return menu


def more(message: Any, page: int) -> Any:
    """The button that leads to a page."""
    (button,) = [part for part in controls(message, "more") if part.custom_id.endswith(f":{page}")]
    return button


async def test_act_finds_any_choice_by_typing(tmp_path: Path) -> None:
    """Autocomplete offers at most 25 at a time, and by typing all of them; both what it writes and
    what a player types by hand are understood.
    """
    pick = Question("pick", 60, seats=(0,))
    async with world_of(tmp_path, pick, pick, pick) as world:
        await begin(world)
        ann = world["Ann"]
        offered = await ann.autocomplete(world.channel, "act", "choice", "")
        assert len(offered) == 25
        narrow = await ann.autocomplete(world.channel, "act", "choice", "thing 57")
        assert [one["name"] for one in narrow] == ["a pick: Thing 57"]
        done = await world.slash("Ann", "act", choice=narrow[0]["value"])
        assert text(done.response).startswith("Counted: Thing 57.")
        stale = await world.slash("Ann", "act", choice=narrow[0]["value"])
        assert text(stale.response).startswith("The table has moved on")
        by_hand = await world.slash("Ann", "act", choice="thing 41")
        assert text(by_hand.response).startswith("Counted: Thing 41.")
        unclear = await world.slash("Ann", "act", choice="thing 5")
        assert text(unclear.response).startswith("Counted") is False
        nonsense = await world.slash("Ann", "act", choice="the moon")
        assert "“the moon”" in text(nonsense.response)
        card = await world.slash("Ann", "act", choice="a card: Card 0")
        assert "You play it: Card 0." in text(card.response)


async def test_several_of_sixty_are_chosen_in_a_form(tmp_path: Path) -> None:
    """The form has three menus; what is chosen in all of them together is the answer."""
    some = Question("some", 60, several(2, 4), seats=(0,))
    async with world_of(tmp_path, some, Question("pick", 2, seats=(0,))) as world:
        await begin(world)
        opened = await world.click("Ann", world.live(), "form")
        assert opened.modal is not None
        few = await world["Ann"].submit_modal(opened, {"page.0": ["thing_3"]})
        assert text(few.response).startswith("Choose at least 2; you have chosen 1.")
        opened = await world.click("Ann", world.live(), "form")
        done = await world["Ann"].submit_modal(
            opened, {"page.0": ["thing_3", "thing_4"], "page.2": ["thing_60"]}
        )
        assert done.acknowledged
        await world.beat()
        assert "Ann chose 3 things." in text(world.live())


async def test_a_form_that_is_never_sent_holds_nothing_up(tmp_path: Path) -> None:
    """The form can be opened again, and an old one that is sent late is refused."""
    some = Question("some", 60, several(1, 2), seats=(0,))
    async with world_of(tmp_path, some, Question("pick", 2, seats=(0,))) as world:
        await begin(world)
        first = await world.click("Ann", world.live(), "form")
        second = await world.click("Ann", world.live(), "form")
        await world["Ann"].submit_modal(second, {"page.0": ["thing_1"]})
        await world.beat()
        late = await world["Ann"].submit_modal(first, {"page.0": ["thing_2"]})
        assert text(late.response).startswith("The table has moved on")


async def test_the_clock_runs_beside_an_open_form(tmp_path: Path) -> None:
    """A form that lies open while the time to answer runs out: a computer player answers, the game
    goes on, and the same person gets a new form at the next question.
    """
    some = Question("some", 60, several(1, 2), seats=(0,))
    others = Question("pick", 2, seats=(1,))
    async with world_of(tmp_path, some, others, some) as world:
        await begin(world, "script", "Ben", pace="live")
        opened = await world.click("Ann", world.live(), "form")
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        assert not session._lock.locked()
        await world.beat(185)
        assert (await session.snapshot()).ply == 1
        table = [m for m in world.messages() if controls(m, "act")][-1]
        await world.press("Ben", table, controls(table, "act")[0].custom_id)
        await world.beat()
        late = await world["Ann"].submit_modal(opened, {"page.0": ["thing_2"]})
        assert text(late.response).startswith("Your time was up before that arrived")
        table = [m for m in world.messages() if controls(m, "form")][-1]
        again = await world.click("Ann", table, "form")
        done = await world["Ann"].submit_modal(again, {"page.0": ["thing_2"]})
        assert done.acknowledged
        assert (await session.snapshot()).ply == 3


@pytest.mark.parametrize("start", range(0, len(MONSTERS), 4))
async def test_monstrous_names(tmp_path: Path, start: int) -> None:
    """Names read literally, ping nobody, and fit wherever they stand."""
    title = script(BALLOT, Question("pick", 3, seats=(0,)))
    names = MONSTERS[start : start + 4]
    async with World(tmp_path, {title.key: title}) as world:
        people = [world.join_server(world.env, name) for name in names]
        host, *others = people
        opened = await host.slash(world.channel, "play", game="script", thread=False)
        assert opened.acknowledged
        await world.beat()
        for other in others:
            await other.click(world.live(), custom_id=find(world.live(), "join").custom_id)
        await world.beat()
        said = text(world.live())
        for harm in ("@everyone", "**bold**", "```", "\n# ", "link](", "<@1", "\u202e", "||s"):
            assert harm not in said
        await host.click(world.live(), custom_id=find(world.live(), "start").custom_id)
        await world.beat(40)
        for other in people:
            await _vote(world, other)
        for command in ("log", "tables", "board", "hand", "leave"):
            result = await host.slash(world.channel, command)
            assert result.acknowledged
        assert len([m for m in world.messages() if parts(m)]) >= 1


async def _vote(world: World, member: MemberActor) -> None:
    table = world.live()
    result = await member.click(table, custom_id=find(table, "panel").custom_id)
    panel: Any = result.response
    for index, part in enumerate(controls(panel, "draft")):
        await member.select(panel, [f"thing_{index + 1}"], custom_id=part.custom_id)
    done = await member.click(panel, custom_id=find(panel, "cast").custom_id)
    assert "Counted" in text(done.response)
    await world.beat()


async def test_people_of_one_name_can_be_told_apart(tmp_path: Path) -> None:
    """Three players called Alex have numbers in every list, and the second one is the second."""
    async with world_of(tmp_path, Question("pick", 2, seats=(1,))) as world:
        people = [world.join_server(world.env, name) for name in ("Alex", "alex", "Alex ")]
        await people[0].slash(world.channel, "play", game="script")
        await world.beat()
        for other in people[1:]:
            await other.click(world.live(), custom_id=find(world.live(), "join").custom_id)
        await world.beat()
        said = text(world.live())
        assert [f"({n})" in said.replace("\\", "") for n in (1, 2, 3)] == [True] * 3
        await people[0].click(world.live(), custom_id=find(world.live(), "start").custom_id)
        await world.beat()
        assert "alex (2), pick one." in text(world.live()).replace("\\", "")


async def test_the_table_has_one_picture_after_every_move(tmp_path: Path) -> None:
    """The table message has exactly one picture after every change, whatever changed."""
    questions = [Question("pick", 2, seats=(0,)) for _ in range(15)]
    async with world_of(tmp_path, *questions) as world:
        await begin(world)
        for _ in range(13):
            table = world.live()
            assert len(table.attachments) == 1
            galleries = [c for c in raw(table)[0]["components"] if c["type"] == 12]
            (item,) = galleries[0]["items"]
            assert table.attachments[0].filename in item["media"]["url"]
            await world.press("Ann", table, controls(table, "act")[0].custom_id)
            await world.beat()


async def test_a_ballot_of_many_options_has_pages(tmp_path: Path) -> None:
    """A ballot over more than 25 options turns its pages without losing the draft."""
    ballot = Question("spread", 40, BALLOT.shape)
    async with world_of(tmp_path, ballot) as world:
        await begin(world)
        panel = (await world.click("Ann", world.live(), "panel")).response
        await mark(world, "Ann", panel, [f"thing_{n}" for n in (1, 1, 2, 3, 4, 5)])
        after = next(p for p in controls(panel, "ballot") if p.custom_id.endswith(":1"))
        turned = await world.press("Ann", panel, after.custom_id)
        menus = controls(turned.response, "draft")
        assert menus[0].label == "1 of 6: Thing 1"
        await world.select("Ann", panel, ["thing_40"], custom_id=menus[5].custom_id)
        done = await world.click("Ann", panel, "cast")
        assert "1 × Thing 40" in text(done.response)
