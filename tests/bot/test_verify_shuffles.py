"""`python -m bot verify` holds tiles, dangers, finds and guests against their shuffles.

A host who changes the bot could turn up another tile than the one that was shuffled there. Draws,
dice and outcome would all be right; each record here is forged like that, with a fitting digest.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from typing import Any

import pytest

from bot import titles
from bot.__main__ import main
from bot.titles import Title
from tests.records import played, record_of, sealed

Record = dict[str, Any]


@functools.cache
def maze() -> tuple[Title, Record]:
    """A way through the maze with six items, a secret, two Knockouts and two echoes."""
    title = titles.load("fear_of_the_dark")
    play = played(title, 1, seed="7", root=bytes([7]) * 32, difficulty="easy")
    return title, record_of(play, b"\7" * 32)


@functools.cache
def night() -> tuple[Title, Record]:
    """A night with a secret room, a turned tile that changed its colour, and a rewind."""
    title = titles.load("escape_the_night")
    play = played(title, 3, seed="7", rewind=60, hourglass="untimed", secret_room="on")
    return title, record_of(play)


def first(record: Record, kind: str) -> Record:
    """The data of the first event of that kind."""
    return next(event["data"] for event in record["events"] if event["kind"] == kind)


def trade(record: Record, kind: str, *names: str) -> None:
    """The first two events of that kind that differ there trade what they tell."""
    told = [event["data"] for event in record["events"] if event["kind"] == kind]
    other = next(data for data in told if data[names[0]] != told[0][names[0]])
    for name in names:
        told[0][name], other[name] = other[name], told[0][name]


def turn(data: Record, name: str) -> None:
    """The opposite."""
    data[name] = not data[name]


def without(record: Record, kind: str) -> None:
    """The first event of that kind is kept back, and the others are numbered anew."""
    at = next(n for n, event in enumerate(record["events"]) if event["kind"] == kind)
    del record["events"][at]
    for n, event in enumerate(record["events"]):
        event["n"] = n


def failing(
    title: Title, record: Record, tmp_path: Any, capsys: Any, monkeypatch: Any
) -> list[str]:
    """The names of the checks that do not hold."""
    monkeypatch.setattr(titles, "load", lambda _: title)
    path = tmp_path / "record.json"
    path.write_text(sealed(record), encoding="utf-8")
    status = main(["verify", str(path)])
    lines = capsys.readouterr().out.splitlines()
    failed = [line[6:].partition(":")[0] for line in lines if line.startswith("FAIL")]
    assert status == bool(failed)
    return failed


Game = Callable[[], tuple[Title, Record]]

FORGED: dict[str, tuple[Game, Callable[[Record], None]]] = {
    "another tile": (maze, lambda r: trade(r, "tile_revealed", "tile", "tale", "danger", "echo")),
    "a harmless tile": (maze, lambda r: first(r, "tile_revealed").update(danger=False)),
    "another danger": (maze, lambda r: trade(r, "danger_drawn", "danger", "tale")),
    "a danger that did nothing": (maze, lambda r: turn(first(r, "danger_drawn"), "triggered")),
    "a danger that was scouted": (maze, lambda r: first(r, "danger_drawn").update(how="echo")),
    "no danger": (maze, lambda r: without(r, "danger_drawn")),
    "another item": (maze, lambda r: trade(r, "item_found", "item", "tale")),
    "another location": (maze, lambda r: trade(r, "item_found", "location")),
    "another secret": (maze, lambda r: first(r, "secret_found").update(secret="nothing")),
    "another tale": (maze, lambda r: first(r, "tile_revealed").update(tale="well_9")),
    "another ending's tale": (maze, lambda r: r["events"][-1]["data"].update(tale="escaped_9")),
    "another colour": (night, lambda r: trade(r, "tile_turned", "colour")),
    "other guests": (night, lambda r: trade(r, "dealt", "characters")),
    "another room": (night, lambda r: first(r, "secret_room_found").update(room="nowhere")),
    "another to begin": (night, lambda r: first(r, "guests_arrived").update(seat=3)),
}


@pytest.mark.parametrize("game", [maze, night])
def test_a_real_record_holds(game, tmp_path, capsys, monkeypatch):
    """Nothing is wrong with the records that the forgeries are made of."""
    title, record = game()

    assert failing(title, record, tmp_path, capsys, monkeypatch) == []


@pytest.mark.parametrize("name", FORGED)
def test_what_was_not_drawn_is_found(tmp_path, capsys, monkeypatch, name):
    """Whatever a host swaps or keeps back, of the maze's cards and the night's tiles, guests, room
    and beginning, the shuffle says what should have come.
    """
    game, forge = FORGED[name]
    title, record = game()
    forged = copy.deepcopy(record)
    forge(forged)

    assert "shuffles" in failing(title, forged, tmp_path, capsys, monkeypatch)


def test_every_draw_of_the_maze_is_open():
    """Nobody holds anything in it, so when it is over no deck has to stay closed."""
    _, record = maze()

    assert not [draw for draw in record["ledger"] if "hidden" in draw]
