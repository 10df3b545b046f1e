"""A toy for tests: a senate proposes a law, votes on it in secret, and spends its coins.

It is nobody's published game. It uses each device of the kernel once: a question for one seat,
for any seat and for all, a window, offers that nest, an allotment, a timer, private events.
"""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engines.kernel.agents import random_agent
from engines.kernel.chance import Chance
from engines.kernel.decision import Decision, Offer, Option, Seat, TimeUp, allotment
from engines.kernel.game import Agent, Choice, GameOption, Outcome, Setting
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough
from engines.kernel.table import Table

CARDS: Final = ("veto", "gag", "decree")
PROJECTS: Final = ("bath", "road", "temple")
FAILURES: Final = 4
HIDDEN: Final = ("deal", "laws")

# Content: what would be YAML in a real game.


@dataclass(frozen=True, slots=True)
class Law:
    """A law that pays ``coins`` when it is enacted."""

    key: str
    coins: int


@dataclass(frozen=True, slots=True)
class Content:
    """The laws, and for how many seconds the sand runs while coins are spent."""

    laws: tuple[Law, ...]
    seconds: int = 60
    digest: str = "toy"


LAWS: Final = tuple(Law(f"law_{n}", 2 + n % 3) for n in range(1, 13))
CONTENT: Final = Content(LAWS)

# State.


@dataclass
class State:
    """Everything on the table."""

    content: Content
    goal: int
    rounds: int
    hands: list[list[str]]
    deck: list[Law]
    consul: Seat = 0
    round: int = 0
    failed: int = 0
    drawn: list[Law] = field(default_factory=list)
    spoken: list[Seat] = field(default_factory=list)
    projects: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PROJECTS, 0))
    # While a law is debated: what the cards did to it.
    vetoable: bool = False
    balloting: bool = False
    resolving: bool = False
    abstaining: bool = True
    gagged: list[Seat] = field(default_factory=list)

    def seats(self) -> tuple[Seat, ...]:
        """All seats."""
        return tuple(range(len(self.hands)))

    def from_left(self) -> tuple[Seat, ...]:
        """All seats, from the consul's left round to the consul."""
        after = self.consul + 1
        return self.seats()[after:] + self.seats()[:after]

    def voters(self) -> tuple[Seat, ...]:
        """All who may vote on this law."""
        return tuple(seat for seat in self.seats() if seat not in self.gagged)


# Rules.


class Vetoed(Exception):
    """The law on the table is void; may come out of any await while it is debated."""


async def senate(g: State, t: Table) -> Outcome:
    """Rounds of proposal, ballot and spending, until one of three ends."""
    while g.round < g.rounds:
        g.round += 1
        t.tell("round_opened", round=g.round, consul=g.consul)
        try:
            law = await proposal(g, t)
            coins = await ballot(g, t, law)
        except Vetoed:
            bury(g)
            coins = 0
        g.vetoable = g.balloting = False
        if coins:
            await spending(g, t, coins)
        else:
            g.failed += 1
            t.tell("law_failed", failed=g.failed)
        if g.failed == FAILURES:
            return Outcome("ruin", False, {"round": g.round})
        if min(g.projects.values()) >= g.goal:
            return Outcome("golden_age", True, {"round": g.round})
        await chair(g, t)
    return Outcome("dissolved", False, {"built": sum(g.projects.values())})


async def proposal(g: State, t: Table) -> Law:
    """The consul looks at two laws in secret and proposes one; the other goes under the deck."""
    g.drawn = [g.deck.pop(), g.deck.pop()]
    t.tell("drew", seat=g.consul, count=len(g.drawn))
    t.tell("laws_drawn", only=(g.consul,), laws=[law.key for law in g.drawn])
    g.gagged, g.abstaining, g.vetoable = [], True, True
    key = await t.ask(g.consul, "propose", lambda: law_options(g.drawn), secret=True)
    law = next(law for law in g.drawn if law.key == key)
    g.drawn.remove(law)
    bury(g)
    t.tell("proposed", consul=g.consul, law=law.key, coins=law.coins)
    return law


def bury(g: State) -> None:
    """What was drawn and not proposed goes under the deck."""
    g.deck[:0] = g.drawn
    g.drawn = []


