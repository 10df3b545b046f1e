"""The backup commands by the lines they say, and what is found in the files that they leave."""

import contextlib
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from bot.__main__ import main
from bot.store.db import open_store

ROOT = Path(__file__).parents[2]


def lines(capsys, *args: object) -> tuple[int, list[str], list[str]]:
    """Status, stdout and stderr of a command."""
    status = main([str(arg) for arg in args])
    told = capsys.readouterr()
    return status, told.out.splitlines(), told.err.splitlines()


def refusal(capsys, *args: object) -> str:
    """The one line with which a command refuses; nothing else is said."""
    status, out, err = lines(capsys, *args)
    assert (status, out, len(err)) == (2, [], 1)
    return err[0]


def rows(path, sql: str) -> list[tuple]:
    """What a query finds in a database file."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as found:
        return found.execute(sql).fetchall()


def change(path, sql: str) -> None:
    """Change a database behind the bot's back."""
    with contextlib.closing(sqlite3.connect(path)) as found, found:
        found.execute(sql)


def content_of(folder) -> dict[str, bytes]:
    """Every file below a folder, but the lock's and the one that SQLite can make anew."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and not file.name.endswith((".lock", "-shm"))
    }


async def set_value(folder, value: str) -> None:
    """Change something that a restore can be told by."""
    async with await open_store(folder) as store:
        await store.set_setting("commands", value)


_HOLD = """
import asyncio, sys
from pathlib import Path
from bot.store.db import open_store
async def main():
    async with await open_store(Path(sys.argv[1])) as store:
        await store.set_setting("commands", "newest")
        print("open", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        await store.set_setting("commands", "goes on")
asyncio.run(main())
"""


@contextlib.contextmanager
def held(folder) -> Iterator[int]:
    """Another process works with the data, and has just written something; its number."""
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(folder)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "open\n"
        yield process.pid
        process.communicate("done\n", timeout=20)
        assert process.returncode == 0
    finally:
        process.kill()
        process.communicate()
