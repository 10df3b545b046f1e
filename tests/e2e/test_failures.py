"""What Discord can do to a table, and what players see of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from simcord.backend.serializers import channel_payload

from bot.offline.wire.limits import walk
from bot.sessions.faces import Status
from bot.sessions.ports import Address
from tests.e2e.play import begin, controls, pick, picks, world_of
from tests.e2e.script import BALLOT
from tests.e2e.world import find, labels, parts, raw, text


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
        assert "its channel was lost" in text(listed.response)
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


async def test_a_banned_player(tmp_path: Path) -> None:
    """Whoever is banned leaves the seat to a computer player; nobody waits."""
    async with world_of(tmp_path, BALLOT) as world:
        await begin(world, "script", "Ben")
        world.env.backend.apply_ban(world.guild.id, world["Ben"].id, None)
        await world.beat(5)
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        assert session.seat_of(world["Ben"].id) is None
        assert "Waiting for Ann (a ballot)." in text(world.live())


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
        assert find_label(kept.response, "1 of 6: Thing 8")
        again = await world.select("Ben", panel, ["thing_9"], custom_id=part.custom_id)
        assert find_label(again.response, "1 of 6: Thing 9")
        (letter,) = world.letters("Ann")
        first = controls(letter, "draft")[0]
        chosen = await world["Ann"].user.select(letter, ["thing_2"], custom_id=first.custom_id)
        assert find_label(chosen.response, "1 of 6: Thing 2")
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
            assert await channel.depth(world.channel.id, world.messages()[1].id, 10) == 1
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


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_page_that_was_turned_keeps_its_picture(tmp_path: Path, restarts: bool) -> None:
    """The old table message loses its controls and keeps heading, picture and alt text; its events
    are those of its own page. A restart in between changes nothing of that.
    """
    async with world_of(tmp_path, *picks(6)) as world:
        await begin(world)
        await pick(world)
        await pick(world)
        old = world.live()
        (picture,) = old.attachments
        if restarts:
            await world.restart()
        await pick(world)
        await world.beat(3)
        assert world.live().id != old.id
        turned = next(m for m in world.messages() if m.id == old.id)
        assert not parts(turned)
        assert [a.filename for a in turned.attachments] == [picture.filename]
        assert "chapter 0" in text(turned)
        (gallery,) = [c for c in walk(raw(turned)) if c["type"] == 12]
        assert gallery["items"][0]["description"] == "Chapter 0."
        assert text(turned).count("Ann chose one thing.") == 3
        assert "The table has moved on" in text(turned)
        assert "chapter 1" in text(world.live())
