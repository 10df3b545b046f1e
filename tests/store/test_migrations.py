"""Numbered migrations: one transaction each, killed anywhere they leave a version that works."""

from __future__ import annotations

import contextlib
import sqlite3
import sys
from pathlib import Path

import pytest

from bot.store.copying import copy_database
from bot.store.db import open_store
from bot.store.migrate import Migration, migrate, shipped_migrations, version_of
from bot.store.opening import DATABASE_NAME
from bot.store.protocol import StoreDamaged, Write
from tests.store.samples import length, message, python, seat, step, table

SAVED = Path(__file__).parent / "saved"
SHIPPED = shipped_migrations()

# A killed upgrade from the first version meets every migration; from later ones the same again.
LATER = [pytest.param(n, marks=pytest.mark.soak) for n in range(2, len(SHIPPED) + 1)]

# Rebuilds a table that others refer to, which is the hard kind; the data must come through.
REBUILD = Migration(
    len(SHIPPED) + 1,
    "rebuild.sql",
    """
    CREATE TABLE content_new (digest TEXT PRIMARY KEY, game TEXT NOT NULL, body BLOB NOT NULL,
        note TEXT NOT NULL DEFAULT 'it; has a semicolon') STRICT;
    INSERT INTO content_new (digest, game, body) SELECT digest, game, body FROM content;
    DROP TABLE content;
    ALTER TABLE content_new RENAME TO content;
    ALTER TABLE preference ADD COLUMN language TEXT;
    CREATE TRIGGER no_empty_code BEFORE INSERT ON session WHEN new.code = '' BEGIN
        SELECT raise(ABORT, 'no code');
    END;
    UPDATE preference SET language = 'en';
    """,
)


def dump(path: Path) -> list[str]:
    """Schema, data and version of a database as text."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return [*connection.iterdump(), f"version {version_of(connection)}"]


def schema(path: Path) -> list[tuple[str, str]]:
    """Everything that was created, by name."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return connection.execute(
            "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
        ).fetchall()


async def full_database(folder: Path) -> Path:
    """A database of the shipped version with something in each table."""
    async with await open_store(folder) as store:
        await store.put_content("d1", "senate", b"cards")
        number = await store.open_session(
            table(1, content_digest="d1", host_id=5), (seat(0, 0, 5),), (message(0),), 90
        )
        for ply in range(5):
            await store.commit(step(number, ply, interaction=ply))
        await store.set_setting("commands", "a")
        await store.set_preference(await store.preference(5))
    return folder / DATABASE_NAME


_KILLED = """
import os, signal, sqlite3, sys
from pathlib import Path
from bot.store.migrate import migrate, shipped_migrations
from bot.store.opening import prepare
sys.path.insert(0, ".")
from tests.store.test_migrations import REBUILD, dump
steps = (*shipped_migrations(), REBUILD)
folder, script = Path(sys.argv[1]), Path(sys.argv[2]).read_text(encoding="utf-8")
path = folder / "nightwatch.db"

def begin():
    for file in folder.glob("nightwatch.db*"):
        file.unlink()
    if script:
        connection = sqlite3.connect(path)
        connection.executescript(script)
        connection.close()

def run(stop):
    seen = 0
    def before(statement):
        nonlocal seen
        seen += 1
        if seen == stop:
            os.kill(os.getpid(), signal.SIGKILL)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL").fetchall()
    connection.execute("PRAGMA cache_size = 1").fetchall()
    migrate(connection, path, steps, before)
    connection.close()
    return seen

begin()
statements = run(-1)
wanted = dump(path)
for stop in range(1, statements + 1):
    begin()
    child = os.fork()
    if not child:
        run(stop)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, status
    lock, _ = prepare(folder, steps)
    lock.release()
    assert dump(path) == wanted, stop
print(statements)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="processes of Windows cannot be doubled")
@pytest.mark.parametrize("start", [None, 1, *LATER])
def test_a_migration_killed_at_any_statement_finishes_later(
    tmp_path: Path, start: int | None
) -> None:
    """DB-10: killed before each statement of each migration, from no database and from that of each
    release: the next start finishes it, and all is as if it had never been killed.
    """
    script = tmp_path / "start.sql"
    saved = SAVED / f"schema-{start}.sql"
    script.write_text(saved.read_text("utf-8") if start else "", encoding="utf-8")
    folder = tmp_path / "data"
    folder.mkdir()
    output, errors = python(_KILLED, folder, script).communicate(timeout=100)
    assert errors == ""
    assert int(output) > 3 * (len(SHIPPED) - (start or 0))


class _Stopped(Exception):
    """Raised between two statements."""


def test_an_error_at_any_statement_rolls_back(tmp_path: Path) -> None:
    """Stopped before each statement of the first migration: the database stays as it was."""
    path = tmp_path / DATABASE_NAME
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        empty = dump(path)
        count = 0
        for stop in range(1, 100):
            seen = 0

            def before(_: str, stop: int = stop) -> None:
                nonlocal seen
                seen += 1
                if seen == stop:
                    raise _Stopped

            try:
                migrate(connection, path, SHIPPED[:1], before)
            except _Stopped:
                count += 1
                assert dump(path) == empty
                assert not connection.in_transaction
            else:
                break
        assert count > 15
        assert version_of(connection) == 1


async def test_a_copy_is_made_before_data_is_changed(tmp_path: Path) -> None:
    """The backup beside the data is the database of before, and opens as such."""
    path = await full_database(tmp_path)
    before = dump(path)
    async with await open_store(tmp_path, migrations=(*SHIPPED, REBUILD)) as store:
        assert await store.get_content("d1") == b"cards"
        assert await length(store, 1) == 5
    backup = tmp_path / "backups" / f"before-schema-{REBUILD.number}.db"
    assert dump(backup) == before
    assert backup.stat().st_mode & 0o077 == 0
    restored = tmp_path / "restored"
    restored.mkdir()
    backup.rename(restored / DATABASE_NAME)
    async with await open_store(restored) as store:
        assert await length(store, 1) == 5


async def test_a_migration_that_orphans_rows_is_undone(tmp_path: Path) -> None:
    """foreign_key_check before the commit: refused with the table's name, data as before."""
    path = await full_database(tmp_path)
    before = dump(path)
    careless = Migration(len(SHIPPED) + 1, "careless.sql", "DELETE FROM content;")
    with pytest.raises(StoreDamaged, match=r"careless\.sql.*session"):
        await open_store(tmp_path, migrations=(*SHIPPED, careless))
    assert dump(path) == before
    async with await open_store(tmp_path) as store:
        await store.commit(step(1, 5))


