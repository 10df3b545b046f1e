"""The small acts that rules and cards share, each telling what it did.

A deed that can decide the game looks for a win at once (RULE-E25). It raises ``Won`` or ``AllDead``
for the main coroutine to catch, so that nothing still happens after the decisive moment.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from engines.escape_the_night.paths import room_at
from engines.escape_the_night.state import Moment, State
from engines.kernel.decision import Option, Seat
from engines.kernel.table import Table


class Won(Exception):
    """[Win Condition] the artifacts are gathered and all who live stand in the ritual circle."""


class AllDead(Exception):
    """RULE-E25: nobody is left to win."""


def is_won(g: State) -> bool:
    """[Win Condition] nine artifacts, and every living character in the circle; RULE-E25."""
    living = g.living()
    return (
        bool(living) and not g.artifacts and all(c.space in g.content.board.ritual for c in living)
    )


def check_end(g: State) -> None:
    """Raise ``Won`` or ``AllDead`` when it has come to that."""
    if not g.living():
        raise AllDead
    if is_won(g):
        raise Won


@contextmanager
def during(g: State, moment: Moment) -> Generator[None]:
    """Name the moment for the questions asked inside; the one before comes back afterwards."""
    before, g.moment = g.moment, moment
    try:
        yield
    finally:
        g.moment = before


# Seats


def left_of(g: State, seat: Seat) -> Seat:
    """The player to the left."""
    return (seat + 1) % g.seats


def next_seat(g: State, seat: Seat, wanted: Callable[[Seat], bool]) -> Seat | None:
    """The first wanted seat to the left, ``seat`` itself last of all; None if there is none."""
    for _ in range(g.seats):
        seat = left_of(g, seat)
        if wanted(seat):
            return seat
    return None


def next_seat_with_living(g: State, seat: Seat) -> Seat:
    """The next to the left with a living character; alone it is ``seat`` itself."""
    found = next_seat(g, seat, lambda other: bool(g.living_of(other)))
    return seat if found is None else found


def anyone_holds_relics(g: State) -> bool:
    """Public, since hand counts are: so being asked because of it tells nothing."""
    return any(g.hands)


# Characters


def walk_along(g: State, t: Table, character: str, path: Sequence[str]) -> None:
    """The move under way goes on along these spaces. No win is looked for."""
    assert g.walk is not None
    who = g.characters[character]
    before, who.space = who.space, path[-1]
    g.walk.left -= len(path)
    t.tell(
        "walked",
        character=character,
        start=before,
        space=path[-1],
        room=room_at(g, path[-1]),
        path=path,
        steps=len(path),
        left=g.walk.left,
    )


def place(g: State, t: Table, character: str, space: str) -> None:
    """Put a character on a space, other than by its own walking. Tiles there are not activated."""
    who = g.characters[character]
    before, who.space = who.space, space
    t.tell("placed", character=character, start=before, space=space, room=room_at(g, space))
    check_end(g)


def swap(g: State, t: Table, one: str, other: str) -> None:
    """Two characters trade places, be it inside or outside; monsters go with them."""
    a, b = g.characters[one], g.characters[other]
    a.space, b.space = b.space, a.space
    t.tell("traded_places", character=one, other_character=other)
    check_end(g)


def send_outside(g: State, t: Table, character: str) -> None:
    """Back outside the front door; tiles stay as they are (RULE-E21)."""
    who = g.characters[character]
    before, who.space = who.space, None
    t.tell("sent_outside", character=character, start=before)


def kill(g: State, t: Table, *characters: str) -> None:
    """To the graveyard, several at one stroke: no win lies between their deaths.

    Their monsters go to the discard, the tiles stay in the room (RULE-E12).
    """
    for character in characters:
        who = g.characters[character]
        who.alive = False
        before, who.space = who.space, None
        g.graveyard.append(character)
        t.tell("died", character=character, seat=who.owner, start=before)
        release(g, t, character)
        if character in g.late:  # who comes back from the dead comes back fresh
            g.late.remove(character)
    check_end(g)


def raise_dead(g: State, t: Table, character: str) -> None:
    """Out of the graveyard, outside the front door and ready to act."""
    who = g.characters[character]
    g.graveyard.remove(character)
    who.alive, who.exhausted = True, False
    t.tell("raised", character=character, seat=who.owner)


def exhaust(g: State, t: Table, character: str) -> None:
    """Turn the card ninety degrees."""
    g.characters[character].exhausted = True
    t.tell("exhausted", character=character)


def refresh(g: State, t: Table, character: str) -> None:
    """Turn the card back: the character may act (again) in this round."""
    g.characters[character].exhausted = False
    t.tell("refreshed", character=character)


async def skip_turn(g: State, t: Table, seat: Seat) -> None:
    """The seat exhausts one of its characters; with none ready one will start late: RULE-E22.

    Never the one whose turn it is, unless the seat has nobody else.
    """
    living = [c.id for c in g.living_of(seat)]
    others = [c for c in living if c != g.acting]
    ready = [c for c in others if not g.characters[c].exhausted]
    choice = ready or [c for c in others or living if c not in g.late]
    if g.round >= 10 and not ready and _all_would_be_late(g, choice):
        _forfeit(g, t)
        return
    if not choice:
        return
    character = choice[0]
    if len(choice) > 1:
        character = await t.ask(
            seat, "exhaust", lambda: [Option(c, "character", {"character": c}) for c in choice]
        )
    if ready:
        exhaust(g, t, character)
        t.tell("skipped", character=character)
    else:
        g.late.append(character)
        t.tell("delayed", character=character)


def _all_would_be_late(g: State, choice: Sequence[str]) -> bool:
    """Whether being late would cost nothing: nobody, or no one else, has a turn before it."""
    on_time = [c.id for c in g.living() if c.id not in g.late]
    return not choice or len(on_time) < 2


def _forfeit(g: State, t: Table) -> None:
    """A turn of the tenth hour is lost at once: one of those counted, or what is left of this."""
    if g.actions_left is not None:
        g.actions_left = max(0, g.actions_left - 1)
        t.tell("action_spent", left=g.actions_left)
    elif g.walk is not None:
        g.walk.left = 0
        t.tell("move_cut_short", character=g.acting)


def pin(g: State, t: Table, character: str, monster: str) -> None:
    """A monster card face up on the character's card; it must not have one."""
    assert g.characters[character].monster is None
    g.characters[character].monster = monster
    difficulty = g.content.monsters[monster].difficulty
    t.tell("pinned", character=character, monster=monster, difficulty=difficulty)


