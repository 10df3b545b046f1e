"""Games as sealed files: out, in, refused, seated again."""

from __future__ import annotations

import json
import time
import tracemalloc
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.sessions import forgetting, moving, sealing
from bot.sessions.faces import NoticeFace, Status, TableFace
from bot.sessions.giving import NewSitter
from bot.sessions.moderating import Place
from bot.sessions.moving import Moved
from bot.sessions.ports import Refusal
from bot.sessions.retention import Retention, Sweep
from bot.sessions.sealing import MAGIC, MOST_SEALED, Seals
from bot.sessions.session import Session
from engines.kernel.journal import Branch, load_record
from tests.sessions.house import ANN, BEA, CID, DOT, GUILD, MOD, ROOM, House

NAMES = ["Agatha", "Barnaby", "Cordelia"]
ELSEWHERE = Place(900, 901)


@pytest.fixture
async def other(tmp_path: Path) -> AsyncIterator[House]:
    """Another installation."""
    opened = await House(tmp_path / "other").open()
    yield opened
    await opened.die()


async def played(house: House) -> Session:
    """A game of three, some answers long."""
    session = await house.game(ANN, BEA, CID)
    for _ in range(3):
        await house.answer_all_people(session)
    return session


async def export(house: House, session: Session, user: int = MOD) -> bytes:
    """The game as a file."""
    click = house.click(user, may_manage=True)
    return await moving.export(session, Seals(house.store), click)


async def read(house: House, sealed: bytes) -> Moved:
    """What this installation finds in a file."""
    return await moving.read(Seals(house.store), sealed, house.time.epoch())


async def bring_in(house: House, sealed: bytes, place: Place = ELSEWHERE) -> Session:
    """The file's game in another channel."""
    moved = await read(house, sealed)
    click = house.click(MOD, may_manage=True)
    return await moving.bring_in(house.registry, click, moved, GUILD, place, NAMES)


async def lose(house: House, session: Session) -> None:
    """The game's rows are lost, as after going on from an older backup; the key is not."""
    sqls = [f"DELETE FROM {part} WHERE session = {session.id}" for part in
            ("interaction", "message", "entry", "aside", "seat", "sitting", "former",
             "motion")]  # fmt: skip
    await house.registry.desk.drain(2.0)
    house.registry.drop([session.id])
    for sql in (*sqls, f"DELETE FROM session WHERE id = {session.id}"):
        await house.store._writer.run(lambda c, one=sql: c.execute_fetchall(one))


async def test_who_was_forgotten_gets_no_second_seat_by_a_file(house: House) -> None:
    """The mark goes with the game; the file names nobody who was forgotten before it was made."""
    session = await played(house)
    await forgetting.forget(house.registry, BEA, "Somebody", lambda _: "Agatha")
    sealed = await export(house, session)
    assert (await read(house, sealed)).formers
    assert BEA not in {row.user_id for row in (await read(house, sealed)).sittings}
    await lose(house, session)
    again = await bring_in(house, sealed)
    assert 1 not in moving.sat_before(again)
    await again.resume(house.click(MOD, may_manage=True))
    with pytest.raises(Refusal, match="sat_before"):
        await again.take_over(house.click(BEA), 0)
    await again.take_over(house.click(BEA), 1)


async def test_out_and_in_again(house: House) -> None:
    """The same game, at the same moment, paused, with computer players; then people sit where they
    sat before, and it goes on; also after a restart.
    """
    session = await played(house)
    before = (await session.public_log(), session.playing.view(0), session.playing.view(2))
    sealed = await export(house, session)
    await lose(house, session)
    again = await bring_in(house, sealed)
    assert again.status is Status.PAUSED
    assert (again.code, again.channel_id, again.row.parent_id) == (session.code, 900, 901)
    assert [row.user_id for row in again.seats.values()] == [None] * 3
    assert [row.name for row in again.seats.values()] == NAMES
    await again.snapshot()
    assert (await again.public_log(), again.playing.view(0), again.playing.view(2)) == before
    await house.run(3)
    assert house.channel.of(TableFace)
    assert any(one.face.word == "imported" for one in house.channel.of(NoticeFace))  # type: ignore[union-attr]
    assert moving.sat_before(again) == {0: ANN, 1: BEA, 2: CID}

    names = {ANN: "Ann", BEA: "Bea"}
    assert await moving.seat_again(again, house.click(MOD, may_manage=True), names) == 2
    assert again.persons() == {0: ANN, 1: BEA}
    assert again.host_id == ANN
    house = await house.restart()
    again = house.same(again)
    await again.resume(house.click(MOD, may_manage=True))
    await house.answer_all_people(again)
    assert (await again.check()).is_good
    acts = [act.what for act in await house.store.acts(GUILD)]
    assert acts == ["resume", "seat_again", "import", "export"]


