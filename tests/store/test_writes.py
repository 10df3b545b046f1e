"""One change to one session: all of it or nothing, and what comes back is what went in."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.store.columns import to_json
from bot.store.db import SqliteStore
from bot.store.protocol import (
    AlreadyCounted,
    BadWrite,
    ChannelTaken,
    CodeTaken,
    SeatTaken,
    Store,
    UnknownSession,
    Write,
    WrongPly,
)
from bot.store.rows import EntryRow, Json, SeatRow, SessionRow, TimerRow
from tests.store.samples import code, length, message, seat, step, table

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


async def test_every_column_comes_back_as_it_went_in(store: SqliteStore) -> None:
    """Each field of a session keeps its value and its type, ids beyond 2**53 included."""
    await store.put_content("d1", "senate", b"cards")
    row = table(
        2**62,
        parent_id=2**61,
        host_id=2**60,
        wish=4,
        options={"pace": "slow", "Länge": "kurz"},
        header='{"game":"senate"}',
        content_digest="d1",
        published_ply=0,
        timers=(TimerRow(3, "turn", 90_000), TimerRow(4, "vote", 1)),
        wake_at=1234.5,
        fingerprint="f",
        outcome={"winners": [0, 2], "score": 1.5},
        crash={"reference": "X1", "ply": 3},
        started_at=1001.25,
        ended_at=None,
    )
    number = await store.open_session(row)
    assert await store.session(number) == replace(row, id=number)
    assert await store.session_by_code(row.code) == replace(row, id=number)


async def test_the_store_is_what_the_protocol_says(store: SqliteStore) -> None:
    """The type checker compares the two; here, that no method of the protocol is missing."""
    narrow: Store = store
    promised = [name for name in vars(Store) if not name.startswith("_")]
    assert len(promised) > 20
    assert [name for name in promised if name not in vars(type(narrow))] == []


async def test_a_code_is_found_as_people_type_it(store: SqliteStore) -> None:
    """Small letters and the letters that look like digits are the same code."""
    number = await store.open_session(table(1, code="1A0B1C"))
    found = await store.session_by_code(" iaoblc ")
    assert found is not None
    assert found.id == number
    assert await store.session_by_code("ZZZZZZ") is None


@settings(max_examples=60, deadline=None)
@given(JSON)
def test_json_columns_keep_values_and_types(value: Json) -> None:
    """Whatever is accepted for a JSON column reads back equal, of equal types."""
    import json

    text = to_json(value, "draft")
    back = None if text is None else json.loads(text)
    assert (repr(back), back) == (repr(_sorted(value)), value)


def _sorted(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("value", [{1: "a"}, (1, 2), [(1,)], {"a": {2: 3}}, math.nan, {1, 2}, b"x"])
async def test_what_json_would_change_is_refused(store: SqliteStore, value: object) -> None:
    """Number keys, tuples, NaN and sets never reach the disk, and the seat stays as it was."""
    number = await store.open_session(table(1), seats=(seat(0, 0, 5),))
    bad = SeatRow(number, 0, 5, "Ann", "person", draft=value)  # type: ignore[arg-type]
    with pytest.raises(BadWrite, match="draft"):
        await store.commit(Write(session=number, seats=(bad,)))
    assert await store.seats(number) == (seat(number, 0, 5),)


async def test_a_write_changes_everything_together(store: SqliteStore) -> None:
    """Entry, columns, seat, intention and click of one write are there after it."""
    number = await store.open_session(table(1), seats=(seat(0, 0, 5),), messages=(message(0),))
    entries = (
        EntryRow(number, 0, "[0]", 91, 1002.5, [{"question": 1, "left_ms": 3}]),
        EntryRow(number, 1, "[1]"),
    )
    drafted = SeatRow(number, 0, 5, "Name 5", "person", ["lucky_2"], 1002.5)
    await store.commit(
        Write(
            session=number,
            expected_ply=0,
            entries=entries,
            fields={"status": "paused", "timers": (TimerRow(1, "turn", 5),), "wake_at": 9.0},
            seats=(drafted,),
            messages=(message(number, 1),),
            interaction=92,
            at=1003.0,
        )
    )
    after = await store.session(number)
    assert after is not None
    assert (after.ply, after.status, after.wake_at, after.touched_at) == (2, "paused", 9.0, 1003.0)
    assert after.timers == (TimerRow(1, "turn", 5),)
    assert await store.entries(number) == entries
    assert await store.seats(number) == (drafted,)
    assert await store.messages(number) == (message(number, 0), message(number, 1))
    assert await store.was_counted(91)
    assert await store.was_counted(92)


async def test_nothing_of_a_refused_write_remains(store: SqliteStore) -> None:
    """The last part of a write fails: its entry, columns, seats and click are undone as well."""
    number = await store.open_session(table(1), seats=(seat(0, 0, 5), seat(0, 1, 6)))
    before = await store.session(number)
    good = step(number, 0, interaction=91)
    bad = replace(good, fields={"status": "paused"}, seats=(seat(number, 1, 5),))
    with pytest.raises(SeatTaken) as refused:
        await store.commit(bad)
    assert refused.value.seat == 0
    assert await store.session(number) == before
    assert await length(store, number) == 0
    assert not await store.was_counted(91)
    await store.commit(good)
    assert await length(store, number) == 1


async def test_a_wrong_ply_is_refused(store: SqliteStore) -> None:
    """Behind and ahead of the journal, with entries and without: WrongPly with the true length."""
    number = await store.open_session(table(1))
    await store.commit(step(number, 0))
    for wrong in (step(number, 0), step(number, 2), Write(session=number, expected_ply=5)):
        with pytest.raises(WrongPly) as refused:
            await store.commit(wrong)
        assert refused.value.actual == 1
    with pytest.raises(UnknownSession):
        await store.commit(Write(session=99, expected_ply=0))
    with pytest.raises(UnknownSession):
        await store.commit(Write(session=99, interaction=5, at=1.0))


def test_parts_that_do_not_fit_are_refused_at_once() -> None:
    """A gap, another session's row, an unknown column, a seat twice, a click without its time."""
    entry = EntryRow(1, 4, "[]")
    for wrong in (
        {"entries": (entry,)},
        {"expected_ply": 3, "entries": (entry,)},
        {"expected_ply": 4, "entries": (entry, EntryRow(1, 6, "[]"))},
        {"seats": (seat(2, 0, 5),)},
        {"fields": {"ply": 3}},
        {"fields": {"secret": b""}},
        {"seats": (seat(1, 0, 5), seat(1, 0, 6))},
        {"seats": (seat(1, 0, 5),), "drop_seats": (0,)},
        {"interaction": 5},
        {"expected_ply": 4, "entries": (replace(entry, interaction_id=3),)},
        {"posted": (message(1),)},
    ):
        with pytest.raises(ValueError, match=r"."):
            Write(session=1, **wrong)  # type: ignore[arg-type]


