"""What cards do: one small coroutine for each effect, its parameters from the card."""

from __future__ import annotations

from engines.escape_the_night.cards import Effect
from engines.escape_the_night.effects.man import MAN
from engines.escape_the_night.effects.results import RESULTS
from engines.escape_the_night.state import ManRoll, State
from engines.kernel.table import Table


async def apply(g: State, t: Table, effect: Effect, character_id: str) -> None:
    """What a clue, a monster or a secret room does to, or through, that character."""
    await RESULTS[effect.do](g, t, effect, character_id)


async def apply_man(g: State, t: Table, effect: Effect, roll: ManRoll) -> None:
    """What a line of the Mysterious Man's card does."""
    await MAN[effect.do](g, t, effect, roll)
