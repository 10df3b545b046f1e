"""`python -m bot.tools.balance GAME`: play many games, and write a report on how they went.

The report is Markdown on stdout. The same arguments on the same code and content give the same
report, letter by letter.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from bot.counted import counted
from bot.titles import Title
from bot.tools import titles
from bot.tools.errors import UsageError
from bot.tools.playing import Play, Player, header_for
from engines.kernel.playthrough import Playthrough

SECONDS: Final = (8, 12)
"""How long people at a live table take for one turn, the quick and the slow."""

FEWEST: Final = 10
"""Games in which a card must have come up, and in which it must not, to be judged by them."""


NO_CLOCK: Final = ("", "")
"""The clock of a game without rounds."""


@dataclass(frozen=True, slots=True)
class LastHour:
    """A last hour against real time, whose length in minutes is a lobby option.

    With the value ``long`` all of ``minutes`` can be read off it; ``begins`` and ``turn`` are the
    events that tell of its beginning and of each turn in it.
    """

    option: str
    long: str
    minutes: tuple[int, ...]
    begins: str
    turn: str


@dataclass(frozen=True, slots=True)
class Subject:
    """What is worth counting in a game, by its events and the facts of its outcome.

    ``seats`` are those that are looked at closely, with each of the ``variants`` of the lobby.
    ``levels`` is the lobby option that the wins are told by, instead of the seats, where those make
    no difference. ``clock`` is the event, with its fact, that numbers the rounds. ``hourly`` has
    headings by event, ``facts`` by number of the outcome, ``cards`` by event and the fact that
    names a card; the fact is the words' table too. ``only`` has the flag without which an event
    does not count.
    """

    seats: tuple[int, ...] = ()
    levels: str = ""
    variants: tuple[Mapping[str, str], ...] = ()
    clock: tuple[str, str] = NO_CLOCK
    hourly: Mapping[str, str] = field(default_factory=dict[str, str])
    facts: Mapping[str, str] = field(default_factory=dict[str, str])
    cards: Mapping[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    only: Mapping[str, str] = field(default_factory=dict[str, str])
    last: LastHour | None = None


SUBJECTS: Final[Mapping[str, Subject]] = {
    "escape_the_night": Subject(
        seats=(2, 4, 6, 11),
        variants=({"abilities": "off"},),
        clock=("round_began", "round"),
        hourly={"artifact_recovered": "artifacts", "tile_removed": "tiles", "died": "deaths"},
        cards={
            ("relic_played", "relic"): "Relics, by being played",
            ("challenge_drawn", "challenge"): "Death challenges, by being drawn",
        },
        last=LastHour("hourglass", "60", (3, 5, 10), "man_unmasked", "turn_began"),
    ),
    "fear_of_the_dark": Subject(
        seats=(1,),
        levels="difficulty",
        hourly={
            "tile_revealed": "tiles revealed",
            "danger_drawn": "dangers struck",
            "item_found": "items found",
            "secret_found": "secrets found",
        },
        facts={"cards": "cards left", "matches": "matches left"},
        cards={
            ("danger_drawn", "danger"): "Dangers, by striking",
            ("item_found", "item"): "Items, by being found",
            ("secret_found", "secret"): "Secrets, by being found",
        },
        only={"danger_drawn": "triggered"},
    ),
}
"""A game that is not among them gets a report without the tables on its events."""


@dataclass(frozen=True, slots=True)
class Played:
    """What is kept of one game.

    ``hourly`` counts events by kind and round, ``cards`` are those that came up, by event, and
    ``last`` is how many turns of the last hour were taken or begun.
    """

    won: bool
    ending: str
    decisions: int
    hourly: Mapping[tuple[str, int], int]
    cards: frozenset[tuple[str, str]]
    last: int
    facts: Mapping[str, int] = field(default_factory=dict[str, int])

    def count(self, kind: str) -> int:
        """How often that happened in all."""
        return sum(count for (event, _), count in self.hourly.items() if event == kind)


def play(
    title: Title, seats: int, games: int, seed: str, agent: str, **options: str
) -> list[Played]:
    """The games that `simulate` plays for these arguments. Whatever breaks a game is raised."""
    chosen = titles.checked_options(title, options)
    played: list[Played] = []
    for number in range(1, games + 1):
        header = header_for(title, seats, chosen, seed, number)
        game: Play = Playthrough(title.game, title.content.rules, header, checks=False)
        player = Player(game, title.game.agents[agent], seed, number)
        while game.outcome is None:
            player.step()
        played.append(_kept(SUBJECTS.get(title.key, Subject()), game))
    return played


def _kept(subject: Subject, game: Play) -> Played:
    assert game.outcome is not None
    clock, number = subject.clock
    hour, last = 0, -1
    hourly: Counter[tuple[str, int]] = Counter()
    cards: set[tuple[str, str]] = set()
    for numbered in game.events:
        kind, data = numbered.event.kind, numbered.event.data
        if kind in subject.only and not data[subject.only[kind]]:
            continue
        if kind == clock:
            hour = int(str(data[number]))
        if kind in subject.hourly:
            hourly[kind, hour] += 1
        if subject.last and kind == subject.last.begins:
            last = 0
        if subject.last and kind == subject.last.turn and last >= 0:
            last += 1
        cards |= {(kind, str(data[fact])) for event, fact in subject.cards if event == kind}
    outcome = game.outcome
    return Played(
        outcome.won,
        outcome.ending,
        game.ply,
        hourly,
        frozenset(cards),
        max(last, 0),
        {fact: int(str(outcome.facts[fact])) for fact in subject.facts},
    )


def wins(played: Sequence[Played]) -> int:
    """How many of the games were won."""
    return sum(game.won for game in played)


def interval(won: int, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval for the chance of winning."""
    z, share = 1.96, won / games
    middle = share + z * z / (2 * games)
    reach = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)


