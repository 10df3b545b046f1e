"""What moderators and tables are told of what was done: the whole of it, and nothing untrue."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.sessions.faces import Status
from bot.store.protocol import Write
from bot.ui.house import House
from tests.e2e.moderating import PICKS, at_table, move, newest, press, session, table
from tests.e2e.play import controls, world_of
from tests.e2e.test_silence import archive, in_thread, time_out
from tests.e2e.world import World, text


async def _seat(world: World, seat: str, **options: Any) -> tuple[str, str]:
    """The question and what came of it."""
    asked = await session(world, "seat", seat=seat, **options)
    question = text(asked)
    done = await press(world, asked, "seat_yes")
    await world.beat()
    return question, text(done)


async def test_a_seat_in_the_lobby_is_told_as_it_was_cleared(tmp_path: Path) -> None:
    """Not as one that has changed hands: who is out, whether for good, and whether it is closed;
    whoever was barred is told so when they press Join.
    """
    async with world_of(tmp_path) as world:
        world.players["Olga"] = world.owner
        await world.slash("Ann", "play", game="script")
        await world.beat()
        lobby = world.live()
        await world.click("Ben", lobby, "join")
        await world.beat()
        asked, done = await _seat(world, "2", barred=True)
        assert "They cannot join this lobby again." in asked
        assert done.startswith("Ben is out of the lobby of ")
        assert done.endswith(" and cannot join it again.")
        refused = await world.click("Ben", world.live(), "join")
        assert "taken you out of this lobby" in text(refused.response)
        ended = await session(world, "end")
        assert "Close the lobby of" in text(ended)
        assert "/session restore" not in text(ended)
        _, done = await _seat(world, "1")
        assert done.startswith("Ann is out of the lobby of ")
        assert done.endswith("Nobody was left, so it is closed.")


async def test_who_lost_a_seat_is_named(tmp_path: Path) -> None:
    """By the notice, without a call, and still by the question once the table has agreed; a
    barred player is not invited to take a seat.
    """
    async with at_table(tmp_path) as world:
        await _seat(world, "2", player=world["Dan"].user, barred=True)
        assert "seat 2 at this table, where Ben sat, is yours now." in newest(world)
        for command in ("hand", "help"):
            told = text((await world.slash("Ben", command)).response)
            assert "A moderator has taken you out of" in told
            assert "seat" not in told.partition("taken you out")[0]
            assert "take a computer player's seat" not in told
        await _seat(world, "2", player=world.owner.user)
        motion = [m for m in world.messages() if controls(m, "motion")][-1]
        agree = controls(motion, "motion")[0].custom_id
        await world.press("Dan", motion, agree)
        await world.beat()
        closed = next(m for m in world.messages() if m.id == motion.id)
        assert "give the seat of Dan to Olga" in text(closed)
        assert "seat 2 at this table, where Dan sat, is yours now." in newest(world)


async def test_the_list_says_what_is_wrong(tmp_path: Path) -> None:
    """A table that rests or ends, until when, one whose place is lost, and a bot that is timed
    out; `inspect` says it, too. Nothing is wrong with the others.
    """
    async with at_table(tmp_path) as world:
        assert "nothing wrong" in text(await session(world, "list"))
        one = table(world)
        fields = {"expires_at": world.time.epoch() + 5000.0}
        await world.store.commit(Write(session=one.id, fields=fields))
        await world.restart()
        one = table(world)
        when = f"<t:{round(one.row.expires_at or 0)}:R>"
        for command in ("list", "inspect"):
            told = text(await session(world, command))
            assert f"it ends {when} if nothing happens" in told
            assert "nothing wrong" not in told
        code = one.code
        await world.bot.registry.channel_gone(one.channel_id)
        told = text((await world.slash("Olga", "session list")).response)
        assert "`/session restore` lets it go on" in told
        assert "nothing wrong" not in told
        refused = text((await world.slash("Olga", "session resume", table=code)).response)
        assert "/session restore" in refused


async def test_a_restore_that_leaves_something_out_says_so(tmp_path: Path) -> None:
    """To the moderator after how many moves the table goes on, and to the table; the reason is in
    the log of whoever runs the bot.
    """
    async with at_table(tmp_path) as world:
        for name in ("Ann", "Ben", "Ann"):
            await move(world, name)
        one = table(world)
        record = (await world.store.entries(one.id))[1].record
        broken = json.dumps(json.loads(record) | {"mark": "000000000000/0"})
        sql = "UPDATE entry SET record = ? WHERE session = ? AND ply = 1"
        await world.store._writer.run(
            lambda connection: connection.execute_fetchall(sql, (broken, one.id))
        )
        await world.restart()
        await world.beat()
        one = world.bot.registry.session(one.id)
        assert one.status is Status.CRASHED
        listed = text((await world.slash("Olga", "session list")).response)
        assert "the log of whoever runs me says why" in listed
        back = await world.slash("Olga", "session restore", table=one.code)
        assert "is back, but not as it stood" in text(back.response)
        assert "goes on after one move" in text(back.response)
        await world.beat()
        assert "what came last could not be played again" in newest(world)
        assert "The table is back where it stood" not in newest(world)


async def test_a_fault_in_an_aside_keeps_the_reply(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What was done is told as done; the fault is in the log."""
    async with at_table(tmp_path) as world:

        def fail(*_: object) -> None:
            raise RuntimeError("an aside")

        monkeypatch.setattr(House, "_losses", fail)
        told = text(await session(world, "pause"))
        assert "is paused" in told
        assert table(world).status is Status.PAUSED
        assert "an aside could not be told" in caplog.text
        caplog.clear()


async def test_the_list_says_why_nothing_can_be_written(tmp_path: Path) -> None:
    """A thread that was closed while a moderator had paused the table, and a bot that is timed
    out on the server; once that is over nothing is wrong.
    """
    async with world_of(tmp_path, *PICKS) as world:
        world.players["Olga"] = world.owner
        thread, one = await in_thread(world, "Ben")
        await world.slash("Olga", "session pause", table=one.code)
        await world.beat()
        archive(world, thread, archived=True, locked=True)
        await world.beat()
        assert "its thread is closed" in text((await world.slash("Olga", "session list")).response)
        archive(world, thread, archived=False, locked=False)
        await world.beat()
        assert "nothing wrong" in text((await world.slash("Olga", "session list")).response)
        time_out(world)
        await world.beat()
        told = text((await world.slash("Olga", "session list")).response)
        assert "I am timed out on this server" in told
        assert "nothing wrong" not in told
