"""Whether guests, tiles, room and first player are those that were dealt and drawn.

Like ``retold``, which offers it, this reads public events only and does not ask the rules. The
order of the decks stays closed, so cards are not looked at here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engines.escape_the_night.cards import Content
from engines.kernel.event import Event
from engines.kernel.game import Setting
from engines.kernel.redrawn import Redrawn


def check_shuffles(
    content: Content, setting: Setting, events: Iterable[Event], chance: Redrawn
) -> int:
    """How many events told what was drawn for them. ValueError at the first that told another."""
    colours = [colour for colour, count in content.numbers.tiles.items() for _ in range(count)]
    tiles = dict(zip(content.board.circles, chance.shuffled("setup.tiles", colours), strict=True))
    guests = chance.shuffled("setup.characters", tuple(content.guests))
    count = 0
    for event in events:
        told: Mapping[str, Any] = event.data
        found: object
        due: object
        match event.kind:
            case "dealt":
                due = guests[told["seat"] :: setting.seats]
                found = list(told["characters"])
            case "secret_room_found":
                found = told["room"]
                due = chance.pick("setup.secret_room", tuple(content.secret_rooms))
            case "guests_arrived":
                found = told["seat"]
                due = chance.below("setup.starting_seat", setting.seats) if setting.seats > 1 else 0
            case "tile_turned":
                found, due = told["colour"], tiles[told["space"]]
            case "tile_changed":
                tiles[told["space"]] = told["colour"]
                continue
            case _:
                continue
        if found != due:
            raise ValueError(f"{event.kind} tells {found}, drawn was {due}")
        count += 1
    return count
