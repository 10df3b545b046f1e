"""Journals of the real games through damage, later rules and other content."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import AsyncIterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from bot import titles
from bot.sessions.faces import Status
from bot.sessions.ports import Click, Refusal
from bot.sessions.session import Session
from bot.titles import Title
from engines.kernel.chance import Chance
from tests.sessions.house import ANN, BEA, CID, DOT, GUILD, MOD, ROOM, House

CONTENT = Path(titles.__file__).parents[1] / "content"
CHANGES = {
    "escape_the_night": ("clues.yaml", "difficulty: 5"),
    "fear_of_the_dark": ("numbers.yaml", "move: 4"),
}
"""A figure of each game: its file, and how it stands there."""

every_game = pytest.mark.parametrize("key", titles.KEYS)


@cache
def title_of(key: str) -> Title:
    """The game as it is shipped."""
    return titles.load(key)


@pytest.fixture
async def house(tmp_path: Path, key: str) -> AsyncIterator[House]:
    """A house for one real game."""
    opened = await House(tmp_path / "data", title_of(key)).open()
    yield opened
    await opened.die()


def mod(house: House) -> Click:
    """A moderator's click."""
    return house.click(MOD, may_manage=True)


async def play(house: House, session: Session, answers: int, seed: bytes = b"real") -> None:
    """So many sensible answers by the people at the table."""
    rng, agent = Chance(seed), session.title.game.agents["sensible"]
    for _ in range(answers):
        game = session.playing
        seat = next(d for d in game.asked if d.current is None).seat
        mine = [d for d in game.asked if d.seat == seat and d.current is None]
        choice = agent(game.view(seat), mine, (), rng)
        assert choice is not None
        asked, user = choice.decision, session.seats[seat].user_id or 0
        await session.answer(house.click(user), asked.question, asked.kind, choice.value)


async def put(house: House, session: Session, ply: int, record: str) -> None:
    """Change a stored record behind the bot's back."""
    sql = "UPDATE entry SET record = ? WHERE session = ? AND ply = ?"
    await house.store._writer.run(
        lambda connection: connection.execute_fetchall(sql, (record, session.id, ply))
    )


def views(session: Session) -> list[object]:
    """What everybody sees."""
    return [session.playing.view(seat) for seat in (None, 0, 1, 2)]


async def cut_everywhere(house: House, step: int) -> int:
    """Cut the last record at each so many bytes, set it aside and play on; how many cuts."""
    session = await house.game(ANN, BEA, CID)
    await play(house, session, 8)
    seen = views(session)
    await play(house, session, 1)
    cut = 0
    while True:
        records = await house.store.entries(session.id)
        last = records[-1].record
        if cut >= len(last):
            return cut
        await put(house, session, len(records) - 1, last[:cut])
        await house.restart()
        session = house.same(session)
        assert session.status is Status.CRASHED, cut
        await session.restore(mod(house))
        assert session.playing.ply == session.row.ply == len(records) - 1
        assert views(session) == seen
        await play(house, session, 1, f"{cut}".encode())
        assert [row.ply for row in await house.store.entries(session.id)] == [
            row.ply for row in records
        ]
        cut += step


@every_game
async def test_a_torn_last_record_of_a_real_game(house: House) -> None:
    """RPL-09: here and there in it: set aside, and numbering goes on."""
    assert await cut_everywhere(house, 37) > 120


@pytest.mark.soak
@pytest.mark.timeout(1800)
@every_game
async def test_a_last_record_torn_at_every_byte(house: House) -> None:
    """RPL-09: at every byte."""
    assert await cut_everywhere(house, 1) > 120


