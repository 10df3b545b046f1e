"""Stated positions in the maze, to play single scenes on."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import replace
from textwrap import dedent
from typing import Any

from engines.fear_of_the_dark.cards import Content, Item, Secret, Tile
from engines.fear_of_the_dark.game import GAME
from engines.fear_of_the_dark.maze import ITEMS, PRINTED, SECRETS, Maze, Room, lies
from engines.fear_of_the_dark.state import State
from engines.fear_of_the_dark.view import SeatView
from engines.kernel.decision import Decision, Option, Seat
from engines.kernel.event import Event
from engines.kernel.game import GameOption, Outcome, Setting
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough
from engines.kernel.table import Table
from tests.games.fear_of_the_dark.box import CONTENT
from tests.games.fear_of_the_dark.listed import check_decision, check_event

ALONE = """
+-D-+
|...|
D.@.D
|...|
+-D-+
"""
"""One bare room with four doors, and the Lost in the middle."""

PAIR = """
+---+ +---+
|...| |...|
|..@D D...|
|...| |...|
+---+ +---+
"""
"""Two bare rooms with an open door between them, and no other."""

BOTH = """
+-D-+
|.A.|
D.@1D
|...|
+-D-+
"""
"""A secret location above the Lost and an item location to the right."""


class Scene:
    """The game with a position stated before the first question."""

    key = GAME.key
    rules_version = GAME.rules_version
    seats = GAME.seats
    options: tuple[GameOption, ...] = GAME.options
    agents = GAME.agents

    def __init__(self, arrange: Callable[[State], object]) -> None:
        self.arrange = arrange

    def setup(
        self, table: Table, content: Content, setting: Setting
    ) -> tuple[State, Coroutine[Any, Any, Outcome]]:
        """The game's set-up, then the stated position."""
        g, rules = GAME.setup(table, content, setting)
        self.arrange(g)
        return g, rules

    def view(self, state: State, seat: Seat | None) -> SeatView:
        """The game's view."""
        return GAME.view(state, seat)


class Stage:
    """A scene being played, by as many seats as it says and with the lobby's options."""

    def __init__(
        self,
        *arrange: Callable[[State], object],
        seats: int = 1,
        content: Content = CONTENT,
        key: str = "00",
        **options: str,
    ) -> None:
        def position(g: State) -> None:
            for step in arrange:
                step(g)

        chosen = {option.key: option.default for option in GAME.options} | options
        header = Header(GAME.key, GAME.rules_version, "", key, seats, chosen)
        self.play: Playthrough[Content, State, SeatView] = Playthrough(
            Scene(position), content, header
        )
        self.check([numbered.event for numbered in self.play.events])

    @property
    def view(self) -> SeatView:
        """What a spectator sees."""
        return self.play.view(None)

    @property
    def state(self) -> State:
        """What nobody sees; for counting cards."""
        return self.play._state

    @property
    def outcome(self) -> Outcome:
        """How it ended; it must have."""
        assert self.play.outcome is not None
        return self.play.outcome

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.play.outcome is not None

    @property
    def hand(self) -> list[str]:
        """The actions in hand."""
        return [card.action for card in self.view.hand]

    @property
    def kept(self) -> list[str]:
        """The kinds of items kept."""
        return [item.kind for item in self.view.kept]

    @property
    def kind(self) -> str:
        """What is asked now; nothing after the end."""
        return self.play.asked[0].kind if self.play.asked else ""

    def asked(self, kind: str, seat: Seat | None = None) -> Decision:
        """The open question of that kind (of that seat)."""
        for decision in self.play.asked:
            if decision.kind == kind and seat in (None, decision.seat):
                return decision
        raise AssertionError(f"no {kind} is asked, but {self.kind or 'nothing'}")

    def choices(self, kind: str) -> tuple[str, ...]:
        """The keys that may answer the open question of that kind."""
        return self.asked(kind).keys()

    def option(self, kind: str, key: str) -> Option:
        """One of them, with its facts."""
        return self.asked(kind).option(key)

    def say(self, *answers: str, seat: Seat | None = None) -> list[Event]:
        """Answer one question after another, each as ``kind key key``; what happened."""
        events: list[Event] = []
        for answer in answers:
            kind, *keys = answer.split()
            asked = self.asked(kind, seat)
            step = self.play.answer(asked.seat, asked.question, kind, keys)
            self.check([numbered.event for numbered in step.events])
            events += [numbered.event for numbered in step.events]
        return events

    def check(self, events: Sequence[Event]) -> None:
        """Whatever is told and asked on a stage has the facts that are listed for it."""
        for event in events:
            check_event(event)
        for decision in self.play.asked[:1]:
            check_decision(decision)

    def told(self, kind: str) -> list[dict[str, Any]]:
        """The facts of all events of that kind since the set-up."""
        return [dict(n.event.data) for n in self.play.events if n.ply and n.event.kind == kind]

    def heard(self) -> list[str]:
        """The kinds of all events since the set-up."""
        return [n.event.kind for n in self.play.events if n.ply]


def kinds(events: Sequence[Event]) -> list[str]:
    """Their kinds."""
    return [event.kind for event in events]


