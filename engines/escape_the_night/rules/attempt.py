"""[Resolving a Clue or Monster] draw, roll once, succeed or not."""

from __future__ import annotations

from engines.escape_the_night import deeds, effects
from engines.escape_the_night.state import Attempt, Character, State
from engines.kernel.table import Table


async def resolve_tile(g: State, t: Table, character: Character) -> None:
    """Flip the tile under the character and try a new card of its colour; RULE-E4, RULE-E5."""
    assert character.space is not None
    deeds.turn_tile(g, t, character.space)
    if g.tiles[character.space].colour == "clue":
        await try_clue(g, t, character)
    else:
        await meet_monster(g, t, character)


async def try_clue(g: State, t: Table, character: Character) -> None:
    """One chance at a new clue card; C-E5."""
    clue = deeds.draw(g, t, "clue")
    assert clue is not None, "more clues are printed than there are tiles"
    card = g.content.clues[clue]
    attempt = Attempt(character.id, "clue", clue, card.difficulty)
    g.attempt = attempt
    t.tell("clue_drawn", character=character.id, clue=clue, difficulty=card.difficulty)
    await _roll(g, t, character, attempt)

    if attempt.succeeds:  # C-E8: whatever the difficulty, the tile goes and one relic comes
        g.attempt = None
        g.discards["clue"].append(clue)
        character.solved += 1
        t.tell("clue_solved", character=character.id, seat=character.owner, clue=clue)
        _take_tile(g, t, character, attempt)
        deeds.draw_relic(g, t, character.owner)
        if card.solved:
            await effects.apply(g, t, card.solved, character.id)
        return

    # The card's harm comes first, then it goes under the deck; the tile stays. RULE-E10.
    if not attempt.ended:
        t.tell("clue_failed", character=character.id, clue=clue)
        if card.failed:
            await effects.apply(g, t, card.failed, character.id)
    g.piles["clue"].insert(0, clue)
    g.attempt = None


async def meet_monster(g: State, t: Table, character: Character) -> None:
    """A monster card is laid on the character's card and is fought at once."""
    monster = deeds.draw(g, t, "monster")
    assert monster is not None, "more monsters are printed than there are characters"
    deeds.pin(g, t, character.id, monster)
    await fight(g, t, character)


async def fight(g: State, t: Table, character: Character) -> None:
    """One chance at the monster on the character's card, the same one every turn; C-E6."""
    monster = character.monster
    assert monster is not None
    card = g.content.monsters[monster]
    attempt = Attempt(character.id, "monster", monster, card.difficulty)
    g.attempt = attempt
    await _roll(g, t, character, attempt)
    g.attempt = None

    if attempt.succeeds:
        character.monster = None
        g.discards["monster"].append(monster)
        character.slain += 1
        t.tell("monster_defeated", character=character.id, seat=character.owner, monster=monster)
        _take_tile(g, t, character, attempt)
        deeds.draw_relic(g, t, character.owner)
        if card.defeated:
            await effects.apply(g, t, card.defeated, character.id)
    elif not attempt.ended:  # it stays and pins the character where it stands; RULE-E11
        t.tell("monster_withstood", character=character.id, monster=monster)
        if card.failed:
            await effects.apply(g, t, card.failed, character.id)


async def _roll(g: State, t: Table, character: Character, attempt: Attempt) -> None:
    """The one roll, with room for relics before it and before its result counts; RULE-E32."""
    about = {
        "character": character.id,
        "clue": attempt.card if attempt.colour == "clue" else "",
        "monster": attempt.card if attempt.colour == "monster" else "",
        "difficulty": attempt.difficulty,
    }

    def decided() -> bool:
        return attempt.succeeds or attempt.ended

    with deeds.during(g, "attempt"):
        await t.ask_each(
            lambda: () if decided() else (character.owner,),
            "attempt",
            lambda _: ("roll",),
            about=about,
        )
    if decided():
        return
    attempt.dice = t.chance.dice("attempt", 2)
    t.tell(
        "attempt_rolled",
        **about,
        dice=attempt.dice,
        bonus=attempt.bonus,
        total=attempt.total,
    )
    if decided() or not deeds.anyone_holds_relics(g):
        return
    with deeds.during(g, "rolled"):
        await t.ask_each(
            lambda: () if decided() else (character.owner,),
            "accept",
            lambda _: ("accept",),
            about=about,
        )


def _take_tile(g: State, t: Table, character: Character, attempt: Attempt) -> None:
    """Remove the tile that brought the card. A monster met elsewhere has none to remove."""
    space = character.space
    tile = g.tiles.get(space) if space is not None else None
    if space is not None and tile and tile.face_up and tile.colour == attempt.colour:
        deeds.remove_tile(g, t, space)
