"""Numbered migrations, each in one transaction together with the version it leads to.

A process killed at any statement leaves the version before or the version after, nothing between.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from bot.counted import counted
from bot.store.copying import copy_database
from bot.store.protocol import StoreDamaged

_NAME = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")


@dataclass(frozen=True, slots=True)
class Migration:
    """One step: `script` takes a database of version number - 1 to version `number`."""

    number: int
    name: str
    script: str

    def statements(self) -> Iterator[str]:
        """One by one, because the driver runs whole scripts only outside of a transaction."""
        statement = ""
        for line in self.script.splitlines(keepends=True):
            statement += line
            if sqlite3.complete_statement(statement):
                yield statement.strip()
                statement = ""
        if any(
            not line.lstrip().startswith("--") for line in statement.split("\n") if line.strip()
        ):
            raise ValueError(f"{self.name}: the last statement has no end")


def shipped_migrations() -> tuple[Migration, ...]:
    """The ones in this package, in order. Raises ValueError if a number is missing or twice."""
    found: list[Migration] = []
    for resource in (files("bot.store") / "migrations").iterdir():
        if match := _NAME.fullmatch(resource.name):
            text = resource.read_text(encoding="utf-8")
            found.append(Migration(int(match[1]), resource.name, text))
    found.sort(key=lambda migration: migration.number)
    if [migration.number for migration in found] != list(range(1, len(found) + 1)):
        raise ValueError(f"migrations out of order: {[migration.name for migration in found]}")
    return tuple(found)


def version_of(connection: sqlite3.Connection) -> int:
    """The schema's version; 0 for a database in which there is nothing yet."""
    ((version,),) = connection.execute("PRAGMA user_version").fetchall()
    return version


def migrate(
    connection: sqlite3.Connection,
    path: Path,
    migrations: tuple[Migration, ...],
    before_statement: Callable[[str], None] | None = None,
    *,
    keep_copy: bool = True,
) -> None:
    """Bring the database at `path` up to the last of `migrations`.

    `connection` is in autocommit mode and nobody else uses the database. If there is data, a copy
    is written first (unless `keep_copy` is off), to backups/before-schema-N.db beside it.
    `before_statement` is called before each statement, the closing ones included (tests stop
    there).
    """
    pending = [m for m in migrations if m.number > version_of(connection)]
    if not pending:
        return
    if keep_copy and version_of(connection) > 0:
        folder = path.parent / "backups"
        folder.mkdir(mode=0o700, exist_ok=True)
        copy_database(path, folder / f"before-schema-{pending[0].number}.db")
    # Inside a transaction this pragma does nothing, and with it on, rebuilding a table that others
    # refer to would lose rows.
    connection.execute("PRAGMA foreign_keys = OFF").fetchall()
    for migration in pending:
        _run(connection, path, migration, before_statement or (lambda _: None))
    connection.execute("PRAGMA foreign_keys = ON").fetchall()


def _run(
    connection: sqlite3.Connection,
    path: Path,
    migration: Migration,
    before_statement: Callable[[str], None],
) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in migration.statements():
            before_statement(statement)
            connection.execute(statement).fetchall()
        before_statement("PRAGMA foreign_key_check")
        if broken := connection.execute("PRAGMA foreign_key_check").fetchall():
            rows = counted(len(broken), "row")
            raise StoreDamaged(
                f"{path}: after {migration.name}, {rows} would refer to nothing (the first in table"
                f" {broken[0][0]}); the database is as it was before"
            )
        before_statement("PRAGMA user_version")
        connection.execute(f"PRAGMA user_version = {migration.number}")
        before_statement("COMMIT")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
