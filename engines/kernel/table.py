"""``Table``: all that a game's rules see of the world.

The rules are one coroutine. It may await nothing but this module's ``ask*`` and ``window``; each of
them suspends the whole game until somebody answers. Between two suspensions the rules run to the
next question in one go, so what they do there is atomic. An interrupt (an offer that somebody
plays) is resolved inside the open question, which is then asked again under the same number: that
is why options are callables.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from engines.kernel.chance import Chance
from engines.kernel.decision import (
    CLOCK,
    OFFER,
    ONE,
    Decision,
    Offer,
    Option,
    Seat,
    Shape,
    Timer,
    TimeUp,
    Value,
    as_options,
)
from engines.kernel.errors import IllegalAnswer, RulesBug
from engines.kernel.event import PUBLIC, Event, checked_audience, frozen_json, is_seat

Options = Callable[[], Sequence[Option | str]]
SeatOptions = Callable[[Seat], Sequence[Option | str]]
Seats = Callable[[], Sequence[Seat]]
Play = Callable[[Seat, str, str], Coroutine[Any, Any, None]]

DECLINE: Final = "pass"
"""The option with which a seat lets a window go by."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal: who answered which question, and how.

    ``value`` None withdraws a revisable answer. ``by`` tells on whose behalf (player, agent, clock,
    moderator); the rules never see it. ``branch`` counts the rewinds before it. ``mark`` is what
    was asked and how many draws had been made when the answer came, ``trace`` the running hash of
    all events after it; both are empty in a playthrough without checks.
    """

    seat: Seat
    question: int
    kind: str
    value: Value | None
    by: str = "player"
    branch: int = 0
    mark: str = ""
    trace: str = ""


@dataclass(frozen=True, slots=True)
class Suspension:
    """The only thing that rules may ever await."""

    decisions: tuple[Decision, ...]
    offers: tuple[Decision, ...]
    timers: tuple[Timer, ...]
    waiting_below: tuple[Decision, ...]

    def __await__(self) -> Generator[Suspension, Entry, Entry]:
        return (yield self)


async def _no_play(seat: Seat, kind: str, key: str) -> None:
    raise RulesBug(f"seat {seat} played {kind} {key}, but the rules set no table.play")


class Table:
    """The rules' window on the world. Set ``offers`` and ``play`` once there are offers."""

    def __init__(self, chance: Chance, seats: int | None = None) -> None:
        self.chance = chance
        self._seats = seats
        self.offers: Callable[[], Sequence[Offer]] = tuple
        self.play: Play = _no_play
        self._outbox: list[tuple[Event, int]] = []
        self._question = 0
        self._stack: list[tuple[Decision, ...]] = []
        self._timers: list[Timer] = []

    # Telling

    def tell(self, kind: str, /, *, only: object = PUBLIC, **data: object) -> None:
        """Report what happened, in the past tense, to all or only to some seats."""
        facts = {name: frozen_json(value, f"{kind}.{name}") for name, value in data.items()}
        event = Event(kind, facts, checked_audience(only, self._seats))
        self._outbox.append((event, self.chance.calls))

    def collect(self) -> list[tuple[Event, int]]:
        """For the driver: the events since the last call, each with the draws made before it."""
        told, self._outbox = self._outbox, []
        return told

    # Asking

    async def ask(
        self,
        seat: Seat,
        kind: str,
        options: Options,
        *,
        secret: bool = False,
        about: Mapping[str, object] | None = None,
    ) -> str:
        """One seat chooses one option; its key."""
        value = await self.ask_several(seat, kind, options, ONE, secret=secret, about=about)
        return value[0]

    async def ask_several(
        self,
        seat: Seat,
        kind: str,
        options: Options,
        shape: Shape,
        *,
        secret: bool = False,
        about: Mapping[str, object] | None = None,
    ) -> Value:
        """One seat chooses as many options as the shape says."""
        answers = await self._gather(
            lambda: (seat,), kind, lambda _: options(), lambda _: shape, secret, False, about, False
        )
        return answers[seat]

    async def ask_any(
        self,
        seats: Seats,
        kind: str,
        options: SeatOptions,
        *,
        about: Mapping[str, object] | None = None,
    ) -> tuple[Seat, str]:
        """The first seat to answer decides for all of them; that seat, and the option's key."""
        seat, value = await self.ask_any_several(seats, kind, options, ONE, about=about)
        return seat, value[0]

    async def ask_any_several(
        self,
        seats: Seats,
        kind: str,
        options: SeatOptions,
        shape: Shape,
        *,
        about: Mapping[str, object] | None = None,
    ) -> tuple[Seat, Value]:
        """The first seat to answer decides for all, with as many options as the shape says."""
        answers = await self._gather(
            seats, kind, options, lambda _: shape, False, False, about, True
        )
        ((seat, value),) = answers.items()
        return seat, value

    async def ask_each(
        self,
        seats: Seats,
        kind: str,
        options: SeatOptions,
        *,
        shape: Callable[[Seat], Shape] = lambda _: ONE,
        secret: bool = False,
        revisable: bool = False,
        about: Mapping[str, object] | None = None,
    ) -> dict[Seat, Value]:
        """Every seat answers, in any order; the complete answers in the order of ``seats``.

        Without a seat to ask the answer is empty at once. After an interrupt, answers that are no
        longer legal are dropped and asked for again. In a secret question whose options changed for
        more than the seat that interrupted, all answers are: who has to answer again tells nothing.
        """
        return await self._gather(seats, kind, options, shape, secret, revisable, about, False)

    async def window(
        self,
        kind: str,
        seats: Seats,
        options: SeatOptions,
        play: Callable[[Seat, str], Coroutine[Any, Any, None]],
        *,
        about: Mapping[str, object] | None = None,
    ) -> None:
        """Ask seats in turn whether they interrupt, until all of them have passed in a row.

        Choose ``seats`` by a public criterion: being asked is itself information. Options are
        gathered afresh each time; ``pass`` is added to them.
        """
        order = tuple(seats())
        seat = order[0] if order else None
        passed: list[Seat] = []
        while seat is not None and not all(other in passed for other in order):
            key = await self._window_turn(kind, seat, seats, options, about)
            if key == DECLINE:
                passed.append(seat)
            else:
                passed = []
                await play(seat, key)
            before, order = order, tuple(seats())
            seat = _next_turn(before, order, seat)

    async def _window_turn(
        self,
        kind: str,
        seat: Seat,
        seats: Seats,
        options: SeatOptions,
        about: Mapping[str, object] | None,
    ) -> str:
        # An interrupt may remove the seat from the order while it is asked: then it has passed.
        answers = await self._gather(
            lambda: (seat,) if seat in seats() else (),
            kind,
            lambda _: (*options(seat), DECLINE),
            lambda _: ONE,
            True,
            False,
            about,
            False,
        )
        return answers.get(seat, (DECLINE,))[0]

    @contextmanager
    def timer(self, kind: str, seconds: int) -> Generator[Timer]:
        """Sand runs while the block does; ``TimeUp`` comes out of whichever await is open then."""
        if seconds < 1:
            raise RulesBug(f"timer {kind!r}: {seconds} seconds")
        timer = Timer(self._number(), kind, seconds)
        self._timers.append(timer)
        try:
            yield timer
        finally:
            self._timers.remove(timer)

    # The machinery

    def _number(self) -> int:
        self._question += 1
        return self._question

    async def _gather(
        self,
        seats: Seats,
        kind: str,
        options: SeatOptions,
        shape: Callable[[Seat], Shape],
        secret: bool,
        revisable: bool,
        about: Mapping[str, object] | None,
        shared: bool,
    ) -> dict[Seat, Value]:
        """The one loop behind every ask: the answers of all, or (``shared``) the first one."""
        number = self._number()
        facts = _facts(about, kind)

        def gathered() -> tuple[Decision, ...]:
            order = tuple(seats())
            self._check_seats(order, kind)
            return tuple(
                Decision(
                    number,
                    seat,
                    kind,
                    as_options(options(seat), kind),
                    shape(seat),
                    secret,
                    revisable,
                    None,
                    facts,
                    shared,
                )
                for seat in order
            )

        asked = gathered()
        answers: dict[Seat, Value] = {}
        depth = len(self._stack)
        self._stack.append(())
        try:
            while True:
                if len(answers) >= (1 if shared else len(asked)):
                    return {d.seat: answers[d.seat] for d in asked if d.seat in answers}
                open_now = tuple(
                    replace(d, current=answers[d.seat]) if d.seat in answers else d
                    for d in asked
                    if revisable or d.seat not in answers
                )
                self._check(open_now, kind)
                self._stack[depth] = open_now
                entry = await self._suspend()
                if entry.question == OFFER:
                    await self.play(entry.seat, entry.kind, (entry.value or ("",))[0])
                    # Only an interrupt can have changed the board: other seats' answers are not
                    # on it before all are in.
                    before, asked = asked, gathered()
                    if secret and _changed_for_others(before, asked, entry.seat):
                        # Dropping only what became illegal would tell what it was.
                        answers = {}
                    else:
                        answers = self._still_legal(asked, answers)
                elif entry.value is None:
                    del answers[entry.seat]
                else:
                    answers[entry.seat] = entry.value
        finally:
            del self._stack[depth:]

    @staticmethod
    def _still_legal(asked: Sequence[Decision], answers: dict[Seat, Value]) -> dict[Seat, Value]:
        legal: dict[Seat, Value] = {}
        for decision in asked:
            value = answers.get(decision.seat)
            if value is None:
                continue
            try:
                legal[decision.seat] = decision.check(value)
            except IllegalAnswer:
                continue
        return legal

    def _check_seats(self, seats: Sequence[Seat], kind: str) -> None:
        if not all(is_seat(seat, self._seats) for seat in seats):
            raise RulesBug(f"'{kind}' asks a seat that is not at the table: {seats}")
        if len(dict.fromkeys(seats)) < len(seats):
            raise RulesBug(f"'{kind}' asks a seat twice: {seats}")

    @staticmethod
    def _check(asked: Sequence[Decision], kind: str) -> None:
        if not asked:
            raise RulesBug(f"'{kind}' asks nobody")
        for decision in asked:
            shape = decision.shape
            room = shape.most if shape.repeats else min(shape.most, len(decision.options))
            if not decision.options or shape.most < 1 or room < max(shape.least, decision.distinct):
                raise RulesBug(f"'{kind}' leaves seat {decision.seat} no legal answer")

    async def _suspend(self) -> Entry:
        below = tuple(decision for level in self._stack[:-1] for decision in level)
        entry = await Suspension(self._stack[-1], self._offered(), tuple(self._timers), below)
        if entry.seat == CLOCK:
            for timer in self._timers:
                if timer.question == entry.question:
                    raise TimeUp(timer)
            raise RulesBug(f"timer {entry.question} ran out, but the rules have no such timer")
        return entry

    def _offered(self) -> tuple[Decision, ...]:
        offered = tuple(
            Decision(
                OFFER,
                o.seat,
                o.kind,
                as_options(o.options, o.kind),
                about=_facts(o.about, o.kind),
            )
            for o in self.offers()
        )
        places = [(o.seat, o.kind) for o in offered]
        if not all(is_seat(o.seat, self._seats) for o in offered):
            raise RulesBug(f"an offer for a seat that is not at the table: {places}")
        if len(dict.fromkeys(places)) < len(places):
            raise RulesBug(f"two offers of one kind for one seat: {places}")
        return tuple(offer for offer in offered if offer.options)


def _facts(about: Mapping[str, object] | None, kind: str) -> dict[str, object]:
    """A copy, so that no question changes after it was asked."""
    return cast("dict[str, object]", frozen_json(about, kind)) if about else {}


def _next_turn(before: Sequence[Seat], order: Sequence[Seat], seat: Seat) -> Seat | None:
    """The seat after ``seat``, which may have left the order that was ``before``."""
    turn = order if seat in order else before
    at = turn.index(seat) + 1
    follow = (*turn[at:], *turn[:at])
    return next((other for other in (*follow, *order) if other in order), None)


def _changed_for_others(before: Sequence[Decision], after: Sequence[Decision], by: Seat) -> bool:
    """Whether an interrupt by one seat changed what another seat may answer."""
    old = {decision.seat: decision.keys() for decision in before}
    return any(d.seat != by and old.get(d.seat, d.keys()) != d.keys() for d in after)
