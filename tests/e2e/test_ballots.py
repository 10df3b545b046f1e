"""Secret ballots: the panel, the letter, the draft they share, and what closed letters cost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.play import begin, controls, mark
from tests.e2e.script import BALLOT, Question, script
from tests.e2e.world import World, find, labels, parts, raw, text

SPREAD = ["thing_1", "thing_1", "thing_1", "thing_2", "thing_2", "thing_3"]


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A game that begins with a ballot of six tokens over eleven options."""
    title = script(BALLOT, Question("pick", 3, seats=(0,)))
    return World(tmp_path, {title.key: title})


async def test_six_menus_of_eleven(world: World) -> None:
    """One menu a token with all eleven options, the draft kept in it, a button that casts when
    every token is placed, and a reply that repeats what was counted.
    """
    async with world:
        await begin(world, "script", "Ben")
        table = world.live()
        assert "Cast your vote" in labels(table)
        assert "Waiting for Ann and Ben (a ballot)." in text(table)
        panel = (await world.click("Ann", table, "panel")).response
        menus = controls(panel, "draft")
        assert [len(menu.options) for menu in menus] == [11] * 6
        assert find(panel, "cast").disabled
        last = await mark(world, "Ann", panel, SPREAD)
        assert last.response.id == panel.id
        defaults = [
            option["value"]
            for one in raw(last.response)[0]["components"]
            if one.get("type") == 1
            for option in one["components"][0].get("options", ())
            if option.get("default")
        ]
        assert defaults == SPREAD
        assert not find(last.response, "cast").disabled
        done = await world.click("Ann", panel, "cast")
        counted = "Counted: 3 × Thing 1, 2 × Thing 2 and 1 × Thing 3."
        assert counted in text(done.response)
        assert "You can change it until everybody has answered." in text(done.response)
        await world.beat()
        assert "Waiting for Ben (a ballot)." in text(world.live())


async def test_a_ballot_can_be_changed_until_the_last_is_in(world: World) -> None:
    """The same panel changes a vote; with the last ballot the vote is over."""
    async with world:
        await begin(world, "script", "Ben")
        panel = (await world.click("Ann", world.live(), "panel")).response
        await mark(world, "Ann", panel, SPREAD)
        await world.click("Ann", panel, "cast")
        assert "Change my answer" in labels(panel)
        first = controls(panel, "draft")[0]
        await world.select("Ann", panel, ["thing_9"], custom_id=first.custom_id)
        changed = await world.click("Ann", panel, "cast")
        assert "1 × Thing 9" in text(changed.response)
        other = (await world.click("Ben", world.live(), "panel")).response
        await mark(world, "Ben", other, SPREAD)
        await world.click("Ben", other, "cast")
        await world.beat()
        late = await world.click("Ann", panel, "cast")
        assert "The table has moved on" in text(late.response)
        assert "pick one" in text(late.response)


async def test_too_alike_is_refused_and_the_draft_stays(world: World) -> None:
    """All tokens on one: the ballot does not count, says why, and is still there to be mended."""
    async with world:
        await begin(world, "script", "Ben")
        panel = (await world.click("Ann", world.live(), "panel")).response
        await mark(world, "Ann", panel, ["thing_1"] * 6)
        refused = await world.click("Ann", panel, "cast")
        said = text(refused.response)
        assert said.startswith("Spread them over at least 2 different choices.")
        assert len(controls(refused.response, "draft")) == 6
        await world.beat()
        assert "Ann and Ben" in text(world.live())


async def test_letters_carry_the_same_ballot(world: World) -> None:
    """A ballot comes by direct message too; draft and vote made there show in the panel, and the
    letter is closed when the vote is.
    """
    async with world:
        await begin(world, "script", "Ben")
        (letter,) = world.letters("Ben")
        assert len(controls(letter, "draft")) == 6
        first = controls(letter, "draft")[0]
        user = world["Ben"].user
        await user.select(letter, ["thing_7"], custom_id=first.custom_id)
        panel = (await world.click("Ben", world.live(), "panel")).response
        assert _defaults(panel)[:1] == ["thing_7"]
        await mark(world, "Ben", panel, SPREAD)
        await world.beat()
        (letter,) = world.letters("Ben")
        assert _defaults(letter) == SPREAD
        result = await user.click(letter, custom_id=find(letter, "cast").custom_id)
        assert text(result.response).count("Counted") == 1
        assert "You can change it" in text(result.response)
        again = (await world.click("Ben", world.live(), "panel")).response
        assert "Counted: 3 × Thing 1" in text(again)
        mine = (await world.click("Ann", world.live(), "panel")).response
        await mark(world, "Ann", mine, SPREAD)
        last = await world.click("Ann", mine, "cast")
        assert "Counted" in text(last.response)
        assert "You can change it" not in text(last.response)
        await world.beat()
        assert all(not parts(message) for message in world.letters("Ben"))
        assert "This is decided now." in text(world.letters("Ben")[0])


