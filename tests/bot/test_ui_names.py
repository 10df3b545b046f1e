"""Names as people choose them, in every sentence and on every control of every game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bot import titles
from bot.offline.wire import limits
from bot.offline.wire.limits import walk
from bot.sessions.session import Session
from bot.ui import panel
from bot.ui.channel import DiscordChannel
from bot.ui.layout import Sheet, Shown
from bot.ui.text import Voice
from content.names import Style, cleaned, styled
from content.template import Fact, Fork, Template
from content.words import Words
from tests.e2e.world import _check_strictly
from tests.sessions.house import House
from tests.sessions.moments import every_moment, lay

NASTY = ("_a_", "*b", "||c||", "```", "# d", "- e", "> f", "[x](http://y)", "<@123>")
MORE = ("@everyone", "<@&456>")
ALL = (*NASTY, *MORE)
GAMES = tuple(titles.KEYS)


def plain_name(seat: int, name: str) -> str:
    """A name without any sign, as long as that one: what it is read against."""
    return ("QqQqQqQqQqQqQq", "JjJjJjJjJjJjJj", "XxXxXxXxXxXxXx", "VvVvVvVvVvVvVv")[seat][
        : len(name)
    ]


def read_back(said: str) -> str:
    """What a reader of Markdown sees of it once every escape is undone."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", said).replace("\u200b", "")


# Sentences


def branches(template: Template) -> Iterator[list[str | Fact]]:
    """Every way to say a sentence, whichever way its forks go."""
    ways: list[list[list[str | Fact]]] = []
    for part in template:
        if isinstance(part, Fork):
            ways.append([*branches(part.yes), *branches(part.no)])
        else:
            ways.append([[part]])
    for combined in product(*ways):
        yield [one for way in combined for one in way]


def facts_for(words: Words, parts: list[str | Fact]) -> Mapping[str, Any]:
    """A seat wherever one can stand, and anything that fits everywhere else."""
    found: dict[str, Any] = {}
    for part in parts:
        if isinstance(part, str):
            continue
        match part.table:
            case "number":
                found[part.field] = 3
            case "text":
                found[part.field] = "thing"
            case "seat" | "":
                is_seat = part.table == "seat" or part.field in ("seat", "seats")
                found[part.field] = [0, 1] if part.field == "seats" else 0 if is_seat else "typed"
            case table:
                names = words.section(f"names.{table}")
                found[part.field] = next(iter(names), "thing")
    return found


def say(words: Words, parts: list[str | Fact], facts: Mapping[str, Any]) -> str:
    """One way of a sentence in words."""
    return words._fill(tuple(parts), facts, "test")


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("name", ALL)
def test_a_name_is_literal_in_every_template(key: str, name: str) -> None:
    """MEM-07, MEM-08: in every sentence of the bot and of each game, whichever way it goes, a name
    or a typed word reads as it was chosen, everything around it as it was written, and nobody is
    called. Where all is literal, as on labels, no escape is put in.
    """
    words = titles.load(key).content.words
    other = plain_name(0, name)
    pairs = [
        (words.bound([name, "Kim"], style), words.bound([other, "Kim"], style), style)
        for style in Style
    ]
    for path, template in words._templates.items():
        if path.startswith("grammar."):
            continue
        for parts in branches(template):
            facts = facts_for(words, parts)
            if not any(isinstance(part, Fact) for part in parts):
                continue
            mine = {f: name if v == "typed" else v for f, v in facts.items()}
            plain = {f: other if v == "typed" else v for f, v in facts.items()}
            for hostile, harmless, style in pairs:
                told, wanted = say(hostile, parts, mine), say(harmless, parts, plain)
                assert told == wanted.replace(other, styled(name, style)), path
                if style is Style.MESSAGE:
                    check_message(told, wanted, {other: name}, path)
                else:
                    assert told == wanted.replace(other, name), path


def check_message(told: str, wanted: str, names: Mapping[str, str], where: object) -> None:
    """A message reads literally, calls nobody and is formatted as the harmless one."""
    for sign in (r"(?<!\\)<@[!&]?\d+>", "@everyone", "@here", "```"):
        assert re.findall(sign, told) == re.findall(sign, wanted), where
    wanted = read_back(wanted)
    for other, name in names.items():
        wanted = wanted.replace(other, cleaned(name))
    # The board in words is ASCII that cannot end its box: a back-tick is an apostrophe there.
    read, wanted = read_back(told).replace("`", "'"), wanted.replace("`", "'")
    if read.endswith("…") or wanted.endswith("…"):  # cut elsewhere, since escapes take room
        room = min(len(read), len(wanted)) - 20
        read, wanted = read[:room], wanted[:room]
    assert read == wanted, where


