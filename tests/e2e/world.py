"""A simulated server with the real bot on it, and a strict reader of all that the bot sends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import discord
import simcord
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle, UserHandle
from simcord.env import Env
from simcord.results import InteractionResult, ResponseMessage

from bot.app import Nightwatch
from bot.offline.wire.limits import Refusal as BrokenLimit
from bot.offline.wire.limits import check_message, check_modal, walk
from bot.store.db import SqliteStore, open_store
from bot.titles import Title
from bot.ui.buttons import NightButton, NightMenu
from bot.ui.ids import LIMIT
from bot.ui.rulebook import ROOT, Rulebook
from content.words import load_folder

#: Settling sleeps this long between two looks; the default makes each action cost 50 ms.
_settle: Any = Env._settle_internal
_settle.__kwdefaults__["idle"] = 0.0005

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    embed_links=True,
    attach_files=True,
    read_message_history=True,
    create_public_threads=True,
    use_application_commands=True,
)

NAMES = ("Ann", "Ben", "Cleo", "Dan")


@dataclass(slots=True)
class SimTime:
    """The clocks of the simulation."""

    env: Env | None = None

    def monotonic(self) -> float:
        return self.env.backend.clock.elapsed if self.env is not None else 0.0

    def epoch(self) -> float:
        return self.env.now().timestamp() if self.env is not None else 1_767_225_600.0


@dataclass(slots=True)
class Part:
    """A button or menu of a message."""

    custom_id: str
    label: str
    options: tuple[str, ...] = ()
    disabled: bool = False
    least: int = 1


def parts(message: Any) -> list[Part]:
    """The controls of a message or reply, in order."""
    return [
        Part(
            str(one["custom_id"]),
            str(one.get("label") or one.get("placeholder") or ""),
            tuple(str(option["value"]) for option in one.get("options", ())),
            bool(one.get("disabled")),
            int(one.get("min_values", 1)),
        )
        for one in walk(raw(message))
        if one.get("custom_id")
    ]


def raw(message: Any) -> list[dict[str, Any]]:
    """The components of a message as they went over the wire."""
    if isinstance(message, ResponseMessage):
        return message.components
    return [component.to_dict() for component in message.components]


def text(message: Any) -> str:
    """Everything that can be read in a message."""
    return "\n".join(str(one["content"]) for one in walk(raw(message)) if one.get("type") == 10)


def labels(message: Any) -> list[str]:
    """The labels of its controls."""
    return [part.label for part in parts(message)]


def controls(message: Any, verb: str) -> list[Part]:
    """The controls with that verb."""
    return [part for part in parts(message) if part.custom_id.split(":")[2] == verb]


def find(message: Any, verb: str) -> Part:
    """The one control with that verb."""
    found = controls(message, verb)
    assert len(found) == 1, (verb, parts(message))
    return found[0]


class World:
    """One server with a channel and four players, the bot, and its data folder."""

    def __init__(self, folder: Path, titles: Mapping[str, Title], **options: Any) -> None:
        self.folder = folder
        self.titles = titles
        self.options = options
        self.time = SimTime()
        self.players: dict[str, MemberActor] = {}
        self.channel: ChannelHandle
        self.env: Env
        self.store: SqliteStore
        self.bot: Nightwatch
        self._read = 0
        self._sent: set[str] = set()

    async def _bot(self) -> Nightwatch:
        self.store = await open_store(self.folder, patience=1.0)
        words = load_folder(ROOT / "common")
        games = {
            key: title
            for key, title in self.titles.items()
            if (ROOT / key / "rules_help.yaml").is_file()
        }
        self.bot = Nightwatch(
            self.titles, words, Rulebook.load(games), self.store, self.time, **self.options
        )
        return self.bot

    def attach(self, bot: Nightwatch) -> Any:
        """The bot on a simulated Discord of its own."""
        return simcord.run(bot, shard_count=1, settle_timeout=5)

    async def __aenter__(self) -> Self:
        bot = await self._bot()
        self._run = self.attach(bot)
        env = self._run._env
        self.time.env = env
        owner = env.create_user("owner", global_name="Olga")
        guild = env.create_guild("Test", owner=owner)
        role = guild.roles[env.backend.bot_user.name]
        role._role.permissions = PERMISSIONS.value
        self.guild = guild
        self.channel = guild.create_text_channel("table")
        self.lounge = guild.create_text_channel("lounge")
        for name in NAMES:
            self.join_server(env, name)
        self.owner = MemberActor(env, guild, owner)
        self.env = await self._run.__aenter__()
        await self.beat()
        return self

    def join_server(self, env: Env, name: str) -> MemberActor:
        user = env.create_user(f"user{len(self.players)}", global_name=name)
        self.players[name] = self.guild.add_member(user)
        return self.players[name]

    async def __aexit__(self, *failure: Any) -> None:  # noqa: PYI036 - passed on as it is
        if failure[0] is None:
            self.check_sent()
            self.check_registry()
        await self.bot.registry.close()
        await self._run.__aexit__(*failure)
        await self.store.close()

    async def restart(self) -> None:
        """The bot ends and another process starts on the same data."""
        await self.bot.registry.close()
        await self.store.close()
        await self.env.restart_bot(await self._bot())
        await self.beat()

    async def beat(self, seconds: float = 1.2) -> None:
        """Let the publisher and the computer players have their turn.

        In steps: the simulation gives each a few seconds of the machine's time.
        """
        while seconds > 0:
            step = min(seconds, 120.0)
            await self.env.advance_time(step)
            seconds -= step

    # Looking

    def __getitem__(self, name: str) -> MemberActor:
        return self.players[name]

    def messages(self, channel: ChannelHandle | None = None) -> list[discord.Message]:
        """The bot's messages in a channel that everybody sees, the oldest first."""
        place = channel or self.channel
        mine = self.env.backend.bot_user.id
        return [m for m in place.history() if m.author.id == mine and not m.flags.ephemeral]

    def live(self, channel: ChannelHandle | None = None) -> discord.Message:
        """The newest message of the bot that has controls."""
        return [m for m in self.messages(channel) if parts(m)][-1]

    def table(self, channel: ChannelHandle | None = None) -> discord.Message:
        """The newest message with a table's own controls, whatever was said below it."""
        return [m for m in self.messages(channel) if controls(m, "menu")][-1]

    def letters(self, name: str) -> list[discord.Message]:
        """The bot's direct messages to a player."""
        user = self.players[name].user
        mine = self.env.backend.bot_user.id
        return [m for m in user.dm_channel.history() if m.author.id == mine]

    # Acting: each action is answered, or the test fails

    async def slash(self, name: str, command: str, /, **options: Any) -> Any:
        result = await self.players[name].slash(self.channel, command, **options)
        return self._checked(result)

    async def click(self, name: str, message: Any, verb: str) -> Any:
        part = find(message, verb)
        result = await self.players[name].click(message, custom_id=part.custom_id)
        return self._checked(result)

    async def press(self, name: str, message: Any, custom_id: str) -> Any:
        return self._checked(await self.players[name].click(message, custom_id=custom_id))

    async def select(
        self, name: str, message: Any, values: Sequence[str], *, custom_id: str
    ) -> Any:
        result = await self.players[name].select(message, values, custom_id=custom_id)
        return self._checked(result)

    async def forge(
        self, name: str, message: Any, custom_id: str, values: Sequence[str] | None = None
    ) -> Any:
        """What no client offers: a click on something that the message does not have (any more)."""
        member = self.players[name]
        private = isinstance(message, ResponseMessage)
        channel_id = message.channel_id if private else message.channel.id
        stored = self.env.backend.get_message(channel_id, message.id)
        shown = stored.components
        kind = 2 if values is None else 3
        control: dict[str, Any] = {"type": kind, "custom_id": custom_id, "style": 2, "label": "?"}
        if values is not None:
            control |= {"options": [{"label": value, "value": value} for value in values]}
            control["max_values"] = len(values)
        stored.components = [{"type": 1, "components": [control]}]
        try:
            if values is None:
                result = await member.click(message, custom_id=custom_id)
            else:
                result = await member.select(message, values, custom_id=custom_id)
        finally:
            if stored.components and stored.components[0].get("components") == [control]:
                stored.components = shown
        return self._checked(result)

    async def burst(self, *calls: Any) -> list[Any]:
        """Several actions delivered before the bot has handled any of them."""

        async def no_wait(**_: Any) -> None:
            return

        env: Any = self.env
        env._settle_internal = no_wait
        try:
            results = [await call for call in calls]
        finally:
            del env._settle_internal
        await self.env.settle(idle=0.0005)
        for result in results:
            self._checked(result)
        return results

    def permit(self, **permissions: bool) -> None:
        """Change what the bot may do on the server."""
        for role in (self.guild.roles[self.env.backend.bot_user.name], self.guild.default_role):
            allowed = discord.Permissions(role._role.permissions)
            allowed.update(**permissions)
            self.env.backend.edit_role(self.guild.id, role.id, {"permissions": allowed.value})

    def _checked(self, result: InteractionResult) -> Any:
        assert result.acknowledged
        self.check_sent()
        self.check_registry()
        return result

    # Checking

    def check_registry(self) -> None:
        """Both classes answer for their clicks, and the library remembers no view of ours."""
        store: Any = self.bot._connection._view_store
        assert sorted(item.__name__ for item in store._dynamic_items.values()) == [
            NightButton.__name__,
            NightMenu.__name__,
        ]
        assert not store._views
        assert not store._synced_message_views
        assert not store._modals

    def check_sent(self) -> None:
        """Everything sent since the last look is within Discord's limits and pings nobody else."""
        requests = self.env.http_requests
        for request in requests[self._read :]:
            assert not _embeds(request.json), request.path
            for body in _bodies(request.json):
                try:
                    check_message(body)
                    check_modal(body)
                except BrokenLimit as limit:
                    raise AssertionError(f"{request.method} {request.path}: {limit}") from limit
                _check_strictly(body)
        self._read = len(requests)


