"""What the engine tells and asks, and with which facts: what words may speak of.

Tests hold both lists against the source and against whole nights. Facts are written in short:

    name      a text, mostly an id        name*     texts         name-   not for words
    name#     a number                    name#*    numbers       name?   may be absent (None)
    name!     a flag
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

EVENTS: Final[Mapping[str, str]] = {
    "abilities_count": "",
    "accused": "seat# character votes#",
    "action_spent": "left#",
    "artifact_recovered": "character seat# artifact space room count#",
    "attempt_rolled": "character clue monster difficulty# dice#* bonus# total#",
    "backed": "character seats#* dice#* total#",
    "bid_shown": "character count#",
    "bout_ended": "bout# winners*",
    "budget_set": "actions#",
    "call_rolled": "bout# die# call",
    "called": "character call",
    "challenge_at_once": "contestants*",
    "challenge_drawn": "challenge contestants*",
    "challenge_lost": "character other_character",
    "challenge_scored": "character procedure score# bonus# low! void!",
    "challenge_tied": "contestants*",
    "chosen": "contestants*",
    "clue_drawn": "character clue difficulty#",
    "clue_failed": "character clue",
    "clue_solved": "character seat# clue",
    "dealt": "seat# characters*",
    "deck_settled": "seat# deck buried!",
    "delayed": "character",
    "dice_rolled": "purpose dice#* character",
    "died": "character seat# start?",
    "door_contested": "door character count# other_character other_count# winners*",
    "duel_rolled": "character dice#* total#",
    "excused": "seat# character",
    "exhausted": "character",
    "foresaw": "seat# deck count#",
    "foreseen_challenge": "seat# challenges*",
    "foreseen_clue": "seat# clues*",
    "foreseen_monster": "seat# monsters*",
    "foreseen_relic": "seat# relics*",
    "glass_declined": "character left#",
    "glass_drunk": "character poisoned! left#",
    "glass_passed": "character other_character",
    "glasses_served": "left# character",
    "guess_rolled": "dice#* total#",
    "guessed": "character guess# over!",
    "guests_arrived": "seat#",
    "hastened": "seat# character amount# left#",
    "hourglass_turned": "minutes#",
    "house_plays": "character",
    "jaws_closed": "die#",
    "jaws_left": "character count# bitten!",
    "man_acted": "character die# side result",
    "man_foiled": "character",
    "man_rolled": "character die# side",
    "man_unmasked": "",
    "match_passed": "character left#",
    "matches_laid_out": "left# character",
    "matches_struck": "character count# left#",
    "monster_defeated": "character seat# monster",
    "monster_rose": "monster difficulty#",
    "monster_withstood": "character monster",
    "move_cut_short": "character",
    "move_rolled": "character dice#* extra# steps#",
    "night_ended": "ending won! round#",
    "nobody_can_bid": "",
    "nothing_came_of_it": "character?",
    "outsider_drawn": "character",
    "pinned": "character monster difficulty#",
    "place_searched": "character place found!",
    "placed": "character start space room",
    "pleaded": "character plea worth#",
    "pressed": "character score#",
    "pressed_too_far": "character",
    "protected": "seat# character",
    "raised": "character seat#",
    "refreshed": "character",
    "released": "character monster",
    "relic_discarded": "seat# relic",
    "relic_drawn": "seat#",
    "relic_given": "seat# to_seat#",
    "relic_played": "seat# relic",
    "relic_salvaged": "seat# relic",
    "relic_seen": "seat# relic",
    "relic_seen_given": "seat# to_seat# relic",
    "relics_ran_out": "seat#",
    "rerolled": "seat# character dice#* bonus# total#",
    "reshuffled": "deck cards#",
    "restored": "late*",
    "roles_drawn": "character other_character",
    "roll_helped": "seat# character amount# bonus#",
    "round_began": "round# seat#",
    "secret_room_entered": "character room",
    "secret_room_found": "room",
    "sent_outside": "character start",
    "skipped": "character",
    "spared": "character",
    "stayed": "character",
    "stayed_hidden": "character place",
    "supported": "seat# character amount#",
    "thing_shown": "bout# character thing",
    "tie_die_fell": "character die# bonus#",
    "tie_rolled": "rolls-",
    "tile_changed": "space room colour",
    "tile_removed": "space room left#",
    "tile_turned": "space room colour",
    "title_awarded": "title seats#*",
    "traded_places": "character other_character",
    "turn_began": "seat# character",
    "voices_counted": "character count#",
    "vote_called": "round#",
    "votes_counted": "totals-",
    "votes_fell": "character votes#",
    "walked": "character start? space room path* steps# left#",
}
"""The facts that come with each kind of event, whenever it is told."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A kind of question: its own facts, and those of each of its options by the option's word.

    An option without a word goes by its key, and by ``any`` where keys are ids of cards.
    """

    about: str
    options: Mapping[str, str]


ASKED: Final[Mapping[str, Asked]] = {
    "accept": Asked("character clue monster difficulty#", {"accept": ""}),
    "accuse": Asked("", {"character": "character"}),
    "alibi": Asked("", {"character": "character"}),
    "attempt": Asked("character clue monster difficulty#", {"roll": ""}),
    "back": Asked("challenge contestants*", {"character": "character"}),
    "bid": Asked("challenge contestants*", {"bid": "count#"}),
    "brace": Asked("challenge contestants* procedure", {"roll": ""}),
    "call": Asked("challenge contestants*", {"odd": "", "even": ""}),
    "cunning": Asked("challenge contestants*", {"dagger": "", "lantern": "", "cloak": ""}),
    "discard": Asked("", {"relic": "relic"}),
    "exhaust": Asked("", {"character": "character"}),
    "face_the_man": Asked("character artifact side", {"face": ""}),
    "foresee": Asked(
        "deck count#",
        {
            "keep": "",
            "challenge": "challenge",
            "clue": "clue",
            "relic": "relic",
            "monster": "monster",
        },
    ),
    "free": Asked("", {"character": "character"}),
    "gift": Asked("", {"seat": "seat#"}),
    "glasses": Asked("challenge character left#", {"drink": "", "decline": "", "pass": ""}),
    "guess": Asked("challenge contestants*", {"guess": "guess#"}),
    "hide": Asked(
        "challenge character",
        {"wardrobe": "", "chest": "", "curtain": "", "chimney": "", "piano": "", "coffin": ""},
    ),
    "jaws": Asked("challenge contestants*", {"count": "count#"}),
    "judge": Asked("challenge contestants*", {"character": "character"}),
    "matches": Asked("challenge character left#", {"take": "count#", "pass": ""}),
    "move": Asked(
        "character steps#",
        {
            "secret_room": "space room steps#",
            "room": "space room steps#",
            "stay": "",
            "circle": "space room steps#",
            "space": "space room steps#",
            "tile": "space room steps#",
            "guarded": "space room steps# artifact",
            "monster": "space room steps#",
            "clue": "space room steps#",
            "artifact": "space room steps# artifact",
            "claim": "artifact space room",
            "stop": "space room",
        },
    ),
    "play_relic": Asked("", {"any": ""}),
    "plead": Asked("challenge contestants*", {"honest": "", "brazen": ""}),
    "press": Asked("challenge character score# limit#", {"roll": "", "stop": ""}),
    "raise": Asked("", {"character": "character"}),
    "reveal": Asked("", {"tile": "space room"}),
    "roll": Asked("character may_retry! abilities!", {"roll": "", "retry": ""}),
    "rouse": Asked("", {"character": "character"}),
    "salvage": Asked("", {"relic": "relic"}),
    "seek": Asked(
        "challenge character left#",
        {"wardrobe": "", "chest": "", "curtain": "", "chimney": "", "piano": "", "coffin": ""},
    ),
    "spare": Asked("", {"character": "character"}),
    "spirit_away": Asked("character room", {"space": "space room", "stay": ""}),
    "spread": Asked("challenge contestants*", {"cellar": "", "garden": "", "chapel": ""}),
    "stroll": Asked("character", {"space": "space room", "stay": ""}),
    "support": Asked("", {"character": "character"}),
    "through_wall": Asked("character", {"space": "space room steps#"}),
    "trade_places": Asked("character", {"character": "character", "stay": ""}),
    "verdict": Asked("challenge contestants* losers* settled!", {"accept": ""}),
    "vote": Asked("round#", {"character": "character seat#"}),
}
"""Each question also has ``seat``, ``least`` and ``most``, each option its ``key``."""

OUTCOME: Final = "round# artifacts# survivors* titles-"
"""The facts of the outcome."""

TITLES: Final = ("monster_slayer", "clue_master", "master_of_the_house")
"""The honours, each with the fact ``seats#*``."""

_SAMPLES: Final[Mapping[str, object]] = {
    "": "some_id",
    "#": 2,
    "!": True,
    "*": ("some_id", "other_id"),
    "#*": (1, 2),
    "-": {},
}


def samples(facts: str) -> dict[str, tuple[object, ...]]:
    """For each of the facts values of the sort that it may have."""
    found: dict[str, tuple[object, ...]] = {}
    for fact in facts.split():
        name = fact.rstrip("#*!-?")
        value = _SAMPLES[fact[len(name) :].removesuffix("?")]
        found[name] = (value, None) if fact.endswith("?") else (value,)
    return found
