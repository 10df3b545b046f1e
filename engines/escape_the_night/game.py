"""Escape the Night as the kernel plays it."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping
from typing import Any

from engines.escape_the_night.agents import sensible
from engines.escape_the_night.board import plan_of
from engines.escape_the_night.cards import Content
from engines.escape_the_night.rules.rounds import play
from engines.escape_the_night.rules.set_up import set_up
from engines.escape_the_night.state import State
from engines.escape_the_night.told import PLAIN
from engines.escape_the_night.view import SeatView, view
from engines.kernel.agents import random_agent
from engines.kernel.decision import Seat
from engines.kernel.game import Agent, GameOption, Outcome, Setting
from engines.kernel.table import Table

ENDINGS = ("escaped", "daylight_lost", "budget_spent", "all_dead")
"""The ways in which a night can end; the first is the win."""


class EscapeTheNight:
    """The game: seats, lobby options, computer players, set-up and views."""

    key = "escape_the_night"
    rules_version = 1
    seats = range(1, 12)
    options = (
        # Minutes of the last round; untimed counts character actions instead. RULE-E3.
        GameOption(
            "hourglass", ("3", "5", "10", "15", "20", "30", "45", "60", "untimed"), "5", "untimed"
        ),
        GameOption("abilities", ("on", "off"), "on"),  # RULE-E23
        GameOption("secret_room", ("on", "off"), "off"),  # RULE-E33
    )
    plain = PLAIN
    agents: Mapping[str, Agent[SeatView]] = {"random": random_agent, "sensible": sensible}

    def setup(
        self, table: Table, content: Content, setting: Setting
    ) -> tuple[State, Coroutine[Any, Any, Outcome]]:
        """The table laid out, and the night that is to come."""
        g = State(content, plan_of(content.board), setting.seats, setting.options)
        set_up(g, table)
        return g, play(g, table)

    def view(self, state: State, seat: Seat | None) -> SeatView:
        """What a seat or a spectator may see."""
        return view(state, seat)


GAME = EscapeTheNight()
