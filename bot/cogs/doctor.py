"""/session doctor: what I may not do in a channel, what that breaks, where to change it.

What Discord's cache says of permissions is one thing, what it lets happen another: so a message is
sent, edited, given a file and removed again, and each of these is told of.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import aiohttp
import discord
from discord import app_commands

from bot.cogs import placing
from bot.cogs.base import Press, Reply
from bot.cogs.moderator import ModeratorCog
from bot.cogs.placing import Where
from bot.sessions.ports import Refusal
from bot.ui.dispatcher import Interaction
from bot.ui.layout import Sheet

_log = logging.getLogger(__name__)

_THREADS: Final = 15
_BOTH: Final = ("view_channel", "embed_links", "attach_files", "read_message_history")
_CHANNEL: Final = (*_BOTH, "send_messages", "create_public_threads", "send_messages_in_threads")
_THREAD: Final = (*_BOTH, "send_messages_in_threads")
_CLOSED: Final = (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError)

_KNOWN_IN_TIMEOUT: Final = ("view_channel", "read_message_history")
"""A timeout takes all other permissions, so nothing is known of them."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One step of the trial: ``code`` is Discord's error, 0 for a broken line, None if it went."""

    step: str
    code: int | None = None


class Doctor(ModeratorCog):
    """Walks a channel and its threads."""

    def command(self) -> app_commands.Command[Any, ..., Any]:
        """The command, for the group of moderators' commands."""

        async def doctor(interaction: Interaction, channel: placing.Named | None = None) -> None:
            async def look(press: Press) -> Reply:
                return await self.doctor(self.let_through(press), await placing.found(channel))

            await self.run(interaction, look)

        return app_commands.Command(name="doctor", description="-", callback=doctor)

    async def doctor(self, press: Press, where: Where | None) -> Reply:
        """Look a channel over: the named one, or the one in which this is asked."""
        guild = press.interaction.guild
        member = press.interaction.user
        place = where or press.interaction.channel
        if guild is None or not isinstance(member, discord.Member):
            raise Refusal("server_command")
        if not isinstance(place, discord.TextChannel | discord.Thread):
            raise Refusal("no_doctor_here")
        if not place.permissions_for(member).view_channel:
            _log.info("server %d: a look into a hidden channel was refused", guild.id)
            raise Refusal("place_not_yours")
        servers = self.house.registry.desk.servers
        await servers.note(guild.id, press.click, "doctor", place=f"<#{place.id}>")
        sheet = Sheet().text(f"## {self.house.say('doctor.heading')}")
        me = await _me(guild, press)
        if me.is_timed_out():
            sheet.text(self.house.say("doctor.timed_out"))
        for one in await self._places(place, member):
            told = self._findings(one, me)
            if not told and me.is_timed_out():
                continue
            sound = self.house.say("doctor.sound", place=f"<#{one.id}>")
            lines = "\n".join(f"  - {line}" for line in told)
            sheet.text(f"- {self.house.say('doctor.place', place=f'<#{one.id}>')}\n{lines}"
                       if told else f"- {sound}", 900)  # fmt: skip
        sheet.line().text(self._told(place, await self._trial(place, me)))
        return Reply(sheet.shown())

    async def _places(self, place: Where, member: discord.Member) -> Sequence[Where]:
        """The place, and the threads under it that this member may see: those that are open, and
        those of tables, which the cache does not have once they are archived.
        """
        if isinstance(place, discord.Thread):
            return [place]
        threads = {one.id: one for one in place.threads}
        tables = {
            session.channel_id
            for session in self.house.registry.in_guild(place.guild.id)
            if session.row.parent_id == place.id
        }
        for thread_id in sorted(tables - set(threads))[-_THREADS:]:
            thread = await _thread(place.guild, thread_id)
            if thread is not None:
                threads[thread_id] = thread
        sees_all = place.permissions_for(member).manage_threads
        shown = [one for one in threads.values() if sees_all or not one.is_private()]
        return [place, *sorted(shown, key=lambda one: (one.id in tables, one.id))[-_THREADS:]]

    # What the cache says

    def _findings(self, place: Where, me: discord.Member) -> list[str]:
        """A line for each permission that is missing, and for what else stands in the way."""
        say = self.house.say
        in_thread = isinstance(place, discord.Thread)
        try:
            mine = place.permissions_for(me)
        except discord.ClientException:
            return [say("doctor.no_parent")]
        missing = [name for name in (_THREAD if in_thread else _CHANNEL) if not getattr(mine, name)]
        if me.is_timed_out():
            missing = [name for name in missing if name in _KNOWN_IN_TIMEOUT]
        # Without these Discord counts others as missing too, which need not be given.
        if "view_channel" in missing:
            missing = ["view_channel"]
        elif "send_messages" in missing:
            missing = [name for name in missing if name not in ("embed_links", "attach_files")]
        told = [
            say(
                "doctor.missing",
                permission=say(f"permissions.{name}"),
                effect=say(f"doctor.ways.{name}"),
                where=self._remedy(place, me, name),
            )
            for name in missing
        ]
        closed = self._closed(place, me) if isinstance(place, discord.Thread) else ""
        return [*told, closed] if closed else told

    def _closed(self, thread: discord.Thread, me: discord.Member) -> str:
        """What it means for the table in a thread that the thread is closed; empty if it is not."""
        session = self.house.registry.in_channel(thread.id)
        if session is not None and session.is_shut_out and (thread.locked or thread.archived):
            return self.house.say("doctor.shut_table", code=session.code)
        if placing.is_shut(thread, me):
            return self.house.say("doctor.locked")
        return self.house.say("doctor.archived") if thread.archived else ""

    def _remedy(self, place: Where, me: discord.Member, permission: str) -> str:
        """Where to give it: in the channel, if the server's roles would allow it, or in a role."""
        parent = place.parent if isinstance(place, discord.Thread) else place
        if getattr(me.guild_permissions, permission):
            link = f"<#{parent.id}>" if parent is not None else ""
            return self.house.say("doctor.in_channel", place=link)
        role = place.guild.self_role
        if role is None:  # never the role that everybody has
            return self.house.say("doctor.in_any_role")
        return self.house.say("doctor.in_server", role=f"<@&{role.id}>")

    # What Discord does

    async def _trial(self, place: Where, me: discord.Member) -> Sequence[Tried]:
        """Send, edit, attach, remove; a message that cannot be sent ends it.

        An archived thread is left alone: a message would open it.
        """
        if isinstance(place, discord.Thread) and place.archived:
            return []
        write = "send_messages_in_threads" if isinstance(place, discord.Thread) else "send_messages"
        mine = place.permissions_for(me)
        if not (mine.view_channel and getattr(mine, write)):
            return []
        shown = Sheet().text(self.house.say("doctor.trial")).shown()
        again = Sheet().text(self.house.say("doctor.trial_edited")).shown()
        sent: list[discord.Message] = []

        async def send() -> None:
            mentions = shown.allowed_mentions
            sent.append(await place.send(view=shown.layout, allowed_mentions=mentions))

        async def edit() -> None:
            await sent[0].edit(view=again.layout, allowed_mentions=again.allowed_mentions)

        async def attach() -> None:
            named = Sheet().text(self.house.say("doctor.trial")).attachment("trial.txt").shown()
            file = discord.File(io.BytesIO(b"trial\n"), "trial.txt")
            mentions = named.allowed_mentions
            sent.append(await place.send(view=named.layout, file=file, allowed_mentions=mentions))

        async def remove() -> None:
            for message in sent:
                await message.delete()

        first = await _tried("send", send)
        if first.code is not None:
            return [first]
        rest = [("edit", edit), ("attach", attach), ("remove", remove)]
        return [first, *[await _tried(step, act) for step, act in rest]]

    def _told(self, place: Where, trial: Sequence[Tried]) -> str:
        say = self.house.say
        if isinstance(place, discord.Thread) and place.archived:
            return say("doctor.not_opened")
        if not trial:
            return say("doctor.not_tried")
        lines = [
            say("doctor.went", step=say(f"doctor.steps.{one.step}"))
            if one.code is None
            else say("doctor.failed", step=say(f"doctor.steps.{one.step}"), code=one.code)
            for one in trial
        ]
        return "\n".join([say("doctor.tried"), *(f"- {line}" for line in lines)])


async def _me(guild: discord.Guild, press: Press) -> discord.Member:
    """The bot in this server: asked of Discord while the server is only half known."""
    me: discord.Member | None = guild.me
    if me is None:
        user = press.interaction.client.user
        assert user is not None
        me = await guild.fetch_member(user.id)
    return me


async def _thread(guild: discord.Guild, thread_id: int) -> discord.Thread | None:
    """A thread that the cache does not have; None if it is gone, or cannot be asked for now."""
    try:
        found = await guild.fetch_channel(thread_id)
    except (discord.DiscordException, aiohttp.ClientError, OSError):
        return None
    return found if isinstance(found, discord.Thread) else None


async def _tried(step: str, act: Callable[[], Awaitable[None]]) -> Tried:
    try:
        await act()
    except _CLOSED as error:
        code = error.code if isinstance(error, discord.HTTPException) else 0
        _log.info("the doctor's trial: %s failed with %d", step, code)
        return Tried(step, code)
    return Tried(step)