def law_options(laws: Sequence[Law]) -> tuple[Option, ...]:
    """One option for each law."""
    return tuple(Option(law.key, "law", {"coins": law.coins}) for law in laws)


async def ballot(g: State, t: Table, law: Law) -> int:
    """Speeches make the law poorer; then all vote. How many coins it pays: 0 if it fell."""
    coins = law.coins

    async def speak(seat: Seat, key: str) -> None:
        nonlocal coins
        coins = max(1, coins - 1)
        g.spoken.append(seat)
        t.tell("spoke", seat=seat, how=key, coins=coins)

    # Everybody is asked, also who has spoken already: that nobody can tell who has nothing to say.
    await t.window(
        "before_vote", g.from_left, lambda seat: () if seat in g.spoken else ("speech",), speak
    )
    g.balloting = True
    votes = await t.ask_each(
        g.voters,
        "vote",
        lambda _: ("aye", "nay", "abstain") if g.abstaining else ("aye", "nay"),
        secret=True,
        revisable=True,
        about={"law": law.key, "coins": coins},
    )
    g.balloting = False
    ayes = sum(value == ("aye",) for value in votes.values())
    nays = sum(value == ("nay",) for value in votes.values())
    t.tell("voted", ayes=ayes, nays=nays, abstained=len(votes) - ayes - nays)
    return coins if ayes and ayes >= nays else 0


async def spending(g: State, t: Table, coins: int) -> None:
    """While the sand runs the consul spreads the coins over two projects; then the omen."""
    try:
        with t.timer("sand", g.content.seconds):
            spent = await t.ask_several(
                g.consul, "spend", lambda: PROJECTS, allotment(coins, distinct=min(2, coins))
            )
    except TimeUp:
        t.tell("coins_lost", coins=coins)
    else:
        for project in spent:
            g.projects[project] += 1
        t.tell("spent", seat=g.consul, on=spent)
    roll = t.chance.die("omen")
    burnt = max(PROJECTS, key=lambda project: g.projects[project]) if roll == 1 else ""
    if burnt and g.projects[burnt]:
        g.projects[burnt] -= 1
    t.tell("omen_rolled", roll=roll, burnt=burnt)


async def chair(g: State, t: Table) -> None:
    """Whoever moves first is consul next."""
    seat, key = await t.ask_any(
        g.seats, "take_chair", lambda seat: ("keep",) if seat == g.consul else ("take",)
    )
    g.consul = seat
    t.tell("chair_taken", seat=seat, how=key)


def offers(g: State) -> tuple[Offer, ...]:
    """A veto while a law is debated; the other cards while the ballot is open."""
    if not g.vetoable:
        return ()
    kinds = CARDS if g.balloting and not g.resolving else CARDS[:1]
    return tuple(
        Offer(seat, kind, cards, {"law": "debated"})
        for seat in g.seats()
        for kind in kinds
        if (cards := [card for card in g.hands[seat] if card.startswith(kind)])
    )


async def play_card(g: State, t: Table, seat: Seat, kind: str, card: str) -> None:
    """Resolve a card out of turn."""
    g.hands[seat].remove(card)
    t.tell("card_played", seat=seat, card=card)
    if kind == "veto":
        raise Vetoed
    if kind == "decree":
        g.abstaining = False
        return
    others = [other for other in g.voters() if other != seat]
    if not others:
        return
    g.resolving = True
    try:
        key = await t.ask(seat, "gag_whom", lambda: [seat_option(other) for other in others])
    finally:
        g.resolving = False
    gagged = int(key.removeprefix("seat_"))
    g.gagged.append(gagged)
    t.tell("gagged", seat=gagged, by=seat)


def seat_option(seat: Seat) -> Option:
    """A seat as something to choose."""
    return Option(f"seat_{seat}", "seat", {"seat": seat})


# View.


@dataclass(frozen=True, slots=True)
class SeatView:
    """What one seat sees; ``hand`` and ``drawn`` are its own."""

    seat: Seat | None
    round: int
    consul: Seat
    failed: int
    projects: Mapping[str, int]
    hand_counts: tuple[int, ...]
    deck_count: int
    spoken: tuple[Seat, ...]
    gagged: tuple[Seat, ...]
    abstaining: bool
    hand: tuple[str, ...]
    drawn: tuple[str, ...]

    @property
    def chapter(self) -> int:
        """A fresh table message is due each round."""
        return self.round