@pytest.mark.parametrize(
    "script",
    [pytest.param(path.read_text("utf-8"), id=path.stem) for path in sorted(SAVED.glob("*.sql"))],
)
async def test_a_saved_database_of_each_release_is_brought_up_to_date(
    tmp_path: Path, script: str
) -> None:
    """The same schema as a fresh database has, and the game in progress goes on."""
    path = tmp_path / "old" / DATABASE_NAME
    path.parent.mkdir()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    async with await open_store(tmp_path / "fresh"), await open_store(path.parent) as store:
        (game,) = await store.live_sessions()
        assert await length(store, game.id) == game.ply
        assert (await store.seats(game.id))[0].user_id == 5
        await store.commit(step(game.id, game.ply, interaction=77_000))
        await store.commit(Write(session=game.id, fields={"status": "finished"}))
    assert schema(path) == schema(tmp_path / "fresh" / DATABASE_NAME)


async def test_nothing_at_all_and_an_empty_file_give_the_same(tmp_path: Path) -> None:
    """DB-11: no file and an empty one lead to one schema, by the version that was released last."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / DATABASE_NAME).write_bytes(b"")
    found: list[list[str]] = []
    for name in ("none", "empty"):
        async with await open_store(tmp_path / name):
            pass
        found.append(dump(tmp_path / name / DATABASE_NAME))
    assert found[0] == found[1]
    assert found[0][-1] == f"version {len(SHIPPED)}"


def test_every_schema_version_has_a_saved_database() -> None:
    """Whoever adds a migration saves a database of the version before it."""
    numbers = sorted(int(path.stem.removeprefix("schema-")) for path in SAVED.glob("*.sql"))
    assert numbers == list(range(1, len(SHIPPED) + 1))


async def test_a_game_outlives_one_upgrade_after_another(tmp_path: Path) -> None:
    """RPL-08: opened by three newer programs in turn, twice each, with a move at every one: it
    loads every time, what was written first reads the same, and each upgrade left a copy that
    opens.
    """
    await full_database(tmp_path)
    async with await open_store(tmp_path) as store:
        first = await store.entries(1)
    newer: list[Migration] = []
    for number in range(1, 4):
        script = f"ALTER TABLE preference ADD COLUMN more_{number} TEXT;"
        newer.append(Migration(len(SHIPPED) + number, f"more_{number}.sql", script))
        for _ in range(2):
            async with await open_store(tmp_path, migrations=(*SHIPPED, *newer)) as store:
                entries = await store.entries(1)
                assert entries[: len(first)] == first
                await store.commit(step(1, len(entries), interaction=9000 + len(entries)))
    async with await open_store(tmp_path, migrations=(*SHIPPED, *newer)) as store:
        assert await length(store, 1) == len(first) + 6
    for number in range(1, 4):
        folder = tmp_path / f"back-{number}"
        folder.mkdir()
        kept = tmp_path / "backups" / f"before-schema-{len(SHIPPED) + number}.db"
        copy_database(kept, folder / DATABASE_NAME)
        older = (*SHIPPED, *newer[: number - 1])
        async with await open_store(folder, migrations=older) as store:
            assert await length(store, 1) == len(first) + 2 * (number - 1)