async def test_known_dice_do_not_come_again(house: House) -> None:
    """A game that comes in goes on under a branch of its own, and the public record says so."""
    session = await played(house)
    before = session.playing.branch
    sealed = await export(house, session)
    await lose(house, session)
    again = await bring_in(house, sealed)
    await again.snapshot()
    assert again.playing.branch == before + 1
    last = (await house.store.entries(again.id))[-1]
    record = load_record(last.record, last.ply + 1)
    assert isinstance(record, Branch)
    await again.end(house.click(MOD, may_manage=True))
    assert (await again.public_record())["taken_back"][-1]["branch"] == before + 1


async def test_nothing_can_be_read_in_a_file(house: House) -> None:
    """No name, no code, no secret, no answer; two files of one moment differ; sizes are of whole
    blocks, so a file does not tell by its size what was answered.
    """
    session = await played(house)
    first, second = await export(house, session), await export(house, session)
    assert first != second
    assert len(first) == len(second)
    for known in (session.code, "Ann", "senate", "secret", session.row.secret.hex()):
        assert known.encode() not in first
    assert session.row.secret not in first
    head = len(MAGIC) + 8 + 12
    assert (len(first) - head) % (16 * 1024) == 0
    await house.answer_all_people(session)
    assert len(await export(house, session)) == len(first)


async def test_a_seated_moderator_learns_nothing(house: House) -> None:
    """They get bytes; what comes in gives them no other seat than their own."""
    session = await played(house)
    sealed = await export(house, session, ANN)
    await lose(house, session)
    again = await bring_in(house, sealed)
    click = house.click(ANN, may_manage=True)
    with pytest.raises(Refusal, match="knows_a_seat"):
        await again.give_seat(click, 1, NewSitter(ANN, "Ann"))
    await moving.seat_again(again, house.click(ANN, may_manage=True), {ANN: "Ann"})
    assert again.persons() == {0: ANN}


async def test_who_was_sent_away_is_not_seated_again(house: House) -> None:
    """Nor is a seat given back in which several people have sat: that is for /session seat."""
    session = await played(house)
    await session.hand_over(house.click(BEA), name="Agatha")
    await session.take_over(house.click(DOT), 1)
    click = house.click(MOD, may_manage=True)
    await session.give_seat(click, 2, NewSitter(None, "Barnaby"), bars=True)
    sealed = await export(house, session)
    await lose(house, session)
    again = await bring_in(house, sealed)
    assert moving.sat_before(again) == {0: ANN}
    click = house.click(MOD, may_manage=True)
    with pytest.raises(Refusal, match="nobody_to_seat"):
        await moving.seat_again(again, click, {CID: "Cid", BEA: "Bea", DOT: "Dot"})


async def test_a_live_or_known_game_is_refused(house: House) -> None:
    """Alive, ended, deleted: never twice, and never again once it has ended here."""
    session = await played(house)
    sealed = await export(house, session)
    with pytest.raises(Refusal, match="import_alive"):
        await bring_in(house, sealed)
    await session.pause(house.click(MOD, may_manage=True))
    with pytest.raises(Refusal, match="import_alive"):
        await bring_in(house, sealed)
    await session.end(house.click(MOD, may_manage=True))
    await session.public_record()
    with pytest.raises(Refusal, match="import_known"):
        await bring_in(house, sealed)
    sweep = Sweep(house.registry, Retention(games=10), lambda: {GUILD})
    for _ in range(12):
        await sweep.sweep()
        house.time.offset += 86400
    with pytest.raises(Refusal, match="import_gone"):
        await bring_in(house, sealed)
    assert house.registry.everything() == ()


