"""A game that asks what a test wants asked: a list of questions, one after the other."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from bot.titles import Title
from bot.ui.rulebook import ROOT
from content.loader import LoadedGame
from content.words import Words
from content.yaml_source import parse, read
from engines.kernel.agents import random_agent
from engines.kernel.chance import Chance
from engines.kernel.decision import ONE, Decision, Offer, Option, Shape, TimeUp, allotment
from engines.kernel.game import Agent, Choice, GameOption, Outcome, Setting
from engines.kernel.table import Table
from tests.e2e.plain_picture import PlainPicture

WORDS = """
game: { name: The Script, pitch: It asks., five_lines: [One., Two.], turn: [Answer.] }
lobby_options:
  speed: { name: Speed, slow: Slowly, fast: Quickly }
endings: { done: Everything was asked. }
titles: { winner: "The winner is {seats}" }
events:
  answered: "{seat} chose {count#one thing|{count} things}."
  whispered: "Your number is {number}."
  late: Time is up.
  carded: "{seat} plays card {card}."
decisions:
  pick:
    prompt: "{seat}, pick one."
    meaning: Any will do.
    short: a pick
    options: { any: "Thing {n}" }
  some:
    prompt: "{seat}, pick {least} to {most}."
    short: some picks
    options: { any: "Thing {n}" }
  step:
    prompt: What now?
    meaning: Any will do.
    short: a step
    options: { any: "Thing {n}" }
  spread:
    prompt: "{seat}, spread {most} votes."
    meaning: At least over two.
    short: a ballot
    button: Cast your vote
    options: { any: "Thing {n}" }
  card:
    prompt: "{seat}, play a card."
    short: a card
    options: { quiz: "Quiz {n}", any: "Card {n}" }
"""


@dataclass(frozen=True, slots=True)
class Question:
    """One question: of that kind, with so many options, for these seats (empty: all, in secret).

    With ``seconds`` sand runs meanwhile. ``shared``: not in secret, and one answer will do.
    """

    kind: str
    options: int
    shape: Shape = ONE
    seats: tuple[int, ...] = ()
    seconds: int = 0
    shared: bool = False


@dataclass(frozen=True, slots=True)
class View:
    seat: int | None
    chapter: int
    hand: tuple[str, ...]


@dataclass
class State:
    asked: int = 0
    busy: bool = False
    hands: list[list[str]] = field(default_factory=list)


def options(count: int) -> Sequence[Option]:
    """So many things."""
    return [Option(f"thing_{n}", "", {"n": n}) for n in range(1, count + 1)]


def calm(
    view: object, asked: Sequence[Decision], offers: Sequence[Decision], rng: Chance
) -> Choice | None:
    """A computer player that answers what it is shown and keeps its cards."""
    return Choice(asked[0], asked[0].keys()[:1]) if asked else None


@dataclass(frozen=True)
class Script:
    """The game; its content is the list of questions."""

    key: str = "script"
    rules_version: int = 1
    seats: range = range(1, 5)
    plain: tuple[str, ...] = ("answered",)
    options: tuple[GameOption, ...] = (GameOption("speed", ("slow", "fast"), "slow"),)
    agents: Mapping[str, Agent[View]] = field(
        default_factory=lambda: {"random": random_agent, "sensible": random_agent}
    )

    def setup(
        self, table: Table, content: Sequence[Question], setting: Setting
    ) -> tuple[State, Coroutine[Any, Any, Outcome]]:
        g = State(hands=[[f"card_{n}", f"quiz_{n}"] for n in range(setting.seats)])
        for seat in range(setting.seats):
            table.tell("whispered", only=(seat,), number=seat + 40)

        def offers() -> list[Offer]:
            return [
                Offer(seat, "card", [Option(card, card[:4], {"n": seat}) for card in hand])
                for seat, hand in enumerate(g.hands)
                if hand and not g.busy
            ]

        async def play(seat: int, _: str, card: str) -> None:
            g.hands[seat].remove(card)
            table.tell("carded", seat=seat, card=card)
            if card.startswith("quiz"):
                g.busy = True
                await table.ask(seat, "pick", lambda: options(3))
                g.busy = False

        table.offers, table.play = offers, play
        return g, self._play(g, table, content, setting.seats)

    async def _play(self, g: State, t: Table, questions: Sequence[Question], seats: int) -> Outcome:
        for question in questions:
            timer = t.timer("sand", question.seconds) if question.seconds else nullcontext()
            answers: Mapping[int, Sequence[str]] = {}
            try:
                with timer:
                    answers = await self._ask(t, question, seats)
            except TimeUp:
                t.tell("late")
            g.asked += 1
            for seat, value in answers.items():
                t.tell("answered", seat=seat, count=len(value))
        return Outcome("done", True, {"titles": {"winner": [0]}})

    async def _ask(self, t: Table, question: Question, seats: int) -> Mapping[int, Sequence[str]]:
        offered = options(question.options)
        everybody = tuple(range(seats))
        if question.shared:
            seat, value = await t.ask_any_several(
                lambda: question.seats or everybody,
                question.kind,
                lambda _: offered,
                question.shape,
            )
            return {seat: value}
        if question.seats:
            (seat,) = question.seats
            return {seat: await t.ask_several(seat, question.kind, lambda: offered, question.shape)}
        return await t.ask_each(
            lambda: everybody,
            question.kind,
            lambda _: offered,
            shape=lambda _: question.shape,
            secret=True,
            revisable=True,
        )

    def view(self, state: State, seat: int | None) -> View:
        hand = () if seat is None else tuple(state.hands[seat])
        return View(seat, state.asked // 3, hand)


def words(text: str, *more: str) -> Words:
    """The bot's own words and these."""
    common = [read(path, ROOT) for path in sorted((ROOT / "common").glob("en*.yaml"))]
    return Words.load(*common, parse(text, "toy.yaml"), *(parse(one, "more.yaml") for one in more))


def script(
    *questions: Question, seats: range = range(1, 5), agent: Agent[View] = random_agent
) -> Title:
    """A title that asks these questions."""
    loaded: LoadedGame[Any] = LoadedGame(questions, words(WORDS), "script", "[]")
    return Title(Script(seats=seats, agents={"sensible": agent}), loaded, PlainPicture())


BALLOT = Question("spread", 11, allotment(6, distinct=2))