# Writing

Rows = Iterator[Sequence[object]]


def report(title: Title, games: int, seed: str) -> str:
    """The whole report; it takes a quarter of a second a game, and some thousand games."""
    subject = SUBJECTS.get(title.key, Subject())
    close = subject.seats or tuple(title.game.seats)
    lines = _lines(title, subject, games, seed)
    every = [game for played in lines.values() for game in played]
    options = ", ".join(f"{k} {v}" for k, v in titles.checked_options(title, {}).items())
    parts = [
        f"# {title.content.words.say('game.name')}: how it plays",
        "Made, and to be made again after a change of cards, numbers or computer players, by",
        f"```\npython -m bot.tools.balance {title.key} --games {games} --seed {seed}\n```",
        _ON_ALL.format(line=subject.levels or "number of seats", games=games, options=options,
                       digest=title.content.digest[:16]),
        f"## Wins by {subject.levels or 'seats'}",
        table(seats_heading(subject), seats_rows(subject, lines)),
        "## Other tables",
        table(("players", "lobby", "seats", "won", "range", "most decisions"),
              _other_rows(title, subject, close, games, seed)),
    ]  # fmt: skip
    if subject.clock != NO_CLOCK:
        parts += ["## Hour by hour", "On average, at the end of the hour, over all seats.",
                  table(*_hours(subject, every))]  # fmt: skip
    if subject.last:
        parts += list(_last_hour(title, subject.last, close, games, seed))
    for (event, kind), heading in subject.cards.items():
        parts += [f"## {heading}", _ON_CARDS,
                  table(("card", "games", "won with", "won without", "difference"),
                        card_rows(title, every, event, kind))]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _lines(title: Title, subject: Subject, games: int, seed: str) -> Mapping[Any, Sequence[Played]]:
    """The games by number of seats, or by the value of the option that matters instead."""
    if not subject.levels:
        return {n: play(title, n, games, seed, "sensible") for n in title.game.seats}
    (option,) = (option for option in title.game.options if option.key == subject.levels)
    seats = subject.seats[0]
    return {
        value: play(title, seats, games, seed, "sensible", **{option.key: value})
        for value in option.values
    }


_ON_ALL: Final = (
    "Content {digest}. Each line on a {line} tells of {games} games by computer players"
    " (sensible ones, with {options}, unless it says otherwise). The range beside a share is its"
    " 95 % interval."
)

_ON_CARDS: Final = (
    "Games in which it came up, the share of wins with and without, and the difference in points,"
    " in bold where it is more than twice its error. A card that comes up late comes up in long"
    " games: the difference is not all the card's own doing."
)