async def test_an_ended_game_comes_back_as_ended(house: House) -> None:
    """It can be looked up and verified as before, and not played on."""
    session = await played(house)
    await session.end(house.click(MOD, may_manage=True))
    record = await session.public_record()
    sealed = await export(house, session)
    await lose(house, session)
    again = await bring_in(house, sealed, Place(ROOM))
    assert again.status is Status.ABANDONED
    assert await again.public_record() == record
    with pytest.raises(Refusal, match="dice_were_told"):
        await again.restore(house.click(MOD, may_manage=True))


async def test_a_crashed_game_can_be_moved(house: House) -> None:
    """A table that stands still is taken out with all its records."""
    session = await played(house)
    await session.locked(lambda: session.crash(RuntimeError("a fault")), "crash")
    sealed = await export(house, session)
    await lose(house, session)
    assert (await bring_in(house, sealed)).status is Status.PAUSED


async def test_only_moderators_and_only_games(house: House) -> None:
    """No lobby has a journal, and nobody else gets a file or brings one in."""
    session = await house.lobby(ANN)
    with pytest.raises(Refusal, match="not_running"):
        await export(house, session)
    seals = Seals(house.store)
    with pytest.raises(Refusal, match="only_moderators"):
        await moving.export(session, seals, house.click(ANN))
    session = await _elsewhere(house)
    moved = await read(house, await export(house, session))
    with pytest.raises(Refusal, match="only_moderators"):
        await moving.bring_in(house.registry, house.click(ANN), moved, GUILD, ELSEWHERE, NAMES)


async def _elsewhere(house: House) -> Session:
    session = await house.registry.open_lobby(
        house.click(ANN), game=house.title.key, guild_id=GUILD, channel_id=ROOM + 1
    )
    for user in (BEA, CID):
        await session.join(house.click(user))
    await session.start(house.click(ANN))
    return session


async def test_a_taken_channel_is_refused_whole(house: House) -> None:
    """Nothing of the file is left behind, and it can be brought in elsewhere."""
    session = await played(house)
    sealed = await export(house, session)
    await lose(house, session)
    await house.lobby(DOT)
    with pytest.raises(Refusal, match="channel_taken"):
        await bring_in(house, sealed, Place(ROOM))
    assert len(house.registry.everything()) == 1
    assert (await bring_in(house, sealed)).status is Status.PAUSED


async def test_the_same_click_twice_brings_it_in_once(house: House) -> None:
    """Discord may deliver a command twice."""
    session = await played(house)
    sealed = await export(house, session)
    await lose(house, session)
    moved = await read(house, sealed)
    click = house.click(MOD, may_manage=True)
    await moving.bring_in(house.registry, click, moved, GUILD, ELSEWHERE, NAMES)
    with pytest.raises(Refusal, match="import_alive"):
        await moving.bring_in(house.registry, click, moved, GUILD, Place(902), NAMES)


async def test_another_installation_cannot_open_it(house: House, other: House) -> None:
    """One sentence, and with the key in a backup of the data it can."""
    sealed = await export(house, await played(house))
    with pytest.raises(Refusal, match="file_not_ours"):
        await read(other, sealed)
    key = await house.store.setting("seal_key")
    await other.store.set_setting("seal_key", key)
    assert (await bring_in(other, sealed)).status is Status.PAUSED


@pytest.mark.parametrize(("days", "fits"), [(89, True), (91, False), (-0.5, True), (-2, False)])
async def test_files_have_their_time(house: House, days: float, fits: bool) -> None:
    """Ninety days; a file from the future was made under a wrong clock."""
    sealed = await export(house, await played(house))
    house.time.offset += days * 86400
    if fits:
        await read(house, sealed)
    else:
        with pytest.raises(Refusal, match="file_expired"):
            await read(house, sealed)


