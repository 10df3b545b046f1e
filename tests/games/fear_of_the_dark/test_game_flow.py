"""[Game Flow] and [Icon key]: periods of Light and Darkness, and what the printed icons mean."""

from __future__ import annotations

from content.fear_of_the_dark import load
from engines.fear_of_the_dark.rules.escape import LIT
from tests.driving import play_out
from tests.games.fear_of_the_dark.box import CONTENT
from tests.games.fear_of_the_dark.mazes import CROWDED, bold, opened
from tests.games.fear_of_the_dark.stage import ALONE, Stage, dangers, hand, lost, maze, tiles

BOX = load().rules
"""The content that is shipped."""


def test_there_are_no_turns_but_periods_of_light_and_darkness():
    """[Game Flow] Act follows upon act for the same players: there is Light for as long as a hand
    is held, and what is asked says so; it is dark from its last card until something lights it.
    """
    changes = 0
    for byte in range(8):
        content = (CONTENT, CROWDED)[byte % 2]
        play = opened(3, bytes([byte]) * 32, content=content)
        was_light = False

        def check(step, play=play):
            nonlocal was_light, changes
            told = [numbered.event for numbered in step.events]
            for event in told:
                if event.kind == "hand_built":
                    was_light = bool(event.data["light"])
                elif event.kind == "darkness_fell":
                    was_light = False
                    changes += 1
            for decision in play.asked[:1]:
                if decision.kind == "act":
                    view = play.view(None)
                    assert decision.about["light"] == view.light == bool(view.hand)
                    assert view.light == was_light
                    assert [one.seat for one in play.asked] == [0, 1, 2]

        play_out(play, bold, bytes([byte]), each=check, limit=3000)

    assert changes > 8


def test_the_icons_of_the_shipped_cards():
    """[Icon key] Only in light: Tiptoe and Scout. Only by movement: every danger but Leakage. At
    once: the Lever alone of all items. Dangerous rooms and dark echoes, one of them both.
    """
    assert set(LIT) == {"tiptoe", "scout"}
    assert {danger.kind for danger in BOX.dangers.values() if not danger.walked} == {"leakage"}
    assert {item.kind for item in BOX.items.values() if item.instant} == {"lever"}
    icons = [(tile.danger, tile.echo) for tile in BOX.tiles.values()]
    assert icons.count((True, True)) == 1
    assert {(True, False), (False, True), (False, False)} <= {*icons}


def test_what_the_icons_do():
    """[Icon key] In the Dark nothing is offered that needs light; a Terror that triggered is kept,
    and no other danger is.
    """
    dark = Stage(maze(ALONE), lost("A4"), tiles("hall", "hall"))
    lit = Stage(maze(ALONE), lost("A4"), hand("tiptoe", "scout"), tiles("hall", "hall"))
    needs_light = {"play.tiptoe", "play.scout", "give.tiptoe", "give.scout"}

    assert not needs_light & {*dark.choices("act")}
    assert needs_light <= {*lit.choices("act")}
    stage = Stage(
        maze(ALONE), lost("A4"), tiles("lair", "lair_2", "hall"), dangers("terror", "propuh")
    )
    stage.say("act give.move", "walk a.w", "give_up scout_1", "lose_card tiptoe_1")
    assert (stage.view.terrors, stage.view.dangers) == (1, ())
