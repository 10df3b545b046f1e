"""The games that this bot can play: the only place that lists them.

A new game adds a line here, a folder to ``engines``, one to ``content`` and a renderer to
``bot.render``; nothing else knows a game by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from content.loader import LoadedGame
    from content.words import Words
    from engines.kernel.event import Event
    from engines.kernel.game import Game, Outcome, Setting
    from engines.kernel.redrawn import Redrawn


class Renderer(Protocol):
    """How a game is drawn and told: pure functions of a view, thread-safe."""

    def draw(self, view: Any, words: Words, seats: Sequence[str]) -> bytes:
        """The board as a PNG; the same arguments give the same bytes."""
        ...

    def closing(self, view: Any, words: Words, seats: Sequence[str], outcome: Outcome) -> bytes:
        """The closing picture as a PNG."""
        ...

    def board_words(self, view: Any, words: Words, seats: Sequence[str]) -> str:
        """The board in plain ASCII."""
        ...

    def alt_text(self, view: Any, words: Words, seats: Sequence[str]) -> str:
        """Two or three sentences on the picture."""
        ...

    def hand_words(self, view: Any, words: Words) -> str:
        """What the viewing seat holds."""
        ...

    def heading(self, view: Any, words: Words) -> str:
        """One short line: where the game stands."""
        ...


class Retold(Protocol):
    """What a finished game is checked with: a module of its engine."""

    @property
    def HIDDEN(self) -> tuple[str, ...]:  # noqa: N802 - a constant of a module
        """The purposes of chance that stay unknown when the game is over."""
        ...

    def outcome_of(
        self, content: Any, setting: Setting, events: Iterable[Event], /
    ) -> Outcome | None:
        """How the game ended that these public events tell; None if it did not.

        ValueError if they contradict each other or the end that they tell.
        """
        ...

    def check_shuffles(
        self, content: Any, setting: Setting, events: Iterable[Event], chance: Redrawn, /
    ) -> int:
        """How many of these public events tell what was drawn for them.

        ``chance`` gives the open draws again. ValueError if one of them tells something else.
        """
        ...


@dataclass(frozen=True, slots=True)
class Title:
    """A game with its content and its renderer, ready to be played."""

    game: Game[Any, Any, Any]
    content: LoadedGame
    renderer: Renderer
    retold: Retold | None = None

    @property
    def key(self) -> str:
        """The folder name."""
        return self.game.key


KEYS = ("escape_the_night", "fear_of_the_dark")


def load(key: str) -> Title:
    """One game. KeyError for an unknown key, ContentError for broken content."""
    if key not in KEYS:
        raise KeyError(key)
    content: Callable[[], LoadedGame] = import_module(f"content.{key}").load
    renderer: Any = import_module(f"bot.render.{key}")
    game: Game[Any, Any, Any] = import_module(f"engines.{key}.game").GAME
    retold = cast("Retold", import_module(f"engines.{key}.retold"))
    return Title(game, content(), renderer, retold)


def load_all() -> Mapping[str, Title]:
    """Every game, by key."""
    return {key: load(key) for key in KEYS}
