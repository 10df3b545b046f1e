"""Faces made into messages: the table, calls, the end. Lobby and motions have modules of their own.

These are pure: a face and a picture that is drawn already go in, a message comes out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.sessions.faces import (
    ClosingFace,
    PingFace,
    Snapshot,
    Status,
    TableFace,
    Waiting,
)
from bot.titles import Title
from bot.ui import absence, prompt
from bot.ui.buttons import NightButton, button
from bot.ui.buttons import Style as Look
from bot.ui.fitting import fit, fit_lines, units
from bot.ui.ids import Control
from bot.ui.kept import Kept
from bot.ui.layout import Attached, Sheet, Shown
from bot.ui.text import Voice
from content.names import Style, styled
from engines.kernel.decision import Decision

BRASS: Final = 0xC9A24B
SLATE: Final = 0x4A5568
GREEN: Final = 0x2F855A
RED: Final = 0x9B2C2C

_EVENTS: Final = 8
_EVENT_TEXT: Final = 1000
_BOARD_TEXT: Final = 2000
_PLAN_TEXT: Final = 1500


def table(
    title: Title, face: TableFace, picture: Attached | None, kept: Kept | None = None
) -> Shown:
    """The table: what it looks like, what happened, whose move it is, and the controls.

    One that is not live any more keeps its heading and picture, and tells how its page ended.
    """
    snapshot = face.snapshot
    voice = Voice.of(title, snapshot)
    sheet = Sheet(BRASS if face.live else SLATE)
    if face.live:
        sheet.text(f"## {_heading(voice, snapshot)}", 200)
        put_board(sheet, voice, snapshot, picture)
    else:
        _as_it_was(sheet, voice, snapshot, kept or Kept())
    lines = fit_lines(voice.newest(snapshot.chapter_events, _EVENTS), _EVENT_TEXT)
    sheet.text("\n".join(f"- {line}" for line in lines))
    if not face.live:
        word = "table.over" if _is_last(snapshot) else "table.moved_on"
        return sheet.text(voice.say(word)).text(f"-# {face.mark}").shown()
    sheet.line()
    _asked(sheet, voice, snapshot)
    sheet.row(*_controls(voice, snapshot))
    return sheet.text(f"-# {face.mark}").shown()


def board(
    title: Title,
    snapshot: Snapshot,
    picture: Attached | None,
    *,
    words: bool,
    seat: int | None = None,
) -> Shown:
    """A private look at the board, as a picture or in words; ``seat`` is the reader's own."""
    voice = Voice.of(title, snapshot)
    sheet = Sheet(BRASS).text(f"## {_heading(voice, snapshot)}", 200)
    shown = None if words else picture
    put_board(sheet, voice, snapshot, shown, text=3000, hint=not words)
    you = voice.say("table.you")
    names = [you if n == seat else name for n, name in enumerate(snapshot.seat_names)]
    told = still_out(Voice(title, names), snapshot, snapshot.waiting)
    return sheet.text(told[:1].upper() + told[1:], 400).shown()


def _is_last(snapshot: Snapshot) -> bool:
    """Whether the page on which a game has ended is the one that is shown."""
    plies = [numbered.ply for numbered in snapshot.chapter_events]
    return snapshot.outcome is not None and snapshot.ply in plies


def _as_it_was(sheet: Sheet, voice: Voice, snapshot: Snapshot, kept: Kept) -> None:
    """The heading and the picture that were shown last; on a game's last page its last heading."""
    heading = kept.heading or f"## {voice.game_name}"
    sheet.text(f"## {_heading(voice, snapshot)}" if _is_last(snapshot) else heading, 200)
    if kept.picture:
        sheet.picture(kept.picture, kept.alt)


def put_board(
    sheet: Sheet,
    voice: Voice,
    snapshot: Snapshot,
    picture: Attached | None,
    *,
    text: int = _BOARD_TEXT,
    hint: bool = True,
) -> None:
    """The board as a picture; in words (at most so long) where there is none."""
    if snapshot.view is None:
        return
    if picture is not None:
        alt = voice.alt_text(snapshot.view)
        sheet.attach(picture).picture(picture.name, alt)
    else:
        _in_words(sheet, voice.board(snapshot.view), text)
        if hint:
            sheet.text(f"-# {voice.say('table.no_picture')}", 300)


