"""Words: facts put into sentences, names of things and of players, and what goes wrong."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content.names import Style, styled
from content.words import Words, WordsError
from content.yaml_source import ContentError, parse

TEXT = """\
grammar: {and: and, nobody: nobody, seat: "Seat {number}", twin: "{name} ({number})"}
events:
  moved: "{character} goes to {room}."
  met: "{characters} meet in {where:room}."
  turn: It is {seat}'s turn, then {next:seat}'s.
  walked: "{seat} walks {steps} {steps#space|spaces}."
  pass: "{seat} passes{again? again}."
  drew: "{seat} draws {cards#one card|{cards:number} cards}{secret? in secret|}."
  typed: "Called {title}."
  composed: "{line:text}"
  plain: Nothing happens {{yet}}.
help:
  pages:
    - First.
    - Second {page}.
names:
  character: {ann: Ann Page, bob: Bob Roe, cy: Cy Poe}
  room: {hall: the hall}
"""


def words(*names: str, style: Style = Style.MESSAGE, text: str = TEXT) -> Words:
    """The words above, bound to these players."""
    return Words.load(parse(text, "en.yaml")).bound(names, style)


@pytest.mark.parametrize(
    ("path", "facts", "said"),
    [
        ("events.moved", {"character": "ann", "room": "hall"}, "Ann Page goes to the hall."),
        ("events.met", {"characters": ["ann"], "where": "hall"}, "Ann Page meet in the hall."),
        (
            "events.met",
            {"characters": ("ann", "bob", "cy"), "where": "hall"},
            "Ann Page, Bob Roe and Cy Poe meet in the hall.",
        ),
        ("events.met", {"characters": [], "where": "hall"}, "nobody meet in the hall."),
        ("events.turn", {"seat": 0, "next": 1}, "It is Kim's turn, then Lee's."),
        ("events.turn", {"seat": [0, 1], "next": 1}, "It is Kim and Lee's turn, then Lee's."),
        ("events.walked", {"seat": 1, "steps": 1}, "Lee walks 1 space."),
        ("events.walked", {"seat": 1, "steps": 0}, "Lee walks 0 spaces."),
        ("events.pass", {"seat": 1, "again": True}, "Lee passes again."),
        ("events.pass", {"seat": 1, "again": 0}, "Lee passes."),
        ("events.drew", {"seat": 0, "cards": 1, "secret": True}, "Kim draws one card in secret."),
        ("events.drew", {"seat": 0, "cards": 3, "secret": None}, "Kim draws 3 cards."),
        ("events.plain", {}, "Nothing happens {yet}."),
        ("help.pages.1", {"page": 7}, "Second 7."),
        ("events.moved", {"character": "dee", "room": "hall"}, "dee goes to the hall."),
    ],
)
def test_facts_become_words(path, facts, said):
    """Each kind of place words its fact by its own rule."""
    assert words("Kim", "Lee").say(path, facts) == said


def test_names_of_things():
    """A thing without a name is called by its id in plain writing."""
    assert words().name("character", "ann") == "Ann Page"
    assert words().name("character", "old_butler") == "Old butler"
    assert words().name("nothing", "x") == "X"


def test_looking():
    """One can ask whether there are words, and read a section as it was written."""
    assert words().has("events.moved")
    assert not words().has("events")
    assert not words().has("events.danced")
    assert words().section("help")["pages"] == ["First.", "Second {page}."]
    assert words().section("names.room") == {"hall": "the hall"}
    assert words().section("names.room.hall") == {}
    assert words().section("nowhere.at.all") == {}


def test_keys_with_dots():
    """Option keys may hold dots; they are found all the same."""
    text = TEXT + "decisions: {move: {options: {to.hall-1: Go}}}\n"

    assert words(text=text).say("decisions.move.options.to.hall-1") == "Go"


def test_seats_without_names():
    """Words bound to nobody call a seat by its number; seats are counted from 1."""
    assert Words.load(parse(TEXT, "en.yaml")).seat(2) == "Seat 3"
    assert words("Kim").seat(1) == "Seat 2"


@pytest.mark.parametrize(
    ("path", "facts", "said"),
    [
        ("events.danced", {}, "events.danced: there are no such words"),
        ("events.moved", {"character": "ann"}, "events.moved: nothing is known of {room}"),
        ("events.turn", {"seat": 0, "next": "ann"}, "events.turn: {next}: 'ann' is no seat"),
        ("events.turn", {"seat": 0, "next": True}, "events.turn: {next}: True cannot be put"),
        ("events.met", {"characters": [], "where": 3}, "events.met: {where}: 3 is no room"),
        (
            "events.walked",
            {"seat": 0, "steps": "x"},
            "events.walked: {steps}: 'x' is no number",
        ),
        ("events.typed", {"title": None}, "events.typed: {title}: None cannot be put into words"),
        ("events.typed", {"title": {"a": 1}}, "events.typed: {title}: {'a': 1} cannot be put"),
        ("events.composed", {"line": 3}, "events.composed: {line}: 3 is no text"),
        ("events.drew", {"seat": 0, "cards": "2", "secret": 0}, "events.drew: {cards}: '2' is no"),
    ],
)
def test_facts_that_do_not_fit(path, facts, said):
    """Whatever does not fit names the template and the place."""
    with pytest.raises(WordsError, match=f"^{re.escape(said)}"):
        words("Kim").say(path, facts)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: '{who'", "{who: expected }, :, # or ?, not 'the end'"),
        ("a: 'who}'", "a } without its {; write }} for a brace"),
        ("a: '{}'", "expected a field's name (small letters) at '}'"),
        ("a: '{Who}'", "expected a field's name (small letters) at 'Who}'"),
        ("a: '{who!r}'", "{who: expected }, :, # or ?, not '!'"),
        ("a: '{who:}'", "expected a field's name"),
        ("a: '{who:seat'", "{who: expected }"),
        ("a: '{n#x|y'", "{n#: its } is missing, or there are three branches"),
        ("a: '{n#x|y|z}'", "{n#: its } is missing, or there are three branches"),
        ("a: '{n?{x|y}'", "{x: expected }, :, # or ?, not '|'"),
        ("a: '{who?{x:rom}}'", "there is no table names.rom (did you mean 'room'?)"),
        ("a: 7", "expected words; put them in quotes"),
        ("a:", "expected words; put them in quotes"),
        ("a: {b: true}", "expected words; put them in quotes"),
    ],
)
def test_templates_are_checked_when_loaded(text, said):
    """A template that cannot be read is the author's, with file, line and path."""
    with pytest.raises(ContentError) as caught:
        Words.load(parse(f"{TEXT}{text}\n", "en.yaml"))

    assert caught.value.line == TEXT.count("\n") + 1
    assert caught.value.where.startswith("a")
    assert caught.value.message.startswith(said)


