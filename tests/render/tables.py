"""A house of its own for the tests of pictures, and tables at telling moments.

Not the shipped content: that may be edited without making golden pictures stale.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import content
from content.words import Words
from content.yaml_source import Document, read
from engines.escape_the_night.board import Plan
from engines.escape_the_night.cards import Board, Room
from engines.escape_the_night.view import (
    ArtifactView,
    AttemptView,
    CharacterView,
    DuelView,
    ManView,
    SeatView,
    TileView,
)

CONTENT: Final = Path(content.__file__).parent

ROOMS: Final = {
    "s": ("porch", "hall"), "F": ("foyer", "foyer"), "h": ("hall", "hall"),
    "D": ("dining_room", "dining"), "S": ("study", "artifact"), "K": ("kitchen", "artifact"),
    "L": ("library", "artifact"), "T": ("theatre", "artifact"), "M": ("music_room", "artifact"),
    "G": ("glass_gallery", "artifact"), "C": ("chapel", "artifact"), "O": ("orangery", "artifact"),
    "W": ("west_wing", "artifact"),
}  # fmt: skip

BOARD: Final = Board(
    plan=(
        "OOOOCCCGGGGWWWW",
        "OOOOCCCGGGGWWWW",
        "OOOOCCCGGGGWWWW",
        "hhhhhhhhhhhhhhh",
        "LLLhDDDDMMMhTTT",
        "LLLhDDDDMMMhTTT",
        "LLLhDDDDMMMhTTT",
        "LLLhFFFFFFFhTTT",
        "SSSSFFFFFFFKKKK",
        "SSSSFFFFFFFKKKK",
        "SSSSFFFFFFFKKKK",
        "SSSS...s...KKKK",
    ),
    marks={mark: room for mark, (room, _) in ROOMS.items()},
    rooms={room: Room(kind) for room, kind in ROOMS.values()},  # type: ignore[arg-type]
    doors=(
        ("h12", "h11"), ("d10", "e10"), ("k10", "l10"), ("d8", "e8"), ("k8", "l8"), ("h7", "h8"),
        ("f4", "f5"), ("k6", "l6"), ("c6", "d6"), ("b8", "b9"), ("l7", "m7"), ("n4", "n5"),
        ("c3", "c4"), ("f3", "f4"), ("i3", "i4"), ("m3", "m4"),
    ),
    circles=(
        "a1", "a3", "c1", "e1", "g1", "h1", "k1", "k3", "l1", "o1", "o3", "a5", "c5", "a8", "i5",
        "k7", "m5", "o5", "o8", "a9", "c9", "a12", "n9", "o11", "l12",
    ),
    triangles={
        "study": "b11", "kitchen": "m11", "library": "b6", "theatre": "n6", "music_room": "j7",
        "glass_gallery": "j2", "chapel": "f1", "orangery": "b2", "west_wing": "n2",
    },
    steps="h12",
    ritual=(
        "g8", "h8", "i8", "f9", "g9", "h9", "i9", "j9", "f10", "g10", "h10", "i10", "j10", "g11",
        "h11", "i11",
    ),
)  # fmt: skip

GUESTS: Final = (
    "Ada Quist", "Bruno Carr", "Clara Oyelaran", "Dov Marten", "Elsa Wick", "Farid Nour",
    "Greta Holm", "Hugo Vance", "Iris Penrose", "Jonas Thorn", "Kitty Lark",
)  # fmt: skip
IDS: Final = tuple(name.lower().replace(" ", "_") for name in GUESTS)

ARTIFACTS: Final = (
    "letter_knife", "bone_ladle", "whispering_book", "ivory_horn", "silent_metronome",
    "blind_miniature", "salt_chalice", "night_lens", "glass_orchid",
)  # fmt: skip

NAMES: Final[dict[str, Any]] = {
    "names": {
        "character": dict(zip(IDS, GUESTS, strict=True)),
        "challenge": {"long_straw": "A Very Long Straw Indeed"},
        "monster": {"coal_thing": "The Thing in the Coal Cellar Below"},
        "clue": {"torn_map": "A Torn Map"},
        "relic": {"lucky_coin": "Lucky *Coin*"},
        "room": {"secret_vault": "The Vault of Ómens"},
    },
    "texts": {"relic": {"lucky_coin": "Heads you win."}},
}

PLAYERS: Final = (
    "Ann", "Bartholomew III", "Ξένια", "小林さくら", "Ödön", "Zoë", "Piotr", "Łukasz", "Mia", "Lee",
    "Maximiliane von Hohenstein",
)  # fmt: skip

MONSTROUS: Final = (
    "Z̷̡̢̛̗̗̻̼̽̈́̀a̵̡̛̰̘̍l̶̰̈́g̷̱̈́o̵̘̾ " * 3,
    "\u202edrowssap\u202c",
    "🎃🎃🎃",
    "W" * 200,
    "a b c d e f g h i j k l m n o p q",
    "محمد عبد الرحمن الطويل جدا",
    "สวัสดีปีใหม่ที่บ้านผีสิง",
    "नमस्ते दुनिया क्षत्रिय",
    "漢字かな交じり文のとても長い名前です",
    "\n\t\x00\u200b\ufeff",
    "ﷺ﷽𒐫꧅",
)


@cache
def words() -> Words:
    """The words of pictures, with the names of this house."""
    return Words.load(
        read(CONTENT / "common" / "en_grammar.yaml"),
        read(CONTENT / "escape_the_night" / "text" / "en_picture.yaml"),
        Document("tests", NAMES, {(): 1}),
    )


def table(seats: int = 4, **changes: Any) -> SeatView:
    """The first turn at a table of that many seats, changed as told."""
    owners = {ident: n % seats for n, ident in enumerate(IDS)}
    start = SeatView(
        seat=None,
        chapter=1,
        board=BOARD,
        dining="dining_room",
        round=1,
        phase="turns",
        starting_seat=0,
        current_seat=0,
        acting=None,
        characters=tuple(
            CharacterView(ident, owners[ident], None, True, False, None, 0, 0) for ident in IDS
        ),
        rows=tuple(tuple(i for i in IDS if owners[i] == seat) for seat in range(seats)),
        hand_counts=(1,) * seats,
        hand=(),
        hand_effects=(),
        pile_counts=(("clue", 50), ("monster", 30), ("relic", 40), ("challenge", 20)),
        tiles=tuple(TileView(space, None) for space in BOARD.circles),
        artifacts=tuple(
            ArtifactView(space, ident)
            for space, ident in zip(BOARD.triangles.values(), ARTIFACTS, strict=True)
        ),
        mantle=(),
        graveyard=(),
        man_side="first",
        reachable=(),
        walk_dice=(),
        steps_left=0,
        attempt=None,
        duel=None,
        actions_left=None,
        moment="turn",
        man=None,
        late=(),
        hourglass=None,
        abilities=True,
    )
    return replace(start, **changes)


def with_guests(view: SeatView, changes: dict[str, dict[str, Any]]) -> SeatView:
    """The table with some characters changed, by id."""
    return replace(
        view, characters=tuple(replace(c, **changes.get(c.id, {})) for c in view.characters)
    )


SPOTS: Final = ("a2", "b5", "e2", "h6", "j10", "m5", "n9", "d6", "g1", "c11")


def middle(seats: int = 4, **changes: Any) -> SeatView:
    """The fourth hour: guests all over the house, one outside, two dead, tiles turned and gone."""
    view = with_guests(
        table(seats),
        {
            ident: {"space": space, "exhausted": n % 3 == 0, "solved": n % 2, "slain": n % 4}
            for n, (ident, space) in enumerate(zip(IDS, SPOTS, strict=False))
        },
    )
    dead = {IDS[n]: {"alive": False, "space": None} for n in (8, 9)}
    view = with_guests(view, {**dead, IDS[5]: {"monster": "coal_thing"}})
    turned: dict[str, Any] = {"e1": "clue", "g1": "clue", "m5": "monster", "o3": "monster"}
    found = ("night_lens", "glass_orchid", "bone_ladle")
    view = replace(
        view,
        round=4,
        tiles=tuple(
            TileView(tile.space, turned.get(tile.space))
            for tile in view.tiles
            if tile.space not in ("a1", "a3", "c1", "k1")
        ),
        artifacts=tuple(a for a in view.artifacts if a.id not in found),
        mantle=found,
        graveyard=(IDS[8], IDS[9]),
        hand_counts=tuple((3 * n + 1) % 5 for n in range(seats)),
        acting=IDS[4],
        current_seat=4 % seats,
        starting_seat=1 % seats,
    )
    return replace(view, **changes)


def reach(start: str, steps: int) -> tuple[str, ...]:
    """The spaces within so many steps; tiles stop."""
    plan = Plan(BOARD.plan, BOARD.marks, BOARD.doors)
    found, edge = {start}, [start]
    for _ in range(steps):
        stepped = [s for s in edge if s == start or s not in BOARD.circles]
        edge = [o for s in stepped for o in plan.neighbours[s] if o not in found]
        found.update(edge)
    return tuple(space for space in plan.rooms if space in found and space != start)


def walking() -> SeatView:
    """A long walk, with all that it can reach."""
    return middle(reachable=reach("j10", 9), walk_dice=(5, 4), steps_left=9, moment="walking")


def trying() -> SeatView:
    """A rolled attempt at a monster."""
    attempt = AttemptView(IDS[5], "monster", "coal_thing", 9, 1, (3, 4))
    return middle(6, attempt=attempt, acting=IDS[5], current_seat=5)


def voting() -> SeatView:
    """The vote at a table of two."""
    return middle(2, phase="vote", acting=None, current_seat=None)


def fighting() -> SeatView:
    """A death challenge."""
    duel = DuelView("long_straw", (IDS[0], IDS[3]), (12, 7))
    return middle(3, phase="challenge", acting=None, current_seat=None, duel=duel, round=7)


def crowded(spread: bool = False) -> SeatView:
    """The last round: eleven pawns in the circle, all on one space or on a few."""
    spots = [BOARD.ritual[n] for n in (0, 1, 1, 1, 4, 4, 5, 5, 6, 9, 9)]
    view = middle(
        5,
        round=10,
        phase="last_round",
        man_side="second",
        actions_left=9,
        acting=IDS[2],
        current_seat=2,
        walk_dice=(2, 1),
        steps_left=3,
        moment="walking",
        mantle=ARTIFACTS,
        artifacts=(),
        graveyard=(),
    )
    return with_guests(
        view,
        {
            ident: {"alive": True, "space": spots[n] if spread else "h9", "exhausted": n == 3}
            for n, ident in enumerate(IDS)
        },
    )


def buried() -> SeatView:
    """Ten graves, and the Mysterious Man's die for the last of the guests."""
    view = middle(
        round=9,
        graveyard=IDS[:10],
        acting=IDS[10],
        current_seat=2,
        man=ManView(IDS[10], "salt_chalice", 4),
        dining="secret_vault",
    )
    return with_guests(view, {i: {"alive": False, "space": None} for i in IDS[:10]})


