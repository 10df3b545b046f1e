"""The computer player in death challenges: it plays to live, and saves its own."""

from __future__ import annotations

from collections.abc import Sequence

from engines.escape_the_night.view import SeatView
from engines.kernel.chance import Chance
from engines.kernel.decision import Decision, Option


def number_of(facts: Decision | Option, name: str) -> int:
    """A number among the facts of a question or an option."""
    found = facts.about.get(name)
    assert isinstance(found, int)
    return found


def in_duel(view: SeatView, decision: Decision, rng: Chance) -> tuple[str, ...]:
    """Plays to live. What the other sees or foresees is drawn among the better choices."""
    keys = decision.keys()
    match decision.kind:
        case "press":
            # Whoever has stopped has to be beaten; nothing there may also mean it comes second.
            theirs = _their_score(view)
            enough = theirs + 1 if theirs else 2 * number_of(decision, "limit") // 3
            return ("stop" if number_of(decision, "score") >= enough else "roll",)
        case "matches":
            # Who is left with one more than a multiple of four is lost against good play.
            left = number_of(decision, "left")
            wanted = f"take_{(left - 1) % 4}"
            return (next((key for key in (wanted, "pass") if key in keys), keys[0]),)
        case "glasses":
            return (keys[-1] if number_of(decision, "left") <= 2 else "drink",)
        case "bid":
            return (rng.pick("bid", keys[:3] if _their_relics(view) else keys[1:2]),)
        case "jaws" | "guess":
            middle = len(keys) // 2
            return (rng.pick("middle", keys[middle - 2 : middle + 1]),)
        case _:
            # Two doors are enough: all tokens on two of the three, in halves.
            tokens = decision.shape.most
            first, second, *_ = rng.shuffled("doors", keys)
            return (first,) * (tokens - tokens // 2) + (second,) * (tokens // 2)


def _opponent(view: SeatView) -> int:
    """Which of the two contestants this seat does not answer for: 0 or 1."""
    assert view.duel is not None
    owners = {c.id: c.owner for c in view.characters}
    return 1 if owners[view.duel.contestants[0]] == view.seat else 0


def _their_score(view: SeatView) -> int:
    assert view.duel is not None
    return view.duel.scores[_opponent(view)]


def _their_relics(view: SeatView) -> int:
    """How many the opponent can bid; the house, which plays for a second own one, bids anyway."""
    assert view.duel is not None
    opponent = view.duel.contestants[_opponent(view)]
    owner = next(c.owner for c in view.characters if c.id == opponent)
    return 1 if owner == view.seat else view.hand_counts[owner]


def turns_the_duel(view: SeatView, asked: Sequence[Decision], do: str, amount: int) -> bool:
    """Whether the card saves this seat's contestant, whose loss is about to be accepted.

    Where both are its own it keeps the card, which asks whom it is for but not who has lost.
    """
    assert view.duel is not None
    verdict = next((decision for decision in asked if decision.kind == "verdict"), None)
    if verdict is None:
        return False
    losers = verdict.about.get("losers")
    assert isinstance(losers, Sequence)
    owners = {c.id: c.owner for c in view.characters}
    sides = [owners[contestant] for contestant in view.duel.contestants]
    is_losing = view.duel.contestants[1 - _opponent(view)] in losers
    one, other = view.duel.scores
    is_enough = do == "spare" or 0 < abs(one - other) <= amount
    return is_losing and is_enough and sides.count(sides[0]) == 1
