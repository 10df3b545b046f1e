"""A small house, stated positions and loaded dice, to play single scenes on."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from engines.escape_the_night.cards import (
    Artifact,
    Board,
    Challenge,
    Clue,
    Colour,
    Content,
    Effect,
    Guest,
    ManResult,
    Monster,
    Numbers,
    Relic,
    Room,
    SecretRoom,
)
from engines.escape_the_night.game import GAME
from engines.escape_the_night.state import State, Tile
from engines.escape_the_night.view import SeatView
from engines.kernel.chance import Chance
from engines.kernel.decision import Decision, Seat
from engines.kernel.event import Event
from engines.kernel.game import GameOption, Outcome, Setting
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough
from engines.kernel.table import Table

#     abcdefghi     A attic, B bathroom, C cellar, D dining room, F foyer, h hall, s front steps
PLAN = (
    "AAAhBBB..",  # 1
    "AAAhBBB..",  # 2
    "hhhhhhhDD",  # 3
    "FFFFFFhDD",  # 4
    "FFFFFFhCC",  # 5
    "..s...hCC",  # 6
)
BOARD = Board(
    plan=PLAN,
    marks={
        "A": "attic",
        "B": "bathroom",
        "C": "cellar",
        "D": "dining_room",
        "F": "foyer",
        "h": "hall",
        "s": "front_steps",
    },
    rooms={
        "attic": Room("artifact"),
        "bathroom": Room("artifact"),
        "cellar": Room("artifact"),
        "dining_room": Room("dining"),
        "foyer": Room("foyer"),
        "hall": Room("hall"),
        "front_steps": Room("hall"),
    },
    doors=(
        ("c6", "c5"),
        ("c4", "c3"),
        ("f4", "g4"),
        ("c2", "d2"),
        ("d2", "e2"),
        ("g3", "h3"),
        ("g5", "h5"),
    ),
    circles=("a1", "c1", "f1", "i6"),
    triangles={"attic": "b2", "bathroom": "f2", "cellar": "i5"},
    steps="c6",
    ritual=tuple(f"{column}{row}" for row in (4, 5) for column in "abcdef"),
)

GUESTS = ("ada", "ben", "cleo", "dora", "emil", "finn", "gwen", "hugo", "iris", "jack", "kate")

RELICS: dict[str, Relic] = {
    "plus_one": Relic(Effect("bonus", 1), anyone=True),
    "plus_two": Relic(Effect("bonus", 2), anyone=True),
    "own_plus": Relic(Effect("bonus", 2)),
    "again": Relic(Effect("reroll"), anyone=True),
    "haste": Relic(Effect("haste", 2)),
    "rebirth": Relic(Effect("rebirth"), anyone=True),
    "alibi": Relic(Effect("alibi"), anyone=True),
    "accusation": Relic(Effect("accuse", 2), anyone=True),
    "hush": Relic(Effect("silence_man"), anyone=True),
    "coffin": Relic(Effect("spare"), anyone=True),
    **{f"trinket_{n}": Relic(Effect("bonus", 1), anyone=True) for n in range(20)},
}

FIRST_SIDE = (
    ManResult((1, 2), Effect("each_discards")),
    ManResult((3,), Effect("finder_outside")),
    ManResult((4,), Effect("challenge_at_once")),
    ManResult((5,), Effect("monster_rises")),
    ManResult((6,), Effect("next_skips")),
)
SECOND_SIDE = (
    ManResult((1, 2, 3), Effect("each_discards")),
    ManResult((4, 5), Effect("finder_outside")),
    ManResult((6,), Effect("next_skips")),
)

CONTENT = Content(
    board=BOARD,
    clues={f"clue_{n}": Clue(7) for n in range(8)},
    monsters={f"monster_{n}": Monster(8) for n in range(14)},
    relics=RELICS,
    challenges={f"challenge_{n}": Challenge(Effect("dice_duel", 2, "high")) for n in range(4)},
    guests={guest: Guest(Effect("none")) for guest in GUESTS},
    artifacts={
        "amulet": Artifact("attic"),
        "bell": Artifact("bathroom"),
        "chalice": Artifact("cellar"),
    },
    mysterious={"first": FIRST_SIDE, "second": SECOND_SIDE},
    numbers=Numbers({"clue": 2, "monster": 2}, {"any": 8}, 2),
    secret_rooms={
        "map_room": SecretRoom(Effect("draw_relics", 1)),
        "oratory": SecretRoom(Effect("draw_relics", 1)),
        "vault": SecretRoom(Effect("draw_relics", 1)),
    },
)


def with_ability(guest: str, do: str, amount: int = 1, of: str = "") -> Content:
    """The small content with one guest's ability."""
    guests = {**CONTENT.guests, guest: Guest(Effect(do, amount, of))}
    return replace(CONTENT, guests=guests)


