"""Messages that show already what they are to show are left alone: an edit would be seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.play import begin, controls, mark, pick, picks, world_of
from tests.e2e.script import BALLOT, Question
from tests.e2e.world import World, find, labels, text

ONE = ["thing_1", "thing_1", "thing_1", "thing_2", "thing_2", "thing_3"]
TWO = ["thing_4", "thing_4", "thing_4", "thing_5", "thing_5", "thing_6"]


def changes(world: World, sent: int, place: Any) -> list[str]:
    """The edits in a place since then."""
    return [
        r.path
        for r in world.env.http_requests[sent:]
        if r.method == "PATCH" and r.path.startswith(f"/channels/{place.id}/")
    ]


@pytest.mark.parametrize("pace", ["none", "live"])
async def test_nobody_sees_that_somebody_wavers(tmp_path: Path, pace: str) -> None:
    """A vote that was cast is changed and cast anew, five times, and looked at: neither the table
    nor anybody else's letter is edited, with or without a deadline that runs.
    """
    async with world_of(tmp_path, BALLOT, *picks(3)) as world:
        await begin(world, "script", "Ben", pace=pace)
        await world.beat(3)
        panel = (await world.click("Ann", world.live(), "panel")).response
        last = await mark(world, "Ann", panel, ONE)
        await world.press("Ann", panel, find(last.response, "cast").custom_id)
        await world.beat(5)
        sent = len(world.env.http_requests)
        before = [m.edited_at for m in world.messages()]
        (other,) = world.letters("Ben")
        for values in (TWO, ONE, TWO, ONE, TWO):
            last = await mark(world, "Ann", panel, values)
            await world.beat(2)
            cast = await world.press("Ann", panel, find(last.response, "cast").custom_id)
            assert "Counted" in text(cast.response)
            await world.slash("Ann", "act")
            await world.beat(9)
        assert changes(world, sent, world.channel) == []
        assert changes(world, sent, other.channel) == []
        assert [m.edited_at for m in world.messages()] == before


async def test_a_picture_stays_with_what_changes_beside_it(tmp_path: Path) -> None:
    """Looking at the table edits nothing; the next move edits the text, and the picture, uploaded
    once, stays; so it is after a restart.
    """
    async with world_of(tmp_path, *picks(9)) as world:
        await begin(world)
        await world.beat(12)
        for restarts in (False, True):
            if restarts:
                await world.restart()
                await world.beat(12)
            table = world.live()
            (picture,) = table.attachments
            sent = len(world.env.http_requests)
            for _ in range(3):
                await world.slash("Ann", "board")
                await world.beat(12)
            assert changes(world, sent, world.channel) == []
            await pick(world)
            assert "Ann chose one thing." in text(world.live())
            assert [a.filename for a in world.live().attachments] == [picture.filename]


async def test_a_letter_that_shows_again_what_was_sent_last(tmp_path: Path) -> None:
    """Whoever goes back to what the letter showed finds it whole as well: what stands there is what
    the answers made of it, not what was sent last.
    """
    async with world_of(tmp_path, BALLOT, *picks(1)) as world:
        await begin(world, "script", "Ben")
        await world.beat(3)
        (letter,) = world.letters("Ann")
        whole = text(letter)
        first = controls(letter, "draft")[0]
        for value in ("thing_1", "thing_2", "thing_1"):  # the first is followed by an edit at once
            await world["Ann"].user.select(letter, [value], custom_id=first.custom_id)
        (answered,) = world.letters("Ann")
        assert text(answered) != whole
        await world.beat(5)
        (letter,) = world.letters("Ann")
        assert text(letter) == whole
        assert "1 of 6: Thing 1" in labels(letter)


async def test_a_letter_is_set_right_after_an_answer_in_it(tmp_path: Path) -> None:
    """Whoever marks something else in a letter, once or twice in one breath, finds it whole: its
    heading and its deadline too, which the answer to the click leaves out.
    """
    async with world_of(tmp_path, BALLOT, *picks(1)) as world:
        await begin(world, "script", "Ben")
        await world.beat(3)
        (letter,) = world.letters("Ann")
        whole = text(letter)
        first = controls(letter, "draft")[0]
        for value in ("thing_1", "thing_2"):
            await world["Ann"].user.select(letter, [value], custom_id=first.custom_id)
            await world.beat(5)
        for value in ("thing_1", "thing_2"):
            await world["Ann"].user.select(letter, [value], custom_id=first.custom_id)
        (answered,) = world.letters("Ann")
        assert text(answered) != whole
        await world.beat(5)
        (letter,) = world.letters("Ann")
        assert text(letter) == whole
        assert "1 of 6: Thing 2" in labels(letter)


async def test_a_page_that_was_turned_in_a_letter_stays(tmp_path: Path) -> None:
    """Nobody who reads on in a letter is thrown back to its first page while nothing happens."""
    async with world_of(tmp_path, Question("spread", 40, BALLOT.shape), *picks(1)) as world:
        await begin(world, "script", "Ben")
        await world.beat(3)
        (letter,) = world.letters("Ann")
        onward = next(p for p in controls(letter, "ballot") if p.custom_id.endswith(":1"))
        await world["Ann"].user.click(letter, custom_id=onward.custom_id)
        (turned,) = world.letters("Ann")
        assert text(turned) != text(letter)
        await world.beat(10)
        (later,) = world.letters("Ann")
        assert text(later) == text(turned)
        assert [one.custom_id for one in controls(later, "draft")] == [
            one.custom_id for one in controls(turned, "draft")
        ]
