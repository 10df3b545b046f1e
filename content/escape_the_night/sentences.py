"""What cards do, in words: one sentence an effect, from the templates under `effects`.

Of each card is made, `<table>` being its deck's:

- `texts.<table>.<id>`: its text with its effects; `names.<table>_text.<id>`: the same, for events;
- `names.<table>_effect.<id>`: the effects by themselves, only for cards that have one;
- `names.<table>_hint.<id>`: in few words, for a list to choose from;
- `names.<table>_stake.<id>`: what failing costs, of clues and monsters;
- `names.<table>_tally.<id>`: what stands after the votes against a guest, mostly nothing;
- `names.room_result.<id>`: what a secret room does to whoever has come there;
- `cards.<table>.<id>`: what the rules say when it is looked up. Rooms of the house have that, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from content.loader import Cards
from content.words import Words, WordsError
from content.yaml_source import ContentError, Document, Place
from engines.escape_the_night.cards import Content, Effect
from engines.escape_the_night.effects import known

_TOP: Final[dict[Place, int]] = {(): 1}

KINDS: Final = ("effect", "text", "hint", "stake", "result", "tally")
"""The tables of names that a deck may have besides the names themselves."""


class Sentences:
    """The sentences on the effects of one content, in one language.

    ``faults``: what could not be said, each told once; ``file`` is where to look for what is
    missing altogether.
    """

    def __init__(self, words: Words, content: Content, file: str) -> None:
        self._words = words
        self._content = content
        self._file = file
        self._faults: dict[tuple[str, str], ContentError] = {}

    @property
    def faults(self) -> list[ContentError]:
        """What was wrong with the templates used so far."""
        return list(self._faults.values())

    def of_cards(self, key: str, table: str, cards: Cards) -> Document:
        """All that is made of a deck's cards."""
        told = {card: self._card(key, card) for card in cards.sources}
        texts = {
            card: " ".join(filter(None, (cards.texts.get(card), told[card], self._use(key, card))))
            for card in told
        }
        names: dict[str, dict[str, str]] = {
            f"{table}_effect": {card: effect for card, effect in told.items() if effect},
            f"{table}_text": texts,
        }
        if key in ("clues", "monsters"):
            names[f"{table}_stake"] = {card: self._stake(table, card) for card in told}
        if key in ("clues", "monsters", "relics", "challenges"):
            names[f"{table}_hint"] = {card: self._hint(key, table, card) for card in told}
        if key == "guests":
            names[f"{table}_tally"] = {card: self._tally(card) for card in told}
        if key == "secret_rooms":
            rooms = self._content.secret_rooms
            names[f"{table}_result"] = {c: self._say("result", rooms[c].effect) for c in told}
        looked_up = {
            card: self._put(f"effects.card.{table}", {**self._facts(table, card), "text": text})
            for card, text in texts.items()
        }
        lines: dict[Place, int] = {(): cards.document.line(cards.place)}
        data = {"texts": {table: texts}, "names": names, "cards": {table: looked_up}}
        return Document(cards.document.file, data, lines)

    def of_man(self) -> Document:
        """What the Mysterious Man's effects are called, and each side's card face by face."""
        names: dict[str, str] = {}
        texts: dict[str, dict[str, str]] = {}
        for side, results in self._content.mysterious.items():
            texts[f"man_{side}"] = {}
            for result in results:
                told = self._say("man", result.effect)
                names[result.effect.do] = told
                for face in result.faces:
                    texts[f"man_{side}"][str(face)] = told
        return Document(
            "mysterious_man.yaml", {"names": {"man_result": names}, "texts": texts}, _TOP
        )

    def of_spaces(self) -> Document:
        """How the spaces of the board are shown: with a capital, since l11 looks like a number."""
        plan = self._content.board.plan
        names = {
            space: space.upper()
            for row, line in enumerate(plan, 1)
            for space in (f"{chr(ord('a') + column)}{row}" for column in range(len(line)))
        }
        return Document("board.yaml", {"names": {"space": names}}, _TOP)

    def of_rooms(self) -> Document:
        """What the rules say of the house's own rooms."""
        board = self._content.board
        artifacts = {printed.room: name for name, printed in self._content.artifacts.items()}
        rooms = [
            board.marks[board.plan[int(s[1:]) - 1][ord(s[0]) - ord("a")]] for s in board.circles
        ]
        looked_up = {
            room: self._put(
                f"effects.place.{printed.kind}",
                {
                    "tiles": rooms.count(room),
                    "artifact": artifacts.get(room, ""),
                    "space": board.triangles.get(room, ""),
                },
            )
            for room, printed in board.rooms.items()
        }
        return Document("board.yaml", {"cards": {"room": looked_up}}, _TOP)

    def _card(self, key: str, card: str) -> str:
        content = self._content
        match key:
            case "clues":
                clue = content.clues[card]
                return self._both("solved", clue.solved, clue.failed)
            case "monsters":
                monster = content.monsters[card]
                return self._both("defeated", monster.defeated, monster.failed)
            case "relics":
                return self._say("relic", content.relics[card].effect)
            case "challenges":
                challenge = content.challenges[card]
                told = self._say("challenge", challenge.procedure)
                if challenge.procedure.do in known.NEVER_TIED:
                    return told
                return f"{told} {self._put(f'effects.tie.{challenge.tie}')}"
            case "guests":
                return self._say("ability", content.guests[card].ability)
            case "secret_rooms":
                return self._say("secret_room", content.secret_rooms[card].effect)
            case _:
                return ""

    def _use(self, key: str, card: str) -> str:
        """Who may play a relic, if not its holder alone."""
        if key == "relics" and self._content.relics[card].anyone:
            return self._put("effects.anyone")
        return ""

    def _facts(self, table: str, card: str) -> dict[str, object]:
        """What stands on a card beside its text."""
        content = self._content
        match table:
            case "clue":
                return {"difficulty": content.clues[card].difficulty}
            case "monster":
                return {"difficulty": content.monsters[card].difficulty}
            case "artifact":
                return {"room": content.artifacts[card].room}
            case _:
                return {}

    def _hint(self, key: str, table: str, card: str) -> str:
        effect = self._card(key, card)
        if key == "challenges":
            effect = self._say("in_short", self._content.challenges[card].procedure)
        facts = {**self._facts(table, card), "effect": effect}
        return self._put(f"effects.hint.{table}", facts).strip()

    def _stake(self, table: str, card: str) -> str:
        cards = self._content.clues if table == "clue" else self._content.monsters
        failed = cards[card].failed
        effect = self._say("follows", failed) if failed else ""
        return self._put(f"effects.stake.{table}", {"effect": effect})

    def _tally(self, card: str) -> str:
        ability = self._content.guests[card].ability
        does = self._words.has(f"effects.tally.{ability.do}")
        return self._say("tally", ability) if does else ""

    def _both(self, success: str, good: Effect | None, bad: Effect | None) -> str:
        told = [
            self._put(f"effects.{word}", {"what": self._say("result", effect)})
            for word, effect in ((success, good), ("failed", bad))
            if effect is not None
        ]
        return " ".join(told)

    def _say(self, group: str, effect: Effect) -> str:
        """The sentence for one effect; a variant of its own for an `of` comes first."""
        facts = {
            "amount": effect.amount,
            "of": effect.of.split("-"),
            "room": effect.of,
            "deck": effect.of,
        }
        for path in (
            f"effects.{group}.{effect.do}_{effect.of}",
            f"effects.{group}.{effect.do}",
            f"effects.result.{effect.do}_{effect.of}",
            f"effects.result.{effect.do}",
        ):
            if self._words.has(path):
                return self._put(path, facts)
        return self._put(f"effects.{group}.{effect.do}", facts)

    def _put(self, path: str, facts: Mapping[str, object] | None = None) -> str:
        """The words at that path; what is wrong with them goes to the faults."""
        try:
            return self._words.say(path, facts or {})
        except WordsError as error:
            fault = self._words.fault(error.path, error.problem, self._file)
            self._faults.setdefault((error.path, error.problem), fault)
            return ""
