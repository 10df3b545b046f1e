"""What the table is told of who sits where and who is its host: one line for each, and once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.sessions import forgetting
from bot.sessions.faces import Status
from bot.sessions.giving import NewSitter
from tests.sessions.house import ALL, ANN, BEA, CID, DOT, MOD, House
from tests.sessions.live_table import LIVE, SHOWN, asked, table, told
from tests.sessions.waiting import send_away

COMPUTER = NewSitter(None, "Agatha")


async def test_whoever_leaves_by_themselves_is_told(house: House) -> None:
    """`/leave`: the table hears once that a computer player sits there, also after a restart."""
    session = await house.game(*ALL)
    await session.hand_over(house.click(BEA), name="Agatha")
    await house.run(3)
    assert told(house) == [("gone", 1)]
    house = await house.restart()
    await house.run(3)
    assert told(house) == [("gone", 1)]


async def test_a_host_who_replaces_somebody_is_told(house: House) -> None:
    """The table hears that the host did it, and of nothing else; a moderator's doing is told as
    theirs, as ever.
    """
    session = await house.game(*ALL)
    await session.hand_over(house.click(ANN), 1, "Agatha")
    await session.hand_over(house.click(MOD, may_manage=True), 2, "Barnaby")
    await house.run(3)
    assert told(house) == [("replaced", 1), ("seat_computer", 2)]


async def test_a_substitute_is_told(house: House) -> None:
    """Whoever takes a computer player's seat is named to the table, once; so is one who returns."""
    session = await house.game(ANN, BEA, computers=1)
    await session.take_over(house.click(CID), 2)
    await session.hand_over(house.click(BEA), name="Agatha")
    await session.take_over(house.click(BEA), 1)
    await house.run(3)
    assert told(house) == [("taken", 2), ("taken", 1)]


@pytest.mark.parametrize("how", ["leaves", "goes", "to_computer", "to_person"])
async def test_a_new_host_is_told_in_whatever_way_the_old_one_went(house: House, how: str) -> None:
    """What became of the seat is told, and then, once, who is the host now."""
    session = await house.game(*ALL)
    match how:
        case "leaves":
            await session.hand_over(house.click(ANN), name="Agatha")
        case "goes":
            await session.gone(ANN, "Agatha")
        case "to_computer":
            await session.give_seat(house.click(MOD, may_manage=True), 0, COMPUTER)
        case _:
            sitter = NewSitter(DOT, "Dot")
            await session.give_seat(house.click(MOD, may_manage=True), 0, sitter)
    await house.run(3)
    (_, seat), after = told(house)
    assert seat == 0
    host = next(seat for seat, user in session.persons().items() if user == session.host_id)
    assert after == ("host", host)


async def test_a_new_host_at_a_paused_table_is_told(house: House) -> None:
    """A pause holds no such news back."""
    session = await house.game(*ALL)
    await session.pause(house.click(MOD, may_manage=True))
    await session.gone(ANN, "Agatha")
    await house.run(3)
    assert told(house) == [("paused", None), ("gone", 0), ("host", 1)]


async def test_a_host_who_was_forgotten_while_the_table_stood_still_is_followed(
    house: House,
) -> None:
    """Nothing passes on at a table that a fault has stopped; once it is restored it has a host."""
    session = await house.game(*ALL)
    await session.locked(lambda: session.crash(RuntimeError("a fault")), "crash")
    await forgetting.forget(house.registry, ANN, "Nobody", lambda _: "Agatha")
    session = house.same(session)
    assert session.host_id is None
    await session.restore(house.click(MOD, may_manage=True))
    await house.run(3)
    assert session.host_id == BEA
    assert told(house)[-2:] == [("restored", None), ("host", 1)]


async def test_a_host_who_is_away_is_followed_by_one_who_is_there(house: House) -> None:
    """That is told; with nobody there the role stays where it is, and nothing is told of it."""
    session = await table(house)
    await send_away(house, session, ANN)
    assert [one for one in told(house) if one[0] in ("away", "host")] == [("away", 0), ("host", 1)]
    for _ in range(40):
        await house.run(LIVE, step=5)
    assert session.is_resting
    hosts = [one for one in told(house) if one[0] in ("host", "resting")]
    assert hosts[0] == ("host", 1)
    assert hosts[-1] == ("resting", None)
    assert hosts[-2] == ("host", session.seat_of(session.host_id or 0))


async def test_two_who_are_away_at_once_make_one_new_host(house: House) -> None:
    """Both let a secret vote lapse: only the host who remains is told."""
    session = await table(house, ANN, BEA, CID, until="vote")
    for seat in (0, 1):
        session.seats[seat] = replace(session.seats[seat], misses=1)
    decision = next(d for d in session.playing.asked if d.seat == 2)
    await session.answer(house.click(CID), decision.question, "vote", ("nay",))
    assert {seat for seat, _ in asked(session)} == {0, 1}
    await house.run(LIVE + SHOWN)
    assert session.host_id == CID
    assert [one for one in told(house) if one[0] == "host"] == [("host", 2)]


async def test_nothing_is_told_of_hosts_before_and_after_the_game(house: House) -> None:
    """The lobby shows its host; at a table whose last person leaves there is none to be told of."""
    lobby = await house.lobby(ANN, BEA)
    await lobby.leave_lobby(house.click(ANN))
    assert lobby.host_id == BEA
    await house.run(3)
    assert told(house) == []
    await lobby.add_computer(house.click(BEA), "Agatha")
    await lobby.add_computer(house.click(BEA), "Barnaby")
    await lobby.start(house.click(BEA))
    await lobby.hand_over(house.click(BEA), name="Cordelia")
    await house.run(3)
    assert lobby.status is Status.ABANDONED
    assert told(house) == [("abandoned", None)]


@pytest.mark.parametrize("pause", [0.0, 2.0])
async def test_nobody_fills_a_channel_by_coming_and_going(house: House, pause: float) -> None:
    """Thirty times, at once or one after the other: only the newest of a seat stands there, and of
    the host.
    """
    session = await house.game(*ALL)
    await house.run(3)
    posts = house.channel.calls.count("post")
    for _ in range(30):
        for user, seat in ((ANN, 0), (BEA, 1)):
            await session.hand_over(house.click(user), name="Agatha")
            await session.take_over(house.click(user), seat)
            await house.run(pause)
    await house.run(10)
    assert sorted(told(house)) == [("host", 0), ("taken", 0), ("taken", 1)]
    assert pause or house.channel.calls.count("post") - posts < 30
