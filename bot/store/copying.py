"""Sound copies of a live database. Copying its file alone would lose what is still in the -wal."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path


def copy_database(source: Path, target: Path) -> None:
    """Copy all that is committed at `source` to `target`, in place of what is there.

    The copy takes its name only when it is complete and checked. Raises sqlite3.Error or OSError,
    and then `target` is what it was before.
    """
    part = target.with_name(f"{target.name}.part")
    try:
        # Secrets of running games are inside: nobody but the owner may read the copy.
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with (
            contextlib.closing(sqlite3.connect(source, timeout=10)) as original,
            contextlib.closing(sqlite3.connect(part)) as copy,
        ):
            original.backup(copy)
            # One file, without a -wal beside it, can be moved about without harm.
            copy.execute("PRAGMA journal_mode = DELETE").fetchall()
            faults = copy.execute("PRAGMA quick_check(1)").fetchall()
        if faults != [("ok",)]:
            raise sqlite3.DatabaseError(f"the copy is not sound: {faults[0][0]}")
        part.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise
