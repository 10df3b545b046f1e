"""What a person at the simulated Discord can do; nothing that a real client could not."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from bot.offline.wire.limits import walk
from bot.offline.wire.shown import BUTTON, MENUS, STRING_MENU, Place, Reply, Shown
from bot.offline.wire.simulation import (
    BackendError,
    Channel,
    ChannelHandle,
    GuildHandle,
    InteractionResult,
    MemberActor,
    Message,
    ResponseMessage,
    SetupError,
    Simulation,
    UserHandle,
    command_leaves,
)

_TEXT_CHANNELS, _THREADS = (0, 5), (10, 11, 12)
_STRING, _INTEGER, _BOOLEAN, _USER, _CHANNEL, _ROLE, _MENTIONABLE, _NUMBER = 3, 4, 5, 6, 7, 8, 9, 10


class CannotAct(Exception):
    """A real person could not do this: no such button, a disabled one, a hidden command."""


class Player:
    """One person in one server. Each action returns when the bot has answered or failed to."""

    def __init__(self, simulation: Simulation, guild_id: int, user_id: int) -> None:
        self.simulation = simulation
        backend = simulation.backend
        self._user = UserHandle(simulation, backend.users[user_id])
        self._guild = GuildHandle(simulation, backend.guilds[guild_id])
        self._member = MemberActor(simulation, self._guild, self._user)

    @property
    def id(self) -> int:
        """The user's id."""
        return self._user.id

    @property
    def name(self) -> str:
        """The name that others see."""
        return self._user.global_name or self._user.name

    # ------------------------------------------------------------------ seeing

    def places(self) -> list[Place]:
        """Every channel, thread and direct message that this player can open."""
        backend = self.simulation.backend
        found: list[Place] = []
        for channel in backend.channels.values():
            if channel.type in (*_TEXT_CHANNELS, *_THREADS):
                if channel.guild_id != self._guild.id or not self._may_open(channel):
                    continue
                kind = "thread" if channel.is_thread else "channel"
            elif channel.id == backend.dm_channels.get(self.id):
                kind = "dm"
            else:
                continue
            name = backend.bot_user.name if kind == "dm" else str(channel.name)
            newest = next(self._newest_first(channel.id), None)
            latest = newest.id if newest is not None else 0
            found.append(Place(channel.id, name, kind, latest, channel.parent_id))
        return found

    def messages(
        self, channel_id: int, limit: int | None = None, *, skip: Container[int] = ()
    ) -> list[Shown]:
        """The messages of a channel, oldest first, with this player's own ephemeral ones.

        With ``limit`` only that many of the newest; ``skip`` holds ids that do not count.
        """
        self._channel(channel_id)
        kept = (one for one in self._newest_first(channel_id) if one.id not in skip)
        found = [Shown(self.simulation, one) for one in itertools.islice(kept, limit)]
        return found[::-1]

    def unread(self, channel_id: int, mark: int) -> tuple[int, bool]:
        """How much others wrote here after the message ``mark``; whether it names the player."""
        newer = itertools.takewhile(lambda one: one.id > mark, self._newest_first(channel_id))
        others = [one for one in newer if one.author_id != self.id]
        return len(others), any(self.id in one.ping_user_ids for one in others)

    def message(self, channel_id: int, message_id: int) -> Shown:
        """One message as it is now; CannotAct when it is gone or somebody else's."""
        self._channel(channel_id)
        one = self.simulation.backend.messages.get(channel_id, {}).get(message_id)
        if one is None or not one.visible_to(self.id):
            raise CannotAct("that message is gone")
        return Shown(self.simulation, one)

    def direct_messages(self) -> list[Shown]:
        """What stands in the direct messages between this player and the bot."""
        channel_id = self.simulation.backend.dm_channels.get(self.id)
        return self.messages(channel_id) if channel_id is not None else []

    def commands(self, channel_id: int) -> list[dict[str, Any]]:
        """The slash commands that this player may use here, as name, description and options."""
        self._channel(channel_id)
        visible = self.simulation.backend.visible_commands(user_id=self.id, channel_id=channel_id)
        found: dict[str, dict[str, Any]] = {}
        for command in visible:
            for path, leaf in command_leaves(command):
                name = " ".join(path)
                options = leaf.get("options") or []
                described = {"description": leaf.get("description", ""), "options": options}
                found.setdefault(name, {"name": name, **described})
        return list(found.values())

    # ------------------------------------------------------------------ acting

    async def say(self, channel_id: int, text: str) -> None:
        """Write an ordinary message."""
        channel, actor = self._channel(channel_id)
        with _possible():
            if isinstance(actor, MemberActor):
                await actor.send(channel, text)
            else:
                await actor.send_dm(text)

    async def slash(
        self, channel_id: int, name: str, options: Mapping[str, Any] | None = None
    ) -> Reply:
        """Use a slash command: ``name`` with its subcommands, options by name as plain values.

        People, channels and roles are given by id (an int or a string of digits).
        """
        channel, actor = self._channel(channel_id)
        with _possible():
            filled = self._options(channel_id, name, options or {})
            if isinstance(actor, MemberActor):
                return self._reply(await actor.slash(channel, name, **filled))
            return self._reply(await actor.slash(name, **filled))

    async def autocomplete(
        self,
        channel_id: int,
        name: str,
        option: str,
        typed: str,
        options: Mapping[str, Any] | None = None,
    ) -> list[dict[str, Any]]:
        """The choices that the bot offers for what is typed so far."""
        channel, actor = self._channel(channel_id)
        with _possible():
            filled = self._options(channel_id, name, options or {}, partial=True)
            filled.pop(option, None)
            if isinstance(actor, MemberActor):
                return await actor.autocomplete(channel, name, option, typed, **filled)
            return await actor.autocomplete(name, option, typed, **filled)

    async def click(
        self, message: Shown, custom_id: str | None = None, *, label: str | None = None
    ) -> Reply:
        """Click a button of a message as it stands now, by its custom_id or its label."""
        with _possible():
            actor, target = self._target(message)
            return self._reply(await actor.click(target, custom_id=custom_id, label=label))

    async def click_late(self, message: Shown, custom_id: str) -> Reply:
        """Click a button of ``message`` as shown, even if the message has changed since.

        On Discord that is a click that was on its way while the bot edited the message.
        """
        if custom_id not in message.custom_ids:
            raise CannotAct(f"no button {custom_id!r} was there")
        _, actor = self._channel(message.channel_id)
        data = {"custom_id": custom_id, "component_type": BUTTON}
        record = await self.simulation.late_click(actor, message.payload, data)
        return Reply(self.simulation, record)

    async def select(self, message: Shown, custom_id: str, values: Sequence[Any]) -> Reply:
        """Choose in a select menu; people and channels by id."""
        with _possible():
            actor, target = self._target(message)
            kind = next(
                (
                    one["type"]
                    for one in walk(message.components)
                    if one.get("custom_id") == custom_id
                ),
                STRING_MENU,
            )
            chosen = [self._menu_value(kind, value) for value in values]
            return self._reply(await actor.select(target, chosen, custom_id=custom_id))

    async def submit(self, shown: Reply | int, values: Mapping[str, Any]) -> Reply:
        """Send a form that the bot opened, its values by custom_id."""
        interaction_id = shown if isinstance(shown, int) else shown.id
        record = self.simulation.backend.interactions.get(interaction_id)
        if record is None:
            raise CannotAct("that form is gone")
        _, actor = self._channel(record.channel_id)
        controls = {one.get("custom_id"): one for one in walk((record.modal or {})["components"])}
        filled: dict[str, Any] = {}
        for key, value in values.items():
            kind = controls.get(key, {}).get("type")
            is_entity = kind in MENUS and kind != STRING_MENU
            filled[key] = [self._handle(int(one)) for one in value] if is_entity else value
        with _possible():
            opened = InteractionResult(self.simulation, record)
            return self._reply(await actor.submit_modal(opened, filled))

    def close_dms(self, memory_closed: set[int], *, closed: bool = True) -> None:
        """Refuse (or take again) direct messages; ``memory_closed`` is the server's list."""
        if closed:
            memory_closed.add(self.id)
        else:
            memory_closed.discard(self.id)

    async def wait_for_message(
        self,
        channel_id: int,
        wanted: str,
        timeout: float = 10.0,  # noqa: ASYNC109
    ) -> Shown:
        """The newest message whose text contains ``wanted``, as soon as there is one."""
        async with asyncio.timeout(timeout):
            while True:
                for shown in reversed(self.messages(channel_id)):
                    if wanted in shown.text:
                        return shown
                await self.simulation.changed()

    # ------------------------------------------------------------------ inner workings

    def _reply(self, result: InteractionResult) -> Reply:
        return Reply(self.simulation, result._interaction)

    def _may_open(self, channel: Channel) -> bool:
        return self.simulation.can_see(channel, self.id)

    def _newest_first(self, channel_id: int) -> Iterator[Message]:
        """What this player sees in a channel that they may open."""
        messages = self.simulation.backend.messages.get(channel_id, {})
        return (one for one in reversed(messages.values()) if one.visible_to(self.id))

    def _channel(self, channel_id: int) -> tuple[ChannelHandle, MemberActor | UserHandle]:
        """The channel and the capacity in which this player acts there."""
        channel = self.simulation.backend.channels.get(channel_id)
        if channel is None or not self._may_open(channel):
            raise CannotAct("no such channel")
        if channel.guild_id is None:
            return ChannelHandle(self.simulation, None, channel), self._user
        return ChannelHandle(self.simulation, self._guild, channel), self._member

    def _target(self, shown: Shown) -> tuple[MemberActor | UserHandle, ResponseMessage]:
        _, actor = self._channel(shown.channel_id)
        message = self.simulation.backend.messages.get(shown.channel_id, {}).get(shown.id)
        if message is None:
            raise CannotAct("that message is gone")
        return actor, ResponseMessage(self.simulation, message)

    def _options(
        self, channel_id: int, name: str, options: Mapping[str, Any], *, partial: bool = False
    ) -> dict[str, Any]:
        """Options as SimCord wants them: numbers as numbers, people and channels as handles."""
        spec = next((one for one in self.commands(channel_id) if one["name"] == name), None)
        kinds = {one["name"]: one["type"] for one in spec["options"]} if spec else {}
        filled: dict[str, Any] = {}
        for key, value in options.items():
            try:
                filled[key] = self._option_value(kinds.get(key, _STRING), value)
            except (ValueError, KeyError) as wrong:
                if not partial:
                    raise CannotAct(f"{key}: {value!r} does not fit") from wrong
        return filled

    def _option_value(self, kind: int, value: Any) -> Any:
        if kind == _INTEGER:
            return int(value)
        if kind == _NUMBER:
            return float(value)
        if kind == _BOOLEAN and isinstance(value, str):
            return {"true": True, "false": False}[value.lower()]
        if kind in (_USER, _CHANNEL, _ROLE, _MENTIONABLE):
            return self._handle(int(value))
        return value

    def _menu_value(self, kind: int, value: Any) -> Any:
        return str(value) if kind == STRING_MENU else self._handle(int(value))

    def _handle(self, some_id: int) -> Any:
        """A person, channel or role by its id; KeyError when there is none."""
        guild = self.simulation.backend.guilds[self._guild.id]
        if some_id in guild.members:
            user = UserHandle(self.simulation, self.simulation.backend.users[some_id])
            return MemberActor(self.simulation, self._guild, user)
        for role in self._guild.roles.values():
            if role.id == some_id:
                return role
        channel = self.simulation.backend.channels[some_id]
        return ChannelHandle(self.simulation, self._guild, channel)


@contextlib.contextmanager
def _possible() -> Iterator[None]:
    """Turns SimCord's refusals to act into :class:`CannotAct`, with its words."""
    try:
        yield
    except SetupError as wrong:
        raise CannotAct(str(wrong)) from wrong
    except BackendError as wrong:
        raise CannotAct(wrong.message) from wrong