def test_all_bad_templates_are_told():
    """An author hears of all of them in one go."""
    with pytest.raises(ContentError) as caught:
        Words.load(parse(f"{TEXT}a: '{{'\nb: '}}'\n", "en.yaml"))

    assert len(caught.value.all()) == 2


def test_needed_words():
    """Words without their grammar are refused when they are loaded, not when they are said."""
    with pytest.raises(ContentError, match="the words 'grammar.seat' are missing"):
        Words.load(parse("grammar: {and: and, nobody: nobody}", "en.yaml"))


def test_later_words_win():
    """A game may say in its own words what the bot says in general."""
    mine = parse("events: {plain: All quiet.}", "game.yaml")
    both = Words.load(parse(TEXT, "en.yaml"), mine)

    assert both.say("events.plain") == "All quiet."
    assert both.section("events")["plain"] == "All quiet."
    assert both.has("events.moved")


NASTY = [
    "_a_", "*b", "||c||", "```", "# d", "- e", "> f", "[x](http://y)", "<@123>", "1. one",
    "-# small", "~~g~~", "a\\", "<#5>", "<t:1:R>", "@everyone", "@here", "+ h",
]  # fmt: skip


def read_back(said: str) -> str:
    """The text as a reader of Markdown sees it once every escape is undone."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", said).replace("\u200b", "")


@pytest.mark.parametrize("name", NASTY)
def test_names_are_literal(name):
    """MEM-07: a name's signs are escaped in messages and stand as they are elsewhere."""
    table = words(name, "Lee")
    said = table.say("events.turn", {"seat": 0, "next": 1})

    assert read_back(said) == f"It is {name}'s turn, then Lee's."
    assert re.search(r"(?<!\\)(\\\\)*[*_~`|<\[]", said) is None
    assert words(name, "Lee", style=Style.PLAIN).seat(0) == name


