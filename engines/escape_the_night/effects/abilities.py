"""The guests' abilities: questions that the rules ask where an ability may change their answer.

RULE-E23: switched off by the lobby option ``abilities``. All are sideways (walking, votes, looking)
and none adds to a roll against a clue or monster. Look-ups only: nothing here changes the state.
"""

from __future__ import annotations

from engines.escape_the_night.state import State
from engines.kernel.decision import Seat


def _amount(g: State, character: str, ability: str) -> int:
    """The ability's figure if this living character has it, else 0."""
    if g.options["abilities"] != "on" or not g.characters[character].alive:
        return 0
    effect = g.content.guests[character].ability
    return max(effect.amount, 1) if effect.do == ability else 0


def _has(g: State, character: str, ability: str) -> bool:
    return _amount(g, character, ability) > 0


def extra_steps(g: State, character: str) -> int:
    """Steps on top of the dice of each move."""
    return _amount(g, character, "long_stride")


def passes_tiles(g: State, character: str) -> bool:
    """Whether it may walk on over tiles that lie face up; to end there still activates them."""
    return _has(g, character, "light_feet")


def shares_spaces(g: State, character: str) -> bool:
    """Whether it may end a move on a space that another character occupies (not on a tile)."""
    return _has(g, character, "thin_as_a_rake")


def first_spaces(g: State, character: str) -> tuple[str, ...]:
    """The spaces that a first step from outside may enter: the front steps, for most (RULE-E8)."""
    steps = g.content.board.steps
    if _has(g, character, "side_door"):
        return (steps, g.content.guests[character].ability.of)
    return (steps,)


def passage_from(g: State, character: str, space: str) -> tuple[str, ...]:
    """The space behind the wainscot that it alone may step to from here, if there is one."""
    if not _has(g, character, "secret_passage"):
        return ()
    one, other = g.content.guests[character].ability.of.split("-")
    return {one: (other,), other: (one,)}.get(space, ())


def tiles_spotted(g: State, character: str) -> tuple[str, ...]:
    """Face-down tiles beside the place where its action ended: they are turned face up."""
    space = g.characters[character].space
    if space is None or not _has(g, character, "keen_eye"):
        return ()
    return tuple(
        other
        for other in g.plan.neighbours[space]
        if other in g.tiles and not g.tiles[other].face_up
    )


def extra_tokens(g: State, seat: Seat) -> int:
    """Voting tokens on top of one for each living character."""
    return sum(_amount(g, c.id, "many_friends") for c in g.living_of(seat))


def votes_ignored(g: State, character: str) -> int:
    """So many votes against it do not count."""
    return _amount(g, character, "well_liked")


def tie_die_bonus(g: State, character: str) -> int:
    """Added to its die when a tie in the vote is rolled off (the lowest goes in)."""
    return _amount(g, character, "lucky_devil")


def keeps_relics(g: State, seat: Seat) -> bool:
    """Whether the seat is spared when each player has to discard a relic."""
    return any(_has(g, c.id, "locked_purse") for c in g.living_of(seat))


def duel_bonus(g: State, character: str) -> int:
    """Its head start in a death challenge."""
    return _amount(g, character, "duellist")
