"""Where every interaction arrives: it is always answered, in time, and whatever goes wrong.

A handler does its work and returns a ``Reply`` (or None: nothing needs to be said). The dispatcher
waits for it; if that takes longer than ``PATIENCE`` a bare receipt goes out, which promises
nothing, and the reply follows. Refusals become sentences, unknown errors a sentence with a
reference under which the traceback stands in the log.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

import aiohttp
import discord

from bot.sessions.ports import Click, Refusal
from bot.ui import ids
from bot.ui.attempts import Attempts
from bot.ui.ids import Control
from bot.ui.layout import Sheet, Shown
from bot.ui.open_panels import OpenPanels
from content.words import Words

_log = logging.getLogger(__name__)

PATIENCE: Final = 1.5
"""Seconds after which a receipt goes out; Discord gives up after three."""

REPEAT: Final = 2.0
"""Seconds in which the same refusal is not said to the same person again."""

WARNING: Final = 0xB5523B

_ANSWERED: Final = 40060
"""Discord has an answer to this interaction already."""

#: Answered already, token unknown or expired: nobody is left to be told.
_QUIET_CODES: Final = (_ANSWERED, 10062, 10015, 50027)

Interaction = discord.Interaction[Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, seen by one person only. ``here``: in place of the panel that was clicked.

    ``aside``: one more message to the same person, about something else. ``turns``: only a page of
    it was turned, which stays until more than that happens.
    """

    shown: Shown
    here: bool = False
    turns: bool = False
    aside: Shown | None = None


@dataclass(frozen=True, slots=True)
class Press:
    """An interaction as handlers see it; ``values`` are what was chosen.

    A button chooses the key it carries; in a menu's or a form's control the key is a page.
    """

    interaction: Interaction
    click: Click
    control: Control = field(default_factory=lambda: Control("command"))
    values: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """The control's key as a number; 0 if it is none."""
        return number(self.control.key)

    @property
    def value(self) -> str:
        """The first choice; empty if there is none."""
        return self.values[0] if self.values else ""


def number(written: str) -> int:
    """A number out of a custom_id or a menu; 0 if it is none."""
    return int(written) if written.isascii() and written.isdigit() else 0


Handler = Callable[[Press], Awaitable[Reply | None]]


class Explains(Protocol):
    """Turns a refusal into what the player reads."""

    async def refusal(self, press: Press, refusal: Refusal) -> Reply:
        """One kind sentence, and what is legal now."""
        ...

    def besides(self, press: Press, reply: Reply | None) -> Reply | None:
        """The reply, with what else a person at that table has to be told."""
        ...


class Opens(Exception):
    """Raised by a handler that wants a form shown, which must be the first answer."""

    def __init__(self, form: discord.ui.Modal) -> None:
        self.form = form
        super().__init__(form.title)


