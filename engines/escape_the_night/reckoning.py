"""Whether the tale of a night adds up: rolls, votes, death challenges, and who had to die.

Like ``retold``, which asks it, this reads public events only and does not ask the rules. Ballots
stay secret, so of a vote it knows how many there were, and that the totals led to the two chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from engines.escape_the_night.cards import Content
from engines.kernel.game import Setting

Told = Mapping[str, Any]


class Reckoning:
    """What has been told so far, as far as something later has to fit it."""

    def __init__(self, content: Content, setting: Setting) -> None:
        self._content = content
        self._seats = setting.seats
        self._options = setting.options
        self._dealt: dict[str, int] = {}
        self._dealers: list[int] = []
        self._living: list[str] = []
        self._said: list[str] = []
        self._roll: tuple[int, int] | None = None
        """The difficulty and the total of the attempt under way, once it was rolled."""
        self._dice = 0
        self._accused: dict[str, int] = {}
        self._totals: dict[str, int] = {}
        self._fell: list[tuple[str, int]] = []
        self._ties: list[dict[str, int]] = []
        self._called: tuple[str, ...] = ()
        self._bonus: dict[str, int] = {}
        self._scores: dict[str, int] = {}
        self._doomed: list[str] = []

    def hear(self, kind: str, told: Told) -> None:
        """One more event. ValueError if it does not fit what came before."""
        check = _CHECKS.get(kind)
        if check is not None:
            check(self, told)

    def _demand(self, fits: bool, told: str) -> None:
        if not fits:
            raise ValueError(told)

    def _ability(self, guest: str, does: str) -> int:
        """Its figure, if that guest lives, has it, and abilities are on."""
        effect = self._content.guests[guest].ability
        on = self._options.get("abilities") == "on" and guest in self._living
        return max(effect.amount, 1) if on and effect.do == does else 0

    # Set-up and the header

    def dealt(self, told: Told) -> None:
        """Each seat is dealt to once, and no guest twice."""
        seat, guests = told["seat"], told["characters"]
        fits = 0 <= seat < self._seats and seat not in self._dealers
        self._demand(fits, f"seat {seat} cannot be dealt to in a game for {self._seats}")
        is_fresh = not any(guest in self._dealt for guest in guests)
        self._demand(is_fresh, f"a guest of {guests} was dealt before")
        self._dealers.append(seat)
        self._dealt |= dict.fromkeys(guests, seat)
        self._living += guests

    def option(self, told: Told, name: str, value: str) -> None:
        """Something is told that belongs to a lobby option."""
        self._said.append(name)
        chosen = self._options.get(name, value)
        self._demand(chosen == value, f"told was {name} {value}, agreed was {chosen}")

    def arrived(self, told: Told) -> None:
        """All is laid out."""
        fits = len(self._dealers) == self._seats and sorted(self._dealt) == sorted(
            self._content.guests
        )
        self._demand(fits, f"{len(self._dealers)} were dealt to in a game for {self._seats}")
        for name in ("abilities", "secret_room"):
            silent = self._options.get(name) == "on" and name not in self._said
            self._demand(not silent, f"{name} was agreed and is not told")

    def budget(self, told: Told) -> None:
        """The turns of an untimed last hour are those that are printed."""
        self.option(told, "hourglass", "untimed")
        printed = self._content.numbers.untimed_actions
        due = printed.get(str(self._seats), printed.get("any", 0))
        self._demand(
            told["actions"] == due, f"{told['actions']} turns were told, {due} are printed"
        )

    # Clues and monsters

    def rolled(self, told: Told) -> None:
        """The total is that of dice and bonus, the difficulty that of the card."""
        content, clue = self._content, told["clue"]
        card = content.clues[clue] if clue else content.monsters[told["monster"]]
        same = told["difficulty"] == card.difficulty
        self._demand(same, f"{clue or told['monster']} has difficulty {card.difficulty}")
        self._roll = (card.difficulty, 0)
        self.rolled_again(told)

    def rolled_again(self, told: Told) -> None:
        """Other dice, the same card."""
        self._dice = sum(told["dice"])
        total = self._dice + told["bonus"]
        self._demand(told["total"] == total, f"told was {told['total']}, and it makes {total}")
        self._total(total)

    def helped(self, told: Told) -> None:
        """A bonus after the dice; one before them is in the roll that comes."""
        self._total(self._dice + told["bonus"])

    def _total(self, total: int) -> None:
        if self._roll is not None:
            self._roll = (self._roll[0], total)

    def tried(self, told: Told, success: bool) -> None:
        """It came out as the total had it. Help before the dice may be enough alone."""
        card = told.get("clue") or told.get("monster")
        if self._roll is not None:
            difficulty, total = self._roll
            fits = (total >= difficulty) == success
            self._demand(fits, f"{card}: {total} against {difficulty} came out otherwise")
        self._roll = None

    # The vote

    def called(self, told: Told) -> None:
        """A vote begins."""
        self._accused, self._totals = {}, {}

    def accused(self, told: Told) -> None:
        """Votes that no token cast."""
        guest = told["character"]
        self._accused[guest] = self._accused.get(guest, 0) + told["votes"]

    def counted(self, told: Told) -> None:
        """As many votes as there were tokens, those of cards and abilities included."""
        totals = {one["character"]: one["votes"] for one in told["totals"]}
        cast = len(self._living) + sum(self._ability(c, "many_friends") for c in self._living)
        cast += sum(votes for guest, votes in self._accused.items() if guest in totals)
        lost = {c: self._ability(c, "well_liked") for c in totals}
        least = sum(n + lost[c] for c, n in totals.items() if n)
        most = sum(n + lost[c] for c, n in totals.items())
        fits = least <= cast <= most and all(guest in self._living for guest in totals)
        self._demand(fits, f"{sum(totals.values())} votes were counted, {cast} were cast")
        self._totals, self._ties = totals, []
        self._fell = [(c, n) for c, n in totals.items() if n]

    def fell(self, told: Told) -> None:
        """The totals once more, one by one."""
        one = (told["character"], told["votes"])
        self._demand(self._fell[:1] == [one], f"{one[0]} had other votes than {one[1]}")
        del self._fell[0]

    def tied(self, told: Told) -> None:
        """Dice for those who are level."""
        self._ties.append({r["character"]: r["die"] + r["bonus"] for r in told["rolls"]})

    def chosen(self, told: Told) -> None:
        """The two with the most votes; the lowest dice among equals."""
        self._called = tuple(told["contestants"])
        if self._totals:
            due = self._top_two()
            fits = sorted(self._called) == sorted(due)
            self._demand(fits, f"{self._called} were chosen, the votes were for {due}")
        self._totals = {}

    def _top_two(self) -> list[str]:
        found: list[str] = []
        for votes in sorted(dict.fromkeys(self._totals.values()), reverse=True):
            equals = [c for c, n in self._totals.items() if n == votes]
            found += equals if len(found) + len(equals) <= 2 else self._lowest(2 - len(found))
            if len(found) == 2:
                break
        return found

    def _lowest(self, places: int) -> list[str]:
        """Of the dice told since, the lowest; equals over the last place roll again."""
        found: list[str] = []
        for dice in self._ties:
            edge = sorted(dice.values())[places - len(found) - 1]
            found += [c for c, die in dice.items() if die < edge]
            level = [c for c, die in dice.items() if die == edge]
            if len(found) + len(level) <= places:
                found += level
        return found

    # The death challenge

    def at_once(self, told: Told) -> None:
        """The Mysterious Man has called out two."""
        self._called = tuple(told["contestants"])

    def drawn(self, told: Told) -> None:
        """It is for those who were called, and one may have a head start."""
        contestants = tuple(told["contestants"])
        self._demand(contestants == self._called, f"{contestants} were not called out")
        self._bonus = {c: self._ability(c, "duellist") for c in contestants}
        self._scores, self._doomed = {}, []

    def supported(self, told: Told) -> None:
        """Help for one side."""
        self._bonus[told["character"]] += told["amount"]

    def scored(self, told: Told) -> None:
        """A score is told, and what help there is so far."""
        guest = told["character"]
        fits = told["bonus"] == self._bonus[guest]
        self._demand(fits, f"{guest} had {self._bonus[guest]} of help, not {told['bonus']}")
        self._scores[guest] = -told["score"] if told["low"] else told["score"]

    def lost(self, told: Told) -> None:
        """By the scores and what help there is, if it was fought by scores."""
        pair = (told["character"], told["other_character"])
        self._demand(sorted(pair) == sorted(self._called), f"{pair} were not in this challenge")
        if len(self._scores) == len(pair):
            mine, theirs = (self._scores[c] + self._bonus[c] for c in pair)
            self._demand(mine < theirs, f"{pair[0]} cannot have lost to {pair[1]}")
        self._doomed = [pair[0]]

    def even(self, told: Told) -> None:
        """A tie, after which it may be fought again."""
        if len(self._scores) == len(self._called):
            one, other = (self._scores[c] + self._bonus[c] for c in self._called)
            self._demand(one == other, f"{self._called} cannot be even")
        self._scores, self._doomed = {}, [*self._called]

    def drunk(self, told: Told) -> None:
        """The poisoned glass, perhaps in the hand of somebody who was not in it."""
        if told["poisoned"]:
            self._doomed = [told["character"]]

    def outsider(self, told: Told) -> None:
        """One who was not in it."""
        self._doomed = [told["character"]]

    def died(self, told: Told) -> None:
        """Nobody dies but by a challenge."""
        guest = told["character"]
        fits = guest in self._doomed and guest in self._living
        self._demand(fits, f"{guest} had no reason to die")
        self._living.remove(guest)

    def raised(self, told: Told) -> None:
        """Back from the dead."""
        self._living.append(told["character"])


_CHECKS: Final[Mapping[str, Callable[[Reckoning, Told], None]]] = {
    "dealt": Reckoning.dealt,
    "abilities_count": lambda r, told: r.option(told, "abilities", "on"),
    "secret_room_found": lambda r, told: r.option(told, "secret_room", "on"),
    "hourglass_turned": lambda r, told: r.option(told, "hourglass", str(told["minutes"])),
    "guests_arrived": Reckoning.arrived,
    "budget_set": Reckoning.budget,
    "attempt_rolled": Reckoning.rolled,
    "rerolled": Reckoning.rolled_again,
    "roll_helped": Reckoning.helped,
    "clue_solved": lambda r, told: r.tried(told, True),
    "monster_defeated": lambda r, told: r.tried(told, True),
    "clue_failed": lambda r, told: r.tried(told, False),
    "monster_withstood": lambda r, told: r.tried(told, False),
    "vote_called": Reckoning.called,
    "accused": Reckoning.accused,
    "votes_counted": Reckoning.counted,
    "votes_fell": Reckoning.fell,
    "tie_rolled": Reckoning.tied,
    "chosen": Reckoning.chosen,
    "challenge_at_once": Reckoning.at_once,
    "challenge_drawn": Reckoning.drawn,
    "supported": Reckoning.supported,
    "challenge_scored": Reckoning.scored,
    "challenge_lost": Reckoning.lost,
    "challenge_tied": Reckoning.even,
    "glass_drunk": Reckoning.drunk,
    "outsider_drawn": Reckoning.outsider,
    "died": Reckoning.died,
    "raised": Reckoning.raised,
}