async def test_a_click_counts_once(store: SqliteStore) -> None:
    """The same interaction again is refused for every session, as an entry and in a lobby."""
    one = await store.open_session(table(1, "lobby"), interaction=90)
    two = await store.open_session(table(2))
    await store.commit(step(two, 0, interaction=91))
    for again in (
        step(two, 1, interaction=91),
        Write(session=one, interaction=91, at=2.0),
        Write(session=one, interaction=90, at=2.0),
    ):
        with pytest.raises(AlreadyCounted):
            await store.commit(again)
    with pytest.raises(AlreadyCounted):
        await store.open_session(table(3), interaction=90)
    assert await store.sessions_of_channel(3) == ()
    assert await length(store, two) == 1


async def test_old_clicks_can_be_purged(store: SqliteStore) -> None:
    """Only ids older than the moment go; a purged one could be counted again."""
    number = await store.open_session(table(1))
    await store.commit(Write(session=number, interaction=1, at=100.0))
    await store.commit(Write(session=number, interaction=2, at=200.0))
    assert await store.purge_interactions(before=200.0) == 1
    assert not await store.was_counted(1)
    assert await store.was_counted(2)


async def test_two_people_swap_seats(store: SqliteStore) -> None:
    """A swap is one write, although in between both would sit in the same seat."""
    number = await store.open_session(table(1), seats=(seat(0, 0, 5), seat(0, 1, 6)))
    await store.commit(Write(session=number, seats=(seat(number, 0, 6), seat(number, 1, 5))))
    assert [row.user_id for row in await store.seats(number)] == [6, 5]
    await store.commit(Write(session=number, drop_seats=(0,)))
    assert [row.seat for row in await store.seats(number)] == [1]
    await store.commit(Write(session=number, seats=(seat(number, 0, None), seat(number, 2, None))))
    assert [row.kind for row in await store.seats(number)] == ["computer", "person", "computer"]


async def test_one_game_in_a_channel(store: SqliteStore) -> None:
    """Lobby, running and paused hold the channel; crashed, orphaned and ended ones do not."""
    holder = await store.open_session(table(1, "lobby"))
    for status in ("lobby", "running", "paused"):
        await store.commit(Write(session=holder, fields={"status": status}))
        with pytest.raises(ChannelTaken) as refused:
            await store.open_session(table(1, code=code(50)))
        assert refused.value.session_id == holder
    free = 2
    for status in ("crashed", "orphaned", "finished", "cancelled", "abandoned"):
        number = await store.open_session(table(1, status, code=code(50 + free)))
        free += 1
        assert number > holder


async def test_a_crashed_table_returns_only_to_a_free_channel(store: SqliteStore) -> None:
    """Restoring where another game has begun names that game; afterwards it works."""
    broken = await store.open_session(table(1, "crashed"))
    other = await store.open_session(table(1, "lobby", code=code(2)))
    with pytest.raises(ChannelTaken) as refused:
        await store.commit(Write(session=broken, fields={"status": "running"}))
    assert refused.value.session_id == other
    await store.commit(Write(session=broken, fields={"status": "running", "channel_id": 9}))
    with pytest.raises(ChannelTaken):
        await store.commit(Write(session=other, fields={"channel_id": 9}))
    await store.commit(Write(session=other, fields={"status": "cancelled", "channel_id": 9}))


