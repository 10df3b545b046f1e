"""A decision as controls: buttons, a menu, pages of a menu, a form, or one menu a token.

| what is asked                           | controls                                     |
|-----------------------------------------|----------------------------------------------|
| one of up to 5 (with short labels)      | buttons                                      |
| one of up to 25                         | a menu                                       |
| one of more                             | the first 25 in a menu, the rest on pages    |
| several of up to 25                     | a menu of several values                     |
| several of more (up to 125)             | a form of up to five menus                   |
| an allotment                            | one menu a token, and a button that casts it |

A menu shows an option's second line under it. A button has no room for one, so those of buttons are
listed below the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import discord
from discord import ui

from bot.ui.buttons import Choice, NightButton, NightMenu, Style, button, menu
from bot.ui.fitting import TITLE, fit_label, units
from bot.ui.ids import MENU_SIZE, ROW_SIZE, Control
from bot.ui.text import Voice
from engines.kernel.decision import Decision, Option

Row = list[ui.Item[Any]]

SHORT: Final = 38  # what a phone shows of a button's label, about
MOST_MENUS: Final = 12  # menus of one ballot: two components each, of 40
FORM_MENUS: Final = 5


def is_single(decision: Decision) -> bool:
    """Whether exactly one option is chosen."""
    return (decision.shape.least, decision.shape.most) == (1, 1)


def is_ballot(decision: Decision) -> bool:
    """Whether tokens are spread over the options."""
    return decision.shape.repeats and not is_single(decision)


def pages(decision: Decision) -> int:
    """How many menus its options fill."""
    return max(1, -(-len(decision.options) // MENU_SIZE))


def on_page(decision: Decision, page: int) -> Sequence[Option]:
    """The options of one page, counted from 0."""
    return decision.options[page * MENU_SIZE : (page + 1) * MENU_SIZE]


def explained(voice: Voice, decision: Decision) -> str:
    """What the choices mean: of the question, and of each option that is shown as a button.

    Options with the same second line share one; empty if all goes without saying.
    """
    told: dict[str, list[str]] = {}
    if is_single(decision) and _as_buttons(voice, decision):
        for option in decision.options:
            about = voice.about(decision, option, plain=False)
            if about:
                told.setdefault(about, []).append(voice.choice(decision, option, plain=False))
    lines = [
        voice.say("panel.explained", whats=[f"**{label}**" for label in labels], about=about)
        for about, labels in told.items()
    ]
    return "\n".join([voice.meaning(decision), *lines]).strip()


def rows(voice: Voice, session: int, decision: Decision, *, page: int = 0) -> list[Row]:
    """Controls for everything but a ballot, for a panel: every option can be reached."""
    if is_single(decision):
        if page == 0 and _as_buttons(voice, decision):
            return [_buttons(voice, session, decision)]
        return [[_menu(voice, session, decision, page)], *_paging(voice, session, decision, page)]
    if len(decision.options) <= MENU_SIZE:
        return [[_menu(voice, session, decision, 0)], *_none(voice, session, decision)]
    opens = Control("form", session, decision.question, decision.kind)
    return [[button(opens, voice.label("buttons.form"), Style.primary)]]


def public_rows(voice: Voice, session: int, decision: Decision) -> list[Row]:
    """Controls for the table message; what does not fit stands behind "More choices"."""
    if is_ballot(decision):
        return []
    if len(decision.options) <= MENU_SIZE or not is_single(decision):
        return rows(voice, session, decision)
    more = Control("more", session, decision.question, decision.kind, "1")
    return [
        [_menu(voice, session, decision, 0)],
        [button(more, voice.label("buttons.more_choices", count=len(decision.options)))],
    ]


def ballot_rows(
    voice: Voice, session: int, decision: Decision, draft: Sequence[str], *, page: int = 0
) -> list[Row]:
    """One menu for each token with the draft in it, and the button that casts the ballot."""
    tokens = decision.shape.most
    filled = tuple(draft[:tokens]) + ("",) * (tokens - len(draft))
    made: list[Row] = []
    for index in range(min(tokens, MOST_MENUS)):
        chosen = filled[index]
        control = Control("draft", session, decision.question, decision.kind, f"{index}.{page}")
        choices = _choices(voice, decision, on_page(decision, page), chosen)
        placeholder = _placeholder(voice, decision, index, chosen)
        made.append([menu(control, placeholder, choices)])
    complete = all(filled)
    cast = Control("cast", session, decision.question, decision.kind)
    word = "cast_again" if decision.current is not None else "cast"
    label = voice.label(voice.own(decision.kind, word, f"buttons.{word}"))
    style = Style.success if complete else Style.secondary
    made.append([button(cast, label, style, disabled=not complete)])
    return made + _paging(voice, session, decision, page, verb="ballot")


class Form(ui.Modal):
    """A form of menus for a choice of several among very many; answered centrally by its id."""

    def __init__(self, voice: Voice, session: int, decision: Decision) -> None:
        control = Control("act", session, decision.question, decision.kind)
        title = fit_label(voice.prompt(decision, plain=True), TITLE)
        super().__init__(title=title, timeout=None, custom_id=control.form)
        for page in range(min(pages(decision), FORM_MENUS)):
            options = on_page(decision, page)
            choices = _choices(voice, decision, options, *(decision.current or ()))
            part: ui.Select[Any] = ui.Select(
                custom_id=f"page.{page}",
                required=False,
                min_values=0,
                max_values=min(decision.shape.most, len(options)),
                options=[
                    discord.SelectOption(
                        label=fit_label(one.label, 100), value=one.key, default=one.chosen
                    )
                    for one in choices
                ],
            )
            label = voice.label("panel.page", number=page + 1, count=pages(decision))
            self.add_item(ui.Label(text=fit_label(label, TITLE), component=part))

    def is_finished(self) -> bool:
        """Always: the library need not remember it."""
        return True


def _as_buttons(voice: Voice, decision: Decision) -> bool:
    if len(decision.options) > ROW_SIZE:
        return False
    return all(units(voice.choice(decision, option)) <= SHORT for option in decision.options)


def _buttons(voice: Voice, session: int, decision: Decision) -> Row:
    current = decision.current or ()
    return [_option_button(voice, session, decision, one, current) for one in decision.options]


def _option_button(
    voice: Voice, session: int, decision: Decision, option: Option, current: Sequence[str]
) -> NightButton:
    control = Control("act", session, decision.question, decision.kind, option.key)
    label = voice.choice(decision, option)
    if option.key in current:
        return button(control, voice.label("buttons.chosen", choice=label), Style.success)
    # One of several in another colour would look like advice.
    style = Style.primary if len(decision.options) == 1 else Style.secondary
    return button(control, label, style)


def _menu(voice: Voice, session: int, decision: Decision, page: int) -> NightMenu:
    control = Control("act", session, decision.question, decision.kind, str(page))
    options = on_page(decision, page)
    choices = _choices(voice, decision, options, *(decision.current or ()))
    shape = decision.shape
    most = min(shape.most, len(options))
    word = "panel.choose_exactly" if shape.least == most else "panel.choose_several"
    placeholder = voice.label(
        "panel.choose" if is_single(decision) else word, least=shape.least, most=most
    )
    if pages(decision) > 1:
        placeholder = voice.label(
            "panel.page_range",
            first=fit_label(voice.choice(decision, options[0]), SHORT),
            last=fit_label(voice.choice(decision, options[-1]), SHORT),
            number=page + 1,
            count=pages(decision),
        )
    return menu(control, placeholder, choices, least=shape.least, most=shape.most)


def _choices(
    voice: Voice, decision: Decision, options: Sequence[Option], *chosen: str
) -> list[Choice]:
    return [
        Choice(
            option.key,
            voice.choice(decision, option),
            voice.about(decision, option),
            chosen=option.key in chosen,
        )
        for option in options
    ]


def _placeholder(voice: Voice, decision: Decision, index: int, chosen: str) -> str:
    word = voice.own(decision.kind, "token", "panel.token")
    number = voice.label(word, number=index + 1, count=decision.shape.most)
    if not chosen:
        return number
    try:
        what = voice.choice(decision, decision.option(chosen))
    except KeyError:
        return number
    return voice.label("panel.token_on", token=number, what=what)


def _none(voice: Voice, session: int, decision: Decision) -> list[Row]:
    """A menu cannot be sent empty, so choosing nothing is a button."""
    if decision.shape.least:
        return []
    control = Control("act", session, decision.question, decision.kind)
    return [[button(control, voice.label("buttons.none"))]]


def _paging(
    voice: Voice, session: int, decision: Decision, page: int, verb: str = "more"
) -> list[Row]:
    count = pages(decision)
    if count == 1:
        return []
    before, after = max(page - 1, 0), min(page + 1, count - 1)
    return [
        [
            button(
                Control(verb, session, decision.question, decision.kind, str(target)),
                voice.label(word, number=target + 1, count=count),
                disabled=target == page,
            )
            for target, word in ((before, "buttons.page_before"), (after, "buttons.page_after"))
        ]
    ]
