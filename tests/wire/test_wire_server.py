"""The simulated Discord over real sockets, tried with a small bot in a process of its own."""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PIL import Image

from bot.offline.wire import CannotAct, RateLimit, Shown
from tests.wire.harness import ROOT, Harness

TINY = (sys.executable, str(ROOT / "tests/wire/tiny_bot.py"))


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[Harness]:
    """The tiny bot, connected."""
    async with Harness(tmp_path, argv=TINY) as made:
        await made.start_bot()
        yield made


async def board(world: Harness) -> Shown:
    """The board's message in #table, posted by Ann's command."""
    ann, table = world.players["Ann"], world.channels["table"]
    reply = await ann.slash(table, "board")
    assert reply.ephemeral
    return await ann.wait_for_message(table, "Board")


async def test_a_bot_logs_in_and_registers_its_commands(world: Harness) -> None:
    """Login, identify and command sync pass over HTTP and WebSocket, each once."""
    assert world.server.gateway.identifies == 1
    assert world.calls["PUT /applications/{id}/commands"] == 1
    names = [one["name"] for one in world.players["Ben"].commands(world.channels["table"])]
    assert names == ["board", "fail", "flood", "form", "say", "twice"]


async def test_pictures_arrive_whole_and_with_their_alt_text(world: Harness) -> None:
    """A multipart upload keeps its bytes and its description, and an edit replaces both."""
    shown = await board(world)
    assert shown.pictures[0].alt == "A board showing 0"
    assert shown.attachments[0]["description"] == "A board showing 0"
    before = world.simulation.file(shown.pictures[0].url)
    await world.players["Ben"].click(shown, label="Count")
    after = world.players["Ben"].message(shown.channel_id, shown.id)
    assert [one.alt for one in after.pictures] == ["A board showing 1"]
    data = world.simulation.file(after.pictures[0].url)
    assert data is not None
    assert before != data
    assert Image.open(io.BytesIO(data)).size == (320, 180)


async def test_ephemeral_answers_have_one_reader_and_dms_have_buttons(world: Harness) -> None:
    """What is whispered to Ben is in nobody else's channel; his letter's button works."""
    shown = await board(world)
    ann, ben = world.players["Ann"], world.players["Ben"]
    reply = await ben.click(shown, custom_id="whisper")
    assert reply.text == f"only <@{ben.id}>"
    assert any(one.ephemeral for one in ben.messages(shown.channel_id))
    assert f"only <@{ben.id}>" not in [one.text for one in ann.messages(shown.channel_id)]
    (letter,) = ben.direct_messages()
    assert letter.text == "a letter"
    assert ann.direct_messages() == []
    again = await ben.click(letter, label="Whisper")
    assert again.acknowledged
    assert [place.kind for place in ben.places()] == ["channel", "channel", "dm"]


async def test_menus_forms_autocomplete_and_defers_reach_the_bot(world: Harness) -> None:
    """A select, a modal with labels, an autocompleted option and a deferred answer all work."""
    shown = await board(world)
    ann, table = world.players["Ann"], world.channels["table"]
    assert (await ann.select(shown, "pick", ["oak"])).text == "picked oak"
    opened = await ann.slash(table, "form")
    assert opened.kind == "modal"
    assert (await ann.submit(opened, {"word": "old", "tree": ["oak"]})).text == "old oak"
    offered = await ann.autocomplete(table, "say", "word", "d")
    assert [one["value"] for one in offered] == ["dawn", "dusk"]
    assert (await ann.slash(table, "say", {"word": "dawn", "loud": True})).text == "DAWN"


async def test_people_can_only_do_what_a_client_lets_them(world: Harness) -> None:
    """No missing button, no unknown command, no option that does not fit."""
    shown = await board(world)
    ann, table = world.players["Ann"], world.channels["table"]
    with pytest.raises(CannotAct, match="No matching component"):
        await ann.click(shown, label="Win")
    with pytest.raises(CannotAct, match="No application command named 'cheat'"):
        await ann.slash(table, "cheat")
    with pytest.raises(CannotAct, match="number"):
        await ann.slash(table, "flood", {"number": "many"})


async def test_several_people_act_at_the_same_instant(world: Harness) -> None:
    """Four players click before the bot has answered any; each gets an answer of their own."""
    shown = await board(world)
    people = list(world.players.values())
    replies = await asyncio.gather(*(one.click(shown, custom_id="whisper") for one in people))
    assert [one.text for one in replies] == [f"only <@{one.id}>" for one in people]


async def test_old_buttons_work_after_sigkill(world: Harness) -> None:
    """A killed bot, started again, answers a click on a message it posted before."""
    shown = await board(world)
    await world.kill_bot()
    unanswered = asyncio.create_task(world.players["Ann"].click(shown, label="Count"))
    await world.start_bot()
    assert not (await unanswered).acknowledged
    reply = await world.players["Ann"].click(shown, label="Count")
    assert reply.kind == "update"
    assert world.server.gateway.identifies == 2


async def test_a_dropped_connection_is_resumed_and_misses_nothing(world: Harness) -> None:
    """The click made while the bot is disconnected is delivered by RESUME."""
    shown = await board(world)
    await world.server.gateway.drop()
    reply = await world.players["Ann"].click(shown, label="Count")
    assert reply.acknowledged
    assert (world.server.gateway.resumes, world.server.gateway.identifies) == (1, 1)


