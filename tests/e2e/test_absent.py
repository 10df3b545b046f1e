"""Time to answer, absent players, people who leave and lobbies that expire, by clicks alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bot.sessions.faces import Status
from tests.e2e.play import begin, controls, world_of
from tests.e2e.script import BALLOT, Question
from tests.e2e.world import World, labels, text

BENS = [Question("pick", 3, seats=(1,)) for _ in range(5)]


def session_of(world: World) -> Any:
    """The table in the channel."""
    session = world.bot.registry.in_channel(world.channel.id)
    assert session is not None
    return session


def stamps(world: World, message: Any) -> list[float]:
    """The moments that a message counts down to, in seconds from now."""
    found = re.findall(r"<t:(\d+):R>", text(message))
    return [int(one) - world.env.now().timestamp() for one in found]


def saying(world: World, words: str) -> list[Any]:
    """The messages in the channel that say this."""
    return [m for m in world.messages() if words in text(m)]


async def test_the_pace_is_chosen_with_play_or_in_the_lobby(tmp_path: Path) -> None:
    """Half an hour unless something else is said; /play takes a pace, and so do the options, of the
    host alone. The lobby shows it.
    """
    async with world_of(tmp_path, *BENS) as world:
        await world.slash("Ann", "play", game="script")
        await world.beat()
        assert "**Time to answer**: 30 minutes" in text(world.live())
        await world.click("Ann", world.live(), "cancel")
        await world.beat()
        await world.slash("Ann", "play", game="script", pace="days")
        await world.beat()
        lobby = world.live()
        assert "**Time to answer**: 24 hours" in text(lobby)
        await world.click("Ben", lobby, "join")
        seen = (await world.click("Ben", lobby, "options")).response
        assert not controls(seen, "pace")
        assert "**Time to answer**: 24 hours" in text(seen)
        panel = (await world.click("Ann", lobby, "options")).response
        (menu,) = controls(panel, "pace")
        assert menu.options == ("live", "relaxed", "days", "none")
        done = await world.select("Ann", panel, ["live"], custom_id=menu.custom_id)
        assert "Noted" in text(done.response)
        await world.beat()
        assert "**Time to answer**: 3 minutes" in text(world.live())
        forged = await world.forge("Ben", lobby, menu.custom_id, ["none"])
        assert "host" in text(forged.response)
        assert session_of(world).row.pace == "live"


async def test_reminder_answer_autopilot_and_return(tmp_path: Path) -> None:
    """GAM-01: a deadline that Discord counts down, a reminder that mentions Ben alone, the computer
    player's answer, a second one; then it plays for him.
    """
    async with world_of(tmp_path, *BENS, Question("pick", 3, seats=(0,))) as world:
        await begin(world, "script", "Ben", pace="live")
        await world.beat(2)
        assert "⏱" in text(world.table())
        (rest,) = stamps(world, world.table())
        assert 170 <= rest <= 181
        await world.beat(125)
        (reminder,) = saying(world, "the table waits for you")
        assert text(reminder).startswith(f"<@{world['Ben'].id}>")
        assert f"<@{world['Ann'].id}>" not in text(reminder)
        (rest,) = stamps(world, reminder)
        assert 45 <= rest <= 61
        assert labels(reminder) == ["Your move"]
        await world.beat(62)
        assert not saying(world, "the table waits for you")
        assert len(saying(world, "a computer player has answered for Ben")) == 1
        panel = (await world.slash("Ben", "act")).response
        assert len(stamps(world, panel)) == 1
        await world.beat(186)
        assert len(saying(world, "Ben seems to be away")) == 1
        await world.beat(3)
        session = session_of(world)
        assert session.seats[1].away
        assert session.playing.entries[-1].by == "agent"


async def test_coming_back(tmp_path: Path) -> None:
    """Everybody sees who is away and the way back, which is for that player alone; after a restart
    too. Back at the table Ben plays himself; with nobody else there the table had rested for him.
    """
    asked = [Question("pick", 3, seats=(n,)) for n in (1, 1, 0, 1, 0)]
    async with world_of(tmp_path, *asked) as world:
        await begin(world, "script", "Ben", pace="live")
        await world.beat(190)
        await world.beat(190)
        await world.restart()
        await world.beat(3)
        table = world.table()
        assert "A computer player plays for Ben until they are back." in text(table)
        stranger = await world.click("Cleo", table, "back")
        assert "no seat" in text(stranger.response)
        other = await world.click("Ann", table, "back")
        assert "You play your seat yourself" in text(other.response)
        assert session_of(world).seats[1].away
        mine = await world.click("Ben", table, "back")
        assert "Welcome back" in text(mine.response)
        await world.beat()
        assert not controls(world.table(), "back")
        assert "until they are back" not in text(world.table())
        await world.press("Ann", world.table(), controls(world.table(), "act")[0].custom_id)
        await world.beat(10)
        assert session_of(world).playing.asked[0].seat == 1
        await world.press("Ben", world.table(), controls(world.table(), "act")[1].custom_id)
        await world.beat()
        assert session_of(world).playing.entries[-1].by == "player"


async def test_my_hand_brings_back_as_well(tmp_path: Path) -> None:
    """Whoever looks at their own hand is there."""
    async with world_of(tmp_path, *BENS, Question("pick", 3, seats=(0,))) as world:
        await begin(world, "script", "Ben", pace="live")
        await world.beat(190)
        await world.beat(190)
        assert session_of(world).seats[1].away
        hand = await world.slash("Ben", "hand")
        assert text(hand.response).startswith("Welcome back")
        assert not session_of(world).seats[1].away


async def test_everybody_is_away(tmp_path: Path) -> None:
    """The table says that it rests and when it ends, and the first who comes back wakes it."""
    shared = [Question("step", 3, shared=True) for _ in range(4)]
    async with world_of(tmp_path, *shared) as world:
        await begin(world, "script", "Ben", pace="live")
        await world.beat(125)
        (reminder,) = saying(world, "the table waits for one of you")
        assert f"<@{world['Ann'].id}>" in text(reminder)
        assert f"<@{world['Ben'].id}>" in text(reminder)
        await world.beat(65)
        assert len(saying(world, "Nobody answered in time")) == 1
        await world.beat(190)
        (notice,) = saying(world, "so the table rests; nothing")
        assert 86000 < stamps(world, notice)[0] <= 86400
        count = len(session_of(world).playing.entries)
        table = world.table()
        assert "so the table rests" in text(table)
        await world.beat(120)
        assert len(session_of(world).playing.entries) == count == 2
        await world.click("Ben", table, "back")
        await world.beat()
        assert "rests" not in text(world.table())
        assert session_of(world).row.expires_at is None


async def test_a_ballot_by_letter_has_the_deadline_too(tmp_path: Path) -> None:
    """The letter counts down as well; when the time is over the missing ballots are cast, the
    letter is closed, and the channel reads nothing of who did not vote.
    """
    async with world_of(tmp_path, BALLOT, *BENS) as world:
        await begin(world, "script", "Ben", pace="live")
        (letter,) = world.letters("Ben")
        assert 165 <= stamps(world, letter)[0] <= 181
        await world.beat(190)
        assert "This is decided now." in text(world.letters("Ben")[0])
        assert [e.by for e in session_of(world).playing.entries] == ["clock", "clock"]
        assert not saying(world, "answered for")


async def test_a_deadline_survives_a_restart(tmp_path: Path) -> None:
    """OPS-10: after a restart the table shows what was left, and nothing was answered."""
    async with world_of(tmp_path, *BENS) as world:
        await begin(world, "script", "Ben", pace="live")
        await world.beat(60)
        (before,) = stamps(world, world.table())
        await world.bot.registry.close()
        await world.store.close()
        await world.env.restart_bot(await world._bot())
        await world.beat(2)
        (after,) = stamps(world, world.table())
        assert before - 3 <= after <= before + 3
        assert session_of(world).playing.entries == []


async def test_a_click_after_the_deadline(tmp_path: Path) -> None:
    """GAM-21: who presses after the end is told that it was too late, and what is asked now."""
    async with world_of(tmp_path, *BENS) as world:
        await begin(world, "script", "Ben", pace="live")
        await world.beat(2)
        table = world.table()
        choice = controls(table, "act")[0].custom_id
        world.bot.pump.cancel()
        await world.beat(190)
        late = await world.press("Ben", table, choice)
        assert text(late.response).startswith("Your time was up before that arrived")
        assert [e.by for e in session_of(world).playing.entries] == ["clock"]


async def test_the_messages_are_gone_when_the_time_is_over(tmp_path: Path) -> None:
    """INT-06: the table and the reminder were deleted by a moderator; at the deadline the answer is
    given, a fresh table stands there, and it works.
    """
    async with world_of(tmp_path, *BENS) as world:
        await begin(world, "script", "Ben", pace="live")
        await world.beat(125)
        for message in (world.table(), saying(world, "the table waits for you")[0]):
            world.env.backend.delete_message(world.channel.id, message.id)
        await world.beat(65)
        assert [e.by for e in session_of(world).playing.entries] == ["clock"]
        await world.press("Ben", world.table(), controls(world.table(), "act")[0].custom_id)
        assert [e.by for e in session_of(world).playing.entries] == ["clock", "player"]


# People who leave


async def test_whoever_left_is_noticed_when_called(tmp_path: Path) -> None:
    """MEM-03: nobody announces a leave. Ben is looked up when the table calls him; within ten
    seconds a computer player has the seat, the table is told, and the game goes on.
    """
    asked = [Question("pick", 3, seats=(n,)) for n in (0, 1, 0)]
    async with world_of(tmp_path, *asked) as world:
        await begin(world, "script", "Ben")
        await world.beat(35)
        world.guild.remove_member(world["Ben"])
        await world.press("Ann", world.table(), controls(world.table(), "act")[0].custom_id)
        await world.beat(10)
        session = session_of(world)
        assert session.seat_of(world["Ben"].id) is None
        assert len(saying(world, "A player has left.")) == 1
        assert session.playing.asked[0].seat == 0
        assert not saying(world, f"<@{world['Ben'].id}>")


async def test_whoever_left_is_noticed_when_reminded(tmp_path: Path) -> None:
    """MEM-03: the same when somebody who was there at the call is reminded."""
    async with world_of(tmp_path, *BENS, Question("pick", 3, seats=(0,))) as world:
        await begin(world, "script", "Ben", pace="live")
        await world.beat(60)
        world.guild.remove_member(world["Ben"])
        await world.beat(75)
        assert session_of(world).seat_of(world["Ben"].id) is None
        assert len(saying(world, "A player has left.")) == 1


async def test_a_banned_host_in_the_lobby_and_in_the_game(tmp_path: Path) -> None:
    """GAM-04, MEM-03: a ban is announced: in the lobby the seat is free and Ben is the host; in the
    game a computer player has it, and Ben is the host again.
    """
    async with world_of(tmp_path, BALLOT) as world:
        await world.slash("Ann", "play", game="script", pace="days")
        await world.beat()
        for name in ("Ben", "Cleo"):
            await world.click(name, world.live(), "join")
        world.env.backend.apply_ban(world.guild.id, world["Ann"].id, None)
        await world.beat(10)
        session = session_of(world)
        assert "1. Ben (host)" in text(world.live())
        assert session.row.pace == "days"
        await world.click("Ben", world.live(), "start")
        await world.beat()
        world.env.backend.apply_ban(world.guild.id, world["Ben"].id, None)
        await world.beat(10)
        assert session.host_id == world["Cleo"].id
        assert session.seats[0].user_id is None
        assert len(saying(world, "Cleo, at seat 2, is the host of this table now.")) == 1
        assert "Waiting for Cleo (a ballot)." in text(world.table())


async def test_the_host_of_a_lobby_leaves_the_server_unseen(tmp_path: Path) -> None:
    """GAM-04: whoever sits in a lobby is looked up at intervals; alone there, it closes."""
    async with world_of(tmp_path, BALLOT) as world:
        await world.slash("Ann", "play", game="script")
        await world.beat()
        lobby = world.live()
        world.guild.remove_member(world["Ann"])
        await world.beat(130)
        assert world.bot.registry.in_channel(world.channel.id) is None
        assert not controls(next(m for m in world.messages() if m.id == lobby.id), "join")


async def test_an_outage_is_no_leave(tmp_path: Path) -> None:
    """PRM-12: while members cannot be looked up, nobody loses a seat."""
    async with world_of(tmp_path, BALLOT) as world:
        await begin(world, "script", "Ben")
        path = f"/guilds/{world.guild.id}/members/{world['Ben'].id}"
        for status, code in ((503, 0), (403, 50001), (404, 10004)):
            world.env.inject_error("GET", path, status=status, code=code, message="x", times=20)
        world.guild.remove_member(world["Ben"])
        await world.beat(130)
        assert session_of(world).seat_of(world["Ben"].id) == 1


async def test_letters_that_are_blocked_are_told_once(tmp_path: Path) -> None:
    """MEM-01: one note in the channel that mentions Ben alone, the button on the table is his way,
    and over two ballots one letter is tried.
    """
    async with world_of(tmp_path, BALLOT, BALLOT) as world:
        path = f"/channels/{world['Ben'].user.dm_channel.id}/messages"
        world.env.inject_error(
            "POST", path, status=403, code=50007, message="Cannot send", times=None
        )
        await begin(world, "script", "Ben", pace="live")
        await world.beat(190)
        (note,) = saying(world, "I cannot send you direct messages")
        assert f"<@{world['Ben'].id}>" in text(note)
        assert f"<@{world['Ann'].id}>" not in text(note)
        tried = [r for r in world.env.http_requests if (r.method, r.path) == ("POST", path)]
        assert len(tried) == 1
        assert len(world.letters("Ann")) == 2
        panel = (await world.click("Ben", world.table(), "panel")).response
        assert controls(panel, "draft")


# Lobbies


@pytest.fixture
def short_lobby(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lobbies that close after two minutes, so that a test need not run half an hour."""
    monkeypatch.setattr("bot.sessions.pace.LOBBY", 120.0)
    monkeypatch.setattr("bot.sessions.opening.LOBBY", 120.0)


