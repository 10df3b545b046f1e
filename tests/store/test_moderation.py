"""What is decided above the game: a log that only grows, who has sat where, what is voted on."""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from bot.store.db import SqliteStore, open_store
from bot.store.opening import DATABASE_NAME
from bot.store.protocol import AlreadyCounted, BadWrite, Write
from bot.store.rows import ActRow, MotionRow, SittingRow
from tests.store.samples import seat, table

SOURCES = Path(__file__).parents[2] / "bot" / "store"


def act(session: int, what: str = "pause", **more: object) -> ActRow:
    """A moderator did something."""
    fields: dict[str, object] = {
        "guild_id": 7,
        "session": session,
        "code": "000001",
        "at": 1000.0,
        "what": what,
        "by": 9,
    }
    return ActRow(**(fields | more))  # type: ignore[arg-type]


async def test_the_log_tells_the_newest_first_page_by_page(store: SqliteStore) -> None:
    """By server and by table, with who did it, to whom, and the facts as they were given."""
    one = await store.open_session(table(1))
    two = await store.open_session(table(2))
    facts = {"seat": 2, "to": "computer"}
    await store.commit(Write(session=one, acts=(act(one),)))
    await store.commit(Write(session=two, acts=(act(two, "seat", about=5, facts=facts),)))
    await store.commit(Write(session=one, acts=(act(one, "resume"), act(one, "end"))))

    assert [a.what for a in await store.acts(7)] == ["end", "resume", "seat", "pause"]
    assert [a.what for a in await store.acts(7, limit=2, offset=1)] == ["resume", "seat"]
    assert [a.what for a in await store.acts(7, one)] == ["end", "resume", "pause"]
    assert await store.acts(8) == ()
    (told,) = await store.acts(7, two)
    assert (told.by, told.about, dict(told.facts)) == (9, 5, facts)


async def test_an_act_is_written_with_its_change_or_not_at_all(store: SqliteStore) -> None:
    """A click that was counted before leaves no second line."""
    number = await store.open_session(table(1))
    write = Write(session=number, acts=(act(number),), interaction=5, at=1.0)
    await store.commit(write)
    with pytest.raises(AlreadyCounted):
        await store.commit(write)

    assert len(await store.acts(7)) == 1


@pytest.mark.parametrize("recursive", [False, True])
@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE act SET what = 'nothing'",
        "UPDATE act SET by_person = NULL",
        "DELETE FROM act",
        "INSERT OR REPLACE INTO act SELECT id, guild_id, session, code, at, 'nothing', by_person,"
        " about_person, facts FROM act",
    ],
)
async def test_the_schema_itself_keeps_the_log(tmp_path: Path, sql: str, recursive: bool) -> None:
    """Whoever opens the file and tries to change or remove a line is refused by the database."""
    async with await open_store(tmp_path) as store:
        number = await store.open_session(table(1))
        await store.commit(Write(session=number, acts=(act(number),)))
    with contextlib.closing(sqlite3.connect(tmp_path / DATABASE_NAME)) as connection:
        connection.execute(f"PRAGMA recursive_triggers = {int(recursive)}").fetchall()
        with pytest.raises(sqlite3.IntegrityError, match=r"log of acts"):
            connection.execute(sql)
        connection.commit()
    async with await open_store(tmp_path) as store:
        assert [a.what for a in await store.acts(7)] == ["pause"]


def test_no_code_of_the_store_changes_the_log() -> None:
    """The package has one statement that writes to the log, and it adds a line; one more takes the
    log of a server away that the bot has left.
    """
    written: list[str] = []
    for path in sorted(SOURCES.glob("*.py")):
        flat = " ".join(path.read_text("utf-8").split())
        written += [
            words
            for words in ("INSERT INTO act", "UPDATE act", "DELETE FROM act", "REPLACE INTO act")
            for _ in range(flat.count(f"{words} "))
        ]
    assert written == ["INSERT INTO act", "DELETE FROM act"]


async def test_forgetting_a_person_leaves_the_acts_without_a_name(store: SqliteStore) -> None:
    """No table of the database holds the user any more, and no line of the log is missing."""
    number = await store.open_session(table(1), seats=(seat(0, 0, 4242), seat(0, 1, 6)))
    motion = MotionRow(
        session=number, number=1, kind="seat", seat=1, ply=0, asked_by=6, user_id=4242,
        name="Name 4242", made_at=1.0,
    )  # fmt: skip
    await store.commit(
        Write(
            session=number,
            acts=(act(number, by=4242), act(number, "seat", about=4242)),
            sittings=(SittingRow(number, 4242, 0), SittingRow(number, 6, 1)),
            motions=(motion,),
        )
    )
    await store.forget(4242, "Somebody")

    assert [(a.what, a.by, a.about) for a in await store.acts(7)] == [
        ("seat", 9, None),
        ("pause", None, None),
    ]
    assert await store.sittings(number) == (SittingRow(number, 6, 1),)
    (kept,) = await store.motions(number)
    assert (kept.state, kept.user_id, kept.name) == ("lapsed", None, "")
    with contextlib.closing(sqlite3.connect(store.path)) as connection:
        assert "4242" not in "\n".join(connection.iterdump())


async def test_who_has_sat_is_known_for_good(store: SqliteStore) -> None:
    """One line a person and table; a moderator's ban on coming back replaces it."""
    number = await store.open_session(table(1))
    await store.commit(Write(session=number, sittings=(SittingRow(number, 5, 0),)))
    await store.commit(Write(session=number, sittings=(SittingRow(number, 5, 0, barred=True),)))

    assert await store.sittings(number) == (SittingRow(number, 5, 0, barred=True),)
    assert await store.sittings(number + 1) == ()


async def test_one_motion_at_a_time(store: SqliteStore) -> None:
    """Voices come back as they went in, and a second open motion is a fault of the caller."""
    number = await store.open_session(table(1))
    first = MotionRow(session=number, number=1, kind="undo", seat=2, ply=7, asked_by=5, made_at=1.0)
    heard = MotionRow(
        session=number, number=1, kind="undo", seat=2, ply=7, asked_by=5,
        voices={0: True, 2: False}, made_at=1.0,
    )  # fmt: skip
    second = MotionRow(
        session=number, number=2, kind="undo", seat=2, ply=8, asked_by=5, made_at=2.0
    )
    await store.commit(Write(session=number, motions=(first,)))
    await store.commit(Write(session=number, motions=(heard,)))
    assert await store.motions(number) == (heard,)
    with pytest.raises(BadWrite):
        await store.commit(Write(session=number, motions=(second,)))
    over = replace(heard, state="refused")
    await store.commit(Write(session=number, motions=(over, second)))
    assert await store.motions(number) == (over, second)


async def test_tables_of_before_know_who_sits_there(tmp_path: Path) -> None:
    """Bringing an older database up to date notes those who sit at games that have begun."""
    saved = Path(__file__).parent / "saved" / "schema-1.sql"
    path = tmp_path / DATABASE_NAME
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(saved.read_text("utf-8"))
        connection.execute("UPDATE session SET header = '{}'")
        connection.commit()
    async with await open_store(tmp_path) as store:
        (game,) = await store.live_sessions()
        assert await store.sittings(game.id) == (SittingRow(game.id, 5, 0),)
