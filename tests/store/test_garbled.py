"""Garbled rows and torn journals: one table stops, no row is lost, and a journal can go on."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

from bot.store.db import SqliteStore, open_store
from bot.store.opening import DATABASE_NAME
from bot.store.protocol import AlreadyCounted, BadWrite, JournalDamaged, UnknownSession, Write
from engines.kernel.errors import JournalError
from engines.kernel.journal import dump_record, load_record
from engines.kernel.table import Entry
from tests.store.samples import length, seat, step, table

RECORDS = [
    dump_record(Entry(0, ply, "vote", ("aye",), "player", 0, "0123456789ab/1", "0" * 16))
    for ply in range(6)
]


async def six_tables(folder: Path) -> None:
    """Six tables with two people and six records each."""
    async with await open_store(folder) as store:
        for channel in range(1, 7):
            number = await store.open_session(table(channel), (seat(0, 0, 5), seat(0, 1, 6)))
            for ply in range(6):
                await store.commit(step(number, ply, interaction=number * 100 + ply))


def change(folder: Path, *statements: str) -> None:
    """Change the database behind the store's back."""
    with contextlib.closing(sqlite3.connect(folder / DATABASE_NAME)) as found, found:
        for statement in statements:
            found.execute(statement)


def rows(folder: Path, sql: str) -> list[tuple[object, ...]]:
    """What a query finds on the disk."""
    with contextlib.closing(sqlite3.connect(folder / DATABASE_NAME)) as found:
        return found.execute(sql).fetchall()


async def test_missing_records_stop_their_table_alone(tmp_path: Path) -> None:
    """RPL-09: records missing at the end or in the middle are named; other tables go on."""
    await six_tables(tmp_path)
    change(
        tmp_path,
        "DELETE FROM entry WHERE session = 1 AND ply = 5",
        "DELETE FROM entry WHERE session = 2 AND ply = 4",
    )
    async with await open_store(tmp_path) as store:
        with pytest.raises(JournalDamaged, match="records expected: 6, found: 5"):
            await store.entries(1)
        with pytest.raises(JournalDamaged, match="the record of ply 4 is missing"):
            await store.entries(2)
        assert len(await store.live_sessions()) == 6
        await store.commit(step(3, 6))
        assert await length(store, 3) == 7
    assert rows(tmp_path, "SELECT count(*) FROM entry WHERE session = 2") == [(5,)]


@pytest.mark.parametrize(
    ("column", "text", "told"),
    [
        ("timers", "[{", "timers is not JSON"),
        ("timers", "[7]", "timers has another shape"),
        ("timers", '[{"question":1}]', "timers has another shape (KeyError('kind'))"),
        ("timers", "null", "timers has another shape"),
        ("timers", '[{"question":1,"kind":"a","left_ms":"9"}]', "timers has another shape"),
        ("options", '{"speed":1}', "options has another shape"),
        ("options", "[1,2]", "options has another shape"),
        ("options", '{"a', "options is not JSON"),
        ("outcome", "\x00", "outcome is not JSON"),
        ("crash", "nil", "crash is not JSON"),
    ],
)
async def test_a_garbled_table_comes_as_crashed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, column: str, text: str, told: str
) -> None:
    """It is found, stands still and says why, in the log too; so it can be ended, and its channel
    is free again. Nothing is written by looking.
    """
    await six_tables(tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / DATABASE_NAME)) as found, found:
        found.execute(f"UPDATE session SET {column} = ? WHERE id = 3", (text,))
    async with await open_store(tmp_path) as store:
        live = {row.id: row.status for row in await store.live_sessions()}
        assert live == {1: "running", 2: "running", 3: "crashed", 4: "running", 5: "running",
                        6: "running"}  # fmt: skip
        garbled = await store.session(3)
        assert garbled is not None
        assert isinstance(garbled.crash, dict)
        assert garbled.crash["reference"] == garbled.code
        assert garbled.crash["ply"] == 6
        assert told in str(garbled.crash["what"])
        assert await store.session_by_code(garbled.code) == garbled
        assert await length(store, 3) == 6
        assert f"session 3 ({garbled.code}) cannot be read: {told}" in caplog.text
        assert rows(tmp_path, "SELECT status FROM session WHERE id = 3") == [("running",)]
        await store.commit(Write(session=3, fields={"status": "abandoned"}, at=2.0))
        await store.open_session(table(3, code="ZZZZZZ"))