def _bodies(sent: Any) -> Iterator[dict[str, Any]]:
    """The message in a request: as it is, or inside an interaction's answer."""
    if isinstance(sent, dict):
        inner = sent.get("data")
        body = inner if isinstance(inner, dict) else sent
        if "components" in body:
            yield body


def _embeds(sent: Any) -> list[Any]:
    """The embeds in a request: where the bot may not embed links nobody would see them."""
    if not isinstance(sent, dict):
        return []
    inner = sent.get("data")
    return [
        one for body in (sent, inner) if isinstance(body, dict) for one in body.get("embeds") or ()
    ]


def _check_strictly(body: Mapping[str, Any]) -> None:
    """What the simulation lets pass and Discord does not, or should not be asked to."""
    components = list(walk(body["components"]))
    assert len(components) <= 40, len(components)
    ids = [one["custom_id"] for one in components if one.get("custom_id")]
    assert len(ids) == len(set(ids)), ids
    content = [str(one["content"]) for one in components if one.get("type") == 10]
    assert sum(len(one.encode("utf-16-le")) // 2 for one in content) <= 4000
    for one in components:
        if one.get("custom_id"):
            assert 1 <= len(one["custom_id"]) <= LIMIT
        if one.get("type") == 2:
            assert 1 <= len(one["label"].encode("utf-16-le")) // 2 <= 80
        if one.get("type") == 3:
            assert 1 <= len(one["options"]) <= 25
            values = [option["value"] for option in one["options"]]
            assert len(values) == len(set(values)), values
            for option in one["options"]:
                assert 1 <= len(option["label"].encode("utf-16-le")) // 2 <= 100
                assert len((option.get("description") or "").encode("utf-16-le")) // 2 <= 100
            assert len((one.get("placeholder") or "").encode("utf-16-le")) // 2 <= 150
        if one.get("type") == 10:
            assert one["content"].strip()
    if "title" not in body:
        mentions = body.get("allowed_mentions")
        assert mentions is not None, body
        assert not mentions.get("parse"), mentions
        named = {str(user) for user in mentions.get("users", ())}
        for user in named:
            assert any(f"<@{user}>" in one for one in content), (user, content)


__all__ = ["NAMES", "Part", "UserHandle", "World", "find", "labels", "parts", "raw", "text"]