def view(g: State, seat: Seat | None) -> SeatView:
    """Field by field."""
    return SeatView(
        seat=seat,
        round=g.round,
        consul=g.consul,
        failed=g.failed,
        projects=dict(g.projects),
        hand_counts=tuple(len(hand) for hand in g.hands),
        deck_count=len(g.deck),
        spoken=tuple(g.spoken),
        gagged=tuple(g.gagged),
        abstaining=g.abstaining,
        hand=() if seat is None else tuple(g.hands[seat]),
        drawn=tuple(law.key for law in g.drawn) if seat == g.consul else (),
    )


# Computer players.


def sensible(
    seen: SeatView, asked: Sequence[Decision], offered: Sequence[Decision], rng: Chance
) -> Choice | None:
    """Proposes the richest law, votes aye, builds what is lowest; keeps its cards."""
    for decision in asked:
        if decision.current is None:
            return Choice(decision, _sensible_value(seen, decision, rng))
    return None


def _sensible_value(seen: SeatView, decision: Decision, rng: Chance) -> tuple[str, ...]:
    if decision.kind == "propose":
        return (max(decision.options, key=lambda option: str(option.about["coins"])).key,)
    if decision.kind == "spend":
        levels = dict(seen.projects)
        spent: list[str] = []
        while len(spent) < decision.shape.least:
            lowest = min(PROJECTS, key=lambda project: (levels[project], project))
            levels[lowest] += 1
            spent.append(lowest)
        if len(dict.fromkeys(spent)) < decision.shape.distinct:
            spent[-1] = next(project for project in PROJECTS if project not in spent)
        return tuple(spent)
    keys = decision.keys()
    wanted = next((key for key in ("aye", "pass") if key in keys), None)
    return (wanted or rng.pick(decision.kind, keys),)


# The game.

LENGTHS: Final[Mapping[str, tuple[int, int]]] = {"short": (2, 6), "long": (4, 9)}
"""By value of the option ``length``: the goal for each project, and the last round."""


@dataclass(frozen=True)
class Senate:
    """The toy as the kernel wants a game."""

    key: str = "senate"
    rules_version: int = 1
    seats: range = range(3, 7)
    options: tuple[GameOption, ...] = (
        GameOption("length", ("short", "long"), "short"),
        GameOption("cards", ("one", "two"), "one"),
    )
    agents: Mapping[str, Agent[SeatView]] = field(
        default_factory=lambda: {"random": random_agent, "sensible": sensible}
    )

    def setup(
        self, table: Table, content: Content, setting: Setting
    ) -> tuple[State, Coroutine[Any, Any, Outcome]]:
        """Deal one or two cards to each seat and shuffle the laws."""
        goal, rounds = LENGTHS[setting.options["length"]]
        each = 2 if setting.options["cards"] == "two" else 1
        cards = [f"{CARDS[n % 3]}_{n}" for n in range(each * setting.seats)]
        table.chance.hidden = HIDDEN
        cards = table.chance.shuffled("deal", cards)
        hands = [cards[seat * each : (seat + 1) * each] for seat in range(setting.seats)]
        g = State(content, goal, rounds, hands, table.chance.shuffled("laws", content.laws))
        for seat in g.seats():
            table.tell("dealt", only=(seat,), cards=hands[seat])
        table.offers = lambda: offers(g)
        table.play = lambda seat, kind, card: play_card(g, table, seat, kind, card)
        return g, senate(g, table)

    def view(self, state: State, seat: Seat | None) -> SeatView:
        """What a seat (None: a spectator) may see."""
        return view(state, seat)


SENATE: Final = Senate()

Play = Playthrough[Content, State, SeatView]


def header(
    seats: int = 4, *, key: str = "5e" * 32, length: str = "short", cards: str = "one"
) -> Header:
    """The header of a game of the toy."""
    return Header(
        SENATE.key,
        SENATE.rules_version,
        CONTENT.digest,
        key,
        seats,
        {"length": length, "cards": cards},
    )


def start(
    seats: int = 4, *, key: str = "5e" * 32, length: str = "short", cards: str = "one"
) -> Play:
    """A game of the toy at its first question."""
    return Playthrough(SENATE, CONTENT, header(seats, key=key, length=length, cards=cards))
