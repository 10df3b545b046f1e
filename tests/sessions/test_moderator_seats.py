"""Seats that moderators give away, and who can never take another seat at a table."""

from __future__ import annotations

import pytest

from bot.sessions.change import Change
from bot.sessions.faces import MotionFace, Status
from bot.sessions.giving import NewSitter
from bot.sessions.moves import mark_of
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from bot.store.rows import SittingRow
from tests.sessions.house import ALL, ANN, BEA, CID, DOT, MOD, House
from tests.sessions.live_table import told
from tests.sessions.moderator import mod
from tests.sessions.voting import ask_of

EVE = 5
COMPUTER = NewSitter(None, "Computer 1")


def person(user: int) -> NewSitter:
    """Somebody for a seat."""
    return NewSitter(user, f"New {user}")


async def motion_of(house: House) -> MotionFace:
    """What the table is asked, as the channel has it."""
    await house.run(3)
    face = house.channel.of(MotionFace)[-1].face
    assert isinstance(face, MotionFace)
    return face


async def test_a_moderator_replaces_a_person_by_another(house: House) -> None:
    """The newcomer has the seat with what it knows; ballots of the old one are taken back; the
    host's office passes on; the table is told and the log has it.
    """
    session = await house.game(*ALL)
    await house.answer_all(session, until="vote")
    question = ask_of(session, "vote").question
    await session.answer(house.click(ANN), question, "vote", ("nay",))
    assert await session.give_seat(mod(house), 0, person(DOT)) is True
    look = await session.look(DOT)
    assert [d.current for d in look.asked] == [None]
    assert session.seat_of(ANN) is None
    assert session.host_id in (DOT, BEA, CID)
    await house.run(3)
    assert told(house) == [("seat_person", 0), ("host", 0)]
    (act,) = await house.store.acts(session.guild_id)
    assert (act.what, act.by, act.about) == ("seat", MOD, DOT)
    assert dict(act.facts) == {"seat": 0, "to": "person"}


@pytest.mark.parametrize("bars", [False, True])
async def test_a_seat_is_handed_to_a_computer_player(house: House, bars: bool) -> None:
    """Whoever sat there may come back to that very seat, unless a moderator has said no."""
    session = await house.game(*ALL)
    await session.give_seat(mod(house), 1, COMPUTER, bars=bars)
    await house.restart()
    session = house.same(session)
    if bars:
        with pytest.raises(Refusal, match="sent_away"):
            await session.take_over(house.click(BEA), 1)
        await session.give_seat(mod(house), 1, person(BEA))
        await session.give_seat(mod(house), 1, COMPUTER)
    await session.take_over(house.click(BEA), 1)
    assert session.seat_of(BEA) == 1


async def test_a_seated_moderator_may_call_in_computers_only(house: House) -> None:
    """To a computer player at once; to a person only by agreement, so nothing happens yet."""
    session = await house.game(*ALL)
    assert await session.give_seat(mod(house, BEA), 2, person(DOT)) is False
    assert session.seat_of(CID) == 2
    assert await session.give_seat(mod(house, BEA), 2, COMPUTER) is True
    assert session.seat_of(CID) is None
    acts = [act.what for act in await house.store.acts(session.guild_id)]
    assert acts == ["seat", "seat_asked"]


@pytest.mark.parametrize("restarts", [False, True])
async def test_the_owner_of_the_seat_decides(house: House, restarts: bool) -> None:
    """One click of the owner is enough, also after a restart; the moderator's own is refused."""
    session = await house.game(*ALL)
    await session.give_seat(mod(house, BEA), 2, person(DOT))
    face = await motion_of(house)
    assert (face.kind, face.seat, face.awaited) == ("seat", 2, (0, 2))
    if restarts:
        await house.restart()
        session = house.same(session)
    with pytest.raises(Refusal, match="motion_not_yours"):
        await session.speak(mod(house, BEA), face.number, agrees=True)
    with pytest.raises(Refusal, match="motion_not_yours"):
        await session.speak(house.click(DOT), face.number, agrees=True)
    assert await session.speak(house.click(CID), face.number, agrees=True) == "carried"
    assert session.seat_of(DOT) == 2
    assert (await motion_of(house)).state == "carried"
    acts = [(act.what, act.by) for act in await house.store.acts(session.guild_id)]
    assert acts == [("seat", BEA), ("seat_asked", BEA)]