@pytest.mark.usefixtures("short_lobby")
async def test_a_lobby_expires(tmp_path: Path) -> None:
    """GAM-03: it shows when, a join puts that off, a restart does not; then it is closed with one
    button, which opens a new lobby for whoever presses it, and for nobody else.
    """
    async with world_of(tmp_path, BALLOT) as world:
        await world.slash("Ann", "play", game="script", pace="days", speed="fast")
        await world.beat()
        lobby = world.live()
        assert "This lobby closes" in text(lobby)
        assert 110 <= stamps(world, lobby)[0] <= 121
        await world.beat(60)
        await world.click("Ben", lobby, "join")
        await world.beat()
        assert 110 <= stamps(world, world.live())[0] <= 121
        await world.restart()
        await world.beat(100)
        assert session_of(world).status is Status.LOBBY
        await world.beat(25)
        closed = world.live()
        assert closed.id == lobby.id
        assert labels(closed) == ["Open a new table"]
        assert "so this lobby is closed" in text(closed)
        late = await world.forge("Cleo", closed, controls_of(lobby, "join"))
        assert "This lobby is closed" in text(late.response)
        await world.click("Cleo", closed, "again")
        await world.beat()
        session = session_of(world)
        assert [row.name for row in session.seats.values()] == ["Cleo"]
        assert (session.row.pace, session.row.options["speed"]) == ("days", "fast")
        assert "1. Cleo (host)" in text(world.live())


def controls_of(message: Any, verb: str) -> str:
    """The custom_id of a control that a message had."""
    return controls(message, verb)[0].custom_id
