"""What must be true when it is quiet again. Each function returns what it found, a line each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from bot.offline.wire.limits import walk
from bot.sessions import letters
from bot.sessions.faces import Status
from bot.sessions.replaying import replayed
from bot.sessions.session import Session
from bot.sessions.stored import content_of, journal_of
from bot.store.rows import SessionRow
from bot.ui import ids
from bot.ui.text import Voice
from engines.kernel.event import PUBLIC, Numbered
from engines.kernel.journal import effective
from tests.chaos.town import Town
from tests.plain import plain

CLOSING = ("again", "story", "go")
"""What may still be clicked in the message that tells how a game ended."""

_LEAST = 8
"""Shorter sentences are words that stand anywhere."""


async def sessions(town: Town) -> list[Session]:
    """Every table there ever was."""
    found: list[Session] = []
    number = 1
    while await town.store.session(number) is not None:
        found.append(await town.bot.registry.recall(number))
        number += 1
    return found


async def unlike_journals(tables: Sequence[Session]) -> list[str]:
    """Tables whose memory is not their journal replayed, or not their rows in the store."""
    found: list[str] = []
    for session in tables:
        await session.snapshot()
        found += [f"{session.code}: {what}" for what in await _unlike(session)]
    return found


def _timeless(row: SessionRow) -> SessionRow:
    """What a row says besides the time that is left, which is written down now and then."""
    return replace(row, timers=(), clocks=())


async def _unlike(session: Session) -> list[str]:
    store = session.desk.store
    found: list[str] = []
    stored = await store.session(session.id)
    if stored is None or _timeless(stored) != _timeless(session.row):
        found.append("its row is another in the store")
    if {row.seat: row for row in await store.seats(session.id)} != session.seats:
        found.append("its seats are others in the store")
    if {row.serial: row for row in await store.messages(session.id)} != session.messages:
        found.append("its messages are others in the store")
    if session.row.header is None:
        return found
    if session.game is None:
        return [*found, f"no game, {session.status}"]
    header, records = await journal_of(session)
    content = await content_of(session, header)
    entries, branch = effective(records)
    fresh = replayed(session.title, content, header, entries, branch)
    game = session.game
    if tuple(game.entries) != tuple(entries):
        found.append("its entries are not its journal")
    if game.events != fresh.events:
        found.append("its events are not its journal's")
    found += [
        f"seat {seat} sees what the journal does not give"
        for seat in (None, *range(header.seats))
        if plain(game.view(seat)) != plain(fresh.view(seat))
    ]
    found += [
        f"{what} is not what the journal gives"
        for what in ("asked", "offers", "interrupted", "timers", "outcome")
        if getattr(game, what) != getattr(fresh, what)
    ]
    fresh.close()
    return found


def untrue_messages(town: Town, tables: Sequence[Session]) -> list[str]:
    """Tables that Discord does not show as they are."""
    shown = _shown(town)
    found: list[str] = []
    for session in tables:
        told = f"{session.code} ({session.row.game}, {session.status.value})"
        owed = [r for r in session.messages.values() if r.want not in ("keep", "done")]
        found += [f"{told}: {row.want} {row.purpose} {row.serial} is owed" for row in owed]
        live = letters.live(session)
        up = {message for message, session_id, _ in shown if session_id == session.id}
        if session.status in (Status.RUNNING, Status.LOBBY):
            if live is None or live.message_id not in up:
                place = [
                    (r.purpose, r.serial, r.want, r.message_id) for r in session.messages.values()
                ]
                found.append(f"{told}: no message with controls carries it, of {place[-4:]}")
            if session.row.ply != session.row.published_ply:
                found.append(f"{told}: at {session.row.ply}, shown {session.row.published_ply}")
        verbs = {verb for _, session_id, verb in shown if session_id == session.id}
        if session.is_over and verbs - set(CLOSING):
            rows = {row.message_id: row for row in session.messages.values()}
            there = [(rows[one].purpose, rows[one].want) if one in rows else one for one in up]
            found.append(f"{told}: is over, and {sorted(verbs)} can be clicked, at {there}")
    return found


def _shown(town: Town) -> list[tuple[int, int, str]]:
    """Message, session and verb of every control that a channel shows."""
    found: list[tuple[int, int, str]] = []
    backend = town.env.backend
    places = town.guild._guild
    for channel_id in [*places.channel_ids, *places.thread_ids]:
        for message in backend.messages.get(channel_id, {}).values():
            for part in walk(message.components or ()):
                control = ids.read(str(part.get("custom_id") or ""))
                if control is not None and not message.flags & 64:
                    found.append((message.id, control.session, control.verb))
    return found


def leaks(town: Town, tables: Sequence[Session]) -> list[str]:
    """Public messages that say what only one seat may know, or a secret of the dice."""
    sent = list(public_texts(town))
    everything = "\n".join(text for _, text in sent)
    found: list[str] = []
    for session in tables:
        secrets = [session.row.secret.hex()]
        if session.game is not None and not session.is_over:
            secrets.append(session.game.header.key)
        found += [f"{session.code}: a secret was sent" for one in secrets if one in everything]
        if session.game is not None:
            told = private_sentences(session)
            found += [f"{session.code}: {line!r} was sent" for line in told if line in everything]
    return found


def private_sentences(session: Session) -> list[str]:
    """What the table's private events say, apart from what public ones say too."""
    assert session.game is not None
    voice = Voice(session.title, [row.name for _, row in sorted(session.seats.items())])
    private, public = set[str](), set[str]()
    for numbered in session.game.events:
        (public if numbered.event.only is PUBLIC else private).update(_lines(voice, numbered))
    return sorted(line for line in private - public if len(line) >= _LEAST)


def _lines(voice: Voice, numbered: Numbered) -> list[str]:
    return [line.strip() for line in voice.event(numbered).splitlines() if line.strip()]


def public_texts(town: Town) -> Iterator[tuple[str, str]]:
    """Path and text of everything that was sent where all can read it."""
    letters_of = {person.user.dm_channel.id for person in town.players.values()}
    for request in town.env.http_requests:
        if request.method not in ("POST", "PATCH", "PUT") or not isinstance(request.json, dict):
            continue
        steps = request.path.strip("/").split("/")
        if steps[0] == "channels" and int(steps[1]) not in letters_of:
            yield request.path, _text(request.json)
        elif steps[0] == "interactions" and request.json.get("type") == 4:
            data = request.json.get("data") or {}
            if not data.get("flags", 0) & 64:
                yield request.path, _text(data)


def _text(body: Any) -> str:
    shown = [
        str(part[name])
        for part in walk(body.get("components") or ())
        for name in ("content", "label", "placeholder", "description")
        if part.get(name)
    ]
    return "\n".join(shown) or json.dumps(body, ensure_ascii=False)


__all__ = ["leaks", "private_sentences", "sessions", "unlike_journals", "untrue_messages"]
