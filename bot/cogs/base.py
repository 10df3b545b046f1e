"""The base of all cogs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from discord.ext import commands

from bot.sessions.ports import Refusal
from bot.ui.dispatcher import Dispatcher, Handler, Interaction, Press, Reply
from bot.ui.house import House

if TYPE_CHECKING:
    from bot.sessions.session import Session


class NightCog(commands.Cog):
    """Commands, and handlers for buttons (``verbs``) and for table commands (``actions``)."""

    verbs: ClassVar[Mapping[str, str]] = {}
    actions: ClassVar[Mapping[str, str]] = {}

    def __init__(self, house: House, dispatcher: Dispatcher) -> None:
        self.house = house
        self.dispatcher = dispatcher
        dispatcher.on({verb: getattr(self, name) for verb, name in self.verbs.items()})
        house.actions |= {action: getattr(self, name) for action, name in self.actions.items()}

    async def run(self, interaction: Interaction, handler: Handler) -> None:
        """Answer a slash command."""
        await self.dispatcher.command(interaction, handler)

    async def at_table(self, interaction: Interaction, action: str) -> None:
        """Answer a slash command that is about one table."""
        await self.run(interaction, lambda press: self.house.at_table(press, action))

    def clicked(self, press: Press) -> Session:
        """The live table of the button that was clicked. Refusal ``no_such_table``."""
        return _met(press, self.house.registry.session(press.control.session))

    async def recalled(self, press: Press) -> Session:
        """As ``clicked``, also a table that ended long ago. Refusal ``no_such_table``."""
        return _met(press, await self.house.registry.recall(press.control.session))

    def at_home(self, press: Press, session_id: int) -> Session:
        """A live table, for what only its server's members may do. Refusal ``no_such_table``."""
        session = self.house.registry.session(session_id)
        if press.interaction.guild_id not in (None, session.guild_id):
            raise Refusal("no_such_table")
        return session


def _met(press: Press, session: Session) -> Session:
    """The table, unless it is another server's and nothing to this person.

    Who has sat at it meets it on other servers, too: `/act` and `/hand` lead there.
    """
    elsewhere = press.interaction.guild_id not in (None, session.guild_id)
    if elsewhere and not session.is_party(press.click.user_id):
        raise Refusal("no_such_table")
    return session


__all__ = ["NightCog", "Press", "Reply"]
