"""What players see of their time, of those who are away, and of tables that end by themselves."""

from __future__ import annotations

from typing import Final

from bot.sessions.faces import NoticeFace, ReminderFace, SeatLook, Snapshot
from bot.sessions.pace import PACES
from bot.titles import Title
from bot.ui.buttons import Choice, NightButton, Style, button, menu
from bot.ui.fitting import capitalised
from bot.ui.ids import Control
from bot.ui.layout import Sheet, Shown
from bot.ui.text import Voice

GREY: Final = 0x4A5568
BRASS: Final = 0xC9A24B

NOTICES: Final = (
    "missed",
    "missed_all",
    "away",
    "resting",
    "quiet",
    "stopped",
    "expired_stopped",
    "expired",
    "gone",
    "letters_closed",
    "replaced",
    "taken",
    "host",
)
"""The notices that are put into words here."""


def stamp(at: float | None) -> str:
    """A moment (epoch seconds) as Discord shows it, counting down, in each reader's own time."""
    return "" if at is None else f"<t:{round(at)}:R>"


def at_table(voice: Voice, snapshot: Snapshot) -> list[str]:
    """Until when answers are awaited and for whom a computer player plays; lines for the table."""
    if snapshot.is_resting:
        return [voice.say("absence.resting", when=stamp(snapshot.expires_at))]
    lines: list[str] = []
    if snapshot.deadline is not None:
        lines.append(voice.say("absence.deadline", when=stamp(snapshot.deadline.ends_at)))
    away = tuple(card.seat for card in snapshot.seats if card.away)
    if away:
        lines.append(voice.say("absence.away", seats=away))
    return lines


def back_button(voice: Voice, snapshot: Snapshot) -> NightButton | None:
    """The way back for those who are away."""
    if not any(card.away for card in snapshot.seats):
        return None
    style = Style.primary if snapshot.is_resting else Style.secondary
    return button(Control("back", snapshot.session), voice.label("buttons.back"), style)


def own_deadline(voice: Voice, look: SeatLook) -> str:
    """Until when this seat has to answer."""
    if look.deadline is None:
        return ""
    return voice.say("absence.own_deadline", when=stamp(look.deadline.ends_at))


def reminder(title: Title, face: ReminderFace) -> Shown:
    """To those who are waited for: until when, and what happens then."""
    snapshot = face.snapshot
    voice = Voice.of(title, snapshot)
    users = [card.user_id for card in snapshot.seats if card.seat in face.seats and card.user_id]
    told = voice.say(
        "reminder.any" if face.shared else "reminder.one",
        who=voice.words.joined([f"<@{user}>" for user in users]),
        what=voice.short(face.kind),
        when=stamp(face.ends_at),
    )
    sheet = Sheet(BRASS).mention(*users).text(told, 1500)
    label = voice.label(voice.own(face.kind, "button", "buttons.panel"))
    sheet.row(button(Control("panel", snapshot.session), label, Style.primary))
    return sheet.text(f"-# {face.mark}").shown()


def notice(title: Title, face: NoticeFace) -> Shown:
    """Something about who is there, told to the table."""
    snapshot = face.snapshot
    voice = Voice.of(title, snapshot)
    users = [card.user_id for card in snapshot.seats if card.seat == face.seat and card.user_id]
    facts = {} if face.seat is None else {"seat": face.seat, "number": face.seat + 1}
    told = voice.say(
        f"notices.{face.word}",
        who="".join(f"<@{user}>" for user in users),
        when=stamp(snapshot.expires_at),
        **facts,
    )
    sheet = Sheet(GREY)
    if face.word == "letters_closed":
        sheet.mention(*users)
    sheet.text(told, 1500)
    if face.word == "expired":
        sheet.row(*afterwards(voice, snapshot))
    return sheet.text(f"-# {face.mark}").shown()


def afterwards(voice: Voice, snapshot: Snapshot) -> list[NightButton]:
    """What can be done at a table whose game is over; there is no story of one that is lost."""
    again = Control("again", snapshot.session)
    story = button(Control("story", snapshot.session), voice.label("buttons.story"))
    return [
        button(again, voice.label("buttons.again"), Style.success),
        *([] if snapshot.view is None else [story]),
    ]


# The lobby


def lobby_line(voice: Voice, snapshot: Snapshot) -> str:
    """The chosen pace, as one of the options."""
    value = voice.say(f"pace.chosen_{snapshot.pace}")
    return voice.say("lobby.option", name=voice.say("pace.name"), value=value)


def lobby_end(voice: Voice, snapshot: Snapshot) -> str:
    """When the lobby closes by itself."""
    if snapshot.expires_at is None:
        return ""
    return voice.say("absence.lobby", when=stamp(snapshot.expires_at))


def choose_pace(sheet: Sheet, voice: Voice, snapshot: Snapshot, *, may_choose: bool) -> None:
    """The pace in the options panel: a menu, or words for who has nothing to choose there."""
    about = voice.say("pace.about")
    if not may_choose:
        sheet.text(f"{lobby_line(voice, snapshot)}\n-# {capitalised(about)}", 300)
        return
    sheet.text(f"**{voice.say('pace.name')}**: {about}", 300)
    choices = [
        Choice(pace, voice.label(f"pace.{pace}"), chosen=pace == snapshot.pace) for pace in PACES
    ]
    sheet.row(menu(Control("pace", snapshot.session), voice.label("pace.name"), choices))
