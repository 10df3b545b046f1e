"""The promise about the dice, and the public record: what they hold, when, and what never."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from bot import titles
from bot.sessions import history
from bot.sessions.faces import BallotFace, ClosingFace, Face, LobbyFace, PledgeFace, Status
from bot.sessions.pledge import key_of, keys_of
from bot.sessions.ports import Refusal, Unreachable
from bot.sessions.record import Record, dump, public_record
from bot.sessions.session import Session
from bot.tools.playing import Play, Player
from bot.tools.public_records import PublicRecord
from bot.tools.verify import Case, checked
from engines.kernel.chance import Chance
from engines.kernel.decision import Decision
from engines.kernel.event import PUBLIC
from engines.kernel.playthrough import Playthrough
from tests.records import ROOT, header_of, played, record_of
from tests.sessions.house import ALL, ANN, GUILD, ROOM, House, first_value


def problems(house: House, record: Record) -> list[str]:
    """The checks of a record that do not hold."""
    raw = json.loads(dump(record))
    case = Case(PublicRecord.model_validate(raw), raw, Path(), None, house.title)
    return [f"{name}: {told}" for name, holds, told in checked(case) if not holds]


async def one_answer(house: House, session: Session) -> None:
    """The first open question is answered in the simplest way."""
    decision = next(d for d in session.playing.asked if d.current is None)
    user = session.seats[decision.seat].user_id or 0
    value = first_value(decision)
    await session.answer(house.click(user), decision.question, decision.kind, value)


async def finished(house: House) -> Session:
    """A game of three, to its end."""
    session = await house.game(*ALL)
    while session.status is Status.RUNNING:
        await one_answer(house, session)
    return session


def faces_of(house: House) -> list[Face]:
    """Everything that was ever shown."""
    return [face for message in house.channel.messages.values() for face in message.faces]


def secrets_told(house: House) -> set[str | None]:
    """The secrets in all that was ever shown in the channel."""
    looks = [face.look if isinstance(face, BallotFace) else face for face in faces_of(house)]
    return {look.snapshot.secret for look in looks}


async def test_the_promise_comes_first_and_is_never_edited(house: House) -> None:
    """One message, above the lobby, which stays as it is through game, restarts and end."""
    session = await house.lobby(*ALL)
    house.channel.failures["post"] = [Unreachable()]
    await house.run(3)
    kinds = [type(message.face) for message in house.channel.messages.values()]
    assert kinds == [PledgeFace, LobbyFace]
    await session.start(house.click(ANN))
    place = session.pledge_message
    while session.status is Status.RUNNING:
        await one_answer(house, session)
        if session.row.ply % 8 == 0:
            await house.run(1)
            await house.restart()
            session = house.same(session)
    await house.run(3)
    (promise,) = house.channel.of(PledgeFace, deleted=True)

    assert len(promise.faces) == 1
    assert not promise.is_deleted
    assert place == session.pledge_message
    assert place is not None
    assert house.channel.messages[place[1]] is promise


async def test_the_promise_is_found_again_if_its_id_was_lost(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed between sending it and noting its id, soon or long before the next start."""
    for pause in (0, 600):
        real = house.store.commit

        async def forgetful(write: Any, real: Any = real) -> None:
            if not write.posted:
                await real(write)

        monkeypatch.setattr(house.store, "commit", forgetful)
        session = await house.lobby(ANN)
        await house.run(0.25)
        monkeypatch.undo()
        await house.die()
        house.time.now += pause
        await house.open()
        await house.run(3)
        session = house.same(session)
        promises = [m for m in house.channel.of(PledgeFace) if session.code in m.face.mark]
        assert len(promises) == 1
        assert len(promises[0].faces) == 1
        assert session.pledge_message is not None
        await session.cancel(house.click(ANN))
        await house.run(3)


