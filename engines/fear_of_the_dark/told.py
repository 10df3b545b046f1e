"""What the engine tells and asks, and with which facts: what words may speak of.

Tests hold both lists against the source and against whole games. Facts are written in short, as
``engines.kernel.facts`` says.

Of fields and doors: ``field`` is like ``B5``; ``room`` is a letter; ``side`` is an id of names.side
(n, e, s, w). ``tile``, ``action``, ``danger``, ``item``, ``secret``, ``token``,
``difficulty`` and ``reason`` are ids of the tables of those names; ``tale`` is the id of one of the
texts that chance chose, of the table that its event has: tile_tale, danger_tale, secret_tale,
item_tale, ending_tale. A ``tale`` of a tile goes by the tile (``well_2``), of a card by its kind.

Of a lie: ``doors`` are its sides with a door; ``open`` those that lead on into the unknown,
``shut`` those that meet a wall; ``holes`` and ``barred`` those with a hole, or with a token
printed, before the door; ``item_fields`` and ``secret_fields`` where there is something to find;
``entry`` is the mark (see maze.MARKS) of the field where one comes in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engines.kernel.facts import Asked

EVENTS: Final[Mapping[str, str]] = {
    "awoke": "difficulty matches# deadly! tiles# tale",
    "blocked": "room tile side",
    "card_given_up": "action purpose left# light!",
    "card_lost": "action left#",
    "card_played": "action",
    "card_walked": "action steps#",
    "cleared": "field",
    "danger_drawn": "danger tale triggered! how",
    "danger_without_effect": "danger reason",
    "dangers_ran_out": "",
    "darkness_fell": "reason cards#",
    "echo_faded": "room tile",
    "ended": "ending won! tale",
    "hand_built": "actions* count# light!",
    "information_found": "location# items*",
    "item_found": "item field location# left# tale",
    "item_used": "item",
    "knocked_out": "left#",
    "lead_passed": "seat#",
    "leak_sprung": "room tile",
    "lever_pulled": "field?",
    "match_gained": "matches#",
    "match_struck": "left#",
    "maze_closed": "",
    "returned": "field",
    "secret_found": "secret field location# left# tale",
    "secret_door_opened": "room side",
    "secret_without_effect": "secret reason",
    "terror_kept": "count#",
    "tile_placed": "room tile turn# doors* echo! from_room side",
    "tile_revealed": "room tile tale how danger! echo! left#",
    "token_placed": "token field",
    "unlocked": "field",
    "walked": "field path* steps# left# room tile entered!",
    "went_out": "room side",
}
"""The facts that come with each kind of event, whenever it is told."""


PLAIN: Final = (
    "card_given_up", "card_lost", "card_played", "card_walked", "cleared", "darkness_fell",
    "hand_built", "item_used", "lead_passed", "match_gained", "match_struck", "tile_placed",
    "token_placed", "unlocked", "walked",
)  # fmt: skip
"""The events that bring nothing to light, see kernel.game.plain_events."""


_WALKING: Final = "action steps# light! tiles#"
_DOOR: Final = "room side steps# leaks!"
_FIELD: Final = "field room tile steps# leaks! drips!"
_STRIKE: Final = "left# found#"
_TARGET: Final = "field? room? side?"

_PAYING: Final = {
    f"{way}_{action}": "left#"
    for way in ("play", "give")
    for action in ("move", "tiptoe", "scout", "explore", "clear", "light")
}

ASKED: Final[Mapping[str, Asked]] = {
    # What now? ``left`` is how many mind cards (of ``strike``: matches) would remain, ``found`` how
    # many match items are kept.
    "act": Asked(
        "light! matches# cards# hand# leaking!",
        {
            **_PAYING,
            "two_steps": "",
            "strike": _STRIKE,
            "use_match": "",
            "use_scrap": "",
            "use_key": "",
        },
    ),
    # Where to walk with a Move, a plain card or a Tiptoe; before paying, so ``back`` is free.
    # ``tiles``: how many are left. ``leaks``: a leaking room is on the way; ``drips``: at its end.
    "walk": Asked(
        _WALKING,
        {
            "exit": _DOOR,
            "reveal": _DOOR,
            "near": f"{_FIELD} near*",
            "field": _FIELD,
            "back": "",
        },
    ),
    # The move goes on: after a room without danger, or beside a lock with a key.
    "go_on": Asked(
        _WALKING,
        {
            "exit": _DOOR,
            "reveal": _DOOR,
            "near": f"{_FIELD} near*",
            "field": _FIELD,
            "stop": "field",
            "strike": _STRIKE,
            "use_match": "",
            "use_scrap": "",
            "use_key": "",
        },
    ),
    "explore": Asked("", {"item": "field location#", "secret": "field location#", "back": ""}),
    "clear": Asked("", {"field": "field", "back": ""}),
    "unlock": Asked("", {"field": "field", "back": ""}),
    # What is paid for is named: ``field``, or ``room`` and ``side`` of a door; nothing for a light.
    "plain_card": Asked(f"steps# {_TARGET}", {"card": "action", "back": ""}),
    "give_up": Asked(f"purpose light! cards# left# {_TARGET}", {"card": "action", "back": ""}),
    "confirm_match": Asked("last! lit! left# hand# found#", {"yes": "", "back": ""}),
    "build": Asked("size# cards#", {"card": "action"}),
    "rotate": Asked(
        "room tile how from_room side",
        {
            "lie": "number# doors* entry open* shut* holes* barred* item_fields* secret_fields*",
        },
    ),
    "lose_card": Asked("count#", {"hand": "action", "deck": "action"}),
    "lever": Asked("", {"field": "field room tile"}),
    "secret_door": Asked("", {"wall": "room tile side new!"}),
    "map": Asked("", {"door": "room tile side"}),
}
"""Each question also has ``seat``, ``least`` and ``most``, each option its ``key``."""

REASONS: Final = (
    "leak", "propuh", "used_up",
    "no_tokens", "no_tiles", "no_door", "no_wall", "no_items", "no_light", "standing_there",
)  # fmt: skip
"""Why darkness fell (the first three), or why a card came to nothing."""

NEAR: Final = ("item", "secret", "obstruction", "lock", "door", "exit")
"""What a field may be beside, or before."""

HOW: Final = ("walk", "scout", "map", "echo")
ENDINGS: Final = ("escaped", "mind_lost", "terror", "dark_echo", "maze_closed", "trapped")
"""The ways in which a game can end; the first is the win."""

OUTCOME: Final = "rooms# cards# matches# terrors# difficulty tale"
"""The facts of the outcome."""
