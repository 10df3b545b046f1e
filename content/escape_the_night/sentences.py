"""What cards do, in words: one sentence an effect, from the templates under `effects`."""

from __future__ import annotations

from typing import Final

from content.loader import Cards
from content.words import Words
from content.yaml_source import Document, Place
from engines.escape_the_night.cards import Content, Effect
from engines.escape_the_night.effects import known

_TOP: Final[dict[Place, int]] = {(): 1}


class Sentences:
    """The sentences on the effects of one content, in one language."""

    def __init__(self, words: Words, content: Content) -> None:
        self._words = words
        self._content = content

    def of_cards(self, key: str, table: str, cards: Cards) -> Document:
        """For each card of a deck its text with its effects, and the effects by themselves.

        The two are `texts.<table>.<id>` and `names.<table>_effect.<id>`, the latter only for cards
        that have one. `names.<table>_text.<id>` is what is read aloud when the card is drawn.
        """
        told = {card: self._card(key, card) for card in cards.sources}
        texts = {
            card: " ".join(filter(None, (cards.texts.get(card), told[card], self._use(key, card))))
            for card in told
        }
        effects = {card: effect for card, effect in told.items() if effect}
        aloud = {
            card: f"{self._difficulty(key, card)} {text}".strip() for card, text in texts.items()
        }
        lines: dict[Place, int] = {(): cards.document.line(cards.place)}
        names = {f"{table}_effect": effects, f"{table}_text": aloud}
        data = {"texts": {table: texts}, "names": names}
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
                return f"{told} {self._words.say(f'effects.tie.{challenge.tie}')}"
            case "guests":
                return self._say("ability", content.guests[card].ability)
            case "secret_rooms":
                return self._say("secret_room", content.secret_rooms[card].effect)
            case _:
                return ""

    def _use(self, key: str, card: str) -> str:
        """Who may play a relic, if not its holder alone."""
        if key == "relics" and self._content.relics[card].anyone:
            return self._words.say("effects.anyone")
        return ""

    def _difficulty(self, key: str, card: str) -> str:
        """A monster is read aloud with its difficulty; a clue's is told beside its name."""
        if key != "monsters":
            return ""
        return self._words.say(
            "effects.difficulty", {"difficulty": self._content.monsters[card].difficulty}
        )

    def _both(self, success: str, good: Effect | None, bad: Effect | None) -> str:
        told = [
            self._words.say(f"effects.{word}", {"what": self._say("result", effect)})
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
        ):
            if self._words.has(path):
                return self._words.say(path, facts)
        return self._words.say(f"effects.result.{effect.do}", facts)
