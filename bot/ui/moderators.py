"""What moderators see, and what a table is asked: made from what anybody may see of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.sessions.faces import MotionFace, NoticeFace, Snapshot
from bot.sessions.servers import DEFAULTS
from bot.store.rows import ActRow
from bot.titles import Title
from bot.ui import absence
from bot.ui.buttons import Style, button
from bot.ui.faces import BRASS, RED, SLATE, put_board, still_out
from bot.ui.fitting import fit, fit_lines
from bot.ui.ids import Control
from bot.ui.layout import Attached, Sheet, Shown
from bot.ui.servers import change_told
from bot.ui.text import Voice
from content.words import WordsError

_EVENTS: Final = 15
_EVENT_TEXT: Final = 1100
_BOARD_TEXT: Final = 1600

Say = Callable[..., str]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a game has come, in moves and rewinds; ``mark`` names the present moment."""

    moves: int
    branches: int
    mark: str


def inspection(
    title: Title,
    snapshot: Snapshot,
    heading: str,
    progress: Progress | None,
    news: Sequence[str],
    picture: Attached | None,
) -> Shown:
    """A table as a spectator sees it: board, news, who is awaited; and how far it has come."""
    voice = Voice.of(title, snapshot)
    sheet = Sheet(BRASS).text(heading, 300)
    if snapshot.view is None:
        sheet.text(voice.say("session.no_board"))
    else:
        put_board(sheet, voice, snapshot, picture, text=_BOARD_TEXT, hint=False)
    names = [
        voice.say("session.computer", name=voice.words.seat(card.seat))
        if card.is_computer
        else voice.words.seat(card.seat)
        for card in snapshot.seats
    ]
    sheet.text(voice.say("session.seats", names=voice.words.joined(names)), 500)
    sheet.text(still_out(voice, snapshot, snapshot.waiting), 400)
    lines = "\n".join(f"- {line}" for line in fit_lines(list(news[-_EVENTS:]), _EVENT_TEXT))
    if lines:
        sheet.text(f"{voice.say('session.newest')}\n{lines}")
    if progress is not None:
        told = voice.say(
            "session.progress",
            moves=progress.moves,
            branches=progress.branches,
            mark=progress.mark,
        )
        sheet.text(told, 300)
    return sheet.shown()


def motion(title: Title, face: MotionFace) -> Shown:
    """What the table is asked, and who has agreed; once it is settled, what came of it."""
    snapshot = face.snapshot
    voice = Voice.of(title, snapshot)
    is_open = face.state == "open"
    sheet = Sheet(BRASS if is_open else SLATE).text(_asked(voice, face), 700)
    if is_open and face.kind == "undo":
        told = voice.newest(snapshot.last_events, _EVENTS)
        lines = "\n".join(f"- {line}" for line in fit_lines(told, _EVENT_TEXT))
        if lines:
            sheet.text(f"{voice.say('motion.told')}\n{lines}")
        else:
            sheet.text(voice.say("motion.nothing_told", seats=(face.seat,)), 500)
    if face.agreed:
        sheet.text(voice.say("motion.agreed", seats=face.agreed), 500)
    if not is_open:
        sheet.text(voice.say(f"motion.{face.state}"))
        return sheet.text(f"-# {face.mark}").shown()
    users = [card.user_id for card in snapshot.seats if card.seat in face.awaited and card.user_id]
    if users:
        who = voice.words.joined([f"<@{user}>" for user in users])
        sheet.mention(*users).text(voice.say("motion.awaited", who=who), 700)
    sheet.row(
        button(_voice(face, "yes"), voice.label("buttons.agree"), Style.success),
        button(_voice(face, "no"), voice.label("buttons.disagree")),
    )
    return sheet.text(f"-# {face.mark}").shown()


def _voice(face: MotionFace, key: str) -> Control:
    return Control("motion", face.snapshot.session, face.number, key=key)


def _asked(voice: Voice, face: MotionFace) -> str:
    if face.kind == "undo":
        who = () if face.asked is None else (face.asked,)
        return voice.say("motion.undo", seats=who)
    card = next((card for card in face.snapshot.seats if card.seat == face.seat), None)
    who, is_free = ("", False) if card is None else (card.name, card.is_computer)
    if face.state != "open":  # since then somebody else may have come to sit there
        who, is_free = face.snapshot.asked_of.get(face.number, ("", False))
    word = "motion.seat_free" if is_free else "motion.seat"
    return voice.say(word, who=who, number=face.seat + 1, name=face.name)


def notice(title: Title, face: NoticeFace) -> Shown:
    """A short message about the table itself."""
    snapshot = face.snapshot
    voice = Voice.of(title, snapshot)
    users = [card.user_id for card in snapshot.seats if card.seat == face.seat and card.user_id]
    facts = {} if face.seat is None else {"seat": face.seat, "number": face.seat + 1}
    told = voice.say(
        f"notices.{face.word}",
        reference=snapshot.crash or "",
        code=snapshot.code,
        place=f"<#{snapshot.channel_id}>",
        pace=voice.say(f"pace.chosen_{snapshot.pace}"),
        limited=snapshot.pace != "none",
        who="".join(f"<@{user}>" for user in users),
        lost=snapshot.lost.get(-1 if face.seat is None else face.seat, ""),
        **facts,
    )
    sheet = Sheet(RED)
    if face.word == "seat_person":
        sheet.mention(*users)
    sheet.text(told, 1500)
    if face.word in ("abandoned", "ended"):
        sheet.row(*absence.afterwards(voice, snapshot))
    return sheet.text(f"-# {face.mark}").shown()


def log_lines(acts: Sequence[ActRow], say: Say) -> list[str]:
    """The log of acts, one line each."""
    return [_act(row, say) for row in acts]


def _act(row: ActRow, say: Say) -> str:
    try:
        told = _what(row, say)
    except (WordsError, LookupError, TypeError, ValueError):  # its row in the store is garbled
        told = say("acts.garbled")
    who = f"<@{row.by}>" if row.by else say("acts.forgotten")
    return fit(say("acts.line", when=f"<t:{round(row.at)}:f>", who=who, what=told), 300)


def _what(row: ActRow, say: Say) -> str:
    facts = {"left_out": 0, "branch": 0, "barred": False, "alone": False, **row.facts}
    seat = facts.get("seat")
    what = f"{row.what}_{facts['to']}" if row.what == "seat" else row.what
    if what == "setting":
        facts = {"what": change_told(row.facts, DEFAULTS, say)}
    if what == "pace":
        facts["pace"] = say(f"pace.chosen_{facts['pace']}")
    return say(
        f"acts.{what}",
        **{
            **facts,
            "seat": seat + 1 if isinstance(seat, int) else 0,
            "table": row.code,
            "person": f"<@{row.about}>" if row.about else "",
        },
    )
