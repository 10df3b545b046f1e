"""`restore-backup`: the way back from a copy, and what it refuses."""

import asyncio
import shutil

import pytest

from bot.store.db import open_store
from bot.store.opening import DATABASE_NAME
from bot.store.protocol import StoreUnusable
from tests.tools.copies import change, content_of, held, lines, refusal, rows, set_value
from tests.tools.stored import store_game


def test_going_on_from_a_backup(folder, senate, capsys):
    """DB-05: the state of the backup comes back, and the one of now is kept, whole."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    asyncio.run(set_value(folder, "old"))
    backup = folder.parent / "copy.db"
    assert lines(capsys, "backup", "--to", backup)[0] == 0
    asyncio.run(set_value(folder, "new"))
    status, out, err = lines(capsys, "restore-backup", backup)

    (kept,) = (folder / "backups").iterdir()
    assert (status, err) == (0, [])
    assert out == [
        f"{backup} is restored: 1 game, 1 of them unfinished and replayed;"
        f" the database of before is kept as {kept}"
    ]
    assert kept.name.startswith("before-restore-")
    assert sorted(content_of(folder)) == [f"backups/{kept.name}", DATABASE_NAME]
    assert rows(kept, "SELECT value FROM setting") == [("new",)]
    assert rows(folder / DATABASE_NAME, "SELECT value FROM setting") == [("old",)]
    assert (folder / DATABASE_NAME).stat().st_mode & 0o077 == 0
    # What was kept is a backup like any other.
    assert lines(capsys, "restore-backup", kept)[0] == 0
    asyncio.run(set_value(folder, "newer"))


def test_restoring_on_a_new_machine(folder, senate, capsys, tmp_path, monkeypatch):
    """An empty data folder: the games are there, and nothing had to be kept."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    assert lines(capsys, "backup", "--to", tmp_path / "copy.db")[0] == 0
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.setenv("DATA_DIR", str(other))
    status, out, _ = lines(capsys, "restore-backup", tmp_path / "copy.db")

    assert status == 0
    assert out[0].endswith("; there was no database before")
    assert lines(capsys, "validate-journals")[1][0] == "AAAAAA: fits, 6 records"