async def test_or_all_the_others_together(house: House) -> None:
    """Without the owner's word it takes every other person, and a no among them ends that way."""
    session = await house.game(ANN, BEA, CID, DOT)
    await session.give_seat(mod(house, ANN), 3, person(EVE))
    assert await session.speak(house.click(BEA), 1, agrees=True) == "open"
    await house.restart()
    session = house.same(session)
    assert await session.speak(house.click(CID), 1, agrees=True) == "carried"
    assert session.seat_of(EVE) == 3
    await session.give_seat(mod(house, ANN), 2, person(6))
    assert await session.speak(house.click(BEA), 2, agrees=False) == "open"
    assert await session.speak(house.click(EVE), 2, agrees=True) == "open"
    assert await session.speak(house.click(CID), 2, agrees=False) == "refused"
    assert session.seat_of(CID) == 2


@pytest.mark.parametrize("restarts", [False, True])
async def test_agreement_lets_nobody_in_who_was_sent_away(house: House, restarts: bool) -> None:
    """Said before the table is asked, and looked at again before the seat changes hands; a
    moderator who does not sit there can let them in.
    """
    session = await house.game(*ALL, DOT)
    await session.give_seat(mod(house), 3, COMPUTER, bars=True)
    before = len(await house.store.acts(session.guild_id))
    for user, sitter in ((ANN, DOT), (DOT, DOT)):
        with pytest.raises(Refusal, match="was_sent_away"):
            await session.check_seat(mod(house, user), 3, person(sitter))
        with pytest.raises(Refusal, match="was_sent_away"):
            await session.give_seat(mod(house, user), 3, person(sitter))
    assert session.motion is None
    assert len(await house.store.acts(session.guild_id)) == before
    await session.give_seat(mod(house), 3, person(DOT))
    await session.hand_over(house.click(DOT), name="Computer 2")
    assert await session.give_seat(mod(house, ANN), 3, person(DOT)) is False
    change = Change()
    change.sittings[DOT] = SittingRow(session.id, DOT, 3, barred=True)
    await session.locked(lambda: session.commit(change), "bar")
    if restarts:
        await house.restart()
        session = house.same(session)
    assert await session.speak(house.click(BEA), 1, agrees=True) == "open"
    with pytest.raises(Refusal, match="motion_over"):
        await session.speak(house.click(CID), 1, agrees=True)
    assert session.seat_of(DOT) is None


@pytest.mark.parametrize("restarts", [False, True])
async def test_barring_holds_where_the_table_agreed(house: House, restarts: bool) -> None:
    """Whoever gives up the seat by agreement cannot take it back, if that was asked for."""
    session = await house.game(*ALL)
    await session.give_seat(mod(house, BEA), 2, person(DOT), bars=True)
    if restarts:
        await house.restart()
        session = house.same(session)
    assert await session.speak(house.click(CID), 1, agrees=True) == "carried"
    await session.hand_over(house.click(DOT), name="Computer 1")
    with pytest.raises(Refusal, match="sent_away"):
        await session.take_over(house.click(CID), 2)


async def test_two_at_a_table_the_moderator_has_no_majority(house: House) -> None:
    """Only the owner can agree: the moderator and the computer players are nobody else."""
    session = await house.game(ANN, BEA, computers=1)
    assert await session.give_seat(mod(house, ANN), 1, person(DOT)) is False
    face = await motion_of(house)
    assert face.awaited == (1,)
    assert session.seat_of(BEA) == 1
    await house.run(30)
    assert session.seat_of(BEA) == 1


async def test_a_moderator_does_not_take_a_persons_seat_alone(house: House) -> None:
    """One who does not sit there, but wants the seat, is treated like one who does; and who has
    sat there once is never an outsider again.
    """
    session = await house.game(*ALL)
    assert await session.give_seat(mod(house), 2, person(MOD)) is False
    assert await session.speak(house.click(CID), 1, agrees=False) == "refused"
    await session.hand_over(house.click(BEA), name="Computer 1")
    await house.restart()
    session = house.same(session)
    assert await session.give_seat(mod(house, BEA), 2, person(DOT)) is False
    assert session.seat_of(CID) == 2


async def test_ones_own_seat_is_ones_own(house: House) -> None:
    """A moderator at the table owns their seat and may give it to somebody new."""
    session = await house.game(*ALL)
    assert await session.give_seat(mod(house, BEA), 1, person(DOT)) is True
    assert session.seat_of(DOT) == 1
    with pytest.raises(Refusal, match="knows_a_seat"):
        await session.give_seat(mod(house), 0, person(BEA))


