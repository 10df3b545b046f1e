"""All commands say the same of a data folder that is not as it should be, each in one line."""

import asyncio
import os
import shutil
import subprocess

import pytest

from bot.store.db import open_store
from bot.store.lock import LOCK_NAME
from bot.store.opening import BACKUPS, DATABASE_NAME
from bot.store.protocol import StoreUnusable
from tests.disks import mount
from tests.tools.copies import change, content_of, lines, refusal
from tests.tools.stored import store_game

COMMANDS = [("backup",), ("validate-journals",), ("forget", "5")]
WAL = f"{DATABASE_NAME}-wal"


def gone(folder):
    """Deleted; the lock's file is left."""
    (folder / DATABASE_NAME).unlink()


def gone_but_for_the_wal(folder):
    """Deleted with the lock's file, by somebody who did not know of the -wal."""
    (folder / DATABASE_NAME).rename(folder / WAL)
    (folder / LOCK_NAME).unlink()


def only_the_wal_and_the_lock(folder):
    """Deleted after the bot was killed."""
    (folder / DATABASE_NAME).rename(folder / WAL)


def emptied(folder):
    """Cut to nothing."""
    os.truncate(folder / DATABASE_NAME, 0)


def text(folder):
    """Somebody's notes in its place."""
    (folder / DATABASE_NAME).write_text("dear moderators\n" * 300)


def newer(folder):
    """The version was taken back."""
    change(folder / DATABASE_NAME, "PRAGMA user_version = 999")


def foreign(folder):
    """Another program's, under the same name."""
    change(folder / DATABASE_NAME, "PRAGMA application_id = 7")


def a_folder(folder):
    """A mount that went wrong."""
    (folder / DATABASE_NAME).unlink()
    (folder / DATABASE_NAME).mkdir()


TO_DO = {
    gone: "restore-backup FILE",
    gone_but_for_the_wal: "restore-backup FILE",
    only_the_wal_and_the_lock: "restore-backup FILE",
    emptied: "restore-backup FILE",
    text: "restore-backup FILE",
    newer: "use that version",
    foreign: "set DATA_DIR to the bot's own folder",
    a_folder: "move it elsewhere",
}


@pytest.mark.parametrize("harm", TO_DO, ids=lambda harm: harm.__name__)
def test_every_command_says_what_the_start_says(folder, senate, capsys, harm):
    """DB-09, DB-12: backup, validate-journals and forget refuse with the very line with which the
    bot refuses to start; it names the file and what to do.
    """
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    harm(folder)
    told = {args[0]: refusal(capsys, *args) for args in COMMANDS}
    with pytest.raises(StoreUnusable) as refused:
        asyncio.run(start(folder))
    line = str(refused.value)
    assert told == {name: f"{name}: {line}" for name in told}
    assert line.startswith(f"{folder / DATABASE_NAME} ")
    assert TO_DO[harm] in line


async def start(folder) -> None:
    """Open the data and close it again."""
    async with await open_store(folder):
        pass


