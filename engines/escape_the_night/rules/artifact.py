"""[Recovering an Artifact] claim it, then face the Mysterious Man."""

from __future__ import annotations

from engines.escape_the_night import deeds, effects
from engines.escape_the_night.paths import room_at
from engines.escape_the_night.state import Character, ManRoll, State
from engines.kernel.table import Table


async def recover(g: State, t: Table, character: Character) -> None:
    """The artifact under the character goes to the mantle; its room must be clear."""
    assert character.space is not None
    artifact = g.artifacts.pop(character.space)
    g.mantle.append(artifact)
    t.tell(
        "artifact_recovered",
        character=character.id,
        seat=character.owner,
        artifact=artifact,
        space=character.space,
        room=room_at(g, character.space),
        count=len(g.mantle),
    )
    deeds.check_end(g)  # C-E16: a win comes before the Mysterious Man
    await face_the_man(g, t, character, artifact)


async def face_the_man(g: State, t: Table, character: Character, artifact: str) -> None:
    """One die against his card; in the tenth round against the other side. RULE-E1, C-E26."""
    man = ManRoll(character.id, artifact, t.chance.die("man"))
    g.man = man
    t.tell("man_rolled", character=character.id, die=man.die, side=g.man_side)
    if deeds.anyone_holds_relics(g):
        with deeds.during(g, "man"):
            await t.ask_each(
                lambda: () if man.cancelled else (character.owner,),
                "face_the_man",
                lambda _: ("face",),
                about={"character": character.id, "artifact": artifact, "side": g.man_side},
            )
    if man.cancelled:
        t.tell("man_foiled", character=character.id)
    else:
        result = next(r for r in g.content.mysterious[g.man_side] if man.die in r.faces)
        t.tell(
            "man_acted",
            character=character.id,
            die=man.die,
            side=g.man_side,
            result=result.effect.do,
        )
        await effects.apply_man(g, t, result.effect, man)
    g.man = None