class LoadedChance(Chance):
    """Dice and picks as a scene wants them; set-up shuffles leave all as printed."""

    def __init__(
        self, dice: Mapping[str, Sequence[int]], picks: Mapping[str, Sequence[int]], rest: int
    ) -> None:
        super().__init__(b"scene")
        self.queues = {purpose: [face - 1 for face in faces] for purpose, faces in dice.items()}
        self.queues |= {purpose: list(results) for purpose, results in picks.items()}
        self.rest = rest

    def below(self, purpose: str, n: int) -> int:
        """What was loaded for the purpose, if anything is left of it."""
        if self.queues.get(purpose):
            return self.queues[purpose].pop(0)
        if purpose == "setup.starting_seat":
            return 0
        if purpose.startswith("setup."):
            return n - 1
        if self.rest:
            return min(self.rest, n) - 1
        return super().below(purpose, n)


class Scene:
    """The game with a position stated before the first question, and loaded dice."""

    key = GAME.key
    rules_version = GAME.rules_version
    seats = GAME.seats
    options: tuple[GameOption, ...] = GAME.options
    agents = GAME.agents

    def __init__(self, arrange: Callable[[State], object], chance: Chance) -> None:
        self.arrange = arrange
        self.chance = chance

    def setup(
        self, table: Table, content: Content, setting: Setting
    ) -> tuple[State, Coroutine[Any, Any, Outcome]]:
        """The game's set-up, first relics put back under the deck, then the stated position."""
        table.chance = self.chance
        g, rules = GAME.setup(table, content, setting)
        for hand in g.hands:
            g.piles["relic"][:0] = hand
            hand.clear()
        self.arrange(g)
        return g, rules

    def view(self, state: State, seat: Seat | None) -> SeatView:
        """The game's view."""
        return GAME.view(state, seat)


