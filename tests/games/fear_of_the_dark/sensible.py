"""The sensible computer player, and what it answers at a table."""

from __future__ import annotations

from engines.fear_of_the_dark.game import GAME
from engines.kernel.chance import Chance
from tests.driving import own
from tests.games.fear_of_the_dark.mazes import Escape
from tests.games.fear_of_the_dark.stage import Stage

SENSIBLE = GAME.agents["sensible"]


def chosen(play: Escape, rng: bytes = b"dice") -> tuple[str, ...]:
    """What it answers to the question that is open, to one seat of those asked."""
    seat = play.asked[0].seat
    choice = SENSIBLE(play.view(seat), own(play.asked, seat), (), Chance(rng))
    assert choice is not None
    return choice.decision.check(choice.value)


def acted(stage: Stage, count: int = 1) -> list[str]:
    """Its next answers, each as ``kind key``, so many of them."""
    answers: list[str] = []
    while len(answers) < count and not stage.is_over:
        asked = stage.play.asked[0]
        keys = chosen(stage.play)
        answers.append(" ".join((asked.kind, *keys)))
        stage.play.answer(asked.seat, asked.question, asked.kind, keys)
    return answers