async def test_the_secret_is_told_only_when_the_game_is_over(house: House) -> None:
    """Not in the lobby, not while it is played, and then the one that was promised."""
    session = await house.game(*ALL)
    while session.status is Status.RUNNING:
        await house.run(0.5)
        assert secrets_told(house) <= {None}
        await one_answer(house, session)
    await house.run(3)
    (closing,) = house.channel.of(ClosingFace)
    assert isinstance(closing.face, ClosingFace)
    secret = closing.face.snapshot.secret

    assert secret is not None
    (promise,) = house.channel.of(PledgeFace)
    assert isinstance(promise.face, PledgeFace)
    assert promise.face.snapshot.pledge == hashlib.sha256(bytes.fromhex(secret)).hexdigest()
    assert (
        session.playing.header.key
        == key_of(bytes.fromhex(secret), session.playing.header.start).hex()
    )


async def test_a_record_is_given_when_the_game_is_over_and_holds(house: House) -> None:
    """Refused in the lobby and while it is played; then it passes every check, as long as it is
    kept: also after a restart.
    """
    session = await house.lobby(*ALL)
    with pytest.raises(Refusal, match="game_not_over"):
        await session.public_record()
    click = house.click(ANN)
    await session.start(click)
    with pytest.raises(Refusal, match="game_not_over"):
        await session.public_record()
    while session.status is Status.RUNNING:
        await one_answer(house, session)
    record = await session.public_record()
    assert record["header"]["start"] == str(click.interaction_id)
    assert record["outcome"]["ending"] in ("ruin", "golden_age", "dissolved")
    assert problems(house, record) == []
    await house.run(3)
    await house.restart()
    again = await house.registry.recall(session.id)

    assert await again.public_record() == record


async def test_a_game_ended_early_has_a_record_without_an_outcome(house: House) -> None:
    """Its dice can be checked all the same; a lobby that was closed had none."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="take_chair")
    await session.end(house.click(ANN))
    record = await session.public_record()
    assert record["outcome"] is None
    assert problems(house, record) == []
    await house.run(3)
    assert (await session.snapshot()).secret == record["header"]["secret"]
    closed = await house.lobby(ANN)
    await closed.cancel(house.click(ANN))

    assert (await closed.snapshot()).secret is None
    with pytest.raises(Refusal, match="no_record"):
        await closed.public_record()


async def test_games_are_found_by_code_and_by_channel(house: House) -> None:
    """On their own server only; without a code the newest of the channel."""
    with pytest.raises(Refusal, match="nothing_to_verify"):
        await history.newest_in(house.registry, ROOM)
    running = await house.game(*ALL)
    with pytest.raises(Refusal, match="game_not_over"):
        await history.newest_in(house.registry, ROOM)
    await running.end(house.click(ANN))
    house.time.now += 5
    later = await finished(house)

    assert await history.newest_in(house.registry, ROOM) is later
    assert await history.by_code(house.registry, GUILD, running.code.lower()) is running
    for guild, code in ((GUILD + 1, running.code), (GUILD, "??????")):
        with pytest.raises(Refusal, match="no_such_code"):
            await history.by_code(house.registry, guild, code)


# What is in no file that a player or moderator can get


async def test_nobody_can_be_known_from_a_record(house: House) -> None:
    """No name, no account, no click but the one on Start, no private event, no closed draw."""
    users = (910_000_000_000_000_001, 910_000_000_000_000_002, 910_000_000_000_000_003)
    session = await house.game(*users, computers=1)
    await session.hand_over(house.click(users[2]), name="Zenobia")
    while session.status is Status.RUNNING:
        await house.run(1.25)
        mine = [d for d in session.playing.asked if d.current is None and d.seat < 2]
        if mine:
            user = session.seats[mine[0].seat].user_id or 0
            click, value = house.click(user), first_value(mine[0])
            await session.answer(click, mine[0].question, mine[0].kind, value)
    text = dump(await session.public_record())
    start = session.playing.header.start
    clicks = [row.interaction_id for row in await house.store.entries(session.id)]
    kinds = {e.event.kind for e in session.playing.events if e.event.only is not PUBLIC}
    assert kinds == {"dealt", "laws_drawn"}
    never = [
        *(str(user) for user in users),
        *(row.name for row in session.seats.values()),
        *(str(click) for click in clicks if click is not None),
        *(f'"{kind}"' for kind in kinds),
        str(GUILD),
        session.code,
        session.row.secret.hex(),
        session.playing.header.key,
        session.playing.header.hidden,
    ]
    found = [one for one in never if re.search(rf"(?<![0-9a-z]){re.escape(one)}(?![0-9a-z])", text)]

    assert found == []
    assert start in text
    closed = [d for d in json.loads(text)["ledger"] if d["purpose"] in ("deal", "laws")]
    assert closed
    assert all(set(draw) == {"purpose", "k", "n", "branch", "hidden"} for draw in closed)


async def test_permuted_ballots_give_the_same_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who cast which ballot leaves no trace, and neither does a change of mind."""
    monkeypatch.setattr("bot.sessions.opening.secrets.token_bytes", lambda _: ROOT)
    records: list[str] = []
    for number, votes in enumerate((("aye", "nay", "aye"), ("nay", "aye", "aye"))):
        house = await House(tmp_path / str(number)).open()
        session = await house.game(*ALL)
        while session.status is Status.RUNNING:
            decision = next(d for d in session.playing.asked if d.current is None)
            user = session.seats[decision.seat].user_id or 0
            value = first_value(decision)
            if decision.kind == "vote":
                value = (votes[decision.seat],)
                if number and decision.seat == 0:
                    click = house.click(user)
                    await session.answer(click, decision.question, "vote", ("abstain",))
            await session.answer(house.click(user), decision.question, decision.kind, value)
        records.append(dump(await session.public_record()))
        await house.die()

    assert records[0] == records[1]


