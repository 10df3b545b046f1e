"""Messages built within Discord's limits, whatever goes into them."""

from __future__ import annotations

from pathlib import Path

import discord
import pytest

from bot.offline.wire.limits import check_message, walk
from bot.ui.buttons import Choice, NightButton, NightMenu, button, menu
from bot.ui.ids import Control
from bot.ui.layout import MOST_BYTES, MOST_FILE, Attached, Sheet
from bot.ui.registration import differs
from bot.ui.rulebook import Rulebook
from content.yaml_source import ContentError


async def test_too_many_words_are_shortened() -> None:
    """Four thousand characters and ten thousand bytes are never passed; the longest gives way."""
    sheet = Sheet().text("a short heading")
    for _ in range(5):
        sheet.text("\N{FULL MOON SYMBOL}" * 900)
    layout = sheet.shown().layout
    body = {"components": layout.to_components()}
    check_message(body)
    content = [str(one["content"]) for one in walk(body["components"]) if one["type"] == 10]
    assert content[0] == "a short heading"
    assert sum(len(one.encode()) for one in content) <= MOST_BYTES
    assert len(content) == 6


async def test_code_stays_in_its_box() -> None:
    """Back-ticks inside cannot end the box, and lines are cut whole."""
    shown = Sheet().code("one\n```two\nthree" + "x" * 100, 60).shown()
    (text,) = [i for i in shown.layout.walk_children() if isinstance(i, discord.ui.TextDisplay)]
    assert text.content == "```\none\n'''two\n…\n```"


async def test_too_many_parts_are_our_bug() -> None:
    """They are noticed before Discord refuses the message; `fits` says so beforehand."""
    sheet = Sheet()
    rows = [[button(Control("act", n), "x")] for n in range(1, 25)]
    assert not sheet.fits(rows)
    assert sheet.fits(rows[:19])
    with pytest.raises(ValueError, match="maximum number of children|components"):
        sheet.rows(rows).shown()


async def test_one_control_twice_is_our_bug() -> None:
    """A custom_id stands once in a message."""
    sheet = Sheet().row(button(Control("act", 1), "x"), button(Control("act", 1), "y"))
    with pytest.raises(ValueError, match="stands twice"):
        sheet.shown()


async def test_only_named_users_are_pinged() -> None:
    """Nobody by default; with a mention, that user only."""
    nobody = Sheet().text("@everyone").shown().allowed_mentions.to_dict()
    assert nobody == {"parse": [], "users": []}
    mentions = Sheet().text("<@5>").mention(5, 5).shown().allowed_mentions.to_dict()
    assert mentions["users"] == [5]
    assert mentions["parse"] == []


async def test_menus_hold_25_and_tell_choices_apart() -> None:
    """Longer ones are a bug of the caller; equal labels are numbered."""
    choices = [Choice(f"key_{n}", "Alex") for n in range(25)]
    made = menu(Control("act", 1), "Choose", choices, most=40)
    labels = [option.label for option in made.item.options]
    assert len(set(labels)) == 25
    assert made.item.max_values == 25
    with pytest.raises(ValueError, match="26"):
        menu(Control("act", 1), "Choose", [*choices, Choice("one_more", "Alex")])
    with pytest.raises(ValueError, match="menu of 0"):
        menu(Control("act", 1), "Choose", [])


def test_patterns_never_overlap() -> None:
    """Each custom_id of ours matches exactly one of the two classes."""
    patterns = [NightButton, NightMenu]
    for custom_id in (Control("act", 1).button, Control("act", 1).menu):
        matching = [p for p in patterns if p.__discord_ui_compiled_template__.fullmatch(custom_id)]
        assert len(matching) == 1


def test_files_are_made_afresh_and_not_too_large() -> None:
    """A retry needs a new file object; Discord takes ten megabytes."""
    attached = Attached("a.png", b"x")
    assert attached.file() is not attached.file()
    with pytest.raises(ValueError, match="bytes"):
        Attached("a.png", bytes(MOST_FILE + 1)).file()


WANTED = {
    "name": "board",
    "description": "Look at the board",
    "type": 1,
    "contexts": [0, 1],
    "integration_types": [0],
    "options": [{"type": 5, "name": "words", "description": "In words", "required": False}],
}


@pytest.mark.parametrize(
    ("change", "is_different"),
    [
        ({}, False),
        ({"nsfw": False, "version": "1", "id": "5", "default_member_permissions": None}, False),
        ({"name_localizations": None, "dm_permission": True, "contexts": [1, 0]}, False),
        ({"description": "Another"}, True),
        ({"contexts": [0]}, True),
        ({"default_member_permissions": "32"}, True),
        ({"options": []}, True),
        ({"options": [WANTED["options"][0] | {"name": "text"}]}, True),
        ({"options": [WANTED["options"][0] | {"autocomplete": False, "choices": []}]}, False),
    ],
)
def test_only_real_differences_are_registered(
    change: dict[str, object], is_different: bool
) -> None:
    """What Discord fills in by itself is none."""
    assert differs([WANTED], [WANTED | change]) is is_different


def test_commands_that_came_or_went_are_differences() -> None:
    """A command more or less is registered; the order is none."""
    other = WANTED | {"name": "log"}
    assert differs([WANTED], [])
    assert differs([WANTED], [WANTED, other])
    assert not differs([WANTED, other], [other, WANTED])


RULES = """
topics:
  vote: { title: The vote, text: "Tokens are spread.", keywords: "ballot" }
  walk: { title: Walking, text: "Two dice; a vote never moves anybody." }
"""


def test_topics_are_found_by_title_first(tmp_path: Path) -> None:
    """Words in the title count most, then keywords, then the text; all words must be there."""
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "rules_help.yaml").write_text(RULES)
    book = Rulebook.load({"toy": None}, tmp_path)
    assert [topic.key for topic in book.search("vote")] == ["vote", "walk"]
    assert [topic.key for topic in book.search("BALLOT")] == ["vote"]
    assert [topic.key for topic in book.search("dice vote")] == ["walk"]
    assert book.search("zeppelin") == []
    assert len(book.search("")) == 2
    assert book.topic("toy", "walk") is book.topics[1]
    assert book.topic("toy", "none") is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("topics: [a]", "toy/rules_help.yaml:1"),
        ("topics:\n  vote: { title: The vote }", "toy/rules_help.yaml:2"),
        ("topics:\n  vote: { title: 7, text: a }", "put it in quotes"),
        ("rules: a", "'topics' is missing"),
    ],
)
def test_a_broken_rules_file_is_told_to_its_author(tmp_path: Path, text: str, told: str) -> None:
    """The file and the line are named."""
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "rules_help.yaml").write_text(text)
    with pytest.raises(ContentError, match=told):
        Rulebook.load({"toy": None}, tmp_path)