async def test_a_garbled_table_that_has_ended_stays_ended(tmp_path: Path) -> None:
    """Its outcome is not known any more; it does not come back to life."""
    await six_tables(tmp_path)
    change(tmp_path, "UPDATE session SET status = 'finished', outcome = '{', ended_at = 1")
    async with await open_store(tmp_path) as store:
        assert await store.live_sessions() == ()
        found = await store.finished(7)
        assert [(row.status, row.outcome, row.crash) for row in found] == [
            ("finished", None, None)
        ] * 6


@pytest.mark.parametrize("voices", ['{"0', "[1]", '{"x":true}', "null"])
async def test_a_motion_with_garbled_voices_is_too_old(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, voices: str
) -> None:
    """Nobody has spoken, and it lapses at the next look at the clock; the table is read."""
    await six_tables(tmp_path)
    change(
        tmp_path,
        "INSERT INTO motion (session, number, kind, seat, ply, name, voices, state, made_at)"
        f" VALUES (4, 1, 'undo', 0, 6, '', '{voices}', 'open', 5.0)",
    )
    async with await open_store(tmp_path) as store:
        (found,) = await store.motions(4)
    assert (found.voices, found.state, found.made_at) == ({}, "open", 0.0)
    assert ("voices of motion 1" in caplog.text) == (voices != "null")


