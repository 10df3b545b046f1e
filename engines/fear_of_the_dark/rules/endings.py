"""[Objective] the one way to win and every way to lose."""

from __future__ import annotations

from engines.fear_of_the_dark.maze import SECRETS
from engines.fear_of_the_dark.rules.tales import tale
from engines.fear_of_the_dark.state import State
from engines.kernel.game import Outcome
from engines.kernel.table import Table


class Over(Exception):
    """Raised through whatever is going on when the game is won or lost."""

    def __init__(self, ending: str) -> None:
        self.ending = ending
        super().__init__(ending)


def check_mind(g: State) -> None:
    """[A Quick Guide to the Maze] lost when all mind cards are discarded; RULE-F10, RULE-F11."""
    if g.minds == 0:
        raise Over("mind_lost")


def check_open(g: State, t: Table) -> None:
    """RULE-F31: no door leads on and no secret door can change that: nobody gets out any more.

    Only what all may know is asked: whether a secret door that has not been seen may still lie at a
    location that a room of the maze has. With a locked or broken way the game goes on, since keys
    and levers may lie anywhere.
    """
    if not g.maze.unused_doors() and not (_may_find_door(g) and g.secret_doors):
        t.tell("maze_closed")
        raise Over("maze_closed")


def _may_find_door(g: State) -> bool:
    """Whether a secret door has not been seen yet, and secrets are left to look at."""
    doors = [card for card, secret in g.content.secrets.items() if secret.kind == "door"]
    marks = "".join(room.fields for room in g.maze.rooms.values())
    left = any(pile and SECRETS[n] in marks for n, pile in enumerate(g.secrets))
    return left and any(card not in g.told_secrets for card in doors)


def end(g: State, t: Table, ending: str) -> Outcome:
    """Tell the ending."""
    g.over = True
    g.lit = False
    g.action, g.steps = None, 0
    won = ending == "escaped"
    told = tale(g, t, ending)
    t.tell("ended", ending=ending, won=won, tale=told)
    return Outcome(
        ending,
        won,
        {
            "rooms": len(g.maze.rooms),
            "cards": g.minds,
            "matches": g.matches,
            "terrors": len(g.terrors),
            "difficulty": g.options["difficulty"],
            "tale": told,
        },
    )
