"""The real process, killed at exact moments of a game and started again."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.offline.wire import Call, Severed, Shown
from bot.offline.wire.limits import walk
from bot.offline.wire.shown import STRING_MENU
from bot.store.opening import DATABASE_NAME
from tests.sessions.house import first_value
from tests.wire.evening import controls
from tests.wire.harness import Harness
from tests.wire.playing import (
    NAMES,
    click_of,
    disk,
    kill_at_next_call,
    lay_lobby,
    night,
    turn_is_played,
    vote_is_called,
)
from tests.wire.remains import Scene, published, staged


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    """A server, and an empty data folder."""
    async with staged(tmp_path) as made:
        yield made


async def test_a_start_that_was_saved_and_not_shown_comes_up_once(scene: Scene) -> None:
    """Killed after the commit of "Start" and before anything was said: the game has begun, its
    table comes up once, and the lobby is closed.
    """
    scene.session = await lay_lobby(scene.world, people=NAMES)
    await scene.world.start_bot()
    await published(scene.world, scene.disk, scene.session)
    lobby = scene.evening.live()
    trap = kill_at_next_call(scene.world)
    reply = await scene.evening.click("Ann", lobby, "start")
    await trap.sprung()
    assert not reply.acknowledged
    assert scene.disk.session(scene.session)["status"] == "running"
    assert scene.row("table")["message_id"] is None

    await scene.world.start_bot()
    await scene.evening.up("menu")
    assert await scene.evening.play(answers=3) == 3
    await scene.all_is_well()
    assert len(scene.disk.entries(scene.session)) == 3


async def test_an_answer_that_was_saved_and_not_told_counts_once(scene: Scene) -> None:
    """Killed after the commit of an answer and before its acknowledgement: it is in the journal,
    the table shows it, and the old panel takes no second one.
    """
    await scene.lay(night(turn_is_played))
    await scene.world.start_bot()
    await published(scene.world, scene.disk, scene.session)
    panel = await scene.evening.panel("Cleo")
    assert panel is not None
    trap = kill_at_next_call(scene.world)
    lost = await scene.evening.choose("Cleo", panel)
    await trap.sprung()
    assert lost is not None
    assert not lost.acknowledged
    assert scene.disk.entries(scene.session)[-1]["interaction_id"] == lost.id

    await scene.world.start_bot()
    before = len(scene.disk.entries(scene.session))
    again = await scene.evening.choose("Cleo", panel)
    assert again is not None
    assert again.acknowledged
    assert not again.text.startswith("Counted")
    assert len(scene.disk.entries(scene.session)) == before
    assert again.message is not None
    assert (await scene.evening.choose("Cleo", again.message)) is not None
    assert len(scene.disk.entries(scene.session)) == before + 1
    await scene.all_is_well()


async def test_nothing_is_said_to_count_before_it_is_on_the_disk(scene: Scene) -> None:
    """The disk does not take an answer yet: after a while there is a bare receipt and nothing more.
    Killed then, the answer is not in the journal, and the same panel takes it in the next life.
    """
    await scene.lay(night(turn_is_played))
    await scene.world.start_bot()
    await scene.evening.up()
    panel = await scene.evening.panel("Cleo")
    assert panel is not None
    before = scene.disk.entries(scene.session)
    with scene.disk.held():
        click = asyncio.create_task(scene.evening.choose("Cleo", panel))
        await asyncio.sleep(1.8)
        reply = await click
        assert reply is not None
        assert reply.kind == "deferred_update"
        assert not scene.evening.told
        shown = scene.world.players["Cleo"].message(panel.channel_id, panel.id)
        assert shown.payload == panel.payload
        assert not reply.followups
        await scene.world.kill_bot()
    assert scene.disk.entries(scene.session) == before

    await scene.world.start_bot()
    again = await scene.evening.choose("Cleo", panel)
    assert again is not None
    assert again.text.startswith("Counted")
    await scene.all_is_well()
    assert len(scene.disk.entries(scene.session)) == len(before) + 1


async def test_a_table_that_was_sent_and_not_noted_is_not_sent_again(tmp_path: Path) -> None:
    """Killed between the sending of the table with its picture and the storing of its id, and the
    first click comes before the table does: the message that stands there is taken over, shows the
    answer too, and its buttons work.
    """
    async with staged(tmp_path, pictures=True) as scene:
        world = scene.world
        await scene.lay(night(turn_is_played))
        trap = world.kill_when("after", "POST", f"/channels/{scene.evening.channel_id}/messages")
        await world.start_bot()
        assert (await trap.sprung()).files
        left = scene.evening.live()
        assert scene.row("table")["message_id"] is None
        await answer_at_once(world, scene.session)

        await world.start_bot()
        await published(world, scene.disk, scene.session)
        assert scene.row("table")["message_id"] == left.id
        await scene.all_is_well(last=False)
        live = scene.evening.live()
        assert live.id == left.id
        (act,) = controls(live, "act")
        name = next(name for name in NAMES if f"**{name}, " in live.text)
        await scene.evening.press(name, live, act, scene.evening.first_values(live, act))
        assert len(scene.evening.told) == 1
        await scene.all_is_well()
        assert scene.evening.live().id == left.id


async def test_a_call_that_was_sent_and_not_noted_is_not_sent_again(scene: Scene) -> None:
    """Killed between the sending of a call to move and the storing of its id: nobody is called
    twice, and the call is taken away once the move is made.
    """
    await scene.lay(night(turn_is_played), called=True)
    path = f"/channels/{scene.evening.channel_id}/messages"
    trap = scene.world.kill_when("after", "POST", path, nth=2)
    await scene.world.start_bot()
    await trap.sprung()
    cleo = scene.world.players["Cleo"]
    (call,) = [one for one in scene.evening.public() if cleo.id in one.pings]

    await scene.world.start_bot()
    await published(scene.world, scene.disk, scene.session)
    assert scene.row("ping", 2)["message_id"] == call.id
    await scene.all_is_well(last=False)
    assert await scene.evening.play(("Cleo",)) > 0
    await published(scene.world, scene.disk, scene.session)
    assert call.id not in [one.id for one in scene.evening.public()]
    await scene.all_is_well()


async def test_a_round_of_letters_is_finished_after_a_kill(scene: Scene) -> None:
    """Killed inside a round of direct messages, one sent and not noted, one not sent: each voter
    has exactly one open ballot, and after the vote none.
    """
    await scene.lay(night(vote_is_called))
    trap = scene.world.kill_when("after", "POST", "/channels/*/messages", nth=3)
    await scene.world.start_bot()
    await trap.sprung()
    assert [len(scene.evening.ballots(name)) for name in NAMES] == [1, 1, 0]
    assert [scene.row("ballot", seat)["message_id"] is None for seat in range(3)] == [
        False, True, True,
    ]  # fmt: skip

    await scene.world.start_bot()
    await scene.all_is_well(last=False)
    for name in NAMES:
        (ballot,) = scene.evening.ballots(name)
        await scene.evening.choose(name, ballot)
    assert {one.verb for one in scene.evening.told} == {"draft", "cast"}
    await scene.all_is_well()


async def test_a_message_sent_long_ago_is_found_by_its_mark(scene: Scene) -> None:
    """As above for the table, then for a letter, but the bot stays away until Discord has forgotten
    the nonce: the message is found by the mark at its foot, and is brought up to date.
    """
    await scene.lay(night(vote_is_called))
    for nth in (1, 2):  # the table; and then the second letter
        trap = scene.world.kill_when("after", "POST", "/channels/*/messages", nth=nth)
        await scene.world.start_bot()
        await trap.sprung()
        await ten_minutes_pass(scene.world)
        await answer_at_once(scene.world, scene.session)
    assert len(scene.births.by_mark) == 3

    await scene.world.start_bot()
    await scene.all_is_well(last=False)
    assert await scene.evening.play(answers=1) == 1
    await scene.all_is_well()


async def ten_minutes_pass(world: Harness) -> None:
    """Let all messages be older, and Discord have forgotten their nonces."""
    database = sqlite3.connect(world.data_dir / DATABASE_NAME)
    with contextlib.closing(database), database:
        database.execute("UPDATE message SET made_at = made_at - 600")
    world.server.memory.nonces.clear()


async def test_a_letter_whose_sending_went_unheard_is_closed(scene: Scene) -> None:
    """Discord takes a ballot, its answer is lost on the way, and the vote ends before the bot tries
    again: the letter that stands there is found and closed.
    """
    await scene.lay(night(vote_is_called))
    lost: list[Call] = []

    async def hook(stage: str, call: Call) -> None:
        if stage == "after" and call.body and "vote:0.0" in str(call.body) and not lost:
            lost.append(call)
            raise Severed

    scene.world.server.rest.hooks.append(hook)
    await scene.world.start_bot()
    await scene.world.until(lambda: lost)
    await asyncio.gather(*(scene.evening.move(name) for name in NAMES))
    assert sum(one.verb == "cast" for one in scene.evening.told) == len(NAMES)
    await scene.all_is_well()


async def test_a_ballot_half_marked_can_be_finished_after_a_kill(scene: Scene) -> None:
    """Killed inside a ballot: two tokens of Ann's are marked, Ben has cast. Her letter goes on with
    both marks, his ballot may still be changed, the log says what it said, and the vote ends as
    they chose.
    """
    await scene.lay(night(vote_is_called))
    await scene.world.start_bot()
    await published(scene.world, scene.disk, scene.session)
    (anns,), (bens,) = scene.evening.ballots("Ann"), scene.evening.ballots("Ben")
    marked = await scene.evening.mark("Ann", anns, 0, 2)
    assert marked.message is not None
    await scene.evening.mark("Ann", marked.message, 1, 3)
    await scene.evening.vote("Ben", bens)
    log = await scene.world.players["Ann"].slash(scene.evening.channel_id, "log")
    await scene.world.kill_bot()
    draft = scene.disk.seats(scene.session)[0]["draft"]

    await scene.world.start_bot()
    await scene.all_is_well(last=False)
    again = await scene.world.players["Ann"].slash(scene.evening.channel_id, "log")
    assert again.text == log.text
    assert log.text.count("\n") > 8
    assert scene.disk.seats(scene.session)[0]["draft"] == draft
    (letter,) = scene.evening.ballots("Ann")
    assert letter.id == anns.id
    assert [chosen(letter, index) for index in range(4)] == [
        *[one.keys[0] for one in scene.evening.told[:2]], None, None,
    ]  # fmt: skip
    for index in (2, 3):
        reply = await scene.evening.mark("Ann", letter, index, index)
        assert reply.message is not None
        letter = reply.message
    assert (await scene.evening.click("Ann", letter, "cast")).text.startswith("Counted")
    (bens,) = scene.evening.ballots("Ben")
    assert bens.text.count("Counted") == 1
    changed = await scene.evening.vote("Ben", bens, shift=4)
    assert changed is not None
    assert changed.acknowledged
    assert (await scene.evening.move("Cleo")) is not None
    await scene.all_is_well()
    casts = [one for one in scene.disk.entries(scene.session) if one["kind"] == "vote"]
    assert [one["seat"] for one in casts] == [1, 0, 1, 2]


async def test_a_ballot_that_was_saved_and_not_told_stands(scene: Scene) -> None:
    """Killed after the commit of a cast ballot and before its acknowledgement: the same letter
    says that it counted, and can still change it.
    """
    await scene.lay(night(vote_is_called))
    await scene.world.start_bot()
    await published(scene.world, scene.disk, scene.session)
    (letter,) = scene.evening.ballots("Cleo")
    trap = scene.world.kill_when("before", "POST", "/interactions/*/callback", nth=4)
    reply = await scene.evening.vote("Cleo", letter)
    await trap.sprung()
    assert reply is not None
    assert not reply.acknowledged
    assert scene.disk.was_counted(reply.id)

    await scene.world.start_bot()
    await scene.all_is_well(last=False)
    (letter,) = scene.evening.ballots("Cleo")
    assert "Counted" in letter.text
    changed = await scene.evening.vote("Cleo", letter, shift=5)
    assert changed is not None
    assert changed.text.startswith("Counted")
    for name in ("Ann", "Ben"):
        await scene.evening.choose(name, scene.evening.ballots(name)[0])
    await scene.all_is_well()


async def answer_at_once(world: Harness, session: int) -> None:
    """Somebody's click is the first thing in the bot's next life, before it publishes anything."""
    async with disk(world.data_dir) as (_, registry):
        table = registry.session(session)
        await table.snapshot()
        decision = table.playing.asked[0]
        name = table.seats[decision.seat].name
        keys = first_value(decision)
        await table.answer(click_of(world, name), decision.question, decision.kind, keys)


def chosen(letter: Shown, index: int) -> str | None:
    """Where a token of a ballot lies, as the letter shows it."""
    menus = [one for one in walk(letter.components) if one.get("type") == STRING_MENU]
    options = menus[index]["options"]
    return next((str(one["value"]) for one in options if one.get("default")), None)
