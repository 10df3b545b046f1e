"""Buttons and menus that work for ever: all they mean stands in their custom_id.

Two classes, whose patterns never overlap, answer for every button and every menu of the bot. Both
hand the click to the dispatcher (dispatcher.py), which always answers it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Protocol, Self, cast

import discord
from discord import ui

from bot.counted import counted
from bot.ui import ids
from bot.ui.fitting import LABEL, OPTION, PLACEHOLDER, distinct, fit_label
from bot.ui.ids import Control

Style = discord.ButtonStyle


class Receives(Protocol):
    """Whoever takes clicks: the client has a ``dispatcher`` that does."""

    async def pressed(
        self, interaction: discord.Interaction[Any], custom_id: str, values: Sequence[str]
    ) -> None:
        """Answer a click, whatever happens."""
        ...


def _dispatcher(interaction: discord.Interaction[Any]) -> Receives:
    return cast("Any", interaction.client).dispatcher


class NightButton(ui.DynamicItem[ui.Button[Any]], template=re.compile(r"n:b:.*", re.DOTALL)):
    """Any button."""

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button that was clicked; what it means is found out by the dispatcher."""
        return cls(cast("ui.Button[Any]", item))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Pass the click on."""
        await _dispatcher(interaction).pressed(interaction, self.custom_id, ())


class NightMenu(ui.DynamicItem[ui.Select[Any]], template=re.compile(r"n:m:.*", re.DOTALL)):
    """Any menu."""

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The menu in which something was chosen."""
        return cls(cast("ui.Select[Any]", item))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Pass the choice on."""
        chosen = getattr(self.item, "values", ())  # a forged click may come from a button
        await _dispatcher(interaction).pressed(interaction, self.custom_id, chosen)


ITEMS = (NightButton, NightMenu)


def button(
    control: Control,
    label: str,
    style: Style = Style.secondary,
    *,
    emoji: str | None = None,
    disabled: bool = False,
) -> NightButton:
    """A button with that meaning."""
    return NightButton(
        ui.Button(
            custom_id=control.button,
            label=fit_label(label, LABEL),
            style=style,
            emoji=emoji,
            disabled=disabled,
        )
    )


def link(url: str, label: str) -> ui.Button[Any]:
    """A button that leads to a message."""
    return ui.Button(url=url, label=fit_label(label, LABEL))


class Choice:
    """An entry of a menu."""

    __slots__ = ("about", "chosen", "key", "label")

    def __init__(self, key: str, label: str, about: str = "", *, chosen: bool = False) -> None:
        self.key = key
        self.label = label
        self.about = about
        self.chosen = chosen


def menu(
    control: Control, placeholder: str, choices: Sequence[Choice], *, least: int = 1, most: int = 1
) -> NightMenu:
    """A menu with that meaning, of 1 to 25 choices."""
    if not 1 <= len(choices) <= ids.MENU_SIZE:
        raise ValueError(f"a menu of {counted(len(choices), 'choice')}")
    labels = distinct((choice.label for choice in choices), OPTION)
    return NightMenu(
        ui.Select(
            custom_id=control.menu,
            placeholder=fit_label(placeholder, PLACEHOLDER),
            min_values=min(least, len(choices)),
            max_values=min(most, len(choices)),
            options=[
                discord.SelectOption(
                    label=label,
                    value=choice.key,
                    description=fit_label(choice.about, OPTION) if choice.about else None,
                    default=choice.chosen,
                )
                for label, choice in zip(labels, choices, strict=True)
            ],
        )
    )
