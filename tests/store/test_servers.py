"""What is kept about whole servers, and how games and servers go when their time is over."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import Any

import pytest

from bot.store import moderation, servers
from bot.store.db import SqliteStore, open_store
from bot.store.protocol import BadWrite, Write
from bot.store.rows import ActRow, FormerRow, MotionRow, PreferenceRow, ServerRow, SittingRow
from tests.store.samples import message, seat, step, table


def act(guild: int = 7, what: str = "setting", **more: object) -> ActRow:
    """A moderator did something to a server."""
    fields: dict[str, object] = {
        "guild_id": guild, "session": 0, "code": "", "at": 1.0, "what": what, "by": 9,
    }  # fmt: skip
    return ActRow(**(fields | more))  # type: ignore[arg-type]


async def full(store: SqliteStore, channel: int, **more: Any) -> int:
    """A session with a row in every table that can have one."""
    number = await store.open_session(
        table(channel, **more), (seat(0, 0, 5),), (message(0),), 1000 + channel
    )
    await store.commit(step(number, 0, 2000 + channel))
    await store.commit(step(number, 1))
    await store.set_aside(number, 1, 5.0)
    motion = MotionRow(
        session=number, number=1, kind="undo", seat=0, ply=1, asked_by=5, made_at=1.0
    )
    guild = more.get("guild_id", 7)
    await store.commit(
        Write(
            session=number,
            acts=(act(guild, "pause", session=number, about=5),),
            sittings=(SittingRow(number, 5, 0),),
            motions=(motion,),
        )
    )
    former = FormerRow(number, bytes(32), 1)
    await store._writer.run(lambda connection: moderation.put_former(connection, former))
    return number


def rows(store: SqliteStore) -> dict[str, int]:
    """How many rows each table has, on the disk."""
    with contextlib.closing(sqlite3.connect(store.path)) as connection:
        names = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
            if not name.startswith("sqlite_")
        ]
        return {
            name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names
        }


async def test_settings_are_kept_with_the_line_that_tells_who(store: SqliteStore) -> None:
    """One transaction: what a server has chosen, and the log of acts."""
    assert await store.server(7) == ServerRow(7)
    await store.set_server(7, {"tables": 3, "channels": [1, 2]}, act(facts={"tables": 3}))
    assert await store.server(7) == ServerRow(7, {"tables": 3, "channels": [1, 2]})
    (told,) = await store.acts(7)
    assert (told.what, told.by, dict(told.facts)) == ("setting", 9, {"tables": 3})
    with pytest.raises(BadWrite):
        await store.set_server(7, {"tables": (1,)}, act())  # type: ignore[dict-item]
    assert (await store.server(7)).settings["tables"] == 3
    assert len(await store.acts(7)) == 1


async def test_garbled_settings_are_named(
    store: SqliteStore, caplog: pytest.LogCaptureFixture
) -> None:
    """What is no JSON is nothing chosen, and marked; one line says so and what mends it, which
    does.
    """
    await store.set_server(7, {"tables": 3}, act())
    with contextlib.closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("UPDATE server SET settings = '[[' WHERE guild_id = 7")
    assert await store.server(7) == ServerRow(7, is_garbled=True)
    (told,) = caplog.messages
    assert "the settings of server 7 cannot be read ('[[')" in told
    assert "until its moderators use /settings" in told
    await store.set_server(7, {"tables": 4}, act())
    assert await store.server(7) == ServerRow(7, {"tables": 4})


async def test_a_choice_about_ballots_is_told_from_none(store: SqliteStore) -> None:
    """Whoever only said where to be called has not chosen about ballots."""
    assert not (await store.preference(5)).own_ballots
    await store.set_preference(PreferenceRow(5, "dm"))
    assert await store.preference(5) == PreferenceRow(5, "dm", ballots=True, own_ballots=False)
    await store.set_preference(PreferenceRow(5, "dm", ballots=False, own_ballots=True))
    assert (await store.preference(5)).own_ballots


async def test_every_part_of_a_session_is_known(store: SqliteStore) -> None:
    """Each table that refers to sessions is among those that are emptied with one."""
    with contextlib.closing(sqlite3.connect(store.path)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema")]
        referring = {
            name
            for name in names
            for key in connection.execute(f"PRAGMA foreign_key_list({name})")
            if key[2] == "session"
        }
    assert referring == set(servers._PARTS)


async def test_old_games_go_with_all_their_rows(store: SqliteStore) -> None:
    """The oldest first, a few at a time; live games and the log of acts stay."""
    old = await full(store, 1, status="finished", ended_at=100.0)
    older = await full(store, 2, status="abandoned", ended_at=50.0)
    lobby = await full(store, 3, status="cancelled", ended_at=300.0)
    young = await full(store, 4, status="finished", ended_at=500.0)
    live = await full(store, 5, touched_at=1.0)
    crashed = await full(store, 6, status="crashed", touched_at=1.0)

    assert await store.purge_games(200.0, 900.0, 1) == (older,)
    assert await store.purge_games(200.0, 900.0, 9) == (old,)
    assert await store.purge_games(200.0, 900.0, 9) == ()
    assert await store.session(old) is None
    assert [bool(await store.session(n)) for n in (lobby, young, live, crashed)] == [True] * 4
    assert len(await store.acts(7, old)) == 1
    count = rows(store)
    for part in servers._PARTS:
        assert count[part] >= 4
        with contextlib.closing(sqlite3.connect(store.path)) as connection:
            sql = f"SELECT count(*) FROM {part} WHERE session IN (?, ?)"
            assert connection.execute(sql, (old, older)).fetchone() == (0,)
    assert await store.is_gone(table(1).code)
    assert not await store.is_gone(table(4).code)


async def test_a_server_goes_whole_and_alone(store: SqliteStore) -> None:
    """Long after the bot was removed: games, log, settings, set-aside records, unnamed people."""
    await full(store, 1, guild_id=7)
    await full(store, 2, guild_id=8)
    await store.set_server(7, {"tables": 3}, act(7, by=44))
    before = rows(store)
    assert await store.known_servers() == {7: None, 8: None}
    assert await store.erase_server(7, 1e12) == ()
    assert rows(store) == before

    await store.mark_servers((7,), (), 100.0)
    await store.mark_servers((7,), (), 150.0)
    assert await store.known_servers() == {7: 100.0, 8: None}
    assert await store.erase_server(7, 100.0) == ()
    assert len(await store.erase_server(7, 100.5)) == 1
    assert await store.known_servers() == {8: None}
    assert await store.acts(7) == ()
    assert len(await store.acts(8)) == 1
    after = rows(store)
    assert {name: after[name] * 2 for name in servers._PARTS} == {
        name: before[name] for name in servers._PARTS
    }
    assert (before["person"], after["person"]) == (3, 2)


async def test_a_server_that_came_back_in_time_keeps_all(store: SqliteStore) -> None:
    """The moment of the removal is forgotten with the return."""
    await full(store, 1)
    await store.mark_servers((7,), (), 100.0)
    await store.mark_servers((), (7,), 120.0)
    assert await store.erase_server(7, 1e12) == ()
    assert (await store.server(7)).left_at is None


async def test_the_log_of_a_server_still_cannot_be_touched(store: SqliteStore) -> None:
    """Only where the bot was removed can its lines be removed, and never changed."""
    await store.note_act(act(7, "doctor"))
    await store.note_act(act(8, "doctor"))
    await store.mark_servers((8,), (), 1.0)
    with contextlib.closing(sqlite3.connect(store.path)) as connection:
        with pytest.raises(sqlite3.IntegrityError, match="nothing is removed"):
            connection.execute("DELETE FROM act WHERE guild_id = 7")
        with pytest.raises(sqlite3.IntegrityError, match="never changed"):
            connection.execute("UPDATE act SET what = 'x' WHERE guild_id = 8")


async def test_it_all_survives_a_restart(store: SqliteStore) -> None:
    """Settings and the moment of a removal are on the disk."""
    await store.set_server(7, {"thread": True}, act())
    await store.mark_servers((7,), (), 100.0)
    await store.close()
    async with await open_store(store.path.parent) as again:
        assert await again.server(7) == ServerRow(7, {"thread": True}, 100.0)


async def test_all_about_a_person_and_nothing_about_others(store: SqliteStore) -> None:
    """Seats with their names, tables hosted, notes, questions, acts by and about, preferences."""
    number = await full(store, 1, host_id=5, guild_id=7)
    await store.commit(Write(session=number, seats=(seat(number, 1, 6),)))
    await store.set_preference(PreferenceRow(5, "dm", ballots=False, own_ballots=True))
    told = await store.about(5)
    assert told["preferences"] == {"pings": "dm", "ballots_by_message": False}
    counts = {kind: len(told[kind]) for kind in ("seats", "hosted", "sat", "asked", "acts")}  # type: ignore[arg-type]
    assert counts == {"seats": 1, "hosted": 1, "sat": 1, "asked": 1, "acts": 1}
    assert "Name 5" in str(told)
    assert "Name 6" not in str(told)
    nothing = await store.about(999)
    assert nothing == {
        "user": 999, "preferences": None,
        "seats": [], "hosted": [], "sat": [], "asked": [], "acts": [], "marks": [],
    }  # fmt: skip
    await store.forget(5, "Nobody")
    mark = {"code": "000001", "seat": 1, "barred": 0}
    assert await store.about(5) == {**nothing, "user": 5, "marks": [mark]}