def test_a_backup_that_is_restored_may_be_in_two_files(folder, senate, capsys, tmp_path):
    """The files of a killed bot, moved together: what is in the -wal only is restored as well."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    moved = tmp_path / "moved"

    async def copied_while_open() -> None:
        async with await open_store(folder) as store:
            await store.set_setting("commands", "in the wal")
            shutil.copytree(folder, moved)

    asyncio.run(copied_while_open())
    asyncio.run(set_value(folder, "later"))
    assert lines(capsys, "restore-backup", moved / DATABASE_NAME)[0] == 0
    assert rows(folder / DATABASE_NAME, "SELECT value FROM setting") == [("in the wal",)]


def test_what_cannot_be_restored(folder, senate, capsys, tmp_path):
    """Nothing there, no backup, damaged, newer, the database itself: one line, nothing changes."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    backup = tmp_path / "copy.db"
    assert lines(capsys, "backup", "--to", backup)[0] == 0
    sound = backup.read_bytes()
    before = content_of(folder)

    def refused(data: bytes | None) -> str:
        backup.unlink(missing_ok=True)
        if data is not None:
            backup.write_bytes(data)
        return refusal(capsys, "restore-backup", backup)

    assert refused(None) == f"restore-backup: {backup} does not exist"
    assert refused(b"") == f"restore-backup: {backup} is empty"
    assert refused(b"dear moderators") == (
        f"restore-backup: {backup} is not a database of this bot: it is no SQLite file"
    )
    middle = len(sound) // 2 // 4096 * 4096
    for data in (
        sound[: len(sound) // 2],
        sound[:middle] + b"\xa5" * 4096 + sound[middle + 4096 :],
    ):
        assert f"restore-backup: {backup} " in refused(data)
        assert "damaged" in refused(data)
    backup.write_bytes(sound)
    change(backup, "PRAGMA user_version = 999")
    assert "newer version of the bot" in refusal(capsys, "restore-backup", backup)
    change(backup, "PRAGMA application_id = 7")
    assert "another program" in refusal(capsys, "restore-backup", backup)
    assert "is the database itself" in refusal(capsys, "restore-backup", folder / DATABASE_NAME)
    assert "cannot be read (Is a directory)" in refusal(capsys, "restore-backup", tmp_path)
    after = content_of(folder)
    assert {name: after[name] for name in before} == before


def test_nothing_is_restored_under_a_running_bot(folder, senate, capsys, tmp_path):
    """One line says who works with the data; afterwards it is as it was."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    backup = tmp_path / "copy.db"
    assert lines(capsys, "backup", "--to", backup)[0] == 0

    with held(folder) as number:
        told = refusal(capsys, "restore-backup", backup)
    assert told == (
        f"restore-backup: process {number} works with the data in {folder} already: stop it,"
        " or give this one another folder"
    )
    assert rows(folder / DATABASE_NAME, "SELECT value FROM setting") == [("goes on",)]
    assert not (folder / "backups").exists()


@pytest.mark.parametrize("harm", ["garbage", "no file", "newer", "with a wal"])
def test_a_database_that_does_not_open_is_replaced_and_kept(folder, senate, capsys, tmp_path, harm):
    """DB-09: the way that the refusal to start names works, and every byte of before is kept."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    backup, database = tmp_path / "copy.db", folder / DATABASE_NAME
    assert lines(capsys, "backup", "--to", backup)[0] == 0
    wal = database.with_name(f"{DATABASE_NAME}-wal")
    if harm == "newer":
        change(database, "PRAGMA user_version = 999")
    else:
        database.write_bytes(b"SQLite format 3\x00" + b"\xa5" * 9000)
    if harm == "with a wal":
        wal.write_bytes(b"whatever was in here" * 40)
    if harm == "no file":
        database.rename(wal)
    with pytest.raises(StoreUnusable):
        asyncio.run(set_value(folder, "no"))
    before = sorted(content_of(folder).values())

    status, out, _ = lines(capsys, "restore-backup", backup)
    assert status == 0
    assert "is kept as" in out[0]
    kept = content_of(folder / "backups")
    if harm != "newer":  # SQLite may write its header anew there
        assert sorted(kept.values()) == before
    assert all(name.startswith("before-restore-") for name in kept)
    asyncio.run(set_value(folder, "yes"))


def test_an_older_backup_is_brought_up_to_date(folder, senate, capsys, tmp_path, shipped):
    """RPL-07: a backup of the version before proves itself, is restored, and the bot goes on."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    backup = tmp_path / "copy.db"
    assert lines(capsys, "backup", "--to", backup)[0] == 0
    newest = shipped("ALTER TABLE preference ADD COLUMN tongue TEXT;")
    before = backup.read_bytes()

    status, out, _ = lines(capsys, "restore-backup", backup)
    assert status == 0
    assert "1 game, 1 of them unfinished and replayed" in out[0]
    assert backup.read_bytes() == before
    asyncio.run(set_value(folder, "yes"))
    assert rows(folder / DATABASE_NAME, "PRAGMA user_version") == [(newest,)]
    assert f"before-schema-{newest}.db" in content_of(folder / "backups")


def test_what_does_not_replay_is_not_counted_as_replayed(folder, senate, capsys, tmp_path):
    """Restored all the same, with the game that cannot be played on by this code named twice: why,
    and in the count.
    """
    asyncio.run(store_game(folder, senate, "AAAAAA", trace="0123456789abcdef"))
    asyncio.run(store_game(folder, senate, "BBBBBB"))
    backup = tmp_path / "copy.db"
    assert lines(capsys, "backup", "--to", backup)[0] == 1
    status, out, err = lines(capsys, "restore-backup", backup)
    assert status == 1
    assert out[0].startswith(
        f"{backup} is restored: 2 games, 2 of them unfinished: 1 replayed, 1 not fitting (AAAAAA);"
    )
    (line,) = err
    assert line.startswith("restore-backup: game AAAAAA does not fit this code")


def test_a_restore_killed_before_clears_up(folder, senate, capsys, tmp_path):
    """What a killed restore has left half written is gone after the next one."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    backup = tmp_path / "copy.db"
    assert lines(capsys, "backup", "--to", backup)[0] == 0
    (folder / f"{DATABASE_NAME}.restored.77.part").write_bytes(b"half")
    (folder / f"{DATABASE_NAME}.restored").write_bytes(b"more")
    assert lines(capsys, "restore-backup", backup)[0] == 0
    assert [name for name in content_of(folder) if "restored" in name] == []
