"""The public record of a game that is over: all that is needed to check it, and nobody's secrets.

It is put together field by field. Of the game's draws it has those whose key is told, of hidden
ones only that they were made; of the events those that all could see, so of a vote its totals; and
nothing about who sat where. ``bot.tools.verify`` and docs/fair-dice.md read it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.sessions.replaying import Play, as_json
from engines.kernel.chance import Draw
from engines.kernel.event import PUBLIC
from engines.kernel.game import Outcome
from engines.kernel.journal import Branch

FORMAT: Final = "nightwatch public record 1"

Record = Mapping[str, Any]


def public_record(play: Play, secret: bytes, branches: Sequence[Branch] = ()) -> Record:
    """The record of a game, with the dice secret that its key was made of.

    ``branches``: every time that the game was taken back, in order, ``keep`` in moves.
    """
    header = play.header
    told = [numbered for numbered in play.events if numbered.event.only is PUBLIC]
    record: dict[str, Any] = {
        "format": FORMAT,
        "header": {
            "game": header.game,
            "rules": header.rules,
            "content": header.content,
            "seats": header.seats,
            "options": dict(header.options),
            "start": header.start,
            "branches": play.branch,
            "pledge": hashlib.sha256(secret).hexdigest(),
            "secret": secret.hex(),
        },
        "ledger": [_draw(draw) for draw in play.chance.ledger],
        "events": [
            {
                "n": n,
                "draws": numbered.draws,
                "kind": numbered.event.kind,
                "data": as_json(numbered.event.data),
            }
            for n, numbered in enumerate(told)
        ],
        "outcome": outcome_fields(play.outcome),
    }
    if branches:
        record["taken_back"] = [
            {"branch": one.number, "after": one.keep, "by": one.by} for one in branches
        ]
    return {**record, "digest": digest_of(record)}


def outcome_fields(outcome: Outcome | None) -> dict[str, Any] | None:
    """An outcome as the record has it; None for a game that was ended without one."""
    if outcome is None:
        return None
    return {"ending": outcome.ending, "won": outcome.won, "facts": as_json(outcome.facts)}


def digest_of(record: Record) -> str:
    """SHA-256 of everything in the record but its digest, as canonical JSON."""
    body = {name: part for name, part in record.items() if name != "digest"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def dump(record: Record) -> str:
    """The record as a file: JSON, with a line for each draw and each event."""
    parts = [f"{json.dumps(name)}: {_lines(part)}" for name, part in record.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(part: object) -> str:
    if isinstance(part, list) and part:
        return "[\n" + ",\n".join(f"  {json.dumps(item)}" for item in part) + "\n]"
    return json.dumps(part)


def _draw(draw: Draw) -> dict[str, Any]:
    made = {"purpose": draw.purpose, "k": draw.k, "n": draw.n, "branch": draw.branch}
    return {**made, "hidden": True} if draw.hidden else {**made, "result": draw.result}
