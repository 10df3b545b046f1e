"""Whether a seat has seen something new between two moments of one game.

What is hidden in a game is known to its rules alone. So each game names the kinds of events that
bring nothing to light (``plain``), and every other event counts as something seen: a bare number or
a flag may tell what was hidden. Besides, dice that were rolled count, news for some seats only, and
any name that a view or an event shows to somebody who could not name it before. In a view only
things count that have a name in the game's words (a card, a tile), since there also stands how far
a turn has come.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import cast

from bot.sessions.replaying import Play
from content.words import Words
from engines.kernel.event import PUBLIC
from engines.kernel.game import plain_events


def drawn_since(before: Play, after: Play) -> bool:
    """Whether chance was asked between the two."""
    return before.chance.calls != after.chance.calls


def things_of(words: Words) -> frozenset[str]:
    """The ids of all that has a name in a game's words."""
    return frozenset(
        ident for table in words.section("names") for ident in words.section(f"names.{table}")
    )


def shown_since(before: Play, after: Play, things: frozenset[str]) -> bool:
    """Whether anything may have been shown to anybody that they did not know.

    Without ``things`` everything that a view says counts.
    """
    news = after.events[len(before.events) :]
    plain = plain_events(after.game)
    if any(one.event.only is not PUBLIC or one.event.kind not in plain for one in news):
        return True
    told = {name for numbered in news for name in _values(numbered.event.data)}
    for seat in (None, *range(after.header.seats)):
        seen = set(names_in(after.view(seat)))
        if (told | (seen & things if things else seen)) - _known(before, seat):
            return True
    return False


def _known(play: Play, seat: int | None) -> set[str]:
    """All the names that a seat, or a spectator, could know."""
    known = set(names_in(play.view(seat)))
    for numbered in play.events:
        if numbered.event.is_for(seat):
            known |= set(_values(numbered.event.data))
    for decision in (*play.asked, *play.offers, *play.interrupted):
        if decision.seat == seat or not (decision.secret or decision in play.offers):
            known |= {decision.kind, *_values(decision.about)}
            for option in decision.options:
                known |= {option.key, option.word, *_values(option.about)}
    return known


def _values(facts: Mapping[str, object]) -> Iterator[str]:
    """The names in facts, without what the facts themselves are called."""
    return names_in(tuple(facts.values()))


def names_in(value: object) -> Iterator[str]:
    """Every text in a view or in facts, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, item in cast("Mapping[object, object]", value).items():
            yield from names_in(name)
            yield from names_in(item)
    elif isinstance(value, (tuple, list, set, frozenset)):
        for item in cast("tuple[object, ...]", value):
            yield from names_in(item)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from names_in(getattr(value, field.name))
