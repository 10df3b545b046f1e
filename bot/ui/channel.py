"""``bot.sessions.ports.Channel`` on Discord: faces go out, named failures come back.

Messages are edited through their channel, never through an interaction's token, and no cache is
needed for either. A picture is uploaded only when it differs from the one that a message has.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

import discord

from bot.sessions.faces import (
    BallotFace,
    ClosingFace,
    Face,
    LobbyFace,
    MotionFace,
    NoticeFace,
    PingFace,
    PledgeFace,
    ReminderFace,
    TableFace,
)
from bot.sessions.ports import (
    Address,
    DirectMessagesClosed,
    MessageGone,
    NotAllowed,
    PlaceGone,
    ThreadShut,
)
from bot.titles import Title
from bot.ui import absence, faces, lobby, moderators, panel
from bot.ui.failures import MISSING_PERMISSION, translated
from bot.ui.kept import Kept, in_layout, in_message, texts
from bot.ui.layout import Attached, Shown
from bot.ui.pictures import Pictures

_log = logging.getLogger(__name__)

_SEARCHED: Final = 100
_REMEMBERED: Final = 2000
_UPLOAD: Final = 2.8
"""Seconds for an upload; after that the message goes without its picture."""

T = TypeVar("T")

Place = discord.PartialMessageable


class DiscordChannel:
    """Speaks for the publisher. ``client`` need not be connected for as long as nothing is sent."""

    def __init__(
        self, client: discord.Client, titles: Mapping[str, Title], pictures: Pictures
    ) -> None:
        self.client = client
        self.titles = titles
        self.pictures = pictures
        self._shows: OrderedDict[int, Kept] = OrderedDict()
        self._letters: dict[int, int] = {}

    # The protocol

    async def post(self, address: Address, face: Face, nonce: str) -> tuple[int, int]:
        """Send a message, without its picture if that cannot be had or sent here."""
        try:
            return await self._post(address, face, nonce)
        except (PlaceGone, NotAllowed) as error:
            if address.user_id is None:
                raise
            raise DirectMessagesClosed(str(error)) from error

    async def _post(self, address: Address, face: Face, nonce: str) -> tuple[int, int]:
        place = await self._place(address)
        picture = await self._picture(face, place.id)

        async def send(picture: Attached | None) -> discord.Message:
            shown = self._shown(face, picture)
            return await place.send(
                view=shown.layout,
                files=[attached.file() for attached in shown.files],
                nonce=nonce,
                allowed_mentions=shown.allowed_mentions,
            )

        message = await self._opened(place.id, lambda: _with_or_without(picture, send))
        # A nonce that Discord knows gives an earlier message, with the picture of that time.
        self._remember(message.id, in_message(message))
        return message.channel.id, message.id

    async def edit(
        self, channel_id: int, message_id: int, face: Face, *, anew: bool = False
    ) -> None:
        """Bring a message up to its face; one that shows it already is left as it is.

        ``anew``: make sure that such a message is still there. A look at it tells nobody that
        somebody looked for it, as the time of an edit would.
        """
        message = self.client.get_partial_messageable(channel_id).get_partial_message(message_id)
        kept: Kept | None = None
        if isinstance(face, TableFace) and not face.live:
            kept = await self._kept(message)
        picture = None if kept else await self._picture(face, channel_id)

        async def update(picture: Attached | None) -> Kept:
            shown = self._shown(face, picture, kept)
            name = kept.picture if kept else picture.name if picture else ""
            shows = in_layout(shown.layout, name)
            if self._shows.get(message_id) == shows and not (anew and await _is_hidden(message)):
                return shows
            more: dict[str, Any] = {}
            if not name or self._is_new(message_id, name):
                more["attachments"] = [attached.file() for attached in shown.files]
            await message.edit(view=shown.layout, allowed_mentions=shown.allowed_mentions, **more)
            return shows

        async def act() -> Kept:
            if picture is not None and self._is_new(message_id, picture.name):
                return await _with_or_without(picture, update)
            return await update(picture)

        shows = await self._opened(channel_id, act)
        self._remember(message_id, shows)

    def replaced(self, message_id: int) -> None:
        """A message was changed by the answer to a click, not by ``edit``."""
        known = self._shows.get(message_id)
        if known is not None:
            self._shows[message_id] = replace(known, seen="")

    async def delete(self, channel_id: int, message_id: int) -> None:
        """Delete a message of ours; quiet if it is gone."""
        message = self.client.get_partial_messageable(channel_id).get_partial_message(message_id)
        self._shows.pop(message_id, None)
        try:
            await translated(message.delete)
        except MessageGone:
            return

    async def find(self, address: Address, mark: str) -> tuple[int, int] | None:
        """A message of ours with that mark at its foot, among the newest hundred."""
        place = await self._place(address)
        foot = f"-# {mark}"

        async def search() -> tuple[int, int] | None:
            async for message in place.history(limit=_SEARCHED):
                mine = self.client.user is not None and message.author.id == self.client.user.id
                if mine and foot in texts(message):
                    return message.channel.id, message.id
            return None

        return await translated(search)

    async def depth(self, channel_id: int, message_id: int, limit: int) -> int:
        """How many messages stand below this one, up to ``limit``.

        The cache drops threads that are archived: nobody has written there since.
        """
        if self.client.get_channel(channel_id) is None:
            return 0
        place = self.client.get_partial_messageable(channel_id)

        async def count() -> int:
            after = discord.Object(message_id)
            return len([message async for message in place.history(limit=limit, after=after)])

        return await translated(count)

    async def open(self, channel_id: int) -> None:
        """One attempt to open a thread; one that is open is left as it is, locked or not.

        ThreadShut if it stays shut, or if it is locked and may not be written in.
        """
        channel = self.client.get_channel(channel_id)
        if channel is None:  # the cache drops threads that are archived
            channel = await translated(lambda: self.client.fetch_channel(channel_id))
        if not isinstance(channel, discord.Thread):
            return
        if channel.archived or (channel.locked and not _moderates(channel)):
            await self._unarchive(channel_id)

    # Faces

    async def _picture(self, face: Face, channel_id: int) -> Attached | None:
        snapshot = face.look.snapshot if isinstance(face, BallotFace) else face.snapshot
        title = self.titles[snapshot.game]
        if not isinstance(face, TableFace | ClosingFace) or not self._may_attach(channel_id):
            return None
        if isinstance(face, ClosingFace):
            return await self.pictures.closing(title, snapshot)
        if snapshot.view is None:
            return None
        return await self.pictures.board(title, snapshot.view, snapshot.seat_names)

    def _shown(self, face: Face, picture: Attached | None, kept: Kept | None = None) -> Shown:
        snapshot = face.look.snapshot if isinstance(face, BallotFace) else face.snapshot
        title = self.titles[snapshot.game]
        match face:
            case PledgeFace():
                return lobby.pledge(title, face)
            case LobbyFace():
                return lobby.face(title, face)
            case TableFace():
                return faces.table(title, face, picture, kept)
            case PingFace():
                return faces.ping(title, face)
            case BallotFace():
                return panel.ballot(title, face)
            case ReminderFace():
                return absence.reminder(title, face)
            case NoticeFace() if face.word in absence.NOTICES:
                return absence.notice(title, face)
            case NoticeFace():
                return moderators.notice(title, face)
            case MotionFace():
                return moderators.motion(title, face)
            case ClosingFace():
                return faces.closing(title, face, picture)

    # What is remembered

    def _is_new(self, message_id: int, picture: str) -> bool:
        known = self._shows.get(message_id)
        return known is None or known.picture != picture

    async def _kept(self, message: discord.PartialMessage) -> Kept:
        known = self._shows.get(message.id)
        if known is None:
            known = in_message(await translated(message.fetch))
            self._remember(message.id, known)
        return known

    def _remember(self, message_id: int, kept: Kept) -> None:
        self._shows[message_id] = kept
        self._shows.move_to_end(message_id)
        while len(self._shows) > _REMEMBERED:
            self._shows.popitem(last=False)

    async def _place(self, address: Address) -> Place:
        if address.channel_id is not None:
            return self.client.get_partial_messageable(address.channel_id)
        user_id = address.user_id
        if user_id is None:
            raise ValueError("an address names a channel or a user")
        if user_id not in self._letters:
            opened = await translated(lambda: self.client.create_dm(discord.Object(user_id)))
            self._letters[user_id] = opened.id
        return self.client.get_partial_messageable(self._letters[user_id])

    def _may_attach(self, channel_id: int) -> bool:
        """What the cache knows of it; where it knows nothing, Discord will say."""
        channel = self.client.get_channel(channel_id)
        if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            return True
        me: discord.Member | None = channel.guild.me  # None while a server is only half known
        try:
            return me is None or channel.permissions_for(me).attach_files
        except discord.ClientException:
            return True

    async def _opened(self, channel_id: int, act: Callable[[], Awaitable[T]]) -> T:
        """Act; in an archived thread once more after opening it. ThreadShut if that cannot be."""
        try:
            return await translated(act)
        except ThreadShut:
            await self._unarchive(channel_id)
        return await translated(act)

    async def _unarchive(self, channel_id: int) -> None:
        """One attempt to open an archived thread again."""
        channel = self.client.get_channel(channel_id)
        if not isinstance(channel, discord.Thread):
            channel = await translated(lambda: self.client.fetch_channel(channel_id))
        if not isinstance(channel, discord.Thread):
            raise ThreadShut("it is shut")
        if channel.locked:
            raise ThreadShut("it is archived and locked" if channel.archived else "it is locked")
        thread = channel
        try:
            await translated(lambda: thread.edit(archived=False))
        except NotAllowed as error:
            raise ThreadShut(f"it is archived, and I may not open it: {error}") from error


def _moderates(thread: discord.Thread) -> bool:
    """Whether a lock of the thread does not hold for the bot, as far as the cache knows."""
    me: discord.Member | None = thread.guild.me  # None while a server is only half known
    try:
        return me is not None and thread.permissions_for(me).manage_threads
    except discord.ClientException:
        return False


async def _is_hidden(message: discord.PartialMessage) -> bool:
    """Whether a message may not be read here, so that only an edit tells whether it is there.

    HTTPException for what else is wrong, 404 if it is gone.
    """
    try:
        await message.fetch()
    except discord.Forbidden:
        return True
    return False


async def _with_or_without(
    picture: Attached | None, act: Callable[[Attached | None], Awaitable[T]]
) -> T:
    """Act with the picture; without it if uploading is slow, fails or is not allowed.

    Both ways of posting carry the same nonce, so that never two messages stand there.
    """
    if picture is not None:
        try:
            return await asyncio.wait_for(act(picture), _UPLOAD)
        except TimeoutError:
            _log.warning("uploading a picture took too long; the message goes without it")
        except discord.HTTPException as error:
            if error.code != MISSING_PERMISSION and error.status not in (413, *range(500, 600)):
                raise
            _log.warning("a picture could not be uploaded: %s %s", error.status, error.code)
    return await act(None)
