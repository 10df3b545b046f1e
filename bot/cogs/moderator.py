"""What all of the moderators' cogs need: who may, which table, and the question before an act."""

from __future__ import annotations

from dataclasses import replace

from bot.cogs.base import NightCog, Press, Reply
from bot.sessions import history
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from bot.store.rows import SessionRow
from bot.ui.buttons import Style, button
from bot.ui.dispatcher import number
from bot.ui.ids import Control
from bot.ui.layout import Sheet


class ModeratorCog(NightCog):
    """Commands are let through by Discord (default: Manage Server); their buttons carry a pass."""

    def let_through(self, press: Press) -> Press:
        """A slash command of the group: Discord and the server's settings have let its member."""
        if press.interaction.guild_id is None:
            raise Refusal("server_command")
        return replace(press, click=replace(press.click, may_manage=True))

    async def again(self, press: Press, guild_id: int) -> Press:
        """A button of a moderator's panel: the pass at the end of its key must hold here."""
        if press.interaction.guild_id != guild_id:
            raise Refusal("only_moderators")
        given = press.control.key.rpartition(".")[2]
        passes = self.house.registry.passes
        if press.click.may_manage or await passes.holds(given, press.click.user_id, guild_id):
            return replace(press, click=replace(press.click, may_manage=True))
        raise Refusal("only_moderators")

    async def key(self, press: Press, *facts: object) -> str:
        """The key of a button: small facts, then the pass."""
        guild_id = press.interaction.guild_id or 0
        made = await self.house.registry.passes.made(press.click.user_id, guild_id)
        return ".".join(str(fact) for fact in (*facts, made))

    async def table(self, press: Press, code: str) -> Session:
        """A table of this server by its code, over or not. Refusal ``no_such_code``."""
        return await history.by_code(self.house.registry, press.interaction.guild_id or 0, code)

    def unknown(self, press: Press, code: str | None = None) -> list[SessionRow]:
        """Tables of this server whose game is not known here; only the one of that code, if any."""
        rows = self.house.registry.unknown.in_guild(press.interaction.guild_id or 0)
        wanted = None if code is None else code.strip().upper()
        return [row for row in rows if wanted in (None, row.code)]

    def name_of(self, row: SessionRow) -> str:
        """Such a table in a list; its game has no name but its key."""
        game = row.game.replace("_", " ").capitalize()
        return self.house.say("tables.name", game=game, code=row.code)

    def ask(self, told: str, control: Control, word: str, *, here: bool = False) -> Reply:
        """The question before something is done, with a way back."""
        yes = button(control, self.house.say(word), Style.danger)
        no = button(Control("never_mind", control.session), self.house.say("buttons.never_mind"))
        return Reply(Sheet().text(told, 1800).row(yes, no).shown(), here=here)


def facts_of(press: Press, count: int = 1) -> list[int]:
    """The numbers in a button's key, without the pass. Refusal ``old_control`` if some lack."""
    parts = press.control.key.split(".")[:-1]
    if len(parts) < count:
        raise Refusal("old_control")
    return [number(part) for part in parts[:count]]