async def test_the_letter_of_somebody_who_has_left(world: World) -> None:
    """It says who votes there now; that vote is not decided yet."""
    async with world:
        await begin(world, "script", "Ben", "Cleo")
        asked = (await world.slash("Ben", "leave")).response
        await world.click("Ben", asked, "leave_yes")
        await world.beat()
        (letter,) = world.letters("Ben")
        assert not parts(letter)
        assert "a computer player plays that seat now" in text(letter)
        assert "decided" not in text(letter)


@pytest.mark.parametrize(
    ("status", "code"), [(403, 50007), (403, 50278), (403, 50001), (404, 10003)]
)
async def test_closed_direct_messages_cost_nothing(world: World, status: int, code: int) -> None:
    """Whoever takes no letters votes in the panel; nobody else notices, and nothing is retried."""
    async with world:
        user = world["Ben"].user
        path = f"/channels/{user.dm_channel.id}/messages"
        world.env.inject_error(
            "POST", path, status=status, code=code, message="Cannot send", times=None
        )
        await begin(world, "script", "Ben")
        await world.beat(120)
        tried = [r for r in world.env.http_requests if (r.method, r.path) == ("POST", path)]
        assert len(tried) == 1
        assert len(world.letters("Ann")) == 1
        panel = (await world.click("Ben", world.live(), "panel")).response
        await mark(world, "Ben", panel, SPREAD)
        done = await world.click("Ben", panel, "cast")
        assert "Counted" in text(done.response)


async def test_letters_can_be_switched_off(world: World) -> None:
    """/notify ballots:off: no letter comes, the table's button is still there."""
    async with world:
        told = await world.slash("Ben", "notify", ballots="off")
        assert "do not come by direct message" in text(told.response)
        await begin(world, "script", "Ben")
        assert world.letters("Ben") == []
        assert len(world.letters("Ann")) == 1
        vote = await world.slash("Ben", "vote")
        assert vote.response.ephemeral
        assert len(controls(vote.response, "draft")) == 6


async def test_nothing_sent_shows_who_voted_for_what(world: World) -> None:
    """No payload that others can see names what was chosen in a secret ballot."""
    async with world:
        await begin(world, "script", "Ben")
        panel = (await world.click("Ann", world.live(), "panel")).response
        await mark(
            world, "Ann", panel, ["thing_5", "thing_5", "thing_8", "thing_8", "thing_5", "thing_5"]
        )
        await world.click("Ann", panel, "cast")
        await world.beat(3)
        seen = "\n".join(text(message) for message in world.messages())
        seen += "\n".join(text(message) for message in world.letters("Ben"))
        assert "Thing 5" not in seen
        assert "Thing 8" not in seen


async def test_a_card_is_played_from_the_hand_while_others_vote(world: World) -> None:
    """Only its owner sees what can be played; the table tells that it was. The card asks its owner
    something first: ballots wait, keep their draft, say so in the panel and in letters, and go on.
    """
    async with world:
        await begin(world, "script", "Ben")
        panel = (await world.click("Ben", world.live(), "panel")).response
        await mark(world, "Ben", panel, SPREAD)
        hand = (await world.click("Ann", world.live(), "hand")).response
        assert "Ann, play a card." in text(hand)
        assert {"Card 0", "Quiz 0"} <= set(labels(hand))
        quiz = next(part for part in controls(hand, "act") if part.label == "Quiz 0")
        asked = await world.press("Ann", hand, quiz.custom_id)
        assert text(asked.response).startswith("You play it: Quiz 0.")
        assert "Ann, pick one." in text(asked.response)
        await world.beat()
        table = world.live()
        assert "Ann plays card quiz\\_0." in text(table)
        assert "then it is up to Ann and Ben again (a ballot)." in text(table)
        waits = await world.click("Ben", panel, "cast")
        assert text(waits.response).startswith("A card is being played first.")
        letter = world.letters("Ben")[0]
        assert "A card is being played first" in text(letter)
        assert not parts(letter)
        nothing = (await world.click("Ben", table, "hand")).response
        assert "Nothing here can be played" in text(nothing)
        pick = next(part for part in controls(table, "act") if part.label == "Thing 2")
        await world.press("Ann", table, pick.custom_id)
        await world.beat()
        again = (await world.click("Ben", world.live(), "panel")).response
        assert _defaults(again) == SPREAD
        done = await world.click("Ben", again, "cast")
        assert "Counted: 3 × Thing 1" in text(done.response)


def _defaults(message: Any) -> list[str]:
    rows = [one for one in raw(message)[0]["components"] if one.get("type") == 1]
    return [
        option["value"]
        for row in rows
        for option in row["components"][0].get("options", ())
        if option.get("default")
    ]
