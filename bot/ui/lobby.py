"""The lobby: its message, the options panel, and how to play."""

from __future__ import annotations

from typing import Final

from bot.sessions.faces import LobbyFace, PledgeFace, Snapshot, Status
from bot.titles import Title
from bot.ui import absence
from bot.ui.buttons import Choice, NightButton, Style, button, menu
from bot.ui.fitting import capitalised, fit, fit_lines
from bot.ui.ids import MENU_SIZE, Control
from bot.ui.layout import Sheet, Shown
from bot.ui.text import Voice

BLUE: Final = 0x3B5B8C
GREY: Final = 0x4A5568

_OPTIONS: Final = 10  # menus in the options panel


def face(title: Title, face: LobbyFace) -> Shown:
    """The lobby message while the lobby is open, and what became of it."""
    snapshot = face.snapshot
    voice = Voice.of(title, snapshot)
    is_open = snapshot.status is Status.LOBBY
    sheet = Sheet(BLUE if is_open else GREY)
    heading = voice.say("lobby.heading", game=voice.game_name, code=snapshot.code)
    sheet.text(f"## {heading}", 200)
    if not is_open:
        closed = snapshot.status is Status.CANCELLED
        if closed and snapshot.expires_at is not None:
            sheet.text(voice.say("absence.lobby_closed"))
            again = Control("again", snapshot.session)
            sheet.row(button(again, voice.label("buttons.again_lobby"), Style.success))
            return sheet.text(f"-# {face.mark}").shown()
        sheet.text(voice.say("lobby.cancelled" if closed else "lobby.begun"))
        return sheet.text(_seats(voice, snapshot), 1500).text(f"-# {face.mark}").shown()
    sheet.text(voice.say("game.pitch"), 600)
    sheet.line().text(_seats(voice, snapshot), 1500).text(_options(title, voice, snapshot), 700)
    _kept_seats(sheet, voice, face)
    least, most = title.game.seats.start, title.game.seats.stop - 1
    count = len(snapshot.seats)
    if count < least:
        sheet.text(voice.say("lobby.needs", count=least - count), 200)
    computers = sum(card.is_computer for card in snapshot.seats)

    def made(verb: str, style: Style = Style.secondary, *, disabled: bool = False) -> NightButton:
        control = Control(verb, snapshot.session)
        return button(control, voice.label(f"buttons.{verb}"), style, disabled=disabled)

    sheet.row(
        made("join", Style.success, disabled=count >= most),
        made("leave_lobby"),
        made("start", Style.primary, disabled=count < least),
        made("howto"),
    )
    sheet.row(
        made("add_computer", disabled=count >= most),
        made("drop_computer", disabled=not computers),
        made("options"),
        made("cancel", Style.danger),
    )
    sheet.text(absence.lobby_end(voice, snapshot), 200)
    return sheet.text(f"-# {face.mark}").shown()


def _kept_seats(sheet: Sheet, voice: Voice, face: LobbyFace) -> None:
    """Who sits here because they sat in the game before, and is to know of it."""
    cards = [card for card in face.snapshot.seats if card.seat in face.kept]
    if not cards:
        return
    called = [card.user_id for card in cards if card.seat in face.called and card.user_id]
    names = [
        f"<@{card.user_id}>" if card.user_id in called else voice.words.seat(card.seat)
        for card in cards
    ]
    told = voice.say("lobby.again", who=voice.words.joined(names), many=len(cards) > 1)
    sheet.mention(*called).text(told, 700)


def pledge(title: Title, face: PledgeFace) -> Shown:
    """The promise about the dice. It is posted once and never edited, so nothing in it changes."""
    snapshot = face.snapshot
    voice = Voice(title, ())
    told = voice.say("pledge.text", hash=snapshot.pledge)
    sheet = Sheet(GREY).text(voice.say("pledge.heading", code=snapshot.code), 200).text(told, 700)
    return sheet.text(f"-# {face.mark}").shown()


def options(title: Title, snapshot: Snapshot, *, note: str = "", may_choose: bool) -> Shown:
    """The options panel: one menu an option, or words for who has nothing to choose there."""
    voice = Voice.of(title, snapshot)
    sheet = Sheet(BLUE).text(note, 500).text(voice.say("lobby.options_heading"), 300)
    for option in title.game.options[:_OPTIONS]:
        chosen = snapshot.options.get(option.key, option.default)
        choices = [
            Choice(value, voice.option_value(option.key, value, plain=True), chosen=value == chosen)
            for value in option.values[:MENU_SIZE]
        ]
        name = f"**{voice.option_name(option.key)}**"
        if not may_choose:
            value = voice.option_value(option.key, chosen)
            name = voice.say("lobby.option", name=voice.option_name(option.key), value=value)
        about = f"lobby_options.{option.key}.about"
        told = voice.say(about) if voice.words.has(about) else ""
        if not may_choose:
            sheet.text(f"{name}\n-# {capitalised(told)}" if told else name, 300)
            continue
        sheet.text(f"{name}: {told}" if told else name, 300)
        control = Control("option", snapshot.session, key=option.key)
        sheet.row(menu(control, voice.option_name(option.key, plain=True), choices))
    absence.choose_pace(sheet, voice, snapshot, may_choose=may_choose)
    return sheet.shown()


def how_to_play(title: Title) -> Shown:
    """The game in five lines, then how a turn goes here."""
    voice = Voice(title, ())
    lines = [f"- {line}" for line in voice.lines("game.five_lines")]
    turn = [f"{n}. {line}" for n, line in enumerate(voice.lines("game.turn"), 1)]
    sheet = Sheet(BLUE).text(f"## {voice.game_name}").text("\n".join(lines), 1800)
    sheet.text(f"### {voice.say('lobby.turn_heading')}")
    sheet.text("\n".join(turn), 1200)
    return sheet.text(voice.say("lobby.more_rules"), 300).shown()


def _seats(voice: Voice, snapshot: Snapshot) -> str:
    lines: list[str] = []
    for card in snapshot.seats:
        name = voice.words.seat(card.seat)
        word = "lobby.seat"
        if card.is_computer:
            word = "lobby.computer"
        elif card.user_id == snapshot.host_id:
            word = "lobby.host"
        lines.append(voice.say(word, number=card.seat + 1, name=fit(name, 90)))
    most = voice.title.game.seats.stop - 1
    heading = voice.say("lobby.seats", taken=len(snapshot.seats), most=most)
    return "\n".join([heading, *fit_lines(lines, 1300)])


def _options(title: Title, voice: Voice, snapshot: Snapshot) -> str:
    told = [
        voice.say(
            "lobby.option",
            name=voice.option_name(option.key),
            value=voice.option_value(option.key, snapshot.options.get(option.key, option.default)),
        )
        for option in title.game.options
    ]
    return "\n".join([*told, absence.lobby_line(voice, snapshot)])
