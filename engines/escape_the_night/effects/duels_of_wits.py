"""Death challenges of bluff, thrift and reckoning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.escape_the_night import deeds
from engines.escape_the_night.cards import Effect
from engines.escape_the_night.effects import contest
from engines.escape_the_night.effects.contest import ByScore, Verdict
from engines.escape_the_night.state import Duel, State
from engines.kernel.decision import Option, Seat, Value, allotment, several
from engines.kernel.table import Table

BEATS: Final = {"dagger": "lantern", "lantern": "cloak", "cloak": "dagger"}
"""The light shows the cloak, the cloak swallows the blade, the blade puts out the light."""

DOORS: Final = ("cellar", "garden", "chapel")
PLACES: Final = ("wardrobe", "chest", "curtain", "chimney", "piano", "coffin")
_HOUSE_BIDS: Final = 3


async def cunning(g: State, t: Table, duel: Duel, effect: Effect) -> Verdict:
    """Both take one of three things in secret, each of which beats one other.

    A bonus decides when they took the same; else there are so many rounds until it is a tie.
    """
    one, other = duel.contestants
    for bout in range(1, effect.amount + 1):
        chosen = await contest.choose(g, t, duel, "cunning", lambda _: tuple(BEATS))
        mine, theirs = chosen[one][0], chosen[other][0]
        for contestant, (thing,) in chosen.items():
            t.tell("thing_shown", bout=bout, character=contestant, thing=thing)
        if mine != theirs:
            return other if BEATS[mine] == theirs else one
        loser = contest.by_bonus(duel)
        if loser is not None:
            return loser
    return None


async def bid(g: State, t: Table, duel: Duel, effect: Effect) -> Verdict:
    """Both bid relics in secret, and lose what they bid; the higher bid lives.

    If neither owner holds a relic there is nothing to bid: two dice each, until they differ.
    """
    if not any(g.hands[seat] for seat in contest.owners(g, duel)):
        t.tell("nobody_can_bid")
        return await _without_bids(g, t, duel)

    def options(contestant: str) -> list[Option]:
        hand = g.hands[contest.owner(g, contestant)]
        return [Option(f"bid_{n}", "bid", {"count": n}) for n in range(len(hand) + 1)]

    chosen = await contest.choose(
        g,
        t,
        duel,
        "bid",
        options,
        house=lambda _: (f"bid_{t.chance.below('house', _HOUSE_BIDS)}",),
        asked=lambda seat: bool(g.hands[seat]),
    )
    bids = {c: int(key.removeprefix("bid_")) for c, (key,) in chosen.items()}
    for contestant, count in bids.items():
        t.tell("bid_shown", character=contestant, count=count)
    paid = await _pay(g, t, duel, bids)
    for contestant in duel.contestants:
        # The house's bid is its own affair; a hand may have shrunk between bid and payment.
        by_house = contestant == contest.house_plays(g, duel)
        seat = contest.owner(g, contestant)
        duel.score[contestant] = bids[contestant] if by_house else len(paid.get(seat, ()))
    return ByScore.HIGH


async def _without_bids(g: State, t: Table, duel: Duel) -> Verdict:
    """The higher roll lives. It parts them: nobody is to die of a tie that nobody chose."""
    await contest.brace(g, t, duel)
    while True:
        for contestant in duel.contestants:
            dice = t.chance.dice("duel", 2)
            t.tell("duel_rolled", character=contestant, dice=dice, total=sum(dice))
            duel.score[contestant] = sum(dice)
        one, other = (duel.score[c] + duel.bonus.get(c, 0) for c in duel.contestants)
        if one != other:
            return ByScore.HIGH


async def _pay(g: State, t: Table, duel: Duel, bids: dict[str, int]) -> dict[Seat, Value]:
    """Both discard what they bid; whoever bid the whole hand is not asked which cards."""

    def due(seat: Seat) -> int:
        return min(bids[contest.played_by(g, duel, seat)], len(g.hands[seat]))

    paid = await t.ask_each(
        lambda: [seat for seat in contest.owners(g, duel) if 0 < due(seat) < len(g.hands[seat])],
        "discard",
        lambda seat: [Option(relic, "relic", {"relic": relic}) for relic in g.hands[seat]],
        shape=lambda seat: several(due(seat), due(seat)),
        secret=True,
        revisable=True,
    )
    paid |= {
        seat: tuple(g.hands[seat])
        for seat in contest.owners(g, duel)
        if seat not in paid and due(seat)
    }
    for seat, cards in sorted(paid.items()):
        for relic in cards:
            deeds.discard_relic(g, t, seat, relic)
    return paid


async def spread(g: State, t: Table, duel: Duel, effect: Effect) -> Verdict:
    """Both spread tokens over three doors in secret; more at a door wins it, most doors live."""
    one, other = duel.contestants

    def house(_: str) -> Value:
        return tuple(t.chance.pick("house", DOORS) for _ in range(effect.amount))

    chosen = await contest.choose(
        g, t, duel, "spread", lambda _: DOORS, house=house, shape=allotment(effect.amount)
    )
    duel.score.update({one: 0, other: 0})
    for door in DOORS:
        mine, theirs = chosen[one].count(door), chosen[other].count(door)
        held = [] if mine == theirs else [one if mine > theirs else other]
        for contestant in held:
            duel.score[contestant] += 1
        t.tell(
            "door_contested",
            door=door,
            character=one,
            count=mine,
            other_character=other,
            other_count=theirs,
            winners=held,
        )
    return ByScore.HIGH


async def matches(g: State, t: Table, duel: Duel, effect: Effect) -> Verdict:
    """By turns one to three matches from the box, whose number is known; the last one kills.

    A bonus lets its contestant pass so many times.
    """
    left = effect.amount + t.chance.die("matches")
    passed = dict.fromkeys(duel.contestants, 0)
    striker = t.chance.pick("first", duel.contestants)
    t.tell("matches_laid_out", left=left, character=striker)
    while True:

        def options(who: str = striker, rest: int = left) -> list[Option]:
            taken = [Option(f"take_{n}", "take", {"count": n}) for n in range(1, min(3, rest) + 1)]
            if passed[who] < duel.bonus.get(who, 0):
                taken.append(Option("pass"))
            return taken

        def house(rest: int = left) -> str:
            """One to three by chance, and the last one only if there is no other."""
            return f"take_{t.chance.below('house', min(3, max(1, rest - 1))) + 1}"

        if left == 1 and not deeds.anyone_holds_relics(g) and len(options()) == 1:
            choice = "take_1"  # no hand at the table holds anything that could save it
        else:
            choice = await contest.one_choice(
                g, t, duel, "matches", striker, options, house=house, left=left
            )
        if choice == "pass":
            passed[striker] += 1
            t.tell("match_passed", character=striker, left=left)
        else:
            taken = int(choice.removeprefix("take_"))
            left -= taken
            t.tell("matches_struck", character=striker, count=taken, left=left)
            if not left:
                return striker
        striker = contest.opponent(duel, striker)


async def hide(g: State, t: Table, duel: Duel, effect: Effect) -> Verdict:
    """One hides, the other looks into so many places: found, or not found, is the end of one.

    The seeker's bonus is as many more places, the hider's as many fewer; one is always left.
    """
    hider = t.chance.pick("hider", duel.contestants)
    seeker = contest.opponent(duel, hider)
    t.tell("roles_drawn", character=hider, other_character=seeker)
    place = await contest.one_choice(g, t, duel, "hide", hider, lambda: PLACES, secret=True)
    searched: list[str] = []

    def looks() -> int:
        more = duel.bonus.get(seeker, 0) - duel.bonus.get(hider, 0)
        return min(max(1, effect.amount + more), len(PLACES) - 1)

    while len(searched) < looks():
        tried = await contest.one_choice(
            g,
            t,
            duel,
            "seek",
            seeker,
            lambda: [p for p in PLACES if p not in searched],
            left=looks() - len(searched),
        )
        searched.append(tried)
        t.tell("place_searched", character=seeker, place=tried, found=tried == place)
        if tried == place:
            return hider
    t.tell("stayed_hidden", character=hider, place=place)
    return seeker


async def glasses(g: State, t: Table, duel: Duel, effect: Effect) -> Verdict:
    """By turns a glass from the tray, one of which is poisoned.

    With ``decline`` each may once leave it to the other, with ``pass`` to somebody who is not in
    it, drawn by lot, who drinks and may be the one to die. Every bonus is one refusal more.
    """
    await contest.brace(g, t, duel)
    left = effect.amount
    refused = dict.fromkeys(duel.contestants, 0)
    drinker = t.chance.pick("first", duel.contestants)
    t.tell("glasses_served", left=left, character=drinker)

    def is_poisoned(who: str) -> bool:
        # Which glass is the wrong one is drawn as they are drunk: each is as likely as another.
        nonlocal left
        poisoned = t.chance.below("glass", left) == 0
        left -= 1
        t.tell("glass_drunk", character=who, poisoned=poisoned, left=left)
        return poisoned

    while True:

        def options(who: str = drinker) -> list[str]:
            free = duel.bonus.get(who, 0) + (0 if effect.of == "drink" else 1)
            if refused[who] >= free:
                return ["drink"]
            outsiders = effect.of == "pass" and contest.outsiders(g, duel)
            return ["drink", "pass" if outsiders else "decline"]

        def house(rest: int = left, choices: Sequence[str] = tuple(options())) -> str:
            return choices[-1] if rest <= 2 else "drink"

        choice = await contest.one_choice(
            g, t, duel, "glasses", drinker, options, house=house, left=left
        )
        if choice == "drink":
            if is_poisoned(drinker):
                return drinker
        else:
            refused[drinker] += 1
            if choice == "decline":
                t.tell("glass_declined", character=drinker, left=left)
            else:
                outsider = t.chance.pick("glass_passed", contest.outsiders(g, duel))
                t.tell("glass_passed", character=drinker, other_character=outsider)
                if is_poisoned(outsider):
                    return outsider
        drinker = contest.opponent(duel, drinker)
