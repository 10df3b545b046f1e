"""The lobby: seats, hosts, options, the start, and races."""

from __future__ import annotations

import asyncio

import pytest

from bot.sessions.faces import LobbyFace, Status, TableFace
from bot.sessions.ports import Refusal
from tests.sessions.house import ANN, BEA, CID, DOT, GUILD, ROOM, House


async def test_a_lobby_is_posted_and_follows_who_sits_there(house: House) -> None:
    """The lobby message goes up at once and is edited when somebody joins."""
    session = await house.lobby(ANN)
    await house.run()
    (message,) = house.channel.of(LobbyFace)
    await session.join(house.click(BEA))
    await house.run()

    assert isinstance(message.face, LobbyFace)
    assert message.face.snapshot.seat_names == ("Ann", "Bea")


async def test_a_second_game_in_the_channel_is_refused_with_the_first_ones_place(
    house: House,
) -> None:
    """Two people open a game at once: one table, and the other is told where it is."""
    both = await asyncio.gather(
        *(
            house.registry.open_lobby(
                house.click(user), game="senate", guild_id=GUILD, channel_id=ROOM
            )
            for user in (ANN, BEA)
        ),
        return_exceptions=True,
    )

    refusals = [r for r in both if isinstance(r, Refusal)]
    assert [r.problem for r in refusals] == ["channel_taken"]
    await house.run()
    with pytest.raises(Refusal) as refused:
        await house.lobby(CID)
    assert refused.value.facts["message_id"] in house.channel.messages


async def test_twenty_people_race_for_the_last_seats(house: House) -> None:
    """Six seats, twenty clicks in one tick: six different people sit, the others are told."""
    session = await house.lobby(ANN)
    results = await asyncio.gather(
        *(session.join(house.click(user)) for user in range(10, 30)), return_exceptions=True
    )

    assert len(session.seats) == 6
    assert len({row.user_id for row in session.seats.values()}) == 6
    assert [r.problem for r in results if isinstance(r, Refusal)] == ["full"] * 15


async def test_joining_twice_gives_one_seat(house: House) -> None:
    """A double click, also with one and the same interaction, seats a person once."""
    session = await house.lobby(ANN)
    click = house.click(BEA)
    results = await asyncio.gather(
        session.join(click),
        session.join(click),
        session.join(house.click(BEA)),
        return_exceptions=True,
    )

    problems = sorted(r.problem for r in results if isinstance(r, Refusal))
    assert problems == ["already_counted", "already_seated"]
    assert len(session.seats) == 2


async def test_the_host_passes_on_and_seats_close_up(house: House) -> None:
    """When the host leaves, the next person is host and nobody else loses a seat."""
    session = await house.lobby(ANN, BEA, CID)
    await session.leave_lobby(house.click(ANN))

    assert session.host_id == BEA
    assert [row.name for _, row in sorted(session.seats.items())] == ["Bea", "Cid"]
    with pytest.raises(Refusal, match="not_host"):
        await session.start(house.click(CID))


async def test_the_last_person_to_leave_closes_the_lobby(house: House) -> None:
    """A lobby of computer players alone has nobody in charge, so it closes."""
    session = await house.lobby(ANN)
    await session.add_computer(house.click(ANN), "Computer 1")
    await session.leave_lobby(house.click(ANN))
    await house.run()

    assert session.status is Status.CANCELLED
    assert house.registry.in_channel(ROOM) is None
    await house.lobby(BEA)


async def test_only_the_host_starts_and_only_with_enough_seats(house: House) -> None:
    """Not the guest, not too early; afterwards the table message is up and the lobby closed."""
    session = await house.lobby(ANN, BEA)
    for user, problem in ((BEA, "not_host"), (ANN, "too_few_seats")):
        with pytest.raises(Refusal, match=problem):
            await session.start(house.click(user))
    await session.join(house.click(CID))
    await session.start(house.click(ANN))
    await house.run()

    assert session.status is Status.RUNNING
    (table,) = house.channel.of(TableFace)
    assert isinstance(table.face, TableFace)
    assert table.face.live
    with pytest.raises(Refusal, match="not_in_lobby"):
        await session.join(house.click(DOT))


async def test_options_are_the_hosts_and_only_legal_values(house: House) -> None:
    """A stranger's choice, an unknown option and an unknown value change nothing."""
    session = await house.lobby(ANN, BEA)
    before = dict(session.row.options)
    for user, key, value in ((BEA, "length", "long"), (ANN, "x", "y"), (ANN, "length", "x")):
        with pytest.raises(Refusal):
            await session.set_option(house.click(user), key, value)
    assert dict(session.row.options) == before
    await session.set_option(house.click(ANN), "length", "long")

    assert session.row.options["length"] == "long"


async def test_a_lobby_survives_a_restart(house: House) -> None:
    """Seats, host and options are there again, and the same message goes on."""
    session = await house.lobby(ANN, BEA)
    await session.set_option(house.click(ANN), "cards", "two")
    await house.run()
    await house.restart()
    again = house.same(session)
    await again.join(house.click(CID))
    await house.run()

    assert again.row.options["cards"] == "two"
    (message,) = house.channel.of(LobbyFace)
    assert isinstance(message.face, LobbyFace)
    assert message.face.snapshot.seat_names == ("Ann", "Bea", "Cid")