def roomy() -> SeatView:
    """A guest in each room, near its middle, where names like to hang."""
    spots = ("b3", "f3", "i3", "m3", "h4", "b7", "f6", "j6", "n7", "m10", "c11")
    view = middle(5, graveyard=(), tiles=table().tiles, acting=IDS[9], current_seat=4)
    return with_guests(
        view,
        {ident: {"alive": True, "space": spots[n], "monster": None} for n, ident in enumerate(IDS)},
    )


MOMENTS: Final = {
    "start": (table(), PLAYERS[:4]),
    "walk": (walking(), PLAYERS[:4]),
    "attempt": (trying(), PLAYERS[:6]),
    "last_attempt": (replace(trying(), actions_left=12, phase="last_round"), PLAYERS[:6]),
    "vote": (voting(), PLAYERS[:2]),
    "duel": (fighting(), PLAYERS[:3]),
    "eleven": (middle(11), PLAYERS),
    "one": (middle(1), PLAYERS[10:]),
    "crowd": (crowded(), PLAYERS[:5]),
    "circle": (crowded(spread=True), PLAYERS[:5]),
    "graves": (buried(), PLAYERS[:4]),
    "untold": (middle(7, acting=None, hourglass=5, phase="last_round", round=10), PLAYERS[:7]),
    "rooms": (roomy(), PLAYERS[:5]),
    "monstrous": (middle(11), MONSTROUS),
    "monstrous_five": (middle(5, graveyard=()), MONSTROUS[:5]),
}
"""Tables worth looking at, with the players' names."""