class Dispatcher:
    """Answers every interaction.

    ``clock`` is monotonic, ``handled`` is told of each interaction's end, and ``guild_of`` knows to
    which server a session belongs: who manages another server manages nothing here.
    """

    def __init__(
        self,
        words: Words,
        explains: Explains,
        clock: Callable[[], float],
        handled: Callable[[int], None],
        guild_of: Callable[[int], int | None],
    ) -> None:
        self.words = words
        self.explains = explains
        self.clock = clock
        self.handled = handled
        self.guild_of = guild_of
        self.acknowledged: Callable[[float], None] = lambda _: None
        """Told of the seconds between each interaction's arrival and its first answer."""
        self.failed: Callable[[str], None] = lambda _: None
        """Told of the names of errors that are faults of ours."""
        self.replaced: Callable[[int, int], None] = lambda _table, _message: None
        """Told of each letter that an answer has changed, and of which table it is."""
        self.panels = OpenPanels(clock)
        self._attempts = Attempts(clock)
        self._handlers: dict[str, Handler] = {}
        self._refused: dict[tuple[int, Control, str], float] = {}
        self._under_way: set[int] = set()

    def on(self, handlers: Mapping[str, Handler]) -> None:
        """Have these handlers answer buttons, menus and forms of these verbs."""
        taken = set(handlers) & set(self._handlers)
        if taken:
            raise ValueError(f"two handlers for {sorted(taken)}")
        self._handlers |= handlers

    async def pressed(
        self, interaction: Interaction, custom_id: str, values: Sequence[str]
    ) -> None:
        """Answer a button, a menu or a form."""
        control = ids.read(custom_id)
        handler = self._handlers.get(control.verb) if control else None
        if control is None or handler is None:
            control, handler = Control("old"), _outdated
        elif custom_id.startswith(ids.BUTTON) and control.key:
            values = (control.key,)
        click = self.click(interaction)
        if control.session and self.guild_of(control.session) != interaction.guild_id:
            click = replace(click, may_manage=False)
        await self._run(Press(interaction, click, control, (*values,)), handler)

    async def command(self, interaction: Interaction, handler: Handler) -> None:
        """Answer a slash command."""
        await self._run(Press(interaction, self.click(interaction)), handler)

    def click(self, interaction: Interaction) -> Click:
        """Who did it, and when the gateway delivered it."""
        arrived = interaction.extras.get("arrived", self.clock())
        may = interaction.guild_id is not None and interaction.permissions.manage_guild
        user = interaction.user
        return Click(user.id, user.display_name, interaction.id, float(arrived), may)

    # The one way through

    async def _run(self, press: Press, handler: Handler) -> None:
        if press.interaction.id in self._under_way:
            await self._worked(press, handler)  # delivered again: the first one answers
            return
        self._under_way.add(press.interaction.id)
        try:
            work = asyncio.ensure_future(self._worked(press, handler))
            done, _ = await asyncio.wait({work}, timeout=PATIENCE)
            if not done:
                await self._told(press, lambda: _receipt(press.interaction))
            reply = await work
            await self._told(press, lambda: _answer(press, reply))
            turns = isinstance(reply, Reply) and reply.turns
            if "replaced" in press.interaction.extras and not turns:
                self.replaced(press.control.session, press.interaction.extras["replaced"])
            if isinstance(reply, Reply) and "answered" in press.interaction.extras:
                self.panels.note(press.interaction, reply.shown)
            if isinstance(reply, Reply) and reply.aside is not None:
                aside = reply.aside
                await self._told(press, lambda: _tell_aside(press, aside))
        finally:
            self._under_way.discard(press.interaction.id)
            self.handled(press.interaction.id)

    async def _worked(self, press: Press, handler: Handler) -> Reply | discord.ui.Modal | None:
        """The handler's reply; never raises."""
        try:
            try:
                reply = await handler(press)
            except Refusal as refusal:
                reply = await self._refusal(press, refusal)
            return self.explains.besides(press, reply)
        except Opens as opens:
            return opens.form
        except Exception as error:  # noqa: BLE001 - the player gets a reference, the log the rest
            return self.failure(press, error)

    async def _refusal(self, press: Press, refusal: Refusal) -> Reply | None:
        self._note(press, refusal)
        key = (press.click.user_id, press.control, refusal.problem)
        now = self.clock()
        if len(self._refused) > 1000:
            self._refused = {k: at for k, at in self._refused.items() if now - at < REPEAT}
        said = self._refused.get(key)
        is_click = press.interaction.type is discord.InteractionType.component
        if is_click and said is not None and now - said < REPEAT:
            return None
        self._refused[key] = now
        try:
            return await self.explains.refusal(press, refusal)
        except Exception as error:  # noqa: BLE001 - as above
            return self.failure(press, error)

    def _note(self, press: Press, refusal: Refusal) -> None:
        guild = press.interaction.guild_id
        home = self.guild_of(press.control.session) if press.control.session else None
        self._attempts.refused(
            refusal,
            custom_id_of(press.interaction),
            user=press.click.user_id,
            guild=guild,
            away=None not in (home, guild) and home != guild,
        )

    def failure(self, press: Press, error: BaseException) -> Reply:
        """What a player is told of a fault of ours, under a reference that the log has too."""
        reference = secrets.token_hex(4)
        self.failed(type(error).__name__)
        what = press.control.verb if press.control.verb != "command" else _named(press.interaction)
        _log.error("%s failed, reference %s", what, reference, exc_info=error)
        told = self.words.say("failures.unknown", {"reference": reference})
        return Reply(Sheet(WARNING).text(told).shown())

    async def _told(self, press: Press, tell: Callable[[], Awaitable[None]]) -> None:
        """Say something; what Discord does not take is logged, a message that is wrong replaced."""
        try:
            await tell()
            if "acknowledged" not in press.interaction.extras:
                press.interaction.extras["acknowledged"] = True
                self.acknowledged(self.clock() - press.click.arrived)
        except discord.InteractionResponded:
            _log.debug("interaction %d was answered already", press.interaction.id)
        except discord.HTTPException as error:
            if error.code == _ANSWERED and _is_the_receipt(press.interaction):
                await self._told(press, tell)
            elif error.code in _QUIET_CODES:
                _log.info("interaction %d: %s", press.interaction.id, error.code)
            elif error.status < 500:
                reply = self.failure(press, error)
                await self._last_words(press, reply)
            else:
                _log.warning("interaction %d: Discord failed, %s", press.interaction.id, error)
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            _log.warning("interaction %d: %s", press.interaction.id, type(error).__name__)
        except Exception as error:  # noqa: BLE001 - as above
            await self._last_words(press, self.failure(press, error))

    async def _last_words(self, press: Press, reply: Reply) -> None:
        try:
            await _answer(press, reply)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            _log.warning("interaction %d stays unanswered: %s", press.interaction.id, error)


