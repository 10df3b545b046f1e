"""Each player's link: a secret token, kept in the data folder so that it survives a restart."""

from __future__ import annotations

import json
import logging
import os
import re
import secrets
from pathlib import Path

_log = logging.getLogger(__name__)

_TOKEN = re.compile(r"[-\w]{20,}")


def tokens(path: Path, players: int) -> list[str]:
    """One token for each player, in order; missing ones are made and written down.

    The file can be read by its owner only. A damaged one is replaced: the links then change.
    """
    known = _read(path)
    needed = max(players, len(known))
    found = known + [secrets.token_urlsafe(24) for _ in range(needed - len(known))]
    if found != known or path.stat().st_mode & 0o077:
        _write(path, found)
    return found[:players]


def player_of(token: str, known: list[str]) -> int | None:
    """The number of the player whose token this is, compared in constant time; None if nobody's."""
    for number, one in enumerate(known):
        if secrets.compare_digest(one.encode(), token.encode()):
            return number
    return None


def _read(path: Path) -> list[str]:
    try:
        found = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return []
    except ValueError:
        found = None
    if isinstance(found, list) and all(isinstance(o, str) and _TOKEN.fullmatch(o) for o in found):
        return found
    _log.warning("%s is damaged; the players get new links", path)
    return []


def _write(path: Path, found: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(found, file)
    part.replace(path)