def _in_words(sheet: Sheet, told: str, limit: int) -> None:
    """The board in words: its plan in a box, which keeps columns, the rest as text, which wraps."""
    before, plan, after = plan_of(told)
    room = limit
    for part in (before, plan, after):
        if part is plan:
            sheet.code(plan, min(room, _PLAN_TEXT))
            room -= min(units(plan) + 8, _PLAN_TEXT)
            continue
        text = fit("\n".join(styled(line, Style.MESSAGE) for line in part.split("\n")), room)
        sheet.text(text)
        room -= units(text)


def plan_of(told: str) -> tuple[str, str, str]:
    """A told board in three: what stands before its plan, the plan, what stands after it.

    The plan begins after the first empty line, and each line of it with a space or a digit. What
    is told otherwise is all plan.
    """
    lines = told.split("\n")
    begin = lines.index("") + 1 if "" in lines else 0
    end = begin
    while end < len(lines) and (lines[end].startswith(" ") or lines[end][:1].isdigit()):
        end += 1
    if end == begin:
        return "", told, ""
    parts = (lines[: max(0, begin - 1)], lines[begin:end], lines[end:])
    before, plan, after = ("\n".join(part) for part in parts)
    return before, plan, after.strip("\n")


def ping(title: Title, face: PingFace) -> Shown:
    """A call to one seat, or to every person at the table, with a mention for these only."""
    snapshot = face.snapshot
    voice = Voice.of(title, snapshot)
    called = [card for card in snapshot.seats if card.user_id and face.seat in (None, card.seat)]
    users = [card.user_id for card in called if card.user_id]
    who = voice.words.joined([f"<@{user}>" for user in users])
    word = "ping.all" if face.seat is None else "ping.one"
    what = voice.short(face.kind)
    told = voice.say(word, who=who, what=what, game=voice.game_name)
    for decision in snapshot.public_asked:
        if face.seat is not None and (decision.seat, decision.kind) == (face.seat, face.kind):
            told = voice.say("ping.asked", who=who, prompt=_unnamed(voice, decision))
    sheet = Sheet(BRASS).mention(*users).text(told, 1500)
    if face.seat is not None:
        sheet.row(_panel_button(voice, snapshot, face.kind))
    return sheet.text(f"-# {face.mark}").shown()


def _unnamed(voice: Voice, decision: Decision) -> str:
    """What is asked, without the name of who is asked."""
    return voice.prompt(decision).removeprefix(f"{voice.words.seat(decision.seat)}, ")


def closing(title: Title, face: ClosingFace, picture: Attached | None) -> Shown:
    """The end: the picture, why, the honours, the secret, and what can be done now."""
    snapshot = face.snapshot
    outcome = snapshot.outcome
    voice = Voice.of(title, snapshot)
    won = outcome is not None and outcome.won
    sheet = Sheet(GREEN if won else RED)
    sheet.text(f"## {voice.say('closing.won' if won else 'closing.lost', game=voice.game_name)}")
    if picture is not None and snapshot.view is not None:
        alt = voice.alt_text(snapshot.view)
        sheet.attach(picture).picture(picture.name, alt)
    elif snapshot.view is not None:
        put_board(sheet, voice, snapshot, None)
    if outcome is not None:
        sheet.text(voice.ending(outcome), 500)
        sheet.text("\n".join(f"- {line}" for line in voice.titles(outcome)), 900)
    else:
        sheet.text(voice.say("closing.abandoned"))
    if snapshot.secret:
        sheet.text(voice.say("closing.secret", secret=snapshot.secret), 400)
    sheet.row(*absence.afterwards(voice, snapshot))
    return sheet.text(f"-# {face.mark}").shown()


# What the table says


def _heading(voice: Voice, snapshot: Snapshot) -> str:
    if snapshot.view is None:
        return voice.game_name
    line = voice.heading(snapshot.view)
    return voice.say("table.heading", game=voice.game_name, line=line) if line else voice.game_name


