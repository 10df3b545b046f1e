"""What counts as something seen since: so no answer is taken back, and no rewind goes unasked,
after anything hidden came to light, however it is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from bot import titles
from bot.sessions.reveals import drawn_since, shown_since, things_of
from bot.tools.playing import Player, header_for
from engines.escape_the_night.told import EVENTS as NIGHT_EVENTS
from engines.escape_the_night.told import PLAIN as NIGHT_PLAIN
from engines.fear_of_the_dark.told import EVENTS as DARK_EVENTS
from engines.fear_of_the_dark.told import PLAIN as DARK_PLAIN
from engines.kernel.chance import Chance
from engines.kernel.decision import OFFER
from engines.kernel.errors import AnswerError
from engines.kernel.event import PUBLIC
from engines.kernel.playthrough import Playthrough
from engines.kernel.table import Entry
from tests.driving import answer_again
from tests.kernel.small import Small, header
from tests.leaks import public_waiting
from tests.plain import plain

Play = Playthrough[Any, Any, Any]


@cache
def loaded(key: str) -> Any:
    """A title, read once."""
    return titles.load(key)


class PlainSmall(Small):
    """A small game that says of one kind of event that it brings nothing to light."""

    plain = ("flipped",)


def small(kind: str, **facts: object) -> Any:
    """A game that tells this after the first answer."""

    async def rules(t: Any, notes: Any) -> None:
        t.tell("dealt", only=(1,), card="ace")
        t.tell("shown", card="king")
        await t.ask(0, "pick", lambda: ("queen", "jack"))
        t.tell(kind, **facts)
        await t.ask(0, "again", lambda: ("queen",))

    return Playthrough(PlainSmall(rules), None, header())


@pytest.mark.parametrize(
    ("kind", "facts", "seen"),
    [
        ("flipped", {"card": "king"}, False),
        ("flipped", {"card": "queen"}, False),
        ("flipped", {"card": "ace"}, True),
        ("flipped", {"card": "ten"}, True),
        ("flipped", {"left": 3}, False),
        ("searched", {"found": False}, True),
        ("counted", {"number": 3}, True),
        ("searched", {"card": "king"}, True),
        ("flipped", {"only": (1,), "card": "king"}, True),
    ],
)
def test_the_rules_of_seeing(kind: str, facts: dict[str, Any], seen: bool) -> None:
    """Of a kind that the game does not call plain everything counts, also a bare number or flag; of
    one that it does, a name that was not on the table before and stood among no choices.
    """
    before, after = small(kind, **facts), small(kind, **facts)
    after.answer(0, after.asked[0].question, "pick", ("queen",))
    assert shown_since(before, after, frozenset()) is seen


def test_only_kinds_that_exist_are_plain() -> None:
    """A kind that was renamed would otherwise be believed for ever."""
    assert set(NIGHT_EVENTS) >= set(NIGHT_PLAIN)
    assert set(DARK_EVENTS) >= set(DARK_PLAIN)


def night_otherwise(g: Any, rng: Chance) -> None:
    """Another order of all draw piles, other colours of the tiles that lie face down, and two
    other seats' hands exchanged.
    """
    for name in sorted(g.piles):
        g.piles[name][:] = rng.shuffled("pile", g.piles[name])
    hidden = [tile for _, tile in sorted(g.tiles.items()) if not tile.face_up]
    for tile, colour in zip(hidden, rng.shuffled("t", [t.colour for t in hidden]), strict=True):
        tile.colour = colour


def dark_otherwise(g: Any, rng: Chance) -> None:
    """Another order of the tiles and dangers to come, and of what can still be found."""
    for pile in (g.tiles, g.dangers, *g.items, *g.secrets):
        pile[:] = rng.shuffled("pile", pile)


def again(title: Any, head: Any, entries: list[Entry]) -> Play:
    """The same answers in a game of their own; AnswerError if one cannot be given."""
    play: Play = Playthrough(title.game, title.content.rules, head, checks=False)
    for entry in entries:
        answer_again(play, entry)
    return play


def in_public(play: Play, since: int) -> tuple[object, ...]:
    """What all can see: the board, who is asked what, and the events from that number on."""
    told = [(e.event.kind, plain(e.event.data)) for e in play.events[since:] if _is_public(e)]
    return plain(play.view(None)), public_waiting(play), told


def _is_public(numbered: Any) -> bool:
    return numbered.event.only is PUBLIC


def takeable(key: str, seats: int, seed: str, **options: str) -> Iterator[tuple[Any, Play, Play]]:
    """Every moment of a whole game after which the last public answer could be taken back: the
    title, the game before it, and after.
    """
    title = loaded(key)
    chosen = {one.key: one.headless or one.default for one in title.game.options} | options
    head = header_for(title, seats, chosen, seed, 1)
    before, after = (
        Playthrough[Any, Any, Any](title.game, title.content.rules, head, checks=False)
        for _ in range(2)
    )
    player = Player(after, title.game.agents["sensible"], seed, 1)
    things = things_of(title.content.words)
    while after.outcome is None:
        secret = {(d.seat, d.question, d.kind): d.secret for d in before.asked}
        player.step()
        entry = after.entries[-1]
        is_open = not secret.get((entry.seat, entry.question, entry.kind), True)
        is_open = is_open and entry.question != OFFER and entry.value is not None
        if is_open and not drawn_since(before, after) and not shown_since(before, after, things):
            yield title, before, after
        answer_again(before, entry)


GAMES: list[tuple[str, int, dict[str, str], Callable[[Any, Chance], None], int]] = [
    ("escape_the_night", 4, {}, night_otherwise, 12),
    ("fear_of_the_dark", 3, {}, dark_otherwise, 12),
]


def moments(key: str, seats: int, options: dict[str, str], seeds: range, most: int) -> Any:
    """For each sort of answer with each sort of news ``most`` moments, of whole games."""
    seen: dict[object, int] = {}
    for seed in seeds:
        for title, before, after in takeable(key, seats, str(seed), **options):
            last = after.entries[-1]
            news = {e.event.kind for e in after.events if e.ply == after.ply}
            sort = (last.kind, frozenset(news))
            seen[sort] = seen.get(sort, 0) + 1
            if seen[sort] <= most:
                yield title, before, after


def check(title: Any, before: Play, after: Play, otherwise: Any) -> str:
    """What is different to all or to a seat, after the last answer, where all that is hidden lies
    otherwise; empty if nothing is.
    """
    *earlier, last = after.entries
    other = again(title, after.header, earlier)
    otherwise(other._state, Chance(b"otherwise"))
    count = len(before.events)
    assert in_public(before, count) == in_public(other, count)
    # A seat that has foreseen a card knows what lies otherwise now.
    alike = [n for n in range(before.header.seats) if before.view(n) == other.view(n)]
    assert alike
    try:
        answer_again(other, last)
    except AnswerError as error:
        return f"{last} could not be given there: {error}"
    same = in_public(after, count) == in_public(other, count)
    same = same and all(after.view(seat) == other.view(seat) for seat in alike)
    return "" if same else f"after {last}"


def hold(game: tuple[Any, ...], seeds: range, most: int) -> int:
    """How many moments were compared."""
    key, seats, options, otherwise, _ = game
    count = 0
    for title, before, after in moments(key, seats, options, seeds, most):
        assert check(title, before, after, otherwise) == ""
        count += 1
    return count


@pytest.mark.parametrize("game", GAMES, ids=[game[0] for game in GAMES])
def test_what_can_be_taken_back_told_nothing_hidden(game: tuple[Any, ...]) -> None:
    """Through whole games: after every answer that could be taken back, all that the channel sees
    is the same as where every card and tile that nobody has seen lies otherwise.
    """
    assert hold(game, range(1), 1) >= game[-1]


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES, ids=[game[0] for game in GAMES])
def test_what_can_be_taken_back_told_nothing_hidden_many_games(game: tuple[Any, ...]) -> None:
    """The same through many games, with more moments of each sort."""
    assert hold(game, range(1, 30), 5) >= 10 * game[-1]


def test_the_comparison_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a game called everything plain, something hidden would show in what can be taken back."""
    key, seats, options, otherwise, _ = GAMES[0]
    monkeypatch.setattr(type(loaded(key).game), "plain", tuple(NIGHT_EVENTS))
    found = moments(key, seats, options, range(9), 3)
    assert any(check(title, before, after, otherwise) for title, before, after in found)