def release(g: State, t: Table, character: str) -> None:
    """The monster on the character's card, if any, goes to the discard; tiles stay."""
    who = g.characters[character]
    if who.monster is not None:
        g.discards["monster"].append(who.monster)
        t.tell("released", character=character, monster=who.monster)
        who.monster = None


# Tiles


def turn_tile(g: State, t: Table, space: str) -> None:
    """Flip a tile face up, if it is not."""
    tile = g.tiles[space]
    if not tile.face_up:
        tile.face_up = True
        t.tell("tile_turned", space=space, room=room_at(g, space), colour=tile.colour)


def remove_tile(g: State, t: Table, space: str) -> None:
    """Take a tile off the board; its room may be clear then."""
    del g.tiles[space]
    room = g.plan.rooms[space]
    left = sum(g.plan.rooms[other] == room for other in g.tiles)
    t.tell("tile_removed", space=space, room=room_at(g, space), left=left)


# Cards


def draw(g: State, t: Table, deck: str) -> str | None:
    """The top card of a deck, which is the caller's to lay down; None if no card is left at all.

    The discard is shuffled into an empty deck: RULE-E14.
    """
    pile = g.piles[deck]
    if not pile and g.discards[deck]:
        pile += t.chance.shuffled(f"reshuffle.{deck}", g.discards[deck])
        g.discards[deck].clear()
        t.tell("reshuffled", deck=deck, cards=len(pile))
    return pile.pop() if pile else None


def draw_relic(g: State, t: Table, seat: Seat) -> str | None:
    """One relic from the deck into the seat's hand: all see that, only the seat sees which."""
    relic = draw(g, t, "relic")
    if relic is None:
        t.tell("relics_ran_out", seat=seat)
        return None
    g.hands[seat].append(relic)
    t.tell("relic_drawn", seat=seat)
    t.tell("relic_seen", only=(seat,), seat=seat, relic=relic)
    return relic


def discard_relic(g: State, t: Table, seat: Seat, relic: str) -> None:
    """One relic from the seat's hand to the discard, for all to see."""
    g.hands[seat].remove(relic)
    g.discards["relic"].append(relic)
    t.tell("relic_discarded", seat=seat, relic=relic)


def give_relic(g: State, t: Table, giver: Seat, taker: Seat, relic: str) -> None:
    """One relic from hand to hand: all see that, only the two see which."""
    g.hands[giver].remove(relic)
    g.hands[taker].append(relic)
    t.tell("relic_given", seat=giver, to_seat=taker)
    t.tell(
        "relic_seen_given",
        only=tuple(sorted((giver, taker))),
        seat=giver,
        to_seat=taker,
        relic=relic,
    )


# Dice


def roll(
    g: State, t: Table, purpose: str, count: int = 1, *, character: str | None = None
) -> tuple[int, ...]:
    """Roll for all to see; ``purpose`` (a plain word) also names what the roll was for."""
    dice = t.chance.dice(purpose, count)
    t.tell("dice_rolled", purpose=purpose, dice=dice, character=character)
    return dice


def lowest(
    g: State,
    t: Table,
    characters: Sequence[str],
    places: int,
    bonus: Callable[[str], int] = lambda _: 0,
) -> tuple[str, ...]:
    """The ``places`` characters with the lowest dice; equals over the edge roll again: RULE-E16."""
    left = list(characters)
    chosen: list[str] = []
    while len(chosen) < places:
        rolls = {c: (t.chance.die("tie"), bonus(c)) for c in left}
        t.tell(
            "tie_rolled",
            rolls=[{"character": c, "die": die, "bonus": more} for c, (die, more) in rolls.items()],
        )
        for c, (die, more) in rolls.items():
            t.tell("tie_die_fell", character=c, die=die, bonus=more)
        ranked = sorted(left, key=lambda c: sum(rolls[c]))
        edge = sum(rolls[ranked[places - len(chosen) - 1]])
        below = [c for c in ranked if sum(rolls[c]) < edge]
        level = [c for c in ranked if sum(rolls[c]) == edge]
        chosen += below
        if len(chosen) + len(level) <= places:
            chosen += level
        left = level
    return tuple(chosen)