async def test_every_cut_and_every_flipped_byte_is_refused(house: House) -> None:
    """Truncated or changed anywhere: one tidy refusal, in no time."""
    sealed = await export(house, await played(house))
    lengths = [0, 1, len(MAGIC) - 1, len(MAGIC), len(MAGIC) + 7, len(MAGIC) + 30, len(sealed) - 1]
    for length in lengths:
        with pytest.raises(Refusal, match="file_"):
            await read(house, sealed[:length])
    for place in [*range(60), len(sealed) // 2, len(sealed) - 1]:
        changed = bytearray(sealed)
        changed[place] ^= 1
        with pytest.raises(Refusal, match="file_"):
            await read(house, bytes(changed))
    with pytest.raises(Refusal, match="file_damaged"):
        await read(house, sealed + b"x")


@given(data=st.binary(max_size=400), ours=st.booleans())
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_whatever_comes_is_a_tidy_refusal(data: bytes, ours: bool) -> None:
    """Any bytes, also behind the right first line and the right key's name: never anything else."""
    key = b"k" * 32
    made = MAGIC + sealing._name(key) + data if ours else data
    with pytest.raises(Refusal, match="file_"):
        sealing._open(key, made)


async def test_huge_files_cost_little(house: House) -> None:
    """Too many bytes are refused unread; packed zeros are not unpacked beyond the limit."""
    with pytest.raises(Refusal, match="file_too_big"):
        await read(house, MAGIC + bytes(MOST_SEALED))
    key = bytes.fromhex(await _key(house))
    bomb = zlib.compress(bytes(200 * 1024 * 1024), 9)
    filled = len(bomb).to_bytes(4, "big") + bomb
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    head = MAGIC + sealing._name(key)
    sealed = head + bytes(12) + AESGCM(key).encrypt(bytes(12), filled, head)
    tracemalloc.start()
    begun = time.perf_counter()
    with pytest.raises(Refusal, match="file_damaged"):
        await read(house, sealed)
    assert time.perf_counter() - begun < 5
    assert tracemalloc.get_traced_memory()[1] < 3 * sealing.MOST_OPENED
    tracemalloc.stop()


async def _key(house: House) -> str:
    await Seals(house.store).seal(b"")
    key = await house.store.setting("seal_key")
    assert key is not None
    return key


def _without(key: str) -> Any:
    def change(told: dict[str, Any]) -> Any:
        del told[key]
        return told

    return change


@pytest.mark.parametrize(
    "change",
    [
        lambda told: [],
        lambda told: None,
        lambda told: {**told, "format": 2},
        lambda told: {**told, "secret": "xyz"},
        lambda told: {**told, "entries": [["a"]]},
        lambda told: {**told, "entries": 5},
        lambda told: {**told, "seats": [[0]]},
        lambda told: {**told, "sittings": {"a": 1}},
        lambda told: {**told, "options": []},
        lambda told: {**told, "made_at": "soon"},
        _without("code"),
        _without("header"),
    ],
)
async def test_a_file_of_another_form_is_refused(house: House, change: Any) -> None:
    """Sealed with our key, by another version: one sentence, never a traceback."""
    session = await played(house)
    seals = Seals(house.store)
    told = json.loads(await seals.open(await export(house, session)))
    sealed = await seals.seal(json.dumps(change(told)).encode())
    with pytest.raises(Refusal, match="file_damaged"):
        await read(house, sealed)


@pytest.mark.parametrize(
    "change",
    [
        lambda told: {**told, "entries": told["entries"][1:]},
        lambda told: {**told, "header": "{}"},
        lambda told: {**told, "seats": told["seats"][:2]},
        lambda told: {**told, "content_digest": "0" * 64},
        lambda told: {**told, "entries": [["{", None, None], *told["entries"]]},
    ],
)
async def test_a_journal_that_does_not_replay_is_refused(house: House, change: Any) -> None:
    """Nothing of it is stored."""
    session = await played(house)
    seals = Seals(house.store)
    told = json.loads(await seals.open(await export(house, session)))
    await lose(house, session)
    sealed = await seals.seal(json.dumps(change(told)).encode())
    with pytest.raises(Refusal, match="import_unplayable"):
        await bring_in(house, sealed)
    assert house.registry.everything() == ()
    assert await house.store.session_by_code(session.code) is None
