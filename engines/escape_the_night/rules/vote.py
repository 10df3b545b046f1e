"""[The Vote & Death Challenge] first half: all tokens in secret, the two with most votes go in."""

from __future__ import annotations

from engines.escape_the_night import deeds
from engines.escape_the_night.effects import abilities
from engines.escape_the_night.state import Ballot, State
from engines.kernel.decision import Option, Seat, allotment
from engines.kernel.table import Table


async def vote(g: State, t: Table) -> tuple[str, str] | None:
    """Who goes into the death challenge; None when fewer than two are alive (RULE-E19)."""
    living = [c.id for c in g.living()]
    if len(living) < 2:
        return None
    g.phase = "vote"
    if len(living) == 2:
        pair = (living[0], living[1])
    elif g.seats == 1:  # [Single Player Rules] the top two of the shuffled cards; C-E21
        top = t.chance.shuffled("solo_vote", living)
        pair = (top[0], top[1])
    else:
        pair = await _cast(g, t)
    t.tell("chosen", contestants=pair)
    return pair


def candidates(g: State) -> list[str]:
    """RULE-E17: any living character. A card may take one out, as long as two are left."""
    living = [c.id for c in g.living()]
    shielded = g.ballot.shielded if g.ballot else []
    open_to = [c for c in living if c not in shielded]
    return open_to if len(open_to) >= 2 else living


def tokens(g: State, seat: Seat) -> int:
    """One for each living character; C-E27."""
    return len(g.living_of(seat)) + abilities.extra_tokens(g, seat)


async def _cast(g: State, t: Table) -> tuple[str, str]:
    """Every seat spreads one token per living character, over two or more if it has two or more.

    RULE-E18: totals per character become known, and never who cast what. C-E9, C-E10, C-E27.
    """
    g.ballot = Ballot()
    t.tell("vote_called", round=g.round)

    def options(seat: Seat) -> list[Option]:
        return [
            Option(c, "character", {"character": c, "seat": g.characters[c].owner})
            for c in candidates(g)
        ]

    def decided() -> bool:
        """Whether cards have left just two to vote for: all ballots would be alike."""
        return len(candidates(g)) == 2

    with deeds.during(g, "vote"):
        ballots = await t.ask_each(
            lambda: [seat for seat in range(g.seats) if g.living_of(seat) and not decided()],
            "vote",
            options,
            shape=lambda seat: allotment(tokens(g, seat), distinct=2),
            secret=True,
            revisable=True,
            about={"round": g.round},
        )
    if decided():
        one, other = candidates(g)
        g.ballot = None
        return one, other
    totals = {c: g.ballot.extra.get(c, 0) for c in candidates(g)}
    g.ballot = None
    for cast in ballots.values():
        for character in cast:
            totals[character] += 1
    totals = {c: max(0, n - abilities.votes_ignored(g, c)) for c, n in totals.items()}
    ranked = sorted(totals, key=lambda c: -totals[c])
    t.tell("votes_counted", totals=[{"character": c, "votes": totals[c]} for c in ranked])
    for c in ranked:
        if totals[c]:
            t.tell("votes_fell", character=c, votes=totals[c])
    return top_two(g, t, totals)


def top_two(g: State, t: Table, totals: dict[str, int]) -> tuple[str, str]:
    """The two with the most votes; dice part equals, the lowest go in. RULE-E16, C-E11.

    Whoever has no vote is only in question when fewer than two have any.
    """
    chosen: list[str] = []
    for level in sorted(dict.fromkeys(totals.values()), reverse=True):
        equals = [c for c in totals if totals[c] == level]
        places = 2 - len(chosen)
        if len(equals) > places:
            equals = deeds.lowest(g, t, equals, places, lambda c: abilities.tie_die_bonus(g, c))
        chosen += equals
        if len(chosen) == 2:
            break
    return chosen[0], chosen[1]
