"""[Game Set Up] decks, tiles, artifacts, characters, first relics, starting player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engines.escape_the_night import deeds
from engines.escape_the_night.cards import Colour
from engines.escape_the_night.state import Character, State, Tile
from engines.kernel.table import Table

DECKS: Final = ("clue", "relic", "monster", "challenge")

HIDDEN: Final = (
    *(f"{when}.{deck}" for when in ("setup", "reshuffle") for deck in DECKS),
    "hand_over",
)
"""The order of each deck, of which somebody may foresee a part, and the pick from a closed hand.

Whoever was told their key would know who held which relic.
"""


def set_up(g: State, t: Table) -> None:
    """Lay out a fresh state as the chapter says, in its order."""
    t.chance.hidden = HIDDEN
    board = g.content.board
    decks: Mapping[str, Mapping[str, object]] = {
        "clue": g.content.clues,
        "relic": g.content.relics,
        "monster": g.content.monsters,
        "challenge": g.content.challenges,
    }
    for deck, cards in decks.items():
        g.piles[deck] = t.chance.shuffled(f"setup.{deck}", tuple(cards))
        g.discards[deck] = []

    # Premium: one of the secret rooms over the dining room; RULE-E33.
    g.dining = next(room for room, printed in board.rooms.items() if printed.kind == "dining")
    if g.options.get("secret_room") == "on" and g.content.secret_rooms:
        g.dining = t.chance.pick("setup.secret_room", tuple(g.content.secret_rooms))
        t.tell("secret_room_found", room=g.dining)

    # Tiles face down on the circles, artifacts on the triangles; RULE-E15.
    colours: list[Colour] = [
        colour for colour, count in g.content.numbers.tiles.items() for _ in range(count)
    ]
    shuffled = t.chance.shuffled("setup.tiles", colours)
    g.tiles = {space: Tile(c) for space, c in zip(board.circles, shuffled, strict=True)}
    for artifact, printed in g.content.artifacts.items():
        g.artifacts[board.triangles[printed.room]] = artifact

    # Characters one by one around the table until all are dealt, to wait outside; RULE-E8, C-E19.
    g.rows = [[] for _ in range(g.seats)]
    g.hands = [[] for _ in range(g.seats)]
    for n, guest in enumerate(t.chance.shuffled("setup.characters", tuple(g.content.guests))):
        seat = n % g.seats
        g.characters[guest] = Character(guest, seat)
        g.rows[seat].append(guest)
    for seat, row in enumerate(g.rows):
        t.tell("dealt", seat=seat, characters=row)
    if g.options["abilities"] == "on":
        t.tell("abilities_count")

    # A relic for each player with fewer characters than another; RULE-E27, C-E19, C-E20.
    most = max(len(row) for row in g.rows)
    for seat, row in enumerate(g.rows):
        if len(row) < most:  # [Single Player Rules] nobody has more than a lone player
            deeds.draw_relic(g, t, seat)

    # The oldest is not known here, so the starting player is random.
    if g.seats > 1:
        g.starting_seat = t.chance.below("setup.starting_seat", g.seats)
    t.tell("guests_arrived", seat=g.starting_seat)
