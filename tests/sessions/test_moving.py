"""Games as sealed files: out, in, refused, seated again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.sessions import forgetting, moving
from bot.sessions.faces import NoticeFace, Status, TableFace
from bot.sessions.giving import NewSitter
from bot.sessions.moderating import Place
from bot.sessions.ports import Refusal
from bot.sessions.retention import Retention, Sweep
from bot.sessions.sealing import MAGIC, Seals
from bot.sessions.session import Session
from engines.kernel.journal import Branch, load_record
from tests.sessions.house import ANN, BEA, CID, DOT, GUILD, MOD, ROOM, House
from tests.sessions.moved import ELSEWHERE, NAMES, bring_in, export, lose, played, read


@pytest.fixture
async def other(tmp_path: Path) -> AsyncIterator[House]:
    """Another installation."""
    opened = await House(tmp_path / "other").open()
    yield opened
    await opened.die()


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


async def test_a_game_that_another_server_keeps_is_refused(house: House) -> None:
    """Whether it goes on there or has ended: nothing is said of lists that do not have it."""
    session = await played(house)
    sealed = await export(house, session)
    moved = await read(house, sealed)
    click = house.click(MOD, may_manage=True)
    with pytest.raises(Refusal, match="import_elsewhere"):
        await moving.bring_in(house.registry, click, moved, GUILD + 1, ELSEWHERE, NAMES)
    await session.end(house.click(MOD, may_manage=True))
    with pytest.raises(Refusal, match="import_elsewhere"):
        await moving.bring_in(house.registry, click, moved, GUILD + 1, ELSEWHERE, NAMES)


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