@pytest.mark.parametrize("restarts", [False, True])
async def test_whoever_has_sat_never_takes_another_seat(house: House, restarts: bool) -> None:
    """Players from the start, late joiners and substitutes, after leaving; by the table's menu
    and by a moderator's hand; their own old seat they may have again.
    """
    session = await house.game(*ALL)
    await session.hand_over(house.click(BEA), name="Computer 1")
    await session.take_over(house.click(DOT), 1)
    await session.hand_over(house.click(DOT), name="Computer 2")
    await session.hand_over(house.click(CID), name="Computer 3")
    if restarts:
        await house.restart()
        session = house.same(session)
    for user, seat in ((BEA, 2), (DOT, 2), (CID, 1)):
        with pytest.raises(Refusal, match="sat_before"):
            await session.take_over(house.click(user), seat)
        with pytest.raises(Refusal, match="knows_a_seat"):
            await session.give_seat(mod(house), seat, person(user))
    await session.take_over(house.click(BEA), 1)
    await session.take_over(house.click(CID), 2)
    assert (session.seat_of(BEA), session.seat_of(CID)) == (1, 2)


async def test_a_rewind_makes_nobody_forget(house: House) -> None:
    """Back to before somebody sat down, what they have seen they know."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="vote")
    await session.hand_over(house.click(BEA), name="Computer 1")
    await session.take_over(house.click(DOT), 1)
    await session.hand_over(house.click(DOT), name="Computer 2")
    await session.hand_over(house.click(CID), name="Computer 3")
    await session.rewind(mod(house), 0, mark_of(session), knowing=True)
    with pytest.raises(Refusal, match="sat_before"):
        await session.take_over(house.click(DOT), 2)


async def test_what_cannot_be_given(house: House) -> None:
    """No such seat, a computer for a computer, somebody who sits there, a player's wish."""
    session = await house.game(ANN, BEA, computers=1)
    for seat, sitter, problem in (
        (7, COMPUTER, "no_such_seat"),
        (2, COMPUTER, "computer_sits_there"),
        (2, person(ANN), "sits_already"),
    ):
        for user in (MOD, BEA):
            with pytest.raises(Refusal, match=problem):
                await session.check_seat(mod(house, user), seat, sitter)
            with pytest.raises(Refusal, match=problem):
                await session.give_seat(mod(house, user), seat, sitter)
    assert session.motion is None
    with pytest.raises(Refusal, match="only_moderators"):
        await session.give_seat(house.click(ANN), 1, COMPUTER)
    assert await house.store.acts(session.guild_id) == ()


async def test_seats_of_a_paused_table_can_be_given(house: House) -> None:
    """That is what a pause may be for; the table stays paused."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="vote")
    await session.answer(house.click(BEA), ask_of(session, "vote").question, "vote", ("nay",))
    await session.pause(mod(house))
    await session.give_seat(mod(house), 1, COMPUTER)
    await session.give_seat(mod(house), 1, person(DOT))
    assert session.status is Status.PAUSED
    await session.resume(mod(house))
    assert [d.current for d in (await session.look(DOT)).asked] == [None]


async def test_the_last_persons_seat_ends_the_table(house: House) -> None:
    """As when they leave by themselves: nobody plays on among computers."""
    session = await house.game(ANN, computers=2)
    await session.give_seat(mod(house), 0, COMPUTER)
    assert session.status is Status.ABANDONED


async def test_a_seat_in_the_lobby_is_cleared(house: House) -> None:
    """The others move up, the host's office passes on, and the person may join again."""
    lobby = await house.lobby(*ALL)
    await lobby.give_seat(mod(house), 0, COMPUTER)
    assert [row.user_id for _, row in sorted(lobby.seats.items())] == [BEA, CID]
    assert lobby.host_id == BEA
    await lobby.join(house.click(ANN))
    with pytest.raises(Refusal, match="not_running"):
        await lobby.give_seat(mod(house), 0, person(DOT))
    (act,) = await house.store.acts(lobby.guild_id)
    assert (act.what, act.facts["to"]) == ("seat", "nobody")


async def test_somebody_who_sits_down_meanwhile_is_no_newcomer(house: House) -> None:
    """The table agrees to somebody who has taken a computer's seat since: nothing changes."""
    session: Session = await house.game(ANN, BEA, CID, computers=1)
    await session.give_seat(mod(house, ANN), 2, person(DOT))
    await house.run(1)
    await session.take_over(house.click(DOT), 3)
    with pytest.raises(Refusal, match="motion_over"):
        await session.speak(house.click(CID), 1, agrees=True)
    assert session.seat_of(CID) == 2
    assert session.motion is None
