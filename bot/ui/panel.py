"""Private panels: what one seat is asked, its ballot, its hand. Ballots by letter look the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.sessions.faces import BallotFace, SeatLook, Snapshot, Status
from bot.titles import Title
from bot.ui import absence, prompt
from bot.ui.buttons import NightButton, Style, button
from bot.ui.fitting import fit_lines
from bot.ui.ids import MENU_SIZE, Control
from bot.ui.layout import Sheet, Shown
from bot.ui.text import Voice
from engines.kernel.decision import OFFER, Decision

MOST_DECISIONS: Final = 3  # in one panel; the next come up when these are answered
MOST_OFFERS: Final = 5
_NEWS: Final = 5
ACCENT: Final = 0xC9A24B

_BESIDE: Final = 7  # parts beside a decision's controls: its texts, what stands below the panel


def panel(
    title: Title, look: SeatLook, *, note: str = "", foot: str = "", told: int = OFFER
) -> Shown:
    """What this seat is asked now, under a note on what has just happened.

    ``told``: the question whose answer the note repeats already.
    """
    voice = Voice.of(title, look.snapshot)
    sheet = Sheet(ACCENT).text(note, 900)
    shown = False
    for decision in look.asked[:MOST_DECISIONS]:
        shown = _decision(sheet, voice, look, decision, 0, told=told) or shown
    for decision in look.interrupted[:MOST_DECISIONS]:
        sheet.text(voice.say("panel.interrupted", what=voice.prompt(decision)), 600)
        shown = True
    if not shown:
        sheet.text(nothing_asked(voice, look.snapshot), 900)
    sheet.text(absence.own_deadline(voice, look), 200)
    return sheet.row(*_foot(voice, look)).text(foot).shown()


def answered(
    title: Title, look: SeatLook, decision: Decision, value: Sequence[str], *, foot: str = ""
) -> Shown:
    """What was counted, and what is asked now."""
    voice = Voice.of(title, look.snapshot)
    is_open = _find((*look.asked, *look.interrupted), decision.question) is not None
    note = counted(voice, decision, value, is_open=is_open)
    return panel(title, look, note=note, foot=foot, told=decision.question)


def page_of(
    title: Title, look: SeatLook, question: int, kind: str, page: int, *, foot: str = ""
) -> Shown | None:
    """One question on a given page of its options; None if it is not asked any more."""
    voice = Voice.of(title, look.snapshot)
    for decision in look.asked:
        if (decision.question, decision.kind) == (question, kind):
            sheet = Sheet(ACCENT)
            _decision(sheet, voice, look, decision, min(page, prompt.pages(decision) - 1))
            return sheet.row(*_foot(voice, look)).text(foot).shown()
    return None


def hand(title: Title, look: SeatLook, *, note: str = "") -> Shown:
    """What the seat holds, what of it may be played now, and what only this seat knows."""
    voice = Voice.of(title, look.snapshot)
    sheet = Sheet(ACCENT).text(note, 600)
    held = voice.hand(look.view)
    sheet.text(f"{voice.say('hand.title')}\n{held}", 2200)
    _news(sheet, voice, look, held)
    offers = look.offers[:MOST_OFFERS]
    if not offers and not voice.is_empty_hand(held):
        sheet.text(voice.say("hand.nothing_playable"))
    for offer in offers:
        sheet.text(f"**{voice.prompt(offer)}**", 300)
        for start in range(0, len(offer.options), MENU_SIZE):
            sheet.rows(
                prompt.rows(voice, look.snapshot.session, offer, page=start // MENU_SIZE)[:1]
            )
    return sheet.shown()


def briefing(title: Title, look: SeatLook, *, note: str) -> Shown:
    """What a person is told who has just taken a seat over: the hand, the news, the questions."""
    voice = Voice.of(title, look.snapshot)
    sheet = Sheet(ACCENT).text(note, 600)
    held = voice.hand(look.view)
    sheet.text(held, 1800)
    _news(sheet, voice, look, held)
    for decision in look.asked[:MOST_DECISIONS]:
        _decision(sheet, voice, look, decision, 0)
    sheet.text(absence.own_deadline(voice, look), 200)
    return sheet.row(*_foot(voice, look)).shown()


def ballot(title: Title, face: BallotFace) -> Shown:
    """A ballot by letter."""
    look = face.look
    voice = Voice.of(title, look.snapshot)
    sheet = Sheet(ACCENT)
    sheet.text(voice.say("ballot.heading", game=voice.game_name, code=look.snapshot.code), 300)
    decision = _find(look.asked, face.question)
    waiting = _find(look.interrupted, face.question)
    if not face.open:
        card = next((one for one in look.snapshot.seats if one.seat == look.seat), None)
        is_left = card is not None and card.is_computer
        sheet.text(voice.say("ballot.seat_left" if is_left else "ballot.closed"))
    elif decision is not None:
        _decision(sheet, voice, look, decision, 0)
        sheet.text(absence.own_deadline(voice, look), 200)
    elif waiting is not None:
        sheet.text(voice.say("panel.interrupted", what=voice.prompt(waiting)), 600)
    else:
        sheet.text(voice.say("ballot.not_now"))
    return sheet.text(f"-# {face.mark}").shown()


def _news(sheet: Sheet, voice: Voice, look: SeatLook, held: str) -> None:
    """What only this seat was told and what no later event can have made untrue.

    Things are drawn, played and lost again: what names one is left to the log.
    """
    lasting = [event for event in look.news if not voice.named(event)][-_NEWS:]
    lines = fit_lines(voice.events(lasting), 600)
    if lines:
        sheet.text(f"{voice.say('hand.news')}\n" + "\n".join(f"- {line}" for line in lines))
    if any(not voice.is_listed(event, held) for event in look.news if event not in lasting):
        sheet.text(voice.say("hand.earlier"), 300)


def counted(voice: Voice, decision: Decision, value: Sequence[str], *, is_open: bool) -> str:
    """The acknowledgement: what was counted, and whether it may still be changed."""
    chosen = voice.chosen(decision, value)
    word = "panel.counted_revisable" if decision.revisable and is_open else "panel.counted"
    if decision.question == OFFER:
        word = "panel.played"
    return voice.say(word, chosen=chosen)


def nothing_asked(voice: Voice, snapshot: Snapshot) -> str:
    """What a seat is told that has nothing to decide."""
    if snapshot.outcome is not None:
        return voice.say("panel.game_over")
    if snapshot.status is Status.PAUSED:
        return voice.say("panel.paused")
    seats = tuple(dict.fromkeys(waiting.seat for waiting in snapshot.waiting))
    return voice.say("panel.not_you", seats=seats) if seats else voice.say("panel.nobody")


def _decision(
    sheet: Sheet,
    voice: Voice,
    look: SeatLook,
    decision: Decision,
    page: int,
    *,
    told: int = OFFER,
) -> bool:
    """Add a decision with its controls; False if there is no room, it comes up after the others."""
    session = look.snapshot.session
    if prompt.is_ballot(decision):
        draft = look.draft or decision.current or ()
        rows = prompt.ballot_rows(voice, session, decision, draft, page=page)
    else:
        rows = prompt.rows(voice, session, decision, page=page)
    if not sheet.fits(rows, beside=_BESIDE):
        return False
    sheet.text(f"**{voice.prompt(decision)}**", 600)
    sheet.text(prompt.explained(voice, decision), 1100)
    if decision.current is not None and decision.question != told:
        sheet.text(counted(voice, decision, decision.current, is_open=True), 500)
    sheet.rows(rows)
    return True


def _foot(voice: Voice, look: SeatLook) -> list[NightButton]:
    session = look.snapshot.session
    if look.snapshot.status not in (Status.RUNNING, Status.PAUSED):
        return []
    again = button(Control("panel", session), voice.label("buttons.refresh"))
    return [again, button(Control("hand", session), voice.label("buttons.hand"), Style.secondary)]


def _find(decisions: Sequence[Decision], question: int) -> Decision | None:
    return next((one for one in decisions if one.question == question), None)