def _asked(sheet: Sheet, voice: Voice, snapshot: Snapshot) -> None:
    """Whose move it is, what the choices mean, and who is still out."""
    if snapshot.status is Status.PAUSED:
        sheet.text(voice.say("table.paused"))
    if snapshot.status is Status.CRASHED:
        sheet.text(voice.say("table.stopped"))
    if snapshot.glass is not None:
        sheet.text(_glass(voice, snapshot), 300)
    decision = _shown_to_all(snapshot)
    if decision is not None:
        sheet.text(_question(voice, snapshot, decision), 500)
        sheet.text(prompt.explained(voice, decision), 1100)
        others = [one for one in snapshot.waiting if one.question != decision.question]
        sheet.text(still_out(voice, snapshot, others), 500)
        if prompt.pages(decision) > 1:
            sheet.text(voice.say("table.many", count=len(decision.options)), 200)
        sheet.rows(prompt.public_rows(voice, snapshot.session, decision))
    else:
        sheet.text(still_out(voice, snapshot, snapshot.waiting), 800)
    sheet.text("\n".join(absence.at_table(voice, snapshot)), 600)


def _question(voice: Voice, snapshot: Snapshot, decision: Decision) -> str:
    """What is asked; if one answer decides for several seats, also who may give it."""
    if not decision.shared:
        return f"**{voice.prompt(decision)}**"
    seats = [one.seat for one in snapshot.waiting if one.question == decision.question]
    if voice.names_seat(decision.kind):
        return f"**{voice.prompt(decision, seats=seats)}**"
    who = voice.say("table.one_of", seats=tuple(seats))
    if len(seats) == 1:
        who = voice.words.seat(seats[0])
    elif _are_all(snapshot, seats):
        who = voice.say("table.anybody")
    return voice.say("table.asked", who=who, prompt=voice.prompt(decision))


def _are_all(snapshot: Snapshot, seats: Sequence[int]) -> bool:
    """Whether everybody at the table is among these; computer players need not be."""
    there = [card for card in snapshot.seats if not (card.is_computer or card.away)]
    return all(card.seat in seats for card in there)


def still_out(voice: Voice, snapshot: Snapshot, waiting: Sequence[Waiting]) -> str:
    """Who is still out, and for what."""
    kinds: dict[tuple[str, bool, bool], list[int]] = {}
    for one in waiting:
        kinds.setdefault((one.kind, one.interrupted, one.shared), []).append(one.seat)
    lines: list[str] = []
    for (kind, interrupted, shared), out in kinds.items():
        seats = tuple(dict.fromkeys(out))
        word = "table.waits"
        if shared and len(seats) > 1:
            everybody = _are_all(snapshot, seats)
            word = "table.waits_anybody" if everybody else "table.waits_one_of"
        word = voice.own(kind, "waits", word)
        if interrupted:
            word = voice.own(kind, "interrupted", "table.waits_interrupted")
        lines.append(voice.say(word, seats=seats, what=voice.short(kind)))
    return "\n".join(lines)


def _glass(voice: Voice, snapshot: Snapshot) -> str:
    glass = snapshot.glass
    assert glass is not None
    if glass.ends_at is None:
        seconds = max(0, round(glass.left))
        return voice.say("table.sand_stands", time=f"{seconds // 60}:{seconds % 60:02}")
    return voice.say("table.sand_runs", when=f"<t:{round(glass.ends_at)}:R>")


def _shown_to_all(snapshot: Snapshot) -> Decision | None:
    """The decision whose options stand on the table; ballots are for a panel."""
    for decision in snapshot.public_asked:
        if not prompt.is_ballot(decision):
            return decision
    return None


def _controls(voice: Voice, snapshot: Snapshot) -> list[NightButton]:
    session = snapshot.session
    if snapshot.status is Status.CRASHED:
        return [button(Control("menu", session), voice.label("buttons.menu"))]
    shown = _shown_to_all(snapshot)
    others = [one for one in snapshot.waiting if shown is None or one.question != shown.question]
    made: list[NightButton] = []
    if others:
        made.append(_panel_button(voice, snapshot, others[0].kind))
    made.append(button(Control("hand", session), voice.label("buttons.hand")))
    made.append(button(Control("menu", session), voice.label("buttons.menu")))
    back = absence.back_button(voice, snapshot)
    return [*made, back] if back is not None else made


def _panel_button(voice: Voice, snapshot: Snapshot, kind: str) -> NightButton:
    """The way to a panel; a kind of question may have words of its own for it (a vote)."""
    label = voice.label(voice.own(kind, "button", "buttons.panel"))
    return button(Control("panel", snapshot.session), fit(label, 80), Look.primary)