async def test_a_code_is_given_once(store: SqliteStore) -> None:
    """Two sessions never share a code, whatever their state."""
    await store.open_session(table(1, "finished"))
    with pytest.raises(CodeTaken):
        await store.open_session(table(2, code=code(1)))


async def test_a_posted_message_keeps_what_is_wanted_meanwhile(store: SqliteStore) -> None:
    """Storing the id after a send turns post into keep, but leaves a later close or delete."""
    number = await store.open_session(table(1), messages=(message(0, 0), message(0, 1)))
    await store.commit(Write(session=number, messages=(message(number, 1, "close"),)))
    sent = tuple(message(number, n, channel_id=1, message_id=70 + n) for n in (0, 1))
    await store.commit(Write(session=number, posted=sent))
    rows = await store.messages(number)
    assert [(row.want, row.message_id, row.channel_id) for row in rows] == [
        ("keep", 70, 1),
        ("close", 71, 1),
    ]
    assert await store.open_messages() == (rows[1],)


async def test_open_messages_are_those_with_work_left(store: SqliteStore) -> None:
    """Of all sessions: post, close and delete, the oldest first."""
    one = await store.open_session(table(1))
    two = await store.open_session(table(2))
    for session in (one, two):
        wants = ("delete", "keep", "close", "done", "post")
        rows = tuple(message(session, n, want) for n, want in enumerate(wants))
        await store.commit(Write(session=session, messages=rows))
    found = [(row.serial, row.session) for row in await store.open_messages()]
    assert found == [(0, one), (0, two), (2, one), (2, two), (4, one), (4, two)]


async def test_sessions_are_found_by_place_person_and_state(store: SqliteStore) -> None:
    """Each look-up gives its sessions in its order, live ones unless told otherwise."""
    lobby = await store.open_session(table(1, "lobby", host_id=5))
    thread = await store.open_session(table(2, parent_id=1, wake_at=9.0), seats=(seat(0, 0, 5),))
    ended = await store.open_session(table(1, "finished", code=code(9), ended_at=3.0, host_id=5))
    left = await store.open_session(table(1, "abandoned", code=code(10), ended_at=4.0))
    await store.open_session(table(1, "cancelled", code=code(11), ended_at=5.0))
    elsewhere = await store.open_session(table(8, "crashed", guild_id=8))

    def ids(rows: tuple[SessionRow, ...]) -> list[int]:
        return [row.id for row in rows]

    assert ids(await store.live_sessions()) == [thread, lobby, elsewhere]
    assert ids(await store.sessions_of_channel(1)) == [thread, lobby]
    assert len(await store.sessions_of_channel(1, live=False)) == 5
    assert ids(await store.sessions_of_user(5)) == [thread, lobby]
    assert ids(await store.sessions_of_user(5, live=False)) == [ended, thread, lobby]
    assert ids(await store.finished(7)) == [left, ended]
    assert ids(await store.finished(7, limit=1, offset=1)) == [ended]
    assert await store.session(99) is None


async def test_a_person_can_be_forgotten(store: SqliteStore) -> None:
    """No row holds the user any more; the games go on with computer players."""
    one = await store.open_session(table(1, host_id=5), seats=(seat(0, 0, 5), seat(0, 1, 6)))
    two = await store.open_session(table(2, "finished"), seats=(seat(0, 3, 5),))
    await store.open_session(table(3, host_id=6))
    assert await store.forget(5, "Somebody") == (one, two)
    assert await store.sessions_of_user(5, live=False) == ()
    assert (await store.seats(one))[0] == SeatRow(one, 0, None, "Somebody", "computer")
    assert (await store.seats(one))[1] == seat(one, 1, 6)
    restored = await store.session(one)
    assert restored is not None
    assert restored.host_id is None


async def test_preferences_settings_and_content(store: SqliteStore) -> None:
    """Defaults before anything is set, the last value afterwards."""
    from bot.store.rows import PreferenceRow

    assert await store.preference(5) == PreferenceRow(5, "here", ballots=True)
    await store.set_preference(PreferenceRow(5, "dm", ballots=False))
    assert await store.preference(5) == PreferenceRow(5, "dm", ballots=False)
    assert await store.setting("commands") is None
    await store.set_setting("commands", "a")
    await store.set_setting("commands", "b")
    assert await store.setting("commands") == "b"
    await store.set_setting("commands", None)
    assert await store.setting("commands") is None
    body = b"cards" * 1000
    await store.put_content("d1", "senate", body)
    await store.put_content("d1", "senate", body)
    assert await store.get_content("d1") == body
    assert await store.get_content("d2") is None
    await store.forget(5, "Somebody")
    assert await store.preference(5) == PreferenceRow(5, "here", ballots=True)


async def test_a_game_needs_the_content_it_is_played_with(store: SqliteStore) -> None:
    """A digest without stored content could never be replayed."""
    number = await store.open_session(table(1))
    with pytest.raises(BadWrite):
        await store.commit(Write(session=number, fields={"content_digest": "unknown"}))