# Messages and controls


async def messages(folder: Path, key: str, names: list[str]) -> dict[str, Shown]:
    """What is posted, and each person's panel and hand, at every question of a game."""
    title = titles.load(key)
    house = await House(folder, title).open()
    found: dict[str, Shown] = {}
    try:
        moments = every_moment(title)
        sessions = await lay(house, moments, names=names)
        await house.run(4, step=0.1)
        channel: Any = DiscordChannel.__new__(DiscordChannel)
        channel.titles = {key: title}
        for posted in house.channel.messages.values():
            found[posted.face.mark] = channel._shown(posted.face, None)
        for moment, session in zip(moments, sessions, strict=True):
            user = session.persons()[moment.seat]
            look = await session.look(user)
            found[f"{session.code} panel"] = panel.panel(title, look)
            found[f"{session.code} hand"] = panel.hand(title, look)
            found[f"{session.code} briefing"] = panel.briefing(title, look, note="")
            found |= told_of(session, Voice.of(title, look.snapshot))
    finally:
        await house.die()
    return found


def told_of(session: Session, voice: Voice) -> dict[str, Shown]:
    """The newest of the log of a table, in a message."""
    lines = "\n".join(voice.newest(session.playing.events, 12))
    return {f"{session.code} log": Sheet(0).text(lines).shown()}


def texts_and_labels(shown: Shown) -> Iterator[tuple[str, str]]:
    """Everything that can be read in a message, and where it stands."""
    for part in walk(shown.layout.to_components()):
        if part.get("type") == 10:
            yield "text", str(part["content"])
        for field in ("label", "placeholder", "description"):
            if part.get(field):
                yield field, str(part[field])
        for option in part.get("options", ()):
            yield "label", str(option["label"])
            yield "description", str(option.get("description") or "")


@pytest.mark.parametrize("names", [NASTY[:4], NASTY[4:8], (*NASTY[8:], *MORE, "__g__")])
@pytest.mark.parametrize("key", GAMES)
async def test_names_on_every_message_and_control(
    tmp_path: Path, key: str, names: tuple[str, ...]
) -> None:
    """MEM-07, MEM-08: at every kind of question of every game, on the table, in panels, hands and
    the log: messages read the names as they were chosen; the labels of buttons and menus have them
    without a stray backslash; and the people at the table are all that a message may call.
    """
    plain = [plain_name(seat, name) for seat, name in enumerate(names)]
    by_plain = dict(zip(plain, names, strict=True))
    hostile = await messages(tmp_path / "hostile", key, list(names))
    harmless = await messages(tmp_path / "harmless", key, plain)
    assert hostile.keys() == harmless.keys()
    seen = set[str]()
    for mark, shown in hostile.items():
        mine, theirs = list(texts_and_labels(shown)), list(texts_and_labels(harmless[mark]))
        assert [kind for kind, _ in mine] == [kind for kind, _ in theirs]
        for (kind, told), (_, wanted) in zip(mine, theirs, strict=True):
            if kind == "text":
                check_message(told, wanted, by_plain, mark)
            else:
                expected = wanted
                for other, name in by_plain.items():
                    expected = expected.replace(other, name)
                assert told == expected, mark
                if wanted != expected:
                    seen.add(kind)
        allowed = shown.allowed_mentions.to_dict()
        assert set(allowed["users"]) <= set(range(1, 9))
        assert not allowed.get("parse")
    assert "label" in seen or key == "fear_of_the_dark"


LONGEST = ("W" * 32, "🎃" * 16, "क्षत्रिय" * 4, "Ǻ\u0301\u0302" * 10)


@pytest.mark.parametrize("key", GAMES)
async def test_the_longest_names_fit_everywhere(tmp_path: Path, key: str) -> None:
    """MEM-14: with the longest names at every kind of question of every game nothing that is sent
    is longer than Discord takes, and what was cut ends in an ellipsis on a whole character.
    """
    found = await messages(tmp_path, key, list(LONGEST))
    for mark, shown in found.items():
        body = {
            "components": shown.layout.to_components(),
            "allowed_mentions": shown.allowed_mentions.to_dict(),
            "flags": 1 << 15,
        }
        limits.check_message(body)
        _check_strictly({**body, "title": ""})
        for _, told in texts_and_labels(shown):
            assert "\ufffd" not in told, mark
            assert not re.search("[\ud800-\udfff]", told), mark