def table(heading: Sequence[object], rows: Iterator[Sequence[object]]) -> str:
    """A Markdown table, its first column to the left."""
    lines = [heading, ["---", *["---:"] * (len(heading) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def seats_heading(subject: Subject) -> list[str]:
    """What `seats_rows` has in its columns."""
    counts = [f"{heading} a game" for heading in subject.hourly.values()]
    left = subject.facts.values()
    first = subject.levels or "seats"
    return [first, "won", "range", "endings", *counts, *left, "decisions", "most decisions"]


def seats_rows(subject: Subject, lines: Mapping[Any, Sequence[Played]]) -> Rows:
    """A row for each number of seats, or level."""
    for line, played in lines.items():
        ended = Counter(game.ending for game in played)
        decisions = [game.decisions for game in played]
        yield [
            line,
            *_won(played),
            ", ".join(f"{ending} {count}" for ending, count in sorted(ended.items())),
            *(f"{_mean([game.count(kind) for game in played]):.1f}" for kind in subject.hourly),
            *(f"{_mean([game.facts[fact] for game in played]):.1f}" for fact in subject.facts),
            f"{_mean(decisions):.0f}",
            max(decisions),
        ]


def _other_rows(
    title: Title, subject: Subject, close: Sequence[int], games: int, seed: str
) -> Rows:
    tables: list[tuple[str, Mapping[str, str]]] = [("random", {})]
    tables += [("sensible", variant) for variant in subject.variants]
    for agent, variant in tables:
        lobby = ", ".join(f"{key} {value}" for key, value in variant.items()) or "as above"
        for seats in close:
            played = play(title, seats, games, seed, agent, **variant)
            yield [agent, lobby, seats, *_won(played), max(game.decisions for game in played)]


def _hours(subject: Subject, played: Sequence[Played]) -> tuple[list[str], Rows]:
    last = max(hour for game in played for _, hour in game.hourly)

    def rows() -> Rows:
        for hour in range(1, last + 1):
            yield [
                hour,
                *(
                    f"{_mean([_until(game, kind, hour) for game in played]):.1f}"
                    for kind in subject.hourly
                ),
            ]

    return ["hour", *subject.hourly.values()], rows()


def _until(game: Played, kind: str, hour: int) -> int:
    return sum(n for (event, when), n in game.hourly.items() if event == kind and when <= hour)


def _last_hour(
    title: Title, last: LastHour, close: Sequence[int], games: int, seed: str
) -> Iterator[str]:
    given = {last.option: last.long}
    by_seats = [play(title, seats, games, seed, "sensible", **given) for seats in close]
    played = [game for some in by_seats for game in some]
    default = next(o.default for o in title.game.options if o.key == last.option)
    quick, slow = SECONDS

    def share(turns: int, some: Sequence[Played]) -> str:
        return _percent(sum(game.won and game.last <= turns for game in some) / len(some))

    def rows() -> Rows:
        for minutes in last.minutes:
            for seconds in (slow, quick):
                turns = 60 * minutes // seconds
                shares = [share(turns, some) for some in by_seats]
                yield [f"{minutes} minutes", seconds, turns, *shares, share(turns, played)]

    def shares_in(minutes: int) -> str:
        least, most = (share(60 * minutes // seconds, played) for seconds in (slow, quick))
        return f"{least} to {most}"

    yield "## The last hour against the sand"
    yield (
        f"People at a live table take some {quick} to {slow} seconds for a turn of one character,"
        f" so the length of the sand says how many turns they get. Of these games they would have"
        f" won {shares_in(int(default))} in {default} minutes, the default, and"
        f" {shares_in(max(last.minutes))} in {max(last.minutes)} minutes, which is why the default"
        " is not longer: a live table is to be no walk-over."
    )
    heads = [counted(seats, "seat") for seats in close]
    yield table(("sand", "seconds a turn", "turns", *heads, "all"), rows())


def card_rows(title: Title, played: Sequence[Played], event: str, kind: str) -> Rows:
    """A row for each card, the one with which most games are won first."""
    found: list[tuple[float, Sequence[object]]] = []
    for card in sorted({card for game in played for what, card in game.cards if what == event}):
        present = [game for game in played if (event, card) in game.cards]
        absent = [game for game in played if (event, card) not in game.cards]
        if min(len(present), len(absent)) < FEWEST:
            continue
        one, other = (wins(some) / len(some) for some in (present, absent))
        error = math.hypot(*(
            math.sqrt(p * (1 - p) / len(some)) for p, some in ((one, present), (other, absent))
        ))  # fmt: skip
        told = f"{100 * (one - other):+.0f}"
        bold = f"**{told}**" if abs(one - other) > 2 * error else told
        name = title.content.words.name(kind, card)
        row = (name, len(present), _percent(one), _percent(other), bold)
        found.append((other - one, row))
    yield from (row for _, row in sorted(found, key=lambda pair: pair[0]))


def _won(played: Sequence[Played]) -> tuple[str, str]:
    least, most = interval(wins(played), len(played))
    return _percent(wins(played) / len(played)), f"{_percent(least)} to {_percent(most)}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _mean(numbers: Sequence[int]) -> float:
    return sum(numbers) / len(numbers)


def main(argv: Sequence[str] | None = None, *, write: Callable[[str], object] = print) -> int:
    """The command line; its exit status."""
    parser = argparse.ArgumentParser(prog="python -m bot.tools.balance", description=__doc__)
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--games", type=int, default=200, metavar="K", help="for each line")
    parser.add_argument("--seed", default="1", metavar="S", help="any text")
    args = parser.parse_args(argv)
    try:
        write(report(titles.find(args.game), args.games, args.seed).rstrip("\n"))
    except UsageError as error:
        print(f"balance: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
