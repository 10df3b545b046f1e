"""People and tables, whatever is played: three of one name, closed letters, a host who goes, a game
that is stuck, and a second one in the channel.
"""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from bot import titles
from bot.sessions.faces import Status
from tests.e2e.play import controls
from tests.e2e.real import (
    GAMES,
    Patient,
    Worded,
    begun,
    next_move,
    real_world,
    session_in,
    words_of,
)
from tests.e2e.test_absent import saying
from tests.e2e.world import NAMES, parts, text

#: A bare name: neither with a number after it, nor after its seat, as on the board in words.
ALEX = re.compile(r"(?<!\d )alex(?! \([123]\))", re.IGNORECASE)


@pytest.mark.parametrize("game", GAMES)
async def test_three_people_of_one_name(tmp_path: Path, game: str) -> None:
    """MEM-09: three people called Alex: through thirty moves, or to the end, none of them is named
    without a number, on the table, in a panel, on the board or in the log; what the second chooses
    is the second seat's answer.
    """
    title = titles.load(game)
    worded = dataclasses.replace(title, renderer=Worded(title.renderer))
    async with Patient(tmp_path, {game: worded}) as world:
        for name, called in zip(NAMES, ("Alex", "alex", "Alex "), strict=False):
            user = world.env.create_user(f"alex-{name}", global_name=called)
            world.players[name] = world.guild.add_member(user)
        session = await begun(world, game, "Ben", "Cleo")
        movers: set[int] = set()
        seen = ""
        for number in range(30):
            if session.is_over:  # lost in the dark
                break
            move = await next_move(world, number)
            seen += words_of(world.table()) + words_of(move.message)
            entries = session.playing.entries
            before = len(entries)
            waiting = {one.seat for one in (await session.snapshot()).waiting}
            acts = [part for part in controls(world.table(), "act") if not part.options]
            if len(waiting) == 1 and acts:
                other = NAMES[(NAMES.index(move.name) + 1) % 3]
                told = await world.press(other, world.table(), acts[0].custom_id)
                seen += words_of(told.response) if told.response else ""
            result = await move.make(world)
            seen += words_of(result.response) if result.response else ""
            seat = entries[before].seat
            assert seat == NAMES.index(move.name)
            movers.add(seat)
        assert movers >= {0, 1}
        for name in NAMES[:3]:  # two of them are told whose turn it is
            seen += words_of((await world.slash(name, "act", choice="the moon")).response)
        for command, options in (("board", {"words": True}), ("log", {}), ("tables", {})):
            seen += words_of((await world.slash("Dan", command, **options)).response)
        bare = [seen[max(0, one.start() - 40) : one.end() + 20] for one in ALEX.finditer(seen)]
        assert bare == []
        assert all(f"({number})" in seen for number in (1, 2, 3))


SECRET = {"escape_the_night": 2, "fear_of_the_dark": 0}
"""How many secret votes the next test waits for: in Fear of the Dark nobody is asked in secret."""


@pytest.mark.parametrize("game", GAMES)
async def test_one_of_four_takes_no_letters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """MEM-01: Ben's direct messages are closed from the deal on: one letter is tried, whatever is
    asked in secret he answers in a panel that he alone sees, everybody else has each letter once,
    no ballot stands in the channel, and the game goes on.
    """
    # With other dice the second ballot may come later than anybody wants to wait.
    monkeypatch.setattr("bot.sessions.opening.secrets.token_bytes", lambda size: b"\x03" * size)
    async with real_world(tmp_path) as world:
        path = f"/channels/{world['Ben'].user.dm_channel.id}/messages"
        world.env.inject_error(
            "POST", path, status=403, code=50007, message="Cannot send", times=None
        )
        session = await begun(world, game, "Ben", "Cleo", "Dan")
        hand = await world.slash("Ben", "hand")
        assert hand.response.ephemeral
        votes: dict[str, int] = dict.fromkeys(NAMES, 0)
        for _ in range(240):
            move = await next_move(world)
            if ":cast:" in move.custom_id:
                await world.beat(3)
                votes[move.name] += 1
                assert move.message.ephemeral
                for name in NAMES:
                    letters = [text(one).splitlines()[-1] for one in world.letters(name)]
                    assert len(set(letters)) == len(letters)
                    assert (len(letters) == 0) is (name == "Ben")
            assert not [m for m in world.messages() if controls(m, "draft") or controls(m, "cast")]
            assert (await move.make(world)).acknowledged
            if min(votes.values()) == SECRET[game] and session.row.ply > 8:
                break
        assert votes == dict.fromkeys(NAMES, SECRET[game])
        tried = [r for r in world.env.http_requests if (r.method, r.path) == ("POST", path)]
        notes = saying(world, "I cannot send you direct messages")
        assert len(tried) == len(notes) == (SECRET[game] > 0)
        assert all(f"<@{world['Ben'].id}>" in text(note) for note in notes)
        assert session.status is Status.RUNNING


def options_in(lobby: Any) -> list[str]:
    """The lines of a lobby that tell what was chosen."""
    return [
        line for line in text(lobby).splitlines() if line.startswith("**") and "Seats" not in line
    ]