async def test_a_forgotten_session_identifies_anew(world: Harness) -> None:
    """A refused RESUME is answered by a new IDENTIFY, after which clicks work."""
    shown = await board(world)
    await world.drop_gateway(forget=True)
    assert (world.server.gateway.resumes, world.server.gateway.identifies) == (0, 2)
    assert (await world.players["Ann"].click(shown, label="Count")).acknowledged


async def test_the_bot_slows_down_at_the_rate_limit(tmp_path: Path) -> None:
    """Seven messages at once pass a limit of five a second: all arrive, none is lost."""
    async with Harness(tmp_path, argv=TINY, limit=RateLimit(5, 1.0)) as world:
        await world.start_bot()
        ann, table = world.players["Ann"], world.channels["table"]
        await ann.slash(table, "flood", {"number": 7})
        await world.until(lambda: len(ann.messages(table)) == 8)
        said = {one.text for one in ann.messages(table) if one.text.startswith("message")}
        assert said == {f"message {n}" for n in range(7)}
        first = {call.at for call in world.server.rest.log.calls if call.path.endswith("messages")}
        assert max(first) - min(first) > 0.9


async def test_a_repeated_nonce_returns_the_first_message(world: Harness) -> None:
    """The same send twice with one nonce makes one message and gives its id twice."""
    ann, table = world.players["Ann"], world.channels["table"]
    reply = await ann.slash(table, "twice")
    assert reply.followups[0].text == "True"
    assert [one.text for one in ann.messages(table)].count("once only") == 1


@pytest.mark.parametrize(
    ("how", "answer"),
    [("followup", "404 10015"), ("large", "413 40005"), ("bytes", "400 50035")],
)
async def test_what_discord_refuses_is_refused(world: Harness, how: str, answer: str) -> None:
    """A follow-up before any answer, a file over 10 MiB, text over the byte wall."""
    reply = await world.players["Ann"].slash(world.channels["table"], "fail", {"how": how})
    assert reply.text == answer


async def test_a_wrong_token_cannot_log_in(tmp_path: Path) -> None:
    """A bot with another token is refused with 401 and ends."""
    async with Harness(tmp_path, argv=TINY, env={"DISCORD_TOKEN": "wrong"}) as world:
        with pytest.raises(RuntimeError, match="Improper token"):
            await world.start_bot()
        assert world.server.gateway.identifies == 0


async def test_a_bot_that_dies_at_the_start_is_reported_with_its_output(tmp_path: Path) -> None:
    """The harness says what the bot wrote instead of waiting for nothing."""
    argv = (sys.executable, "-c", "raise SystemExit('no luck today')")
    async with Harness(tmp_path, argv=argv) as world:
        with pytest.raises(RuntimeError, match="no luck today"):
            await world.start_bot()


async def test_killed_after_a_message_was_posted(world: Harness) -> None:
    """The trap "after" leaves the message standing and the bot dead, its answer never sent."""
    ann, table = world.players["Ann"], world.channels["table"]
    trap = world.kill_when("after", "POST", f"/channels/{table}/messages", nth=2)
    await ann.slash(table, "board")
    assert not trap.is_sprung
    await ann.slash(table, "board")
    call = await trap.sprung()
    assert call.files == ("board.png",)
    assert world.child is not None
    assert world.child.process.returncode == -9
    assert [one.text for one in ann.messages(table)].count("## Board\nnumber **0**") == 2


async def test_killed_before_an_answer_is_processed(world: Harness) -> None:
    """The trap "before" kills at the callback: the board stays as it was, the click failed."""
    shown = await board(world)
    trap = world.kill_when("before", "POST", "/interactions/*/callback")
    reply = await world.players["Ann"].click(shown, label="Count")
    await trap.sprung()
    assert not reply.acknowledged
    assert "number **0**" in world.players["Ann"].message(shown.channel_id, shown.id).text
    await world.start_bot()
    assert (await world.players["Ann"].click(shown, label="Count")).acknowledged


async def test_a_click_can_be_on_its_way_while_the_message_changes(world: Harness) -> None:
    """Ben's click on the first board arrives after Ann's has changed it."""
    shown = await board(world)
    ann, ben = world.players["Ann"], world.players["Ben"]
    await ann.click(shown, label="Count")
    with pytest.raises(CannotAct):
        await ben.click(shown, custom_id="count:0")
    assert (await ben.click_late(shown, "count:0")).acknowledged
    with pytest.raises(CannotAct, match="was there"):
        await ben.click_late(shown, "count:7")


async def test_the_same_interaction_can_be_delivered_twice(world: Harness) -> None:
    """The second delivery reaches the bot, whose second answer Discord refuses (40060)."""
    shown = await board(world)
    reply = await world.players["Ann"].click(shown, label="Count")
    before = world.calls["POST /interactions/{id}/{token}/callback"]
    await world.redeliver(reply)
    assert world.calls["POST /interactions/{id}/{token}/callback"] == before + 1
    assert "number **1**" in world.players["Ann"].message(shown.channel_id, shown.id).text
