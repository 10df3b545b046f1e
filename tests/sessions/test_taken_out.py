"""Seats that moderators empty, and people whom they send away: no way round an agreement."""

from __future__ import annotations

import pytest

from bot.sessions.giving import NewSitter
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from tests.sessions.house import ALL, ANN, BEA, CID, DOT, MOD, House
from tests.sessions.moderator import mod

EVE = 5
COMPUTER = NewSitter(None, "Computer 1")


def person(user: int) -> NewSitter:
    """Somebody for a seat."""
    return NewSitter(user, f"New {user}")


async def _empty(house: House, how: str) -> Session:
    """A table at which the moderator has called a computer player in for Bea."""
    session = await house.game(*ALL)
    if how == "command":
        await session.give_seat(mod(house), 1, COMPUTER)
    else:
        await session.hand_over(mod(house), 1, "Computer 1")
    return session


@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize("how", ["command", "menu"])
async def test_no_moderator_takes_an_emptied_seat_alone(
    house: House, how: str, restarts: bool
) -> None:
    """A computer player in between changes nothing: the table is asked, whichever moderator it
    is, and by the table's menu whoever emptied the seat is refused.
    """
    session = await _empty(house, how)
    if restarts:
        await house.restart()
        session = house.same(session)
    with pytest.raises(Refusal, match="emptied_it"):
        await session.take_over(mod(house), 1)
    for user in (MOD, DOT):
        assert await session.check_seat(mod(house, user), 1, person(user)) is True
        assert await session.give_seat(mod(house, user), 1, person(user)) is False
    number = session.motion.number if session.motion else 0
    assert await session.speak(house.click(ANN), number, agrees=True) == "open"
    assert session.seat_of(DOT) is None
    assert await session.speak(house.click(CID), number, agrees=True) == "carried"
    assert session.seat_of(DOT) == 1


async def test_nobody_agrees_for_a_table_without_others(house: House) -> None:
    """A seated moderator has emptied the only other seat: nobody is left who could agree."""
    session = await house.game(ANN, BEA, computers=1)
    await session.give_seat(mod(house, ANN), 1, COMPUTER)
    with pytest.raises(Refusal, match="nobody_to_agree"):
        await session.check_seat(mod(house, ANN), 1, person(DOT))
    with pytest.raises(Refusal, match="nobody_to_agree"):
        await session.give_seat(mod(house, ANN), 1, person(DOT))
    assert await session.give_seat(mod(house, ANN), 2, person(DOT)) is True


async def test_a_forgotten_moderator_stays_a_moderator(house: House) -> None:
    """Being forgotten in between opens no way to the seat."""
    session = await _empty(house, "command")
    await house.store.forget(MOD, "Nobody")
    with pytest.raises(Refusal, match="emptied_it"):
        await session.take_over(mod(house), 1)
    assert await session.check_seat(mod(house), 1, person(MOD)) is True


async def test_others_take_an_emptied_seat_as_ever(house: House) -> None:
    """The owner and strangers by the menu, or anybody whom the moderator puts there."""
    session = await _empty(house, "command")
    await session.take_over(house.click(BEA), 1)
    await session.give_seat(mod(house), 1, COMPUTER)
    assert await session.give_seat(mod(house), 1, person(DOT)) is True
    await session.give_seat(mod(house), 1, COMPUTER)
    await session.take_over(house.click(EVE), 1)
    assert session.seat_of(EVE) == 1


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_seat_that_was_given_up_is_free(house: House, restarts: bool) -> None:
    """A computer's from the start, its owner's who left, and the seat of one who came back after
    a moderator had emptied it and has left since.
    """
    session = await house.game(ANN, BEA, CID, computers=1)
    await session.give_seat(mod(house), 1, COMPUTER)
    await session.take_over(house.click(BEA), 1)
    await session.hand_over(house.click(BEA), name="Computer 2")
    await session.hand_over(house.click(CID), name="Computer 3")
    if restarts:
        await house.restart()
        session = house.same(session)
    for seat in (1, 2, 3):
        assert await session.check_seat(mod(house), seat, person(MOD)) is False
    await session.take_over(mod(house), 1)
    assert session.seat_of(MOD) == 1


@pytest.mark.parametrize("restarts", [False, True])
async def test_barring_holds_in_the_lobby_and_after_it(house: House, restarts: bool) -> None:
    """Who was sent away cannot join again, nor take a seat once the game goes on, unless a
    moderator gives them one; in no seat, so in any.
    """
    lobby = await house.lobby(ANN, BEA, CID)
    await lobby.give_seat(mod(house), 1, COMPUTER, bars=True)
    if restarts:
        await house.restart()
        lobby = house.same(lobby)
    with pytest.raises(Refusal, match="sent_away_lobby"):
        await lobby.join(house.click(BEA))
    await lobby.join(house.click(DOT))
    await lobby.start(house.click(ANN))
    await lobby.hand_over(house.click(DOT), name="Computer 1")
    with pytest.raises(Refusal, match="sent_away"):
        await lobby.take_over(house.click(BEA), 2)
    with pytest.raises(Refusal, match="was_sent_away"):
        await lobby.give_seat(mod(house, ANN), 2, person(BEA))
    assert await lobby.give_seat(mod(house), 2, person(BEA)) is True
    assert lobby.seat_of(BEA) == 2