@every_game
@pytest.mark.parametrize("how", ["unknown", "one field more", "garbled"])
async def test_a_record_that_nobody_knows(house: House, how: str) -> None:
    """RPL-10, RPL-09: a whole record of an unknown type or with a field more at the end, or one in
    the middle that is garbled: that table stops, nothing of it is deleted or set aside, and the
    other one plays on.
    """
    session = await house.game(ANN, BEA, CID)
    await play(house, session, 6)
    other = await house.registry.open_lobby(
        house.click(DOT), game=house.title.key, guild_id=GUILD, channel_id=ROOM + 1
    )
    await other.join(house.click(DOT + 10))
    await other.start(house.click(DOT))
    await play(house, other, 3)
    records = await house.store.entries(session.id)
    place = 2 if how == "garbled" else len(records) - 1
    text = records[place].record
    changed = {
        "unknown": '{"kind":"of tomorrow","seat":0,"what":[1,2]}',
        "one field more": json.dumps(json.loads(text) | {"mood": "grim"}),
        "garbled": text[:20] + "\x00\x00#" + text[23:],
    }[how]
    await put(house, session, place, changed)
    await house.restart()
    session, other = house.same(session), house.same(other)
    assert session.status is Status.CRASHED
    with pytest.raises(Refusal, match="not_restorable"):
        await session.restore(mod(house))
    stored = await house.store.entries(session.id)
    assert [row.record for row in stored] == [
        changed if ply == place else row.record for ply, row in enumerate(records)
    ]
    await play(house, other, 3)
    assert other.status is Status.RUNNING


class Later:
    """The same game in a later version, which draws once more in its set-up."""

    def __init__(self, game: Any) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def setup(self, table: Any, content: Any, setting: Any) -> Any:
        made = self._game.setup(table, content, setting)
        table.chance.below("one_more", 6)
        return made


class Numbered(Later):
    """A later version that says so."""

    @property
    def rules_version(self) -> int:
        return self._game.rules_version + 1

    def setup(self, table: Any, content: Any, setting: Any) -> Any:
        return self._game.setup(table, content, setting)


@every_game
@pytest.mark.parametrize("later", [Later, Numbered])
async def test_later_rules_stop_the_table_and_the_old_ones_play_on(
    house: House, later: type[Later]
) -> None:
    """RPL-03, RPL-07: never silently another game: the table stands still, with all its records,
    and says why if the version does; back under the rules of before a moderator lets it go on.
    """
    session = await house.game(ANN, BEA, CID)
    await play(house, session, 8)
    seen = views(session)
    records = await house.store.entries(session.id)
    before = house.title
    house.title = dataclasses.replace(before, game=later(before.game))
    await house.restart()
    stopped = house.same(session)
    assert stopped.status is Status.CRASHED
    assert await house.store.entries(session.id) == records
    if later is Numbered:
        assert stopped.fault == "other_rules"
        with pytest.raises(Refusal, match="other_rules"):
            await stopped.restore(mod(house))
        assert (stopped.status, stopped.fault) == (Status.CRASHED, "other_rules")
    house.title = before
    await house.restart()
    session = house.same(session)
    await session.restore(mod(house))
    assert session.status is Status.RUNNING
    assert views(session) == seen
    await play(house, session, 2)
    assert session.playing.ply == 10


def with_figure(title: Title, folder: Path, number: int) -> Title:
    """The title as it would be if that figure of its content were another."""
    file, old = CHANGES[title.key]
    ignored = shutil.ignore_patterns("*.py", "__pycache__", "fonts")
    shutil.copytree(CONTENT, folder, ignore=ignored)
    path = folder / title.key / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    new = f"{old.partition(':')[0]}: {number}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    loaded = import_module(f"content.{title.key}").load(folder / title.key)
    assert loaded.digest != title.content.digest
    return dataclasses.replace(title, content=loaded)


@every_game
async def test_a_game_keeps_its_content_through_three_versions(
    house: House, tmp_path: Path
) -> None:
    """RPL-07, RPL-08: three versions with other figures, a move and a restart under each: it loads
    every time, with its own figures, and goes on; a new table has those of now.
    """
    session = await house.game(ANN, BEA, CID)
    digest = session.row.content_digest
    await play(house, session, 6)
    for number in range(3):
        house.title = with_figure(title_of(house.title.key), tmp_path / f"v{number}", 6 + number)
        for _ in range(2):
            seen = views(session)
            await house.restart()
            session = house.same(session)
            assert session.status is Status.RUNNING
            assert session.row.content_digest == digest
            assert views(session) == seen
            await play(house, session, 1, bytes([number]))
    assert session.playing.ply == 12
    assert (await session.check()).is_good
    await session.end(mod(house))
    fresh = await house.game(ANN, BEA, CID)
    assert fresh.row.content_digest == house.title.content.digest != digest
