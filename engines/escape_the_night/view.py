"""What a seat, or a spectator, may see: an allow-list, built field by field.

Private to a seat is only its hand. Nobody sees the order of a pile, a face-down tile's colour or
the Mysterious Man's second side before its hour.
"""

from __future__ import annotations

from dataclasses import dataclass

from engines.escape_the_night.cards import Board, Colour, Effect
from engines.escape_the_night.state import Moment, Phase, State
from engines.escape_the_night.walks import walks
from engines.kernel.decision import Seat


@dataclass(frozen=True, slots=True)
class CharacterView:
    """A guest; ``space`` None is outside the front door, or in the graveyard if not ``alive``."""

    id: str
    owner: Seat
    space: str | None
    alive: bool
    exhausted: bool
    monster: str | None
    slain: int
    solved: int


@dataclass(frozen=True, slots=True)
class TileView:
    """A tile in a room; ``colour`` is None while it is face down."""

    space: str
    colour: Colour | None


@dataclass(frozen=True, slots=True)
class ArtifactView:
    """An artifact still on its triangle."""

    space: str
    id: str


@dataclass(frozen=True, slots=True)
class AttemptView:
    """A try at a card, while it lasts; ``dice`` is empty until rolled."""

    character: str
    colour: Colour
    card: str
    difficulty: int
    bonus: int
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ManView:
    """The Mysterious Man's die, while it lies there."""

    finder: str
    artifact: str
    die: int


@dataclass(frozen=True, slots=True)
class DuelView:
    """A death challenge, while it lasts; ``scores`` go with ``contestants``."""

    card: str
    contestants: tuple[str, str]
    scores: tuple[int, int]


@dataclass(frozen=True, slots=True)
class SeatView:
    """The table as ``seat`` (None: a spectator) sees it.

    ``chapter`` grows when a fresh table message is due. ``hand_effects`` goes with ``hand``.
    ``reachable`` are the spaces that the acting character may go to now. ``walk_dice`` and
    ``steps_left`` belong to the move under way. ``actions_left`` is the budget of an untimed last
    round, ``hourglass`` the minutes of a timed one. ``late`` start the next round exhausted.
    """

    seat: Seat | None
    chapter: int
    board: Board
    dining: str
    round: int
    phase: Phase
    starting_seat: Seat
    current_seat: Seat | None
    acting: str | None
    characters: tuple[CharacterView, ...]
    rows: tuple[tuple[str, ...], ...]
    hand_counts: tuple[int, ...]
    hand: tuple[str, ...]
    hand_effects: tuple[Effect, ...]
    pile_counts: tuple[tuple[str, int], ...]
    tiles: tuple[TileView, ...]
    artifacts: tuple[ArtifactView, ...]
    mantle: tuple[str, ...]
    graveyard: tuple[str, ...]
    man_side: str
    reachable: tuple[str, ...]
    walk_dice: tuple[int, ...]
    steps_left: int
    attempt: AttemptView | None
    duel: DuelView | None
    actions_left: int | None
    moment: Moment
    man: ManView | None
    late: tuple[str, ...]
    hourglass: int | None
    abilities: bool


def view(state: State, seat: Seat | None) -> SeatView:
    """The table as ``seat`` sees it. Pure."""
    g = state
    attempt = g.attempt
    duel = g.duel
    hand = () if seat is None else tuple(g.hands[seat])
    return SeatView(
        seat=seat,
        chapter=g.round,
        board=g.content.board,
        dining=g.dining,
        round=g.round,
        phase=g.phase,
        starting_seat=g.starting_seat,
        current_seat=g.current_seat,
        acting=g.acting,
        characters=tuple(
            CharacterView(
                c.id, c.owner, c.space, c.alive, c.exhausted, c.monster, c.slain, c.solved
            )
            for c in g.characters.values()
        ),
        rows=tuple(tuple(row) for row in g.rows),
        hand_counts=tuple(len(hand) for hand in g.hands),
        hand=hand,
        hand_effects=tuple(g.content.relics[relic].effect for relic in hand),
        pile_counts=tuple((deck, len(pile)) for deck, pile in g.piles.items()),
        tiles=tuple(
            TileView(space, tile.colour if tile.face_up else None)
            for space, tile in g.tiles.items()
        ),
        artifacts=tuple(ArtifactView(space, artifact) for space, artifact in g.artifacts.items()),
        mantle=tuple(g.mantle),
        graveyard=tuple(g.graveyard),
        man_side=g.man_side,
        reachable=tuple(walks(g, g.characters[g.acting], g.walk.left))
        if g.walk and g.acting and g.moment == "walking"
        else (),
        walk_dice=g.walk.dice if g.walk else (),
        steps_left=g.walk.left if g.walk else 0,
        attempt=AttemptView(
            attempt.character,
            attempt.colour,
            attempt.card,
            attempt.difficulty,
            attempt.bonus,
            attempt.dice,
        )
        if attempt
        else None,
        duel=DuelView(
            duel.card,
            duel.contestants,
            (duel.score.get(duel.contestants[0], 0), duel.score.get(duel.contestants[1], 0)),
        )
        if duel
        else None,
        actions_left=g.actions_left,
        moment=g.moment,
        man=ManView(g.man.finder, g.man.artifact, g.man.die) if g.man else None,
        late=tuple(g.late),
        hourglass=g.hourglass,
        abilities=g.options["abilities"] == "on",
    )
