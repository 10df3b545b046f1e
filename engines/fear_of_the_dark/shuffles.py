"""Whether tiles, dangers, finds and tales came up as they were shuffled and drawn.

Like ``retold``, which offers it, this reads public events only and does not ask the rules. All
draws of this game are open when it is over, so each card that was told of can be found in its deck.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from engines.fear_of_the_dark.cards import Content
from engines.fear_of_the_dark.rules.set_up import START
from engines.kernel.event import Event
from engines.kernel.game import Setting
from engines.kernel.redrawn import Redrawn

Told = Mapping[str, Any]

_OF: Final[Mapping[str, str]] = {
    "tile_revealed": "tile",
    "danger_drawn": "danger",
    "item_found": "item",
    "secret_found": "secret",
    "ended": "ending",
}
"""What the tale of an event is about, by the event's fact; of the first it is the first room."""


def check_shuffles(
    content: Content, setting: Setting, events: Iterable[Event], chance: Redrawn
) -> int:
    """How many events told what was drawn for them. ValueError at the first that told another."""
    decks = _Decks(content, chance)
    for event in events:
        decks.hear(event.kind, event.data)
    decks.demand(not chance.left("tale"), "a tale was drawn and is not told")
    return decks.count


class _Decks:
    """The decks as they were shuffled, less what has been told of."""

    def __init__(self, content: Content, chance: Redrawn) -> None:
        numbers = content.numbers
        self._content, self._chance = content, chance
        tiles = chance.shuffled("setup.tiles", tuple(content.tiles))
        self._aside, self._tiles = tiles[: numbers.aside], tiles[numbers.aside :]
        items = chance.shuffled("setup.items", tuple(content.items))[:-1]
        secrets = chance.shuffled("setup.secrets", tuple(content.secrets))[:-1]
        piles = range(0, numbers.locations * numbers.pile, numbers.pile)
        self._items: list[list[str]] = [items[n : n + numbers.pile] for n in piles]
        self._secrets: list[list[str]] = [secrets[n : n + numbers.pile] for n in piles]
        self._dangers = chance.shuffled("setup.dangers", tuple(content.dangers))
        self._untold: dict[str, tuple[int, ...]] = {}
        self._due = ""
        """How a dangerous room was revealed whose card has not been told yet."""
        self.count = 0

    def demand(self, fits: bool, told: str) -> None:
        """Go on if it fits."""
        if not fits:
            raise ValueError(told)

    def hear(self, kind: str, told: Told) -> None:
        """One more event."""
        match kind:
            case "tile_revealed":
                self._tile(told)
            case "knocked_out":
                self.demand(bool(self._aside), "there was no tile to put under the deck")
                self._tiles.insert(0, self._aside.pop())
            case "danger_drawn":
                self._danger(told)
            case "dangers_ran_out":
                self.demand(bool(self._due) and not self._dangers, "a danger card was due")
                self._due = ""
            case "item_found":
                card = self._top(self._items, told)
                self._same(told, "item", self._content.items[card].kind)
            case "secret_found":
                card = self._top(self._secrets, told)
                self._same(told, "secret", self._content.secrets[card].kind)
            case "information_found":
                location: int = told["location"]
                kinds = [self._content.items[card].kind for card in self._items[location - 1]]
                self._same({**told, "items": list(told["items"])}, "items", kinds)
            case "ended":
                self.demand(not self._due, "a danger was not told")
            case _:
                pass
        if "tale" in told:
            ident = told[_OF[kind]] if kind in _OF else START
            self._same(told, "tale", self._tale(ident))
            self.count += 1

    def _same(self, told: Told, name: str, drawn: object) -> None:
        self.demand(told[name] == drawn, f"{name} {told[name]} was told, drawn was {drawn}")

    def _tile(self, told: Told) -> None:
        self.demand(not self._due, "a danger was not told")
        self.demand(bool(self._tiles), "no tile was left")
        ident = self._tiles.pop()
        self._same(told, "tile", ident)
        tile = self._content.tiles[ident]
        self._same(told, "danger", tile.danger)
        self._same(told, "echo", tile.echo)
        self._due = told["how"] if tile.danger and told["how"] != "map" else ""

    def _danger(self, told: Told) -> None:
        self.demand(bool(self._due and self._dangers), "no danger was due")
        self._same(told, "how", self._due)
        card = self._content.dangers[self._dangers.pop()]
        self._same(told, "danger", card.kind)
        self._same(told, "triggered", self._due == "walk" or not card.walked)
        self._due = ""

    def _top(self, piles: Sequence[list[str]], told: Told) -> str:
        location: int = told["location"]
        self.demand(bool(piles[location - 1]), f"nothing was left at location {location}")
        return piles[location - 1].pop()

    def _tale(self, ident: str) -> str:
        untold = self._untold.get(ident) or tuple(range(1, self._content.numbers.tales + 1))
        number = untold[self._chance.below("tale", len(untold))]
        self._untold[ident] = tuple(other for other in untold if other != number)
        return f"{ident}_{number}"