class Stage:
    """A scene being played. ``dice`` holds faces by purpose, ``picks`` results from 0.

    ``rest``, if given, is the face that all other dice and picks show.
    """

    def __init__(
        self,
        arrange: Callable[[State], object] = lambda g: None,
        *,
        seats: int = 2,
        content: Content = CONTENT,
        dice: Mapping[str, Sequence[int]] | None = None,
        picks: Mapping[str, Sequence[int]] | None = None,
        rest: int = 0,
        **options: str,
    ) -> None:
        chosen = {option.key: option.default for option in GAME.options} | options
        header = Header(GAME.key, GAME.rules_version, "", "00", seats, chosen)
        scene = Scene(arrange, LoadedChance(dice or {}, picks or {}, rest))
        self.play: Playthrough[Content, State, SeatView] = Playthrough(scene, content, header)

    @property
    def view(self) -> SeatView:
        """What a spectator sees."""
        return self.play.view(None)

    @property
    def outcome(self) -> Outcome:
        """How it ended; it must have."""
        assert self.play.outcome is not None
        return self.play.outcome

    def where(self, character: str) -> str | None:
        """The space on which a character stands."""
        return self.character(character).space

    def character(self, character: str) -> Any:
        """A character as all see it."""
        return next(c for c in self.view.characters if c.id == character)

    def asked(self, kind: str, seat: Seat | None = None) -> Decision:
        """The open question of that kind (of that seat)."""
        for decision in self.play.asked:
            if decision.kind == kind and seat in (None, decision.seat):
                return decision
        raise AssertionError(f"no {kind} is asked, but {self.kinds()}")

    def choices(self, kind: str, seat: Seat | None = None) -> tuple[str, ...]:
        """The keys that may answer the open question of that kind."""
        return self.asked(kind, seat).keys()

    def kinds(self) -> list[str]:
        """What is asked now."""
        return [decision.kind for decision in self.play.asked]

    def answer(self, kind: str, *keys: str, seat: Seat | None = None) -> list[Event]:
        """Answer the open question of that kind; what happened."""
        asked = self.asked(kind, seat)
        step = self.play.answer(asked.seat, asked.question, kind, keys)
        return [numbered.event for numbered in step.events]

    def roll_and(self, *moves: str) -> list[Event]:
        """Roll for movement and make these moves, one leg each."""
        events = self.answer("roll", "roll")
        for move in moves:
            events += self.answer("move", move)
        return events

    def hold_challenge(self) -> None:
        """Roll when the contestants are asked to, and let the verdict stand."""
        while self.kinds() and self.kinds()[0] in ("brace", "verdict"):
            decision = self.play.asked[0]
            self.answer(decision.kind, *decision.keys()[:1], seat=decision.seat)

    def cast(self, **ballots: str) -> None:
        """Everybody votes: ``s0="ada ben"`` for the tokens of seat 0."""
        for name, ballot in ballots.items():
            self.answer("vote", *ballot.split(), seat=int(name[1:]))

    def offered(self, seat: Seat) -> tuple[str, ...]:
        """The relics that the seat may play now."""
        return tuple(o.key for d in self.play.offers if d.seat == seat for o in d.options)

    def play_relic(self, seat: Seat, relic: str) -> list[Event]:
        """Play it."""
        step = self.play.answer(seat, 0, "play_relic", [relic])
        return [numbered.event for numbered in step.events]

    def told(self, kind: str, seat: Seat | None = None) -> list[dict[str, Any]]:
        """The facts of all events of that kind so far that the seat (or everybody) may know."""
        events = [numbered.event for numbered in self.play.events]
        return [dict(e.data) for e in events if e.kind == kind and e.is_for(seat)]

    def heard(self) -> list[str]:
        """The kinds of all public events so far."""
        return [n.event.kind for n in self.play.events if n.event.is_for(None)]


def kinds(events: Sequence[Event]) -> list[str]:
    """Their kinds."""
    return [event.kind for event in events]


# Stating a position. Each moves cards and pieces, and loses none.


def stand(g: State, **spaces: str) -> None:
    """Put characters on spaces."""
    for character, space in spaces.items():
        g.characters[character].space = space


def alive(g: State, *characters: str) -> None:
    """All others lie in the graveyard."""
    for character in g.characters.values():
        if character.id not in characters:
            character.alive, character.space = False, None
            g.graveyard.append(character.id)


def ready(g: State, *characters: str) -> None:
    """All others are exhausted."""
    for character in g.characters.values():
        character.exhausted = character.id not in characters


def tiles(g: State, **colours: Colour) -> None:
    """These tiles lie face down on the board and no others."""
    g.tiles = {space: Tile(colour) for space, colour in colours.items()}
    assert all(colour in get_args(Colour) for colour in colours.values())


def face_up(g: State, *spaces: str) -> None:
    """These tiles were turned before."""
    for space in spaces:
        g.tiles[space].face_up = True


def hold(g: State, seat: Seat, *relics: str) -> None:
    """Relics from the deck into a hand."""
    for relic in relics:
        g.piles["relic"].remove(relic)
        g.hands[seat].append(relic)


def top(g: State, deck: str, *cards: str) -> None:
    """These cards come next, in this order."""
    for card in reversed(cards):
        g.piles[deck].remove(card)
        g.piles[deck].append(card)


def pin(g: State, character: str, monster: str) -> None:
    """A monster lies on the character's card."""
    g.piles["monster"].remove(monster)
    g.characters[character].monster = monster


def discard(g: State, deck: str, *cards: str) -> None:
    """Cards from the deck onto its discard."""
    for card in cards:
        g.piles[deck].remove(card)
        g.discards[deck].append(card)


def recovered(g: State, *artifacts: str) -> None:
    """Artifacts on the mantle."""
    for artifact in artifacts:
        del g.artifacts[next(space for space, lying in g.artifacts.items() if lying == artifact)]
        g.mantle.append(artifact)
