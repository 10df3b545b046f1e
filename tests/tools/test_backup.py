"""`backup`: copies that prove themselves, and why one may not be made."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.store.opening import DATABASE_NAME
from bot.store.protocol import StoreDamaged
from bot.tools import backup
from bot.tools.backup import backups_in, made_at
from tests.disks import small_disk
from tests.tools.copies import change, content_of, held, lines, refusal, rows
from tests.tools.stored import store_game


def test_a_backup_by_hand(folder, senate, capsys):
    """One line names the file, its size and what was replayed; only the owner can read it."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    asyncio.run(store_game(folder, senate, "BBBBBB", "finished"))
    status, out, err = lines(capsys, "backup")

    (made,) = backups_in(folder)
    assert (status, err) == (0, [])
    assert re.fullmatch(
        rf"{made}: written and checked, 0\.\d MB; 2 games, 1 of them unfinished and replayed",
        out[0],
    )
    assert made_at(made) is not None
    assert "by-hand" in made.name
    assert made.stat().st_mode & 0o077 == 0
    assert rows(made, "SELECT count(*) FROM entry") == [(12,)]
    assert [file.name for file in made.parent.iterdir()] == [made.name]


def test_a_backup_elsewhere(folder, senate, capsys, tmp_path):
    """`--to` takes a file, which a sound backup replaces, and says so, or a folder; the same data
    gives the same games.
    """
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    file, place = tmp_path / "mine.db", tmp_path / "stick"
    place.mkdir()
    for word in ("", ", in place of the one from before"):
        status, out, _ = lines(capsys, "backup", "--to", file)
        assert status == 0
        assert out[0].startswith(f"{file}: written and checked{word}, 0.")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["data", "mine.db", "stick"]
    assert lines(capsys, "backup", "--to", place)[0] == 0

    (other,) = place.iterdir()
    assert other.name.startswith("nightwatch-")
    for made in (file, other):
        assert rows(made, "SELECT code FROM session") == [("AAAAAA",)]
    assert backups_in(folder) == []