def test_permuted_ballots_of_a_night_give_the_same_record() -> None:
    """The same in Escape the Night, where a ballot is spread over several guests."""
    title = titles.load("escape_the_night")
    play: Any = Playthrough(title.game, title.content.rules, header_of(title, 4))
    player = Player(play, title.game.agents["sensible"], "1", 1)
    while play.asked[0].kind != "vote":
        player.step()
    entries = list(play.entries)
    tokens = {d.seat: d.shape.most for d in play.asked}
    one, other = next((a, b) for a in tokens for b in tokens if a < b and tokens[a] == tokens[b])
    records: list[str] = []
    for seats in ((one, other), (other, one)):
        vote: Any = Playthrough.replay(title.game, title.content.rules, play.header, entries)
        firsts = {seats[0]: 0, seats[1]: 3}
        for decision in sorted(vote.asked, key=lambda d: d.seat):
            vote.answer(decision.seat, decision.question, "vote", ballot(decision, firsts))
        assert "votes_counted" in [e.event.kind for e in vote.events]
        records.append(dump(public_record(vote, ROOT)))

    assert records[0] == records[1]


def ballot(decision: Decision, firsts: dict[int, int]) -> list[str]:
    """Tokens for one guest after the other, from a place that differs by seat."""
    keys, first = decision.keys(), firsts.get(decision.seat, 6)
    return [keys[(first + n) % len(keys)] for n in range(decision.shape.least)]


def never_shown(play: Play) -> set[str]:
    """The relics in hands at the end that no public event names."""
    shown = json.dumps([e["data"] for e in record_of(play)["events"]])
    held = {relic for seat in range(play.header.seats) for relic in play.view(seat).hand}
    return {str(relic) for relic in held if f'"{relic}"' not in shown}


@pytest.mark.parametrize("seats", [2, 5, 8])
def test_relics_that_were_never_shown_are_in_no_record(seats: int) -> None:
    """Not by name, and not to be worked out: the key that is told opens no deck."""
    title = titles.load("escape_the_night")
    games = (played(title, seats, seed=s, hourglass="untimed", agent="random") for s in "123456789")
    play, unplayed = next((game, kept) for game in games if (kept := never_shown(game)))
    record = record_of(play)
    text = json.dumps(record)
    assert [relic for relic in unplayed if relic in text] == []
    assert "relic_seen" not in text
    key = key_of(bytes.fromhex(record["header"]["secret"]), record["header"]["start"])
    assert key == keys_of(ROOT, record["header"]["start"]).open
    guessed = Chance(key).shuffled("setup.relic", tuple(title.content.rules.relics))
    truth = [d.result for d in play.chance.ledger if d.purpose == "setup.relic"]
    tried = Chance(key)
    tried.shuffled("setup.relic", guessed)

    assert [d.result for d in tried.ledger] != truth
    assert all("result" not in d for d in record["ledger"] if d["purpose"].endswith(".relic"))
