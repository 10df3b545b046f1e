"""What a game gives to the kernel, and what it is given."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from engines.kernel.chance import Chance
from engines.kernel.decision import Decision, Seat, Value

if TYPE_CHECKING:
    from engines.kernel.table import Table

C_contra = TypeVar("C_contra", contravariant=True)
S = TypeVar("S")
V = TypeVar("V")
V_contra = TypeVar("V_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: ``ending`` names the way, ``won`` whether the players did."""

    ending: str
    won: bool
    facts: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class GameOption:
    """A choice made in the lobby; keys only, their words are content.

    ``headless`` is the value that games without people take, where that is another one.
    """

    key: str
    values: tuple[str, ...]
    default: str
    headless: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """What was agreed before the game: how many seats, and a value for every option."""

    seats: int
    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Choice:
    """What a computer player does: an answer to one of the decisions it was shown."""

    decision: Decision
    value: Value


class Agent(Protocol[V_contra]):
    """A computer player: it sees what its seat sees, and has dice of its own."""

    def __call__(
        self, view: V_contra, asked: Sequence[Decision], offers: Sequence[Decision], rng: Chance
    ) -> Choice | None:
        """Its answer; None only when nothing is asked and it plays no offer now."""
        ...


def plain_events(game: object) -> tuple[str, ...]:
    """The kinds of events of which a game says (``plain``) that they bring nothing to light.

    All that such an event tells follows, for everybody, from what everybody saw before and from the
    answer that it was told after; so an answer with no others can be taken back. Of a game that
    says nothing, and of a kind that it does not name, the worst is believed.
    """
    return tuple(getattr(game, "plain", ()))


class Game(Protocol[C_contra, S, V]):
    """A game. Content, state and view are types of its own."""

    @property
    def key(self) -> str:
        """The folder name."""
        ...

    @property
    def rules_version(self) -> int:
        """Raised when stored games of the old version can no longer be played on."""
        ...

    @property
    def seats(self) -> range:
        """How many seats a table may have."""
        ...

    @property
    def options(self) -> tuple[GameOption, ...]:
        """The choices of the lobby."""
        ...

    @property
    def agents(self) -> Mapping[str, Agent[V]]:
        """Computer players by name: at least ``random`` and ``sensible``."""
        ...

    def setup(
        self, table: Table, content: C_contra, setting: Setting
    ) -> tuple[S, Coroutine[Any, Any, Outcome]]:
        """A fresh state and the rules that play on it; set-up chance may be drawn here."""
        ...

    def view(self, state: S, seat: Seat | None) -> V:
        """What a seat (None: a spectator) may see: built field by field, pure, frozen."""
        ...