@pytest.mark.parametrize("way", ["button", "server"])
@pytest.mark.parametrize("game", GAMES)
async def test_a_host_who_goes_from_the_lobby(tmp_path: Path, game: str, way: str) -> None:
    """GAM-04: the host leaves by the button, or leaves the server (or is kicked, of which a bot
    without a list of members hears no more): the next is the host, what was chosen is kept, and
    the game begins; the last who goes closes the lobby, and the channel is free.
    """
    async with real_world(tmp_path) as world:

        async def goes(name: str) -> None:
            if way == "button":
                await world.click(name, world.live(), "leave_lobby")
            else:
                world.guild.remove_member(world[name])
            await world.beat(130)

        option = world.titles[game].game.options[0]
        other = next(value for value in option.values if value != option.default)
        await world.slash("Ann", "play", game=game, pace="days", **{option.key: other})
        await world.beat()
        for name in ("Ben", "Cleo"):
            await world.click(name, world.live(), "join")
        await world.beat()
        before = options_in(world.live())
        assert len(before) >= 2
        session = session_in(world)
        for left, heir in (("Ann", "Ben"), ("Ben", "Cleo")):
            await goes(left)
            assert session.host_id == world[heir].id
            assert f"{heir} (host)" in text(world.live())
            assert left not in text(world.live())
            assert options_in(world.live()) == before
        assert session.row.pace == "days"
        for verb in ("add_computer", "drop_computer"):
            await world.click("Cleo", world.live(), verb)
        await world.beat()
        await goes("Cleo")
        assert world.bot.registry.in_channel(world.channel.id) is None
        assert not [m for m in world.messages() if parts(m)]
        await world.slash("Dan", "play", game=game)
        await world.beat()
        assert "Dan (host)" in text(world.live())


class Broken:
    """A game whose every part raises."""

    def __getattr__(self, name: str) -> Any:
        raise ZeroDivisionError(name)


@pytest.mark.parametrize("game", GAMES)
async def test_a_stuck_game_is_ended_by_whoever_moderates(tmp_path: Path, game: str) -> None:
    """GAM-25: whatever is asked of a game in memory raises: clicks are answered with a reference,
    a player can end it neither by a command nor by a button, a moderator can, and the channel is
    free at once; the other table goes on.
    """
    async with real_world(tmp_path) as world:
        home, world.channel = world.channel, world.lounge
        other = await begun(world, game, "Ben")
        world.channel = home
        session = await begun(world, game, "Ben")
        table = world.table()
        session.game = Broken()  # type: ignore[assignment]
        for verb in ("hand", "menu"):
            answered = await world.click("Ben", table, verb)
            assert text(answered.response)
        assert "session end" not in world["Ben"].available_commands(world.channel)
        before = await world.store.live_sessions()
        asked = await world.owner.slash(world.channel, "session end", table=session.code)
        assert asked.response is not None
        (yes,) = controls(asked.response, "end_yes")
        refused = await world.forge("Ben", table, yes.custom_id)
        assert "host" in text(refused.response)
        assert await world.store.live_sessions() == before
        assert not session.is_over

        await world.owner.click(asked.response, custom_id=yes.custom_id)
        assert session.status is Status.ABANDONED
        opened = await world.slash("Cleo", "play", game=game)
        assert "is open in" in text(opened.response)
        await world.beat(3)
        assert "Cleo (host)" in text(world.live())
        assert not [m for m in world.messages() if controls(m, "menu")]
        world.channel = world.lounge
        await (await next_move(world)).make(world)
        assert (await other.snapshot()).ply >= 1


@pytest.mark.parametrize("game", GAMES)
async def test_a_second_game_leaves_the_first_alone(tmp_path: Path, game: str) -> None:
    """GAM-06: two people open a table in one channel in the same instant, in the lobby and in the
    middle of the game, a game of another title, too: there is one table, nothing of it changes,
    and whoever was second reads where it is.
    """
    async with real_world(tmp_path) as world:
        first = await world.burst(
            world["Ann"].slash(world.channel, "play", game=game),
            world["Ben"].slash(world.channel, "play", game=GAMES[0]),
        )
        said = [text(one.response) for one in first]
        assert sorted("is open in" in one for one in said) == [False, True]
        (late,) = [one for one in said if "is open in" not in one]
        assert late.startswith("There is a table in this channel already")
        await world.beat()
        session = session_in(world)
        for state in ("lobby", "game"):
            if state == "game":
                host = "Ann" if session.host_id == world["Ann"].id else "Ben"
                await world.click(host, world.live(), "start")
                await world.beat(3)
            live, row = world.live(), await world.store.live_sessions()
            seen = [(m.id, text(m)) for m in world.messages()]
            tries = await world.burst(
                *(
                    world[name].slash(world.channel, "play", game=key)
                    for name, key in zip(("Cleo", "Dan"), (*GAMES, *GAMES), strict=False)
                )
            )
            link = f"https://discord.com/channels/{world.guild.id}/{world.channel.id}/{live.id}"
            assert all(link in text(one.response) for one in tries)
            await world.beat(3)
            assert await world.store.live_sessions() == row
            assert [(m.id, text(m)) for m in world.messages()] == seen
        assert session_in(world) is session