def custom_id_of(interaction: Interaction) -> str:
    """The custom_id of what was clicked or filled in; empty for a command."""
    data: Any = interaction.data or {}
    return str(data.get("custom_id", ""))


async def _outdated(press: Press) -> Reply:
    raise Refusal("old_control")


def _named(interaction: Interaction) -> str:
    command = interaction.command
    return f"/{command.qualified_name}" if command else f"interaction {interaction.type.name}"


def _is_open(interaction: Interaction) -> bool:
    """Whether the first answer has still to be given."""
    return not (interaction.response.is_done() or "taken" in interaction.extras)


def _is_the_receipt(interaction: Interaction) -> bool:
    """Whether the answer that Discord has is our receipt, of which it has not told us: noted once.

    Its confirmation was lost on the way, or was an error of Discord's.
    """
    if "receipt" not in interaction.extras or "taken" in interaction.extras:
        return False
    interaction.extras["taken"] = True
    return True


async def _receipt(interaction: Interaction) -> None:
    """Stop Discord's clock without promising anything."""
    if not _is_open(interaction):
        return
    interaction.extras["receipt"] = True
    if interaction.type is discord.InteractionType.application_command:
        await interaction.response.defer(ephemeral=True, thinking=True)
    else:
        await interaction.response.defer()


def is_private(interaction: Interaction) -> bool:
    """Whether the message that was clicked is seen by this person only."""
    message = interaction.message
    return message is not None and (message.flags.ephemeral or interaction.guild_id is None)


async def _tell_aside(press: Press, aside: Shown) -> None:
    await press.interaction.followup.send(
        view=aside.layout, ephemeral=True, allowed_mentions=aside.allowed_mentions
    )


async def _answer(press: Press, reply: Reply | discord.ui.Modal | None) -> None:
    """Send the reply by whichever way is still open.

    Where the interaction can edit it later, its message is noted as ``answered``.
    """
    interaction = press.interaction
    response = interaction.response
    if isinstance(reply, discord.ui.Modal):
        if _is_open(interaction):
            await response.send_modal(reply)
        return
    if reply is None:
        await _receipt(interaction)
        return
    shown = reply.shown
    files = [attached.file() for attached in shown.files]
    mentions = shown.allowed_mentions
    view = shown.layout
    if reply.here and is_private(interaction):
        if interaction.message is not None and interaction.message.flags.ephemeral:
            interaction.extras["answered"] = interaction.message.id
        elif interaction.message is not None:
            interaction.extras["replaced"] = interaction.message.id
        if not _is_open(interaction):
            await interaction.edit_original_response(
                view=view, attachments=files, allowed_mentions=mentions
            )
        else:
            await response.edit_message(view=view, attachments=files, allowed_mentions=mentions)
    elif _is_open(interaction):
        sent = await response.send_message(
            view=view, files=files, ephemeral=True, allowed_mentions=mentions
        )
        interaction.extras["answered"] = sent.message_id
    elif interaction.type is discord.InteractionType.application_command:
        edited = await interaction.edit_original_response(
            view=view, attachments=files, allowed_mentions=mentions
        )
        interaction.extras["answered"] = edited.id
    else:
        await interaction.followup.send(
            view=view, files=files, ephemeral=True, allowed_mentions=mentions
        )