@pytest.mark.parametrize(
    ("harm", "files"),
    [
        (gone, [LOCK_NAME]),
        (only_the_wal_and_the_lock, [LOCK_NAME, WAL]),
        (gone_but_for_the_wal, [WAL]),
    ],
    ids=lambda one: getattr(one, "__name__", None),
)
def test_beginning_anew_as_it_is_said(folder, senate, harm, files):
    """DB-09: with exactly the files away that the line names, the bot begins anew."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    harm(folder)
    with pytest.raises(StoreUnusable) as refused:
        asyncio.run(start(folder))
    named = str(refused.value).partition("without any game, remove ")[2].removesuffix(" too")
    assert named.split(" and ") == [str(folder / name) for name in files]
    for name in files:
        (folder / name).unlink()
    asyncio.run(start(folder))


def test_backups_without_a_database_are_pointed_at(folder, senate, capsys, caplog):
    """Database and lock are gone, backups are there: each command names them, and a start, which
    begins anew, says so. Where nothing has been, nothing is named.
    """
    for args, otherwise in zip(COMMANDS, ("back up", "check", "nobody to forget"), strict=True):
        told = refusal(capsys, *args)
        assert f"{folder / DATABASE_NAME} does not exist" in told
        assert told.endswith(otherwise)
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    assert lines(capsys, "backup")[0] == 0
    (folder / DATABASE_NAME).unlink()
    (folder / LOCK_NAME).unlink()
    for args in COMMANDS:
        told = refusal(capsys, *args)
        assert "does not exist" in told
        assert f"restore-backup FILE (backups are in {folder / BACKUPS})" in told
    caplog.clear()
    asyncio.run(start(folder))
    (line,) = [one for one in caplog.messages if "a new one is begun" in one]
    assert f"restore-backup FILE (backups are in {folder / BACKUPS})" in line


@pytest.mark.parametrize(
    ("harm", "before"),
    [
        (gone, "the database of before was gone"),
        (only_the_wal_and_the_lock, f"of the database of before only {WAL} was left"),
        (gone_but_for_the_wal, f"of the database of before only {WAL} was left"),
        (shutil.rmtree, "there was no database before"),
    ],
    ids=lambda one: getattr(one, "__name__", None),
)
def test_restoring_tells_what_was_there(folder, senate, capsys, tmp_path, harm, before):
    """DB-09: no database of before is named that was not there, and each file named exists."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    backup = tmp_path / "copy.db"
    assert lines(capsys, "backup", "--to", backup)[0] == 0
    harm(folder)
    folder.mkdir(exist_ok=True)
    status, (line,), _ = lines(capsys, "restore-backup", backup)
    assert status == 0
    told, _, kept = line.partition("; ")[2].partition(", which is kept as ")
    assert told == before
    assert not kept or os.path.exists(kept)  # noqa: PTH110 - the words of a line


def test_another_program_keeps_its_database(folder, senate, capsys, tmp_path):
    """DB-09: DATA_DIR is the wrong folder: nothing is restored there, and no byte changes."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    backup = tmp_path / "copy.db"
    assert lines(capsys, "backup", "--to", backup)[0] == 0
    foreign(folder)
    before = content_of(folder)
    told = refusal(capsys, "restore-backup", backup)
    assert f"{folder / DATABASE_NAME} is the database of another program: set DATA_DIR" in told
    assert content_of(folder) == before


def test_nothing_is_restored_over_a_folder(folder, senate, capsys, tmp_path):
    """The line says what is in the way, and nothing was changed."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    backup = tmp_path / "copy.db"
    assert lines(capsys, "backup", "--to", backup)[0] == 0
    a_folder(folder)
    before = sorted(folder.iterdir())
    told = refusal(capsys, "restore-backup", backup)
    assert "is a folder, where the database should be: move it elsewhere" in told
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("has_backups", [True, False])
def test_a_backup_into_a_folder_that_cannot_be_written(
    folder, senate, capsys, tmp_path, has_backups
):
    """OPS-04: on a read-only disk the line names `--to`, which works; another place that cannot be
    written is named without it.
    """
    mount(folder, "size=3m")
    try:
        asyncio.run(store_game(folder, senate, "AAAAAA"))
        if has_backups:
            (folder / BACKUPS).mkdir()
        mount(folder, "remount,ro,size=3m")
        told = refusal(capsys, "backup")
        assert "Read-only file system" in told
        assert told.endswith(", or name another place with --to")
        told = refusal(capsys, "backup", "--to", folder / "mine.db")
        assert "(Read-only file system): mount it so that it can be written" in told
        assert "--to" not in told
        assert lines(capsys, "backup", "--to", tmp_path / "copy.db")[0] == 0
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_health_says_why(folder, capsys):
    """Whoever asks by hand is told where a sign of life was looked for."""
    status, out, err = lines(capsys, "health")
    assert (status, out, len(err)) == (1, [], 1)
    assert str(folder / "heartbeat") in err[0]
    (folder / "heartbeat").touch()
    assert lines(capsys, "health") == (0, [], [])