async def test_what_a_game_can_do_without_does_not_stop_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A garbled draft of a vote and garbled sand of an old record are left out, with a line."""
    await six_tables(tmp_path)
    change(
        tmp_path,
        "UPDATE seat SET draft = '[\"a' WHERE session = 4 AND seat = 1",
        "UPDATE entry SET sand = '{{' WHERE session = 5 AND ply = 2",
    )
    async with await open_store(tmp_path) as store:
        assert [row.draft for row in await store.seats(4)] == [None, None]
        assert await length(store, 5) == 6
        assert "session 4: draft of seat 1 is not JSON" in caplog.text
        assert "session 5: sand at ply 2 is not JSON" in caplog.text


async def journal(folder: Path, records: list[str]) -> None:
    """One table with these records."""
    async with await open_store(folder) as store:
        number = await store.open_session(table(1))
        for ply, text in enumerate(records):
            await store.commit(_more(number, ply, text))


def _more(session: int, ply: int, text: str) -> Write:
    made = step(session, ply, interaction=ply + 1)
    (entry,) = made.entries
    return Write(
        session=session,
        expected_ply=ply,
        entries=(type(entry)(session, ply, text, ply + 1, 1001.0 + ply),),
        at=made.at,
    )


async def unreadable(store: SqliteStore) -> int | None:
    """The first ply whose record the codec cannot read; None if there is none."""
    for place, row in enumerate(await store.entries(1)):
        try:
            load_record(row.record, place)
        except JournalError as error:
            return error.place
    return None


async def test_a_torn_last_record_is_set_aside_at_every_byte(tmp_path: Path) -> None:
    """RPL-09: cut anywhere, the last record is taken out and kept, and numbering goes on; the click
    that made it stays counted.
    """
    await journal(tmp_path, RECORDS)
    async with await open_store(tmp_path) as store:
        for cut in range(len(RECORDS[5])):
            change(tmp_path, f"UPDATE entry SET record = substr(record, 1, {cut}) WHERE ply = 5")
            assert await unreadable(store) == 5
            assert await store.set_aside(1, 5, 2000.0 + cut) == 1
            found = await store.session(1)
            assert found is not None
            assert (found.ply, found.touched_at) == (5, 2000.0 + cut)
            assert await unreadable(store) is None
            with pytest.raises(AlreadyCounted):
                await store.commit(_more(1, 5, RECORDS[5]))
            made = _more(1, 5, RECORDS[5])
            await store.commit(
                Write(session=1, expected_ply=5, entries=(
                    type(made.entries[0])(1, 5, RECORDS[5]),
                ), at=9.0)
            )  # fmt: skip
            assert await unreadable(store) is None
    kept = rows(tmp_path, "SELECT session, ply, record, at FROM aside ORDER BY id")
    assert kept == [(1, 5, RECORDS[5][:cut], 2000.0 + cut) for cut in range(len(RECORDS[5]))]


async def test_a_journal_goes_on_before_what_cannot_be_read(tmp_path: Path) -> None:
    """Garbled or missing in the middle: nothing happens by itself, every row stays; told to, the
    journal goes on before it, and all that came after is kept apart, whole.
    """
    await journal(tmp_path, RECORDS)
    async with await open_store(tmp_path) as store:
        await store.commit(Write(session=1, fields={"published_ply": 6}))
        change(tmp_path, "UPDATE entry SET record = '{\"kind\":' WHERE ply = 2")
        assert await unreadable(store) == 2
        assert await length(store, 1) == 6
        change(tmp_path, "DELETE FROM entry WHERE ply = 4")
        with pytest.raises(JournalDamaged):
            await store.entries(1)
        for wrong in (5, 6, 7, -1):
            with pytest.raises(BadWrite, match="cannot go on there"):
                await store.set_aside(1, wrong, 3000.0)
        assert rows(tmp_path, "SELECT count(*) FROM entry") == [(5,)]
        assert await store.set_aside(1, 2, 3000.0) == 3
        assert [row.record for row in await store.entries(1)] == RECORDS[:2]
        found = await store.session(1)
        assert found is not None
        assert (found.ply, found.published_ply) == (2, 2)
        await store.commit(step(1, 2))
        assert await length(store, 1) == 3
        with pytest.raises(UnknownSession):
            await store.set_aside(9, 0, 3000.0)
    kept = rows(tmp_path, "SELECT ply, record, interaction_id FROM aside ORDER BY ply")
    assert kept == [(2, '{"kind":', 3), (3, RECORDS[3], 4), (5, RECORDS[5], 6)]


async def test_missing_at_the_end_only(tmp_path: Path) -> None:
    """Records that are simply gone: the journal goes on with what is there."""
    await journal(tmp_path, RECORDS)
    change(tmp_path, "DELETE FROM entry WHERE ply >= 4")
    async with await open_store(tmp_path) as store:
        assert await store.set_aside(1, 4, 3000.0) == 0
        assert await length(store, 1) == 4
        await store.commit(step(1, 4))


async def test_an_unknown_record_is_never_dropped(tmp_path: Path) -> None:
    """RPL-10: a complete record of an unknown form, or with one field more, is handed on as it is:
    the store judges nothing, and the codec stops there.
    """
    await journal(tmp_path, RECORDS)
    odd = [
        json.dumps({"kind": "from the future", "extra": 1}),
        json.dumps(json.loads(RECORDS[5]) | {"mood": "grim"}),
    ]
    async with await open_store(tmp_path) as store:
        for ply, text in enumerate(odd, 6):
            await store.commit(_more(1, ply, text))
    async with await open_store(tmp_path) as store:
        assert [row.record for row in await store.entries(1)] == [*RECORDS, *odd]
        assert await unreadable(store) == 6
        for text in odd:
            with pytest.raises(JournalError):
                load_record(text, 6)
        assert await length(store, 1) == 8


async def test_a_byte_turned_inside_a_text_does_not_pass_as_sound(tmp_path: Path) -> None:
    """RPL-09: bytes that are no UTF-8, within a string of JSON: the table stands still, a server's
    choices are none, a record cannot be read and so can be set aside. A name is still read.
    """

    def turned(text: str) -> bytes:
        return text.encode().replace(b"lay", b"l\xe4y")

    await journal(tmp_path, RECORDS)
    async with await open_store(tmp_path) as store:
        await store.open_session(table(2), (seat(0, 0, 5),))
    with contextlib.closing(sqlite3.connect(tmp_path / DATABASE_NAME)) as found, found:
        for sql, text in (
            ("UPDATE session SET options = CAST(? AS TEXT) WHERE id = 2", '{"a":"play"}'),
            ("UPDATE seat SET name = CAST(? AS TEXT)", "Slay"),
            ("INSERT INTO server (guild_id, settings) VALUES (7, CAST(? AS TEXT))", '{"a":"lay"}'),
            ("UPDATE entry SET record = CAST(? AS TEXT) WHERE ply = 5", RECORDS[5]),
        ):
            assert found.execute(sql, (turned(text),)).rowcount == 1
    async with await open_store(tmp_path) as store:
        garbled = await store.session(2)
        assert garbled is not None
        assert (garbled.status, garbled.options) == ("crashed", {})
        (sitting,) = await store.seats(2)
        assert (sitting.name[:2], sitting.name[-1]) == ("Sl", "y")
        assert (await store.server(7)).is_garbled
        assert await unreadable(store) == 5
        assert await store.set_aside(1, 5, 2000.0) == 1
        assert await unreadable(store) is None
