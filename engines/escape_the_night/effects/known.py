"""Which effects there are, and which parameters each of them takes.

The loader refuses a card that names another one, or gives a parameter that does not fit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Takes:
    """The parameters of an effect.

    ``amount`` is from ``least`` to ``most``; both 0: it takes none. ``of`` is one of these words;
    or, by ``place``, a room of the board, a space ("o12") or two spaces ("a7-e2"); else none.
    """

    least: int = 0
    most: int = 0
    of: tuple[str, ...] = ()
    place: Literal["", "room", "space", "passage"] = ""


NOTHING: Final = Takes()
ROOM: Final = Takes(place="room")
_DECKS: Final = ("clue", "monster", "relic", "challenge")
FORESEE: Final = Takes(1, 5, of=_DECKS)
TILES: Final = Takes(1, 3)
CHOSEN: Final = Takes(of=("choice", "chance"))
SALVAGE: Final = Takes(1, 8)

RESULTS: Final[Mapping[str, Takes]] = {
    "draw_relics": Takes(1, 3),
    "gift": Takes(1, 2),
    "salvage": SALVAGE,
    "rouse": NOTHING,
    "reveal_tiles": TILES,
    "foresee": FORESEE,
    "stroll": Takes(1, 4),
    "spirit_away": ROOM,
    "free_ally": NOTHING,
    "trade_places": CHOSEN,
    "discard_relics": Takes(1, 3),
    "hand_over": NOTHING,
    "each_discards": NOTHING,
    "sent_outside": NOTHING,
    "driven_to": ROOM,
    "tire_another": NOTHING,
    "tile_turns_red": NOTHING,
    "monster_rises": NOTHING,
}
"""What solved and failed clues, defeated and failed monsters and secret rooms do."""

MAN: Final[Mapping[str, Takes]] = {
    "each_discards": NOTHING,
    "finder_discards": Takes(1, 3),
    "finder_outside": NOTHING,
    "stray_outside": NOTHING,
    "challenge_at_once": NOTHING,
    "monster_rises": NOTHING,
    "next_skips": NOTHING,
}
"""What the Mysterious Man does."""

RELICS: Final[Mapping[str, Takes]] = {
    "bonus": Takes(1, 4),
    "reroll": NOTHING,
    "haste": Takes(1, 6),
    "rebirth": NOTHING,
    "accuse": Takes(1, 3),
    "alibi": NOTHING,
    "duel_bonus": Takes(1, 3),
    "spare": NOTHING,
    "reveal_tiles": TILES,
    "foresee": FORESEE,
    "trade_places": CHOSEN,
    "through_wall": NOTHING,
    "rouse": NOTHING,
    "silence_man": NOTHING,
    "reroll_man": NOTHING,
    "banish": NOTHING,
    "salvage": SALVAGE,
}
"""What relics do."""

CHALLENGES: Final[Mapping[str, Takes]] = {
    "dice_duel": Takes(1, 5, of=("high", "low")),
    "best_of": Takes(1, 7),
    "press": Takes(6, 30),
    "jaws": Takes(2, 6),
    "call": Takes(1, 9),
    "nearest": Takes(of=("either", "under")),
    "cunning": Takes(1, 5),
    "bid": NOTHING,
    "spread": Takes(3, 9),
    "matches": Takes(5, 25),
    "hide": Takes(1, 5),
    "glasses": Takes(3, 9, of=("drink", "decline", "pass")),
    "allies": Takes(1, 4),
    "jury": NOTHING,
}
"""How death challenges are held."""

NEVER_TIED: Final = ("matches", "hide", "glasses")
"""Death challenges that end with a loser whatever happens."""

ABILITIES: Final[Mapping[str, Takes]] = {
    "long_stride": Takes(1, 3),
    "light_feet": NOTHING,
    "thin_as_a_rake": NOTHING,
    "side_door": Takes(place="space"),
    "secret_passage": Takes(place="passage"),
    "keen_eye": NOTHING,
    "many_friends": Takes(1, 2),
    "well_liked": Takes(1, 3),
    "lucky_devil": Takes(1, 5),
    "locked_purse": NOTHING,
    "duellist": Takes(1, 3),
}
"""What guests can do."""
