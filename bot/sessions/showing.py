"""What a session shows: the snapshot for all, and the look of one seat. Pure reads of memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, cast

from bot.sessions import letters, pledge, ticking
from bot.sessions.faces import Glass, SeatCard, SeatLook, Snapshot, Status, Waiting
from bot.sessions.memory import Memory
from bot.sessions.replaying import Play
from engines.kernel.decision import Decision
from engines.kernel.event import PUBLIC, Numbered
from engines.kernel.game import Outcome

_NEWS: Final = 12


def snapshot_of(session: Memory, page: tuple[int, int | None] | None = None) -> Snapshot:
    """The table as anybody may see it.

    ``page``: the plies after which the page begins and ends; by default the live page.
    """
    row = session.row
    game = session.game
    begins, ends = page or (_page_begin(session), None)
    public = [] if game is None else [e for e in game.events if e.event.only is PUBLIC]
    running = session.status is Status.RUNNING and game is not None
    return Snapshot(
        session=row.id,
        code=row.code,
        game=row.game,
        status=session.status,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        host_id=row.host_id,
        options=dict(row.options),
        seats=tuple(
            SeatCard(seat.seat, seat.user_id, seat.name, seat.away)
            for _, seat in sorted(session.seats.items())
        ),
        ply=0 if game is None else game.ply,
        view=None if game is None else game.view(None),
        public_asked=public_asked(game) if game and running else (),
        waiting=waiting(session) if running else (),
        chapter_events=tuple(
            e for e in public if e.ply > begins and (ends is None or e.ply <= ends)
        ),
        last_events=tuple(e for e in public if game and e.ply == game.ply),
        glass=_glass(session) if running or session.status is Status.PAUSED else None,
        outcome=outcome_of(session),
        pledge=pledge.pledge_of(row.secret),
        secret=pledge.dice_secret(row.secret).hex() if is_told(session) else None,
        crash=session.crash_reference if session.status is Status.CRASHED else None,
        pace=row.pace,
        deadline=ticking.deadline_of(session) if running else None,
        expires_at=row.expires_at,
        lost=dict(session.lost),
        asked_of={n: (seat.name, seat.user_id is None) for n, seat in session.asked_of.items()},
    )


def is_told(session: Memory) -> bool:
    """Whether a game was begun here and is over, so that its dice secret may be known."""
    is_over = session.status in (Status.FINISHED, Status.ABANDONED)
    return is_over and session.row.header is not None


def look_of(session: Memory, seat: int) -> SeatLook:
    """The table as one seat may see it."""
    game = session.playing
    mine = [e for e in game.events if e.event.only is not PUBLIC and e.event.is_for(seat)]
    return SeatLook(
        snapshot=snapshot_of(session),
        seat=seat,
        view=game.view(seat),
        asked=tuple(d for d in game.asked if d.seat == seat),
        interrupted=tuple(d for d in game.interrupted if d.seat == seat),
        offers=tuple(d for d in game.offers if d.seat == seat),
        draft=draft_of(session, seat),
        news=tuple(mine[-_NEWS:]),
        deadline=ticking.deadline_of(session, seat),
    )


def draft_of(session: Memory, seat: int) -> tuple[str, ...]:
    """The unfinished allotment of a seat: one option key a token, "" where none is chosen.

    A ballot that was cast and may still be changed is where a new draft begins.
    """
    for decision in session.playing.asked:
        if decision.seat == seat and decision.shape.repeats:
            tokens = decision.shape.most
            stored = session.seats[seat].draft
            chosen: Sequence[str] = decision.current or ()
            if isinstance(stored, dict) and stored.get("question") == decision.question:
                marked = stored.get("keys")
                chosen = cast("list[str]", marked) if isinstance(marked, list) else ()
            keys = decision.keys()
            kept = [key if key in keys else "" for key in chosen[:tokens]]
            return tuple(kept + [""] * (tokens - len(kept)))
    return ()


def public_asked(game: Play) -> tuple[Decision, ...]:
    """Open decisions whose options all may see.

    They are not secret, and asked of one seat alone or, in the same words, of several of which one
    decides for all. Then there is one for each of these seats.
    """
    groups: dict[int, list[Decision]] = {}
    for decision in game.asked:
        groups.setdefault(decision.question, []).append(decision)
    return tuple(d for group in groups.values() if _for_all_eyes(group) for d in group)


def _for_all_eyes(asked: Sequence[Decision]) -> bool:
    """Whether the seats that a question asks can do with one set of controls, seen by all."""
    first = asked[0]
    alone = len(asked) == 1
    alike = first.shared and all(replace(d, seat=first.seat) == first for d in asked)
    return not first.secret and (alone or alike)


def waiting(session: Memory) -> tuple[Waiting, ...]:
    """Who is still out, without what they may choose.

    Computer players that leave a question to people are not.
    """
    game = session.playing
    interrupted = {d.question for d in game.interrupted}
    return tuple(
        Waiting(d.seat, d.question, d.kind, d.secret, d.question in interrupted, d.shared)
        for d in game.waiting()
        if not session.is_left_to_people(d)
    )


def outcome_of(session: Memory) -> Outcome | None:
    """How a finished game ended, from its row: no replay is needed to tell."""
    stored = session.row.outcome
    facts = stored.get("facts") if isinstance(stored, dict) else None
    if not isinstance(stored, dict) or not isinstance(facts, dict):
        return None
    return Outcome(str(stored.get("ending")), bool(stored.get("won")), dict(facts))


def public_log(session: Memory) -> tuple[Numbered, ...]:
    """Every public event so far."""
    return tuple(e for e in session.playing.events if e.event.only is PUBLIC)


def own_log(session: Memory, seat: int) -> tuple[Numbered, ...]:
    """Every event that a seat may know."""
    return tuple(e for e in session.playing.events if e.event.is_for(seat))


def _page_begin(session: Memory) -> int:
    pages = [row.question for row in session.messages.values() if row.purpose == "table"]
    return pages[-1] if pages else -1


def page_of(session: Memory, serial: int) -> tuple[int, int | None]:
    """The plies after which a table message's page begins and ends (None: not yet)."""
    pages = [row for row in session.messages.values() if row.purpose == "table"]
    later = [row.question for row in pages if row.serial > serial]
    return session.messages[serial].question, (later[0] if later else None)


def mark(session: Memory, serial: int) -> str:
    """What stands at the foot of a message."""
    return letters.mark_of(session.code, serial)


def _glass(session: Memory) -> Glass | None:
    """The first timer; one whose message is just being posted shows already when it ends."""
    clock = session.desk.time
    now = clock.monotonic()
    for sand in session.sands.values():
        left = sand.left_at(now)
        runs = session.desk.online and session.status is Status.RUNNING
        return Glass(sand.question, sand.kind, left, clock.epoch() + left if runs else None)
    return None