def test_a_backup_beside_a_running_bot(folder, senate, capsys):
    """DB-05: what was acknowledged before is in it, though it is still in the -wal."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    copy = folder.parent / "copy.db"
    with held(folder):
        assert lines(capsys, "backup", "--to", copy)[0] == 0
        assert (folder / f"{DATABASE_NAME}-wal").stat().st_size > 0
    assert rows(copy, "SELECT value FROM setting") == [("newest",)]
    assert rows(folder / DATABASE_NAME, "SELECT value FROM setting") == [("goes on",)]


def test_a_game_that_does_not_fit_is_told(folder, senate, capsys):
    """The copy is kept, each game is named with the ply, and the status warns; what stood still
    before, or belongs to no game known here, is no fault of the copy.
    """
    asyncio.run(store_game(folder, senate, "AAAAAA", trace="0123456789abcdef"))
    asyncio.run(store_game(folder, senate, "BBBBBB", "crashed", odd=1))
    asyncio.run(store_game(folder, senate, "CCCCCC"))
    change(folder / DATABASE_NAME, "UPDATE session SET game = 'chess' WHERE code = 'CCCCCC'")
    status, out, err = lines(capsys, "backup")

    assert status == 1
    assert err == ["backup: game AAAAAA does not fit this code: re-interpreted from ply 4"]
    (made,) = backups_in(folder)
    assert out[0].startswith(f"{made}: written, 0.")
    assert out[0].endswith(
        "MB, but NOT as it should be; 3 games, 3 of them unfinished: 0 replayed,"
        " 1 not fitting (AAAAAA), 1 broken before (BBBBBB), 1 of unknown games (CCCCCC)"
    )
    change(folder / DATABASE_NAME, "DELETE FROM session WHERE code = 'AAAAAA'")
    change(folder / DATABASE_NAME, "DELETE FROM entry WHERE session = 1 AND ply > 0")
    status, _, err = lines(capsys, "backup", "--to", folder.parent / "b.db")
    assert (status, err) == (1, ["backup: rows that refer to nothing in entry"])


def test_a_sound_backup_gives_way_to_a_sound_one_only(
    folder, senate, capsys, tmp_path, monkeypatch
):
    """What a nightly `--to` has written stays until the next one has proved itself; a copy in which
    something is wrong stands beside it, one that cannot be looked through is taken away.
    """
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    kept, beside = tmp_path / "nightly.db", tmp_path / "nightly-new.db"
    assert lines(capsys, "backup", "--to", kept)[0] == 0
    before = kept.read_bytes()
    saved = (folder / DATABASE_NAME).read_bytes()
    change(folder / DATABASE_NAME, "DELETE FROM content")
    for _ in range(2):
        status, out, err = lines(capsys, "backup", "--to", kept)
        assert (status, len(err)) == (1, 2)
        assert out[0].startswith(f"{beside}: written, 0.")
        assert out[0].endswith(
            "1 game, 1 of them unfinished: 0 replayed, 1 not fitting (AAAAAA);"
            f" {kept}, from before, is left as it was"
        )
        assert kept.read_bytes() == before
    (folder / DATABASE_NAME).write_bytes(saved)
    with monkeypatch.context() as failing:
        failing.setattr(backup, "prove", _unreadable)
        assert refusal(capsys, "backup", "--to", kept) == "backup: it cannot be read"
    assert kept.read_bytes() == before
    assert not beside.exists()
    assert lines(capsys, "backup", "--to", kept)[0] == 0
    assert not beside.exists()
    beside.write_text("dear moderators")
    assert f"{beside} is there and is not one of this bot's" in refusal(
        capsys, "backup", "--to", kept
    )
    assert beside.read_text() == "dear moderators"


async def _unreadable(*_: object) -> None:
    """The disk fails between the writing of a copy and the look into it."""
    raise StoreDamaged("it cannot be read")


def test_what_cannot_be_backed_up(folder, senate, capsys, tmp_path):
    """Nothing there, damaged, another program's, newer: one line each, and no file is made."""
    database, target = folder / DATABASE_NAME, tmp_path / "copy.db"
    wanted = ("backup", "--to", target)
    assert refusal(capsys, *wanted) == (
        f"backup: {database} does not exist: there is nothing to back up"
    )
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    saved = database.read_bytes()
    middle = len(saved) // 2 // 4096 * 4096
    database.write_bytes(saved[:middle] + b"\xa5" * 4096 + saved[middle + 4096 :])
    assert refusal(capsys, *wanted).startswith(
        f"backup: no backup was written to {target}: {database} is damaged ("
    )
    database.write_bytes(saved)
    change(database, "PRAGMA user_version = 999")
    assert "was written by a newer version of the bot" in refusal(capsys, *wanted)
    change(database, "PRAGMA application_id = 7")
    assert "is the database of another program" in refusal(capsys, *wanted)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_where_no_backup_may_go(folder, senate, capsys, tmp_path):
    """A missing folder, somebody's file, the database itself and what belongs to it: refused."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    letter = tmp_path / "letter.txt"
    letter.write_text("dear moderators")
    before = content_of(tmp_path)
    for target, why in (
        (tmp_path / "none" / "copy.db", "is no folder: make it first"),
        (letter, "is not one of this bot's backups"),
        (folder / DATABASE_NAME, "belongs to the running database"),
        (folder / f"{DATABASE_NAME}-wal", "belongs to the running database"),
        (tmp_path / "data" / ".." / "data" / DATABASE_NAME, "belongs to the running database"),
    ):
        assert why in refusal(capsys, "backup", "--to", target)
    after = content_of(tmp_path)
    assert {name: after[name] for name in before} == before


@pytest.fixture
def full_disk(tmp_path) -> Iterator[Path]:
    """A folder on a disk that has no room for a database."""
    with small_disk(tmp_path / "full", "64k") as full:
        yield full


def test_a_full_disk_is_named(folder, senate, capsys, full_disk, monkeypatch):
    """DB-03: the line says which disk is full and what helps, for a backup and for the way back;
    nothing half written stays behind.
    """
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    backup, full = folder.parent / "copy.db", f"the disk that holds {full_disk} is full"
    assert lines(capsys, "backup", "--to", backup)[0] == 0
    told = refusal(capsys, "backup", "--to", full_disk)
    assert told.startswith(f"backup: no backup was written to {full_disk}")
    assert told.endswith(f": {full}: free some space there")
    assert list(full_disk.iterdir()) == []
    monkeypatch.setenv("DATA_DIR", str(full_disk))
    assert refusal(capsys, "restore-backup", backup) == (
        f"restore-backup: {backup} cannot be restored: {full}: free some space there"
    )
    assert not (full_disk / DATABASE_NAME).exists()
