"""What Discord, the disk and our own mistakes can do to a table, and what players see of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from simcord.backend.serializers import channel_payload

from bot.sessions.faces import Status
from bot.sessions.ports import Address
from bot.store.protocol import StoreBusy
from tests.e2e.play import begin, controls, world_of
from tests.e2e.script import BALLOT, Question
from tests.e2e.world import World, find, labels, parts, text


def picks(count: int) -> Sequence[Question]:
    """So many questions for the first seat."""
    return [Question("pick", 3, seats=(0,)) for _ in range(count)]


async def pick(world: World) -> Any:
    """Ann presses the first choice on the table."""
    table = [m for m in world.messages() if controls(m, "act")][-1]
    result = await world.press("Ann", table, controls(table, "act")[0].custom_id)
    await world.beat()
    return result


async def test_a_deleted_table_message_is_posted_afresh(tmp_path: Path) -> None:
    """The next move brings a table with working buttons, and counted once; so does the next after
    a moderator has removed every message.
    """
    async with world_of(tmp_path, *picks(6)) as world:
        await begin(world)
        before = world.live()
        button = controls(before, "act")[0].custom_id
        panel = await world.slash("Ann", "act")
        await world.owner.delete(before)
        await world.press("Ann", panel.response, button)
        await world.beat(3)
        assert world.live().id != before.id
        await pick(world)
        for message in world.messages():
            world.env.backend.delete_message(world.channel.id, message.id)
        await world.slash("Ann", "act", choice="Thing 3")
        await world.beat(3)
        await pick(world)
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        assert (await session.snapshot()).ply == 4


async def test_pictures_may_not_be_attached_any_more(tmp_path: Path) -> None:
    """The table goes on in words with a hint; no move is lost; pictures come back with the
    permission.
    """
    async with world_of(tmp_path, *picks(6)) as world:
        await begin(world)
        assert len(world.live().attachments) == 1
        world.permit(attach_files=False)
        await pick(world)
        table = world.live()
        assert table.attachments == []
        assert "Attach Files" in text(table)
        assert "```\n+---+\nAnn\n+---+" in text(table)
        assert "Ann chose one thing." in text(table)
        world.permit(attach_files=True)
        await pick(world)
        assert len(world.live().attachments) == 1
        assert "Attach Files" not in text(world.live())


@pytest.mark.parametrize("status", [500, 503])
async def test_an_upload_that_fails(tmp_path: Path, status: int) -> None:
    """A table that cannot be posted with its picture stands there once, in words or later."""
    async with world_of(tmp_path, *picks(3)) as world:
        await world.slash("Ann", "play", game="script")
        await world.beat()
        path = f"/channels/{world.channel.id}/messages"
        world.env.inject_error("POST", path, status=status, times=1)
        await world.click("Ann", world.live(), "start")
        await world.beat(5)
        await world.beat(5)
        tables = [m for m in world.messages() if controls(m, "act")]
        assert len(tables) == 1
        await pick(world)
        assert "Ann chose one thing." in text(world.live())


async def test_a_hiccup_after_the_commit(tmp_path: Path) -> None:
    """503 to the edit of the table: it is shown a moment later, and the move counts once."""
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)
        path = f"/channels/{world.channel.id}/messages/*"
        world.env.inject_error("PATCH", path, status=503, times=2)
        await pick(world)
        await world.beat(5)
        assert text(world.live()).count("Ann chose one thing.") == 1
        await pick(world)
        assert text(world.live()).count("Ann chose one thing.") == 2


async def test_a_deleted_channel(tmp_path: Path) -> None:
    """The table rests; its players can play elsewhere, and a moderator sees it in the list."""
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        gone = world.channel
        world.env.backend.delete_channel(gone.id)
        world.channel = world.lounge
        await world.beat()
        assert session.status is Status.ORPHANED
        listed = await world.owner.slash(world.lounge, "session list")
        assert "without a channel" in text(listed.response)
        await begin(world)
        await pick(world)
        assert "Ann chose one thing." in text(world.live())


@pytest.mark.parametrize("locked", [False, True])
async def test_an_archived_thread(tmp_path: Path, locked: bool) -> None:
    """A quiet thread was archived: the next move opens it, in one attempt, and shows the table. A
    locked one stays as it is: the move counts, and Discord is not asked again and again.
    """
    async with world_of(tmp_path, *picks(3)) as world:
        await world.slash("Ann", "play", game="script", thread=True)
        await world.beat()
        (thread,) = world.channel.threads
        lobby = world.live(thread)
        await world["Ann"].click(lobby, custom_id=find(lobby, "start").custom_id)
        await world.beat()
        table = world.live(thread)
        button = controls(table, "act")[0].custom_id
        panel = await world["Ann"].slash(thread, "act")
        # The simulation wants this for what Discord allows to anybody who may write there.
        world.permit(manage_channels=True)
        meta: Any = thread._channel.thread_metadata
        meta.archived, meta.locked = True, locked
        world.env.backend.emit("THREAD_UPDATE", channel_payload(world.env.backend, thread._channel))
        path = f"/channels/{thread.id}/messages/*"
        times = None if locked else 1
        world.env.inject_error("PATCH", path, status=400, code=50083, times=times)
        sent = len(world.env.http_requests)
        pressed = await world.press("Ann", panel.response, button)
        assert "Counted" in text(pressed.response)
        await world.beat(3)
        tried = [r for r in world.env.http_requests[sent:] if r.method == "PATCH"]
        if locked:
            assert len(tried) <= 3
            assert meta.archived
        else:
            assert "Ann chose one thing." in text(world.live(thread))
            assert not meta.archived
            assert len([r for r in tried if r.path == f"/channels/{thread.id}"]) == 1


async def test_the_bot_is_removed_from_the_server(tmp_path: Path) -> None:
    """Its tables rest, and nothing more is sent there."""
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        world.env.backend.remove_guild(world.guild.id)
        await world.beat()
        assert session.status is Status.ORPHANED
        sent = len(world.env.http_requests)
        await world.beat(300)
        tried = [r.path for r in world.env.http_requests[sent:]]
        assert not any(str(world.channel.id) in path for path in tried)


async def test_an_outage_is_no_removal(tmp_path: Path) -> None:
    """A server that is unavailable for a while keeps its tables as they are."""
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        payload = {"id": str(world.guild.id), "unavailable": True}
        world.env.backend.emit("GUILD_DELETE", payload)
        await world.beat()
        assert session.status is Status.RUNNING


async def test_ready_comes_again(tmp_path: Path) -> None:
    """READY three times and RESUMED five times restore once and send nothing twice."""
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)
        count = len(world.messages())
        with world.env._bot_scope():
            for _ in range(3):
                world.bot.dispatch("ready")
            for _ in range(5):
                world.bot.dispatch("resumed")
        await world.beat(5)
        assert len(world.messages()) == count
        await pick(world)
        assert "Ann chose one thing." in text(world.live())


async def test_a_slow_disk_gets_a_receipt_first(tmp_path: Path) -> None:
    """The commit takes longer than Discord waits: a bare receipt goes out in time, the answer
    follows, and the move counts once.
    """
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)
        panel = await world.slash("Ann", "act")
        button = controls(panel.response, "act")[0].custom_id
        commit = world.store.commit

        async def slow(write: Any) -> None:
            await asyncio.sleep(2.2)
            await commit(write)

        world.store.commit = slow
        began = time.perf_counter()
        try:
            result = await world.press("Ann", panel.response, button)
        finally:
            world.store.commit = commit
        assert time.perf_counter() - began > 2
        assert result.deferred
        assert "Counted: Thing 1." in text(panel.response)
        await world.beat()
        assert text(world.live()).count("Ann chose one thing.") == 1


async def test_a_full_disk(tmp_path: Path) -> None:
    """A move that cannot be saved does not count, says so, and can be made again."""
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)
        commit = world.store.commit

        async def full(write: Any) -> None:
            raise StoreBusy("full")

        world.store.commit = full
        table = world.live()
        result = await world.press("Ann", table, controls(table, "act")[0].custom_id)
        assert text(result.response).startswith("That could not be saved")
        world.store.commit = commit
        await world.beat(5)
        await pick(world)
        assert text(world.live()).count("Ann chose one thing.") == 1


async def test_our_own_fault_has_a_reference(tmp_path: Path, caplog: Any) -> None:
    """An unexpected error becomes a sentence with a reference that the log has, too."""
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)

        async def broken(*_: Any) -> None:
            raise RuntimeError("a bug")

        session: Any = world.bot.registry.in_channel(world.channel.id)
        session.answer = broken
        result = await world.press("Ann", world.live(), controls(world.live(), "act")[0].custom_id)
        said = text(result.response)
        assert "it is my fault" in said
        reference = said.partition("(Reference ")[2].partition(")")[0]
        (record,) = [r for r in caplog.records if reference in r.getMessage()]
        assert record.exc_info is not None
        del session.answer
        await world.beat()
        await pick(world)
        assert "Ann chose one thing." in text(world.live())


async def test_a_picture_that_cannot_be_drawn(tmp_path: Path) -> None:
    """A fault in the renderer costs the picture, not the table."""
    async with world_of(tmp_path, *picks(3)) as world:
        title = world.titles["script"]

        def broken(*_: Any) -> bytes:
            raise ValueError("no paint")

        renderer: Any = title.renderer
        renderer.draw = broken
        renderer.alt_text = broken
        await begin(world)
        assert world.live().attachments == []
        await pick(world)
        assert "Ann chose one thing." in text(world.live())
        board = await world.slash("Ann", "board")
        assert "+---+" in text(board.response)


async def test_a_banned_player(tmp_path: Path) -> None:
    """Whoever is banned leaves the seat to a computer player; nobody waits."""
    async with world_of(tmp_path, BALLOT) as world:
        await begin(world, "script", "Ben")
        world.env.backend.apply_ban(world.guild.id, world["Ben"].id, None)
        await world.beat(5)
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        assert session.seat_of(world["Ben"].id) is None
        assert "Still out for a ballot: Ann" in text(world.live())


async def test_a_player_who_left_the_server_unseen(tmp_path: Path) -> None:
    """Nobody announces it; whoever is waited for is looked up after a while."""
    async with world_of(tmp_path, BALLOT) as world:
        await begin(world, "script", "Ben")
        world.guild.remove_member(world["Ben"])
        await world.beat(130)
        await world.beat(3)
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        assert session.seat_of(world["Ben"].id) is None
        assert session.seat_of(world["Ann"].id) == 0


async def test_a_click_while_the_bot_stops(tmp_path: Path) -> None:
    """It is answered, and does not count."""
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)
        await world.bot.registry.close()
        table = world.live()
        result = await world.press("Ann", table, controls(table, "act")[0].custom_id)
        assert text(result.response).startswith("I am about to restart")


async def test_buttons_of_every_kind_after_a_restart(tmp_path: Path) -> None:
    """Messages from before: lobby, table, panel, hand, letter and closing answer as they should."""
    async with world_of(tmp_path, BALLOT, *picks(1)) as world:
        await world.slash("Ann", "play", game="script")
        await world.beat()
        await world.restart()
        await world.click("Ben", world.live(), "join")
        await world.beat()
        assert "2. Ben" in text(world.live())
        await world.click("Ann", world.live(), "start")
        await world.beat()
        panel = (await world.click("Ben", world.live(), "panel")).response
        part = controls(panel, "draft")[0]
        await world.select("Ben", panel, ["thing_8"], custom_id=part.custom_id)
        await world.restart()
        kept = await world.click("Ben", world.live(), "panel")
        assert find_label(kept.response, "Vote 1 of 6: Thing 8")
        again = await world.select("Ben", panel, ["thing_9"], custom_id=part.custom_id)
        assert find_label(again.response, "Vote 1 of 6: Thing 9")
        (letter,) = world.letters("Ann")
        first = controls(letter, "draft")[0]
        chosen = await world["Ann"].user.select(letter, ["thing_2"], custom_id=first.custom_id)
        assert find_label(chosen.response, "Vote 1 of 6: Thing 2")
        assert labels(world.live()) == ["Cast your vote", "My hand", "Table menu"]


def find_label(message: Any, label: str) -> bool:
    """Whether a control of the message is called so."""
    return any(part.label == label for part in parts(message))


async def test_a_message_is_found_by_its_mark(tmp_path: Path) -> None:
    """A message whose id was not stored in time is found again, and only that one."""
    async with world_of(tmp_path, BALLOT) as world:
        await begin(world, "script", "Ben")
        channel = world.bot.registry.desk.channel
        table = world.live()
        mark = text(table).rpartition("-# ")[2]
        with world.env._bot_scope():
            here = Address(channel_id=world.channel.id)
            assert await channel.find(here, mark) == (world.channel.id, table.id)
            assert await channel.find(here, mark[:-1]) is None
            (letter,) = world.letters("Ben")
            mark = text(letter).rpartition("-# ")[2]
            found = await channel.find(Address(user_id=world["Ben"].id), mark)
            assert found == (letter.channel.id, letter.id)
            assert await channel.depth(world.channel.id, world.messages()[0].id, 10) == 1
            await channel.delete(world.channel.id, table.id)
            await channel.delete(world.channel.id, table.id)


async def test_boards_are_edited_through_their_channel(tmp_path: Path) -> None:
    """Twenty minutes after the command its token is void; the table is still brought up to date,
    and no table is ever edited through a token.
    """
    async with world_of(tmp_path, *picks(5)) as world:
        await begin(world)
        await world.beat(20 * 60)
        for _ in range(3):
            await pick(world)
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        assert (await session.snapshot()).ply == 3
        edits = [r for r in world.env.http_requests if r.method in ("PATCH", "PUT")]
        assert any(r.path.startswith(f"/channels/{world.channel.id}/messages/") for r in edits)
        assert not [r for r in edits if r.path.startswith("/webhooks/")]


async def test_a_receipt_for_a_slow_command(tmp_path: Path) -> None:
    """A command whose work takes long gets its answer in place of the receipt."""
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)
        pictures: Any = world.bot.house.pictures
        board = pictures.board

        async def slow(*given: Any) -> Any:
            await asyncio.sleep(2.5)
            return await board(*given)

        pictures.board = slow
        sent = len(world.env.http_requests)
        result = await world.slash("Ann", "board")
        receipt, answer = world.env.http_requests[sent:]
        assert receipt.json == {"type": 5, "data": {"flags": 64}}
        assert (answer.method, answer.path[:10]) == ("PATCH", "/webhooks/")
        assert "The Script" in text(result.response)
        assert len(result.response.attachments) == 1
        assert result.response.ephemeral


@pytest.mark.parametrize(("status", "code"), [(400, 40060), (404, 10062), (502, 0)])
async def test_an_answer_that_discord_does_not_take(
    tmp_path: Path, caplog: Any, status: int, code: int
) -> None:
    """Answered already, too late, or a hiccup: the move counts once, and nothing is made of it."""
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)
        world.env.inject_error("POST", "/interactions/*/callback", status=status, code=code)
        table = world.live()
        button = controls(table, "act")[0].custom_id
        await world["Ann"].click(table, custom_id=button)
        await world.beat()
        assert text(world.live()).count("Ann chose one thing.") == 1
        assert not [r for r in caplog.records if r.levelname == "ERROR"]
