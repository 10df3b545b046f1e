"""RPL-01, RPL-05, RPL-13: recorded games of every title are the same games in every process."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path

import pytest

from bot import titles
from tests.kernel import recorded

ROOT = Path(__file__).parents[2]


def replay_elsewhere(path: Path, seed: int) -> str:
    """What a process of that hash seed says of the recordings; empty if they are the same games."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.kernel.recorded", str(path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout.strip()


def test_processes_of_other_hash_seeds_replay_the_same_games(tmp_path: Path) -> None:
    """RPL-01: after each event the whole state is the same, in the order of its parts too."""
    games = [recorded.record(key, 1, plies=150) for key in titles.KEYS]
    recorded.write(tmp_path / "games.json", games)
    assert [replay_elsewhere(tmp_path / "games.json", seed) for seed in (0, 1)] == ["", ""]


@pytest.mark.soak
@pytest.mark.timeout(4 * 3600)
def test_many_games_under_many_hash_seeds(tmp_path: Path) -> None:
    """RPL-01: a hundred games of each title under hash seeds 0 to 20."""
    games = [recorded.record(key, number) for key in titles.KEYS for number in range(100)]
    recorded.write(tmp_path / "games.json", games)
    for seed in range(21):
        assert replay_elsewhere(tmp_path / "games.json", seed) == "", seed


def test_a_game_that_goes_another_way_is_seen(tmp_path: Path) -> None:
    """The comparison can fail: it names the game and the first ply."""
    game = recorded.record("fear_of_the_dark", 1, plies=9)
    moments = (*game.moments[:5], "0" * 16, *game.moments[6:])
    recorded.write(tmp_path / "games.json", [dataclasses.replace(game, moments=moments)])
    assert replay_elsewhere(tmp_path / "games.json", 0).endswith("goes another way at ply 5")


def odd(value: object, place: str) -> Iterator[str]:
    """Where in a state or a view there is something that is not exact, or has no order."""
    if value is None or isinstance(value, bool | int | str | Enum):
        return
    if dataclasses.is_dataclass(value):
        for one in dataclasses.fields(value):
            yield from odd(getattr(value, one.name), f"{place}.{one.name}")
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from odd(name, f"{place} key")
            yield from odd(item, f"{place}[{name!r}]")
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value):
            yield from odd(item, f"{place}[{number}]")
    else:
        yield f"{place} is {value!r}"


@pytest.mark.parametrize("key", titles.KEYS)
def test_no_state_holds_a_fraction(key: str) -> None:
    """RPL-13: at every ply nothing in the state, the views, what is told or asked, nor in the
    content, is a float, a set or of any foreign type.
    """
    found = list(odd(recorded.title(key).content.rules, "content"))
    for number in range(2):
        recorded.record(key, number, walking(found), plies=120)
    assert found == []


def walking(found: list[str]) -> type[recorded.Watched]:
    """Looks at everything at each ply, and adds what is odd."""

    class Walked(recorded.Watched):
        def note(self) -> None:
            for name in [one.name for one in dataclasses.fields(self._state)]:
                if name not in recorded.CONSTANT:
                    found.extend(odd(getattr(self._state, name), name))
            for seat in (None, self.ply % self.header.seats):
                found.extend(odd(self.view(seat), f"view of {seat}"))
            found.extend(odd([*self.asked, *self.offers, *self.timers], "asked"))
            found.extend(odd(self.outcome, "outcome"))

            found.extend(odd([one.event for one in self.events[-9:]], "events"))

    return Walked


def test_a_fraction_would_be_found() -> None:
    """The walk sees what it is meant to see, however deep."""
    assert list(odd({"a": ({"b": [0.5]},), "c": {1}}, "state")) == [
        "state['a'][0]['b'][0] is 0.5",
        "state['c'] is {1}",
    ]


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("key", titles.KEYS)
def test_no_state_of_many_games_holds_a_fraction(key: str) -> None:
    """RPL-13, in full: whole games of all numbers of seats and options."""
    found = list[str]()
    for number in range(40):
        recorded.record(key, number, walking(found))
    assert found == []