@pytest.mark.parametrize("sign", ["# d", "- e", "> f", "1. one", "+ h", "-# s", "12) x"])
def test_names_open_no_heading_or_list(sign):
    """MEM-07: at the start of a line a name makes no heading, list or quotation."""
    assert re.match(r"(\d*\\[-#+.)>])", styled(sign, Style.MESSAGE))


@pytest.mark.parametrize(
    "text", ["@everyone", "@here", "<@123>", "<@&456>", "x @everyone", "`@everyone`"]
)
def test_no_mention_gets_through(text):
    """MEM-08: neither a name nor a typed text can mention anybody."""
    for said in (words(text).seat(0), words().say("events.typed", {"title": text})):
        assert "@everyone" not in said
        assert "@here" not in said
        assert not re.search(r"<@[!&]?\d", said)


def test_composed_text_is_left_alone():
    """Text that is made of words already is not escaped a second time."""
    table = words("a_b")
    line = table.say("events.pass", {"seat": 0, "again": False})

    assert table.say("events.composed", {"line": line}) == line == "a\\_b passes."


def test_equal_names_are_told_apart():
    """MEM-09: players whose names look alike carry their seat's number, everywhere."""
    table = words("Alex", "Kim", "alex ", "\u200bAlex", style=Style.PLAIN)

    assert [table.seat(n) for n in range(4)] == ["Alex (1)", "Kim", "alex (3)", "Alex (4)"]


def test_a_number_never_makes_a_new_double():
    """MEM-09: not even a player who is called like a numbered one."""
    table = words("Alex", "Alex", "Alex (2)", style=Style.PLAIN)

    assert len({table.seat(n) for n in range(3)}) == 3


@pytest.mark.parametrize("name", ["", "  ", "\u200b", "\u202e", "\u3164", "\u2800\n"])
def test_names_that_show_nothing(name):
    """A name that nobody can see is replaced by the seat's number."""
    assert words("Kim", name).seat(1) == "Seat 2"


def test_hidden_signs_are_taken_out():
    """Direction marks, controls and line breaks cannot disturb the words around a name."""
    assert words("ab\u202ecd\ne\x00f\t g", style=Style.PLAIN).seat(0) == "abcd ef g"
    assert words("👩\u200d👧", style=Style.PLAIN).seat(0) == "👩\u200d👧"


@given(st.lists(st.text(max_size=12), min_size=1, max_size=11))
def test_any_names_are_different_and_harmless(names):
    """Whatever players call themselves, seats differ, are visible and mention nobody."""
    table = words(*names)
    shown = [table.seat(n) for n in range(len(names))]

    assert len(set(shown)) == len(names)
    assert all(shown)
    assert not any(re.search(r"@(everyone|here)|<@", name) for name in shown)


class Anything(dict[str, object]):
    """Facts that know of everything: it is 1."""

    def __contains__(self, key: object) -> bool:
        return True

    def __missing__(self, key: str) -> object:
        return 1


@given(st.text(alphabet="{}|ab#?: ", max_size=12))
def test_any_template_is_read_or_refused(text):
    """No template gets further than the loader with anything but a sentence."""
    document = parse(TEXT, "en.yaml")
    document.data["a"] = text
    said = None
    try:
        said = Words.load(document).say("a", Anything())
    except ContentError as error:
        said = error.message

    assert isinstance(said, str)
