"""Fear of the Dark as the kernel plays it."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping
from typing import Any

from engines.fear_of_the_dark.agents import sensible
from engines.fear_of_the_dark.cards import Content
from engines.fear_of_the_dark.rules.escape import play
from engines.fear_of_the_dark.rules.set_up import set_up
from engines.fear_of_the_dark.state import State
from engines.fear_of_the_dark.told import PLAIN
from engines.fear_of_the_dark.view import SeatView, view
from engines.kernel.agents import random_agent
from engines.kernel.decision import Seat
from engines.kernel.game import Agent, GameOption, Outcome, Setting
from engines.kernel.table import Table


class FearOfTheDark:
    """The game: seats, lobby options, computer players, set-up and views."""

    key = "fear_of_the_dark"
    rules_version = 1
    seats = range(1, 9)
    options = (
        GameOption("difficulty", ("easy", "normal", "hard", "very_hard"), "normal"),
        GameOption("lead", ("anyone", "round"), "anyone"),  # who decides for the Lost
    )
    plain = PLAIN
    agents: Mapping[str, Agent[SeatView]] = {"random": random_agent, "sensible": sensible}

    def setup(
        self, table: Table, content: Content, setting: Setting
    ) -> tuple[State, Coroutine[Any, Any, Outcome]]:
        """The table laid out, and the way through the maze that is to come."""
        g = State(content, setting.seats, setting.options)
        set_up(g, table)
        return g, play(g, table)

    def view(self, state: State, seat: Seat | None) -> SeatView:
        """What a seat or a spectator may see."""
        return view(state, seat)


GAME = FearOfTheDark()
