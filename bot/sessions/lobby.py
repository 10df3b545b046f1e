"""Before the game: who sits where, the options, the start. All under the session's lock."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.sessions import acts, letters, pace, taken_out
from bot.sessions.change import Change
from bot.sessions.core import Core
from bot.sessions.faces import Status
from bot.sessions.pledge import keys_of
from bot.sessions.ports import Click, Refusal
from bot.store.protocol import StoreError
from bot.store.rows import Json, SeatRow, SittingRow
from engines.kernel.errors import RulesBug
from engines.kernel.journal import Header, dump_header
from engines.kernel.playthrough import Playthrough


def _check_lobby(session: Core) -> None:
    if session.is_over:
        raise Refusal("lobby_closed")
    if session.status is not Status.LOBBY:
        raise Refusal("not_in_lobby")
    expires_at = session.row.expires_at
    if expires_at is not None and session.desk.time.epoch() >= expires_at:
        raise Refusal("lobby_closed")


async def join(session: Core, click: Click) -> None:
    """Take the next free seat."""
    _check_lobby(session)
    session.check_click(click)
    if session.seat_of(click.user_id) is not None:
        raise Refusal("already_seated")
    if await taken_out.is_kept_out(session, click.user_id):
        raise Refusal("sent_away_lobby")
    change = Change(click)
    _add(session, change, click.user_id, click.name)
    if not session.persons():
        change.fields["host_id"] = click.user_id
    await session.commit(change)


async def leave(session: Core, click: Click) -> None:
    """Give up one's seat; the host passes on to the next person, or the lobby closes."""
    _check_lobby(session)
    session.check_click(click)
    seat = session.seat_of(click.user_id)
    if seat is None:
        raise Refusal("not_seated_yet")
    change = Change(click)
    _remove(session, change, seat)
    if session.host_id == click.user_id:
        _pass_on(session, change)
    await session.commit(change)


async def add_computer(session: Core, click: Click, name: str) -> None:
    """Fill a seat with a computer player."""
    _check_lobby(session)
    session.check_click(click)
    session.check_host(click)
    change = Change(click)
    _add(session, change, None, name)
    acts.from_above(session, change, click, "lobby_add")
    await session.commit(change)


async def remove_computer(session: Core, click: Click) -> None:
    """Send the last computer player away again."""
    _check_lobby(session)
    session.check_click(click)
    session.check_host(click)
    computers = [seat for seat, row in session.seats.items() if row.user_id is None]
    if not computers:
        raise Refusal("no_computer")
    change = Change(click)
    _remove(session, change, max(computers))
    acts.from_above(session, change, click, "lobby_drop")
    await session.commit(change)


async def set_option(session: Core, click: Click, key: str, value: str) -> None:
    """Choose a value for one of the game's options."""
    _check_lobby(session)
    session.check_click(click)
    session.check_host(click)
    options = {option.key: option for option in session.title.game.options}
    if key not in options or value not in options[key].values:
        raise Refusal("unknown_option", option=key, options=tuple(options))
    change = Change(click)
    change.fields["options"] = {**session.row.options, key: value}
    acts.from_above(session, change, click, "lobby_option", option=key, value=value)
    await session.commit(change)


async def set_pace(session: Core, click: Click, value: str) -> None:
    """Choose how long players have for an answer."""
    _check_lobby(session)
    session.check_click(click)
    session.check_host(click)
    if pace.pace_of(value) is None:
        raise Refusal("unknown_option", option="pace", options=pace.PACES)
    change = Change(click)
    change.fields["pace"] = value
    acts.from_above(session, change, click, "lobby_option", option="pace", value=value)
    await session.commit(change)


async def cancel(session: Core, click: Click) -> None:
    """Close the lobby without a game."""
    _check_lobby(session)
    session.check_click(click)
    session.check_host(click)
    change = Change(click)
    close(session, change)
    acts.from_above(session, change, click, "end")
    await session.commit(change)


async def dismiss(session: Core, click: Click, seat: int, *, bars: bool = False) -> None:
    """Moderators: take somebody's seat in the lobby away; ``bars``: they cannot join it again."""
    _check_lobby(session)
    session.check_click(click)
    row = session.seats.get(seat)
    if row is None:
        raise Refusal("no_such_seat")
    change = Change(click)
    _remove(session, change, seat)
    if row.user_id is not None and row.user_id == session.host_id:
        _pass_on(session, change)
    facts: dict[str, Json] = {"seat": seat, "to": "nobody"}
    if bars and row.user_id is not None:
        facts["barred"] = True
    acts.note(session, change, click.user_id, "seat", about=row.user_id, **facts)
    await session.commit(change)


async def lose(session: Core, seat: int) -> None:
    """Whoever has that seat is not on the server any more."""
    change = Change()
    user_id = session.seats[seat].user_id
    _remove(session, change, seat)
    if user_id is not None and user_id == session.host_id:
        _pass_on(session, change)
    await session.commit(change)


async def start(session: Core, click: Click) -> None:
    """Begin the game: its keys are made of the lobby's secret and of this click's id."""
    _check_lobby(session)
    session.check_click(click)
    session.check_host(click)
    title = session.title
    seats = title.game.seats
    if len(session.seats) < seats.start:
        raise Refusal("too_few_seats", least=seats.start)
    begun = str(click.interaction_id)
    keys = keys_of(session.row.secret, begun)
    header = Header(
        game=title.key,
        rules=title.game.rules_version,
        content=title.content.digest,
        key=keys.open.hex(),
        seats=len(session.seats),
        options=dict(session.row.options),
        start=begun,
        hidden=keys.hidden.hex(),
    )
    content = title.content
    try:
        await session.desk.store.put_content(content.digest, title.key, content.dump.encode())
    except StoreError as error:
        raise Refusal("not_saved") from error
    try:
        game: Playthrough[Any, Any, Any] = Playthrough(title.game, content.rules, header)
        game.view(None)
    except (Exception, RulesBug) as error:
        reference = session.report(error, "could not be set up")
        raise Refusal("crashed", reference=reference) from error
    change = Change(click)
    change.fields |= {
        "status": "running",
        "header": dump_header(header),
        "content_digest": content.digest,
        "started_at": session.desk.time.epoch(),
    }
    for seat, user_id in session.persons().items():
        change.sittings[user_id] = SittingRow(session.id, seat=seat, user_id=user_id)
    acts.from_above(session, change, click, "lobby_start")
    await session.take_up(change, game, after_ply=-1)


def _pass_on(session: Core, change: Change) -> None:
    """The next person is the host; without any the lobby closes."""
    heirs = [row.user_id for row in session.seats_after(change).values() if row.user_id]
    change.fields["host_id"] = heirs[0] if heirs else None
    if not heirs:
        close(session, change)


def close(session: Core, change: Change) -> None:
    """The lobby ends without a game."""
    change.fields |= {"status": "cancelled", "ended_at": session.desk.time.epoch()}
    letters.close_all(session, change)


def _add(session: Core, change: Change, user_id: int | None, name: str) -> None:
    most = session.title.game.seats.stop - 1
    seat = len(session.seats)
    if seat >= most:
        raise Refusal("full", most=most)
    kind = "computer" if user_id is None else "person"
    at = session.desk.time.epoch() if user_id else None
    change.seats[seat] = SeatRow(session.id, seat, user_id, name, kind, acted_at=at)


def _remove(session: Core, change: Change, seat: int) -> None:
    """Close the gap, so that seats stay numbered from 0 in the order of joining."""
    last = len(session.seats) - 1
    for number in range(seat, last):
        change.seats[number] = replace(session.seats[number + 1], seat=number)
    change.dropped.append(last)
