"""Fear of the Dark's content: files in, the engine's tiles and cards and the players' words out."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from content.fear_of_the_dark.checks import check_boxes, check_drawings, check_tiles
from content.fear_of_the_dark.looked_up import rooms
from content.fear_of_the_dark.spoken import check_words
from content.loader import Assembly, Cards, LoadedGame, check_parts, read_cards
from content.words import Words, load_folder
from content.yaml_source import ContentError, raise_all, read
from engines.fear_of_the_dark.cards import Content

HERE: Final = Path(__file__).parent

DECKS: Final = {"tiles": 15, "dangers": 13, "items": 9, "secrets": 9, "minds": 9}
"""[Components] the files of cards and how many there are."""

BESIDES: Final = {"tiles": ("shape", "start")}
"""What else stands in a file of cards."""

NAMED: Final = ("tiles",)
"""Each tile has words of its own; cards of a kind are alike and have the kind's."""


def load(folder: Path = HERE) -> LoadedGame[Content]:
    """Everything in the folder. ContentError, with all faults found, for what does not fit."""
    root = folder.parent
    documents = {
        path.stem: read(path, root)
        for path in sorted(folder.glob("*.yaml"))
        if path.stem != "rules_help"
    }
    missing = [name for name in (*DECKS, "numbers") if name not in documents]
    raise_all([ContentError(f"{folder.name}/{name}.yaml", 1, "", "no file") for name in missing])

    decks: dict[str, Cards] = {}
    faults: list[ContentError] = []
    for key, count in DECKS.items():
        faults += check_parts(documents[key], *BESIDES.get(key, ()), key)
        try:
            decks[key] = read_cards(documents[key], key, count=count, named=key in NAMED)
        except ContentError as fault:
            faults += fault.all()
    faults += check_parts(documents["numbers"], "numbers")
    try:
        start = read_cards(documents["tiles"], "start", count=1)
    except ContentError as fault:
        raise_all([*faults, *fault.all()])
        raise
    raise_all(faults)

    assembly = Assembly()
    assembly.add_card("start", start, "start")
    assembly.add("numbers", documents["numbers"], ("numbers",))
    for key, cards in decks.items():
        assembly.add_cards(key, cards)
    content = assembly.build(Content)
    raise_all(check_drawings(content, start, decks["tiles"]))
    raise_all([
        *check_tiles(content, start, decks["tiles"]),
        *check_boxes(content, decks, documents["numbers"]),
    ])  # fmt: skip
    return assembly.finish(Content, words_of(folder, content, start, decks["tiles"]))


def words_of(folder: Path, content: Content, *tiles: Cards) -> Words:
    """The folder's words with those of the tiles, and what the rules say of each room.

    ContentError for words that do not fit what the engine tells and asks.
    """
    file = f"{folder.name}/text/en.yaml"
    printed = [cards.words("tile") for cards in tiles]
    looked_up = rooms(load_folder(folder, *printed), content, file)
    words = load_folder(folder, *printed, looked_up)
    raise_all(check_words(words, content, file))
    return words