def facts(events: Sequence[Event], kind: str) -> dict[str, Any]:
    """The facts of the only event of that kind."""
    (found,) = [dict(event.data) for event in events if event.kind == kind]
    return found


# Stating a position


def maze(drawing: str, letters: str = "ABCDEFGH") -> Callable[[State], None]:
    """The maze as drawn, and in it the Lost.

    Rooms stand side by side with a blank between them, each a drawing like that of a tile, and are
    lettered in reading order. ``#`` and ``X`` are tokens that lie there. The Lost is ``@``.
    """

    def arrange(g: State) -> None:
        g.maze = Maze()
        for letter, (x, y, rows) in zip(letters, _rooms(drawing), strict=False):
            lie = lies(Tile(rows))[0]
            fields = lie.fields
            if "@" in fields:
                g.lost = f"{letter}{fields.index('@') + 1}"
                fields = fields.replace("@", ".")
            name = "start" if letter == "A" else f"laid_{letter.lower()}"
            g.maze = g.maze.with_room(Room(letter, name, x, y, fields, lie.doors))
            for number, mark in enumerate(fields, 1):
                if mark in PRINTED:
                    g.maze = g.maze.with_token(f"{letter}{number}", PRINTED[mark])
        g.revealed = len(g.maze.rooms) - 1

    return arrange


def _rooms(drawing: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    lines = [line for line in dedent(drawing).splitlines() if line.strip()]
    for y in range(len(lines) // 5):
        for x in range((max(map(len, lines)) + 1) // 6):
            rows = tuple(line[6 * x : 6 * x + 5].ljust(5) for line in lines[5 * y : 5 * y + 5])
            if "".join(rows).strip():
                yield x, y, rows


def lost(place: str) -> Callable[[State], None]:
    """Where the Lost stands."""
    return lambda g: setattr(g, "lost", place)


def token(**places: str) -> Callable[[State], None]:
    """More tokens, by field: ``a2="lock"``."""

    def arrange(g: State) -> None:
        for place, kind in places.items():
            assert kind in PRINTED.values()
            g.maze = g.maze.with_token(place.upper(), kind)  # pyright: ignore[reportArgumentType]

    return arrange


def leak(letter: str) -> Callable[[State], None]:
    """A room under water; its card is spent."""

    def arrange(g: State) -> None:
        g.maze = g.maze.with_room(replace(g.maze.rooms[letter], leakage=True))
        if "leakage_1" in g.dangers:
            g.dangers.remove("leakage_1")
            g.spent_dangers.append("leakage_1")

    return arrange


def hand(*actions: str) -> Callable[[State], None]:
    """Mind cards from the deck into the hand."""

    def arrange(g: State) -> None:
        for action in actions:
            card = next(card for card in g.deck if g.action_of(card) == action)
            g.deck.remove(card)
            g.hand.append(card)

    return arrange


def minds(*actions: str) -> Callable[[State], None]:
    """Only these are left in the deck, those in hand apart; the others are gone."""

    def arrange(g: State) -> None:
        left = list(actions)
        for card in list(g.deck):
            if g.action_of(card) in left:
                left.remove(g.action_of(card))
            else:
                g.deck.remove(card)
                g.gone.append(card)
        assert not left, f"no {left} in the deck"

    return arrange


def matches(count: int) -> Callable[[State], None]:
    """So many matches are left."""
    return lambda g: setattr(g, "matches", count)


def tiles(*names: str) -> Callable[[State], None]:
    """These tiles make the maze deck, the next one first; three others are aside."""

    def arrange(g: State) -> None:
        g.tiles = list(reversed(names))
        g.aside = [name for name in g.content.tiles if name not in names][: g.content.numbers.aside]

    return arrange


def dangers(*kinds: str) -> Callable[[State], None]:
    """These danger cards come next, in this order, and then no more."""

    def arrange(g: State) -> None:
        cards = list(g.content.dangers)
        g.dangers = []
        for kind in kinds:
            card = next(c for c in cards if g.content.dangers[c].kind == kind)
            cards.remove(card)
            g.dangers.insert(0, card)

    return arrange


def location(place: str, *kinds: str) -> Callable[[State], None]:
    """What lies at a location (``1`` or ``A``), the next card first."""

    def arrange(g: State) -> None:
        cards: Mapping[str, Item | Secret] = g.content.items
        piles, index = g.items, ITEMS.find(place)
        if place in SECRETS:
            cards, piles, index = g.content.secrets, g.secrets, SECRETS.index(place)
        free = list(cards)
        piles[index] = []
        for kind in kinds:
            card = next(c for c in free if cards[c].kind == kind)
            free.remove(card)
            piles[index].insert(0, card)
        for other, pile in enumerate(piles):
            if other != index:
                pile[:] = [card for card in pile if card not in piles[index]]

    return arrange


def keep(*kinds: str) -> Callable[[State], None]:
    """Items that were found before."""

    def arrange(g: State) -> None:
        for kind in kinds:
            free = (c for c in g.content.items if c not in g.kept)
            card = next(c for c in free if g.content.items[c].kind == kind)
            g.kept.append(card)
            for pile in g.items:
                if card in pile:
                    pile.remove(card)

    return arrange
