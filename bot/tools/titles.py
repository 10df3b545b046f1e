"""Finding a game and its lobby options by the words of a command line."""

from __future__ import annotations

from collections.abc import Mapping

from bot import titles
from bot.titles import Title
from bot.tools.errors import UsageError
from engines.kernel.game import GameOption


def find(key: str) -> Title:
    """The game of that key. UsageError if there is none, ContentError if its content is broken."""
    if key not in titles.KEYS:
        raise UsageError(f"there is no game {key!r}; games: {', '.join(titles.KEYS)}")
    return titles.load(key)


def checked_seats(title: Title, seats: int) -> int:
    """The number of seats, if the game can be played with it."""
    allowed = title.game.seats
    if seats not in allowed:
        told = f"{title.key} is for {allowed[0]} to {allowed[-1]} players, not {seats}"
        raise UsageError(told)
    return seats


def checked_options(title: Title, given: Mapping[str, str]) -> dict[str, str]:
    """A value for every lobby option: the given ones, else the defaults of games without people."""
    known = {option.key: option for option in title.game.options}
    for key, value in given.items():
        if key not in known:
            raise UsageError(f"{title.key} has no option {key!r}; options: {_listed(known)}")
        if value not in known[key].values:
            choices = ", ".join(known[key].values)
            raise UsageError(f"option {key} cannot be {value!r}; choices: {choices}")
    return {key: given.get(key, option.headless or option.default) for key, option in known.items()}


def _listed(known: Mapping[str, GameOption]) -> str:
    return ", ".join(known) or "none"
