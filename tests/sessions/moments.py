"""Every moment at which a game can wait for somebody: found by playing, laid out as tables.

The kinds of questions are those that a game has words for, so a new game, or a new question of an
old one, needs no line here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any

from bot.sessions.session import Session
from bot.store.protocol import Write
from bot.store.rows import NO_SEAT, EntryRow, MessageRow, Pace, SeatRow, SessionRow
from bot.titles import Title
from engines.kernel.agents import random_value
from engines.kernel.chance import Chance
from engines.kernel.decision import ONE
from engines.kernel.game import Agent, Choice
from engines.kernel.journal import Header, dump_header, dump_record
from engines.kernel.playthrough import Playthrough
from engines.kernel.table import Entry
from tests.driving import one_step
from tests.sessions.house import ANN, BEA, CID, DOT, GUILD, NAMES, ROOM, House

RICH: Mapping[str, tuple[int, ...]] = {
    "escape_the_night": (7, 3, 5, 2, 6, 13),
    "fear_of_the_dark": (41, 46, 9, 15),
}
"""Numbers of games in which much is asked, to look there first; any others would do as well."""

_LIMIT = 3000
_LONGEST = 4000
_PEOPLE = (ANN, BEA, CID, DOT, *range(5, 9))


@dataclass(frozen=True, slots=True)
class Moment:
    """So far a game was played, and now this seat is asked (or may play) something of that kind."""

    header: Header
    entries: tuple[Entry, ...]
    kind: str
    seat: int
    offered: bool


def kinds(title: Title) -> frozenset[str]:
    """What a game can ask, or let somebody play."""
    return frozenset(title.content.words.section("decisions"))


def game_number(title: Title, number: int) -> tuple[Playthrough[Any, Any, Any], Agent[Any]]:
    """A game with two to four seats, its options and its dice by a number; who plays it."""
    game = title.game
    seats = [seat for seat in game.seats if 2 <= seat <= 4]
    options = {one.key: one.values[number // 3 % len(one.values)] for one in game.options}
    header = Header(
        game.key,
        game.rules_version,
        title.content.digest,
        f"{number:032x}",
        seats[number % len(seats)],
        options,
    )
    play = Playthrough(game, title.content.rules, header)
    sensible = game.agents["sensible"]
    agents = (game.agents["random"], sensible, curious(sensible, 1), curious(sensible, 3))
    return play, agents[number % 4]


def curious(sensible: Agent[Any], odds: int) -> Agent[Any]:
    """Once in ``odds`` times it does what has not been done yet, rather than what is sensible."""
    done = Counter[str]()

    def choose(view: Any, asked: Any, offers: Any, rng: Chance) -> Choice | None:
        if rng.below("curious", odds):
            return sensible(view, asked, offers, rng)
        decision = rng.pick("decision", [*asked, *offers])
        value = random_value(decision, rng)
        if decision.shape == ONE:
            value = (min(value + decision.keys(), key=lambda key: done[decision.kind + key]),)
        done.update(decision.kind + key for key in value)
        return Choice(decision, value)

    return choose


def seen_in(title: Title, number: int) -> Iterator[Moment]:
    """Whatever that game asks, from its beginning to its end."""
    play, agent = game_number(title, number)
    rng = Chance(b"%d" % number)
    try:
        while play.outcome is None and play.ply < _LONGEST:
            for decision in (*play.asked, *play.offers):
                if decision.current is None:
                    yield Moment(
                        play.header,
                        tuple(play.entries),
                        decision.kind,
                        decision.seat,
                        decision in play.offers,
                    )
            one_step(play, agent, rng)
    finally:
        play.close()


def every_moment(title: Title) -> list[Moment]:
    """One moment of each kind. AssertionError if a kind is never met: nobody can be asked it."""
    name = (title.key, title.content.digest)
    if name not in _found:
        _found[name] = _every_moment(title)
    return _found[name]


_found: dict[tuple[str, str], list[Moment]] = {}


def _every_moment(title: Title) -> list[Moment]:
    missing = set(kinds(title))
    found: list[Moment] = []
    for number in chain(RICH.get(title.key, ()), count(1)):
        assert number < _LIMIT, f"{title.key} never asks {sorted(missing)}"
        for moment in seen_in(title, number):
            if moment.kind in missing:
                missing.discard(moment.kind)
                found.append(moment)
        if not missing:
            return found
    raise AssertionError


async def lay(
    house: House, moments: list[Moment], *, pace: Pace = "none", names: Sequence[str] = ()
) -> list[Session]:
    """A table of people at each of these moments, in a channel of its own, after a restart."""
    called = {**NAMES, **dict(zip(_PEOPLE, names, strict=False))}
    title, at = house.title, house.time.epoch()
    content = title.content
    await house.store.put_content(content.digest, title.key, content.dump.encode())
    numbers: list[int] = []
    for place, moment in enumerate(moments):
        people = _PEOPLE[: moment.header.seats]
        row = SessionRow(
            code=f"T{place:05d}",
            game=title.key,
            guild_id=GUILD,
            channel_id=ROOM + place,
            status="running",
            host_id=people[0],
            options=moment.header.options,
            secret=bytes(32),
            header=dump_header(moment.header),
            content_digest=content.digest,
            pace=pace,
            created_at=at,
            started_at=at,
            touched_at=at,
        )
        seats = tuple(
            SeatRow(0, n, user, called.get(user, f"U{user}"), "person")
            for n, user in enumerate(people)
        )
        page = MessageRow(0, "table", NO_SEAT, 1, None, None, "post", -1, at)
        number = await house.store.open_session(row, seats, (page,))
        entries = tuple(
            EntryRow(number, ply, dump_record(entry)) for ply, entry in enumerate(moment.entries)
        )
        if entries:
            await house.store.commit(Write(session=number, expected_ply=0, entries=entries, at=at))
        numbers.append(number)
    await house.restart()
    return [house.registry.session(number) for number in numbers]
