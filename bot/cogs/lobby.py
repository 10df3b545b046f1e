"""Opening a table: /play, and the buttons of the lobby and of a game's end."""

from __future__ import annotations

import contextlib
import inspect
import itertools
from collections.abc import Mapping
from typing import Any, ClassVar

import discord
from discord import app_commands

from bot.cogs.base import NightCog, Press, Reply
from bot.cogs.settings import check_start
from bot.sessions.faces import SeatCard, Status
from bot.sessions.pace import DEFAULT, PACES, pace_of
from bot.sessions.ports import Refusal
from bot.sessions.servers import Place
from bot.sessions.session import Session
from bot.store.rows import Pace
from bot.ui import lobby
from bot.ui.dispatcher import Interaction
from bot.ui.fitting import fit_label
from bot.ui.layout import Sheet, Shown
from bot.ui.text import said
from content.names import cleaned

GAME_MENU = 25
_NEEDED = ("view_channel", "embed_links", "attach_files", "read_message_history")


class Lobby(NightCog):
    """Tables that have not begun."""

    verbs: ClassVar[Mapping[str, str]] = {
        "join": "join",
        "leave_lobby": "leave_lobby",
        "add_computer": "add_computer",
        "drop_computer": "drop_computer",
        "options": "options",
        "option": "option",
        "start": "start",
        "cancel": "cancel",
        "howto": "how_to_play",
        "again": "again",
    }

    def play_command(self) -> app_commands.Command[Any, ..., Any]:
        """/play, with a parameter for each lobby option of each game."""

        async def play(interaction: Interaction, **given: Any) -> None:
            await self.run(interaction, lambda press: self.play(press, **given))

        play.__signature__ = self._signature()
        command = app_commands.Command(name="play", description="-", callback=play)
        app_commands.choices(**self._choices())(command)
        return command

    def _signature(self) -> inspect.Signature:
        kind = inspect.Parameter.KEYWORD_ONLY
        first = inspect.Parameter(
            "interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction
        )
        parameters = [first, inspect.Parameter("game", kind, annotation=str)]
        keys = ("pace", *self._option_keys())
        for name, annotation in (("thread", bool), *((key, str) for key in keys)):
            parameters.append(
                inspect.Parameter(name, kind, annotation=annotation | None, default=None)
            )
        return inspect.Signature(parameters)

    def _option_keys(self) -> list[str]:
        keys = {o.key: None for title in self.house.titles.values() for o in title.game.options}
        return list(keys)[:20]

    def _choices(self) -> dict[str, list[app_commands.Choice[str]]]:
        games = [
            app_commands.Choice(
                name=fit_label(said(title.content.words, "game.name"), 100), value=key
            )
            for key, title in list(self.house.titles.items())[:GAME_MENU]
        ]
        made: dict[str, dict[str, str]] = {key: {} for key in self._option_keys()}
        for title in self.house.titles.values():
            for option in title.game.options:
                for value in option.values:
                    path = f"lobby_options.{option.key}.{value}"
                    words = title.content.words
                    name = said(words, path) if words.has(path) else value
                    made.get(option.key, {}).setdefault(value, name)
        paces = [
            app_commands.Choice(name=fit_label(self.house.say(f"pace.{one}"), 100), value=one)
            for one in PACES
        ]
        return {"game": games, "pace": paces} | {
            key: [
                app_commands.Choice(name=fit_label(name, 100), value=value)
                for value, name in list(names.items())[:25]
            ]
            for key, names in made.items()
        }

    async def play(
        self,
        press: Press,
        game: str,
        thread: bool | None = None,
        pace: str | None = None,
        **options: str | None,
    ) -> Reply:
        """Open a lobby here, or in a new thread."""
        interaction = press.interaction
        if interaction.guild_id is None or interaction.channel_id is None:
            raise Refusal("only_in_servers")
        title = self.house.titles.get(game)
        if title is None:
            raise Refusal("no_such_game")
        chosen = {key: value for key, value in options.items() if value is not None}
        legal = {option.key: option.values for option in title.game.options}
        for key, value in chosen.items():
            if value not in legal.get(key, ()):
                raise Refusal("unknown_option", option=key, options=tuple(legal))
        place = interaction.channel
        in_thread = isinstance(place, discord.Thread)
        if thread is None and isinstance(place, discord.TextChannel):
            servers = self.house.registry.desk.servers
            thread = bool(await servers.value(interaction.guild_id, "thread"))
        makes_thread = bool(thread) and not in_thread
        parent_id = place.parent_id if isinstance(place, discord.Thread) else None
        channel_id = interaction.channel_id
        where = Place(interaction.guild_id, channel_id, parent_id)
        if not makes_thread:  # before any rule for new tables: there is one, and here it is
            self.house.registry.check_free(channel_id)
        async with self.house.registry.desk.servers.opening(where.guild_id):
            await check_start(self.house, press, where)
            self._check_permissions(interaction, in_thread=in_thread, makes_thread=makes_thread)
            session = await self._open(
                press,
                game,
                where,
                chosen,
                await self._pace(where.guild_id, pace),
                makes_thread=makes_thread,
            )
        return self.house.note("lobby.opened", code=session.code, where=f"<#{session.channel_id}>")

    async def _pace(self, guild_id: int, asked: str | None) -> Pace:
        """The pace that was asked for, else the server's, else ours."""
        own = await self.house.registry.desk.servers.value(guild_id, "pace")
        chosen = asked if asked is not None else own
        return pace_of(chosen) or DEFAULT

    async def _open(
        self,
        press: Press,
        game: str,
        where: Place,
        options: Mapping[str, str],
        pace: Pace,
        *,
        makes_thread: bool,
    ) -> Session:
        channel_id, parent_id = where.channel_id, where.parent_id
        opened: discord.Thread | None = None
        if makes_thread:
            opened = await self._open_thread(press, press.interaction.channel, game)
            channel_id, parent_id = opened.id, where.channel_id
        try:
            return await self.house.registry.open_lobby(
                press.click,
                game=game,
                guild_id=where.guild_id,
                channel_id=channel_id,
                parent_id=parent_id,
                options=options,
                pace=pace,
            )
        except Refusal:
            if opened is not None:
                with contextlib.suppress(discord.HTTPException):
                    await opened.edit(archived=True)
            raise

    async def _open_thread(self, press: Press, place: object, game: str) -> discord.Thread:
        if not isinstance(place, discord.TextChannel):
            raise Refusal("no_threads_here")
        words = self.house.titles[game].content.words
        facts = {"game": said(words, "game.name"), "host": cleaned(press.click.name)}
        name = said(words, "lobby.thread_name", facts)
        return await place.create_thread(
            name=fit_label(name, 100), type=discord.ChannelType.public_thread
        )

    def _check_permissions(
        self, interaction: Interaction, *, in_thread: bool, makes_thread: bool
    ) -> None:
        """Name what is missing before anybody has taken a seat."""
        needed = [*_NEEDED, "send_messages_in_threads" if in_thread else "send_messages"]
        if makes_thread:
            needed += ["create_public_threads", "send_messages_in_threads"]
        allowed = interaction.app_permissions
        missing = [name for name in needed if not getattr(allowed, name)]
        if missing:
            names = tuple(self.house.say(f"permissions.{name}") for name in missing)
            raise Refusal("missing_permissions", permissions=names)

    # The lobby's buttons: the lobby message itself shows what they did.

    async def join(self, press: Press) -> None:
        """Take a seat."""
        await self.at_home(press, press.control.session).join(press.click)

    async def leave_lobby(self, press: Press) -> None:
        """Give one's seat up."""
        await self.clicked(press).leave_lobby(press.click)

    async def add_computer(self, press: Press) -> None:
        """Host: seat a computer player."""
        session = self.clicked(press)
        await session.add_computer(press.click, computer_name(session))

    async def drop_computer(self, press: Press) -> None:
        """Host: send a computer player away."""
        await self.clicked(press).remove_computer(press.click)

    async def start(self, press: Press) -> None:
        """Host: begin."""
        await self.clicked(press).start(press.click)

    async def cancel(self, press: Press) -> None:
        """Host: close the lobby."""
        await self.clicked(press).cancel(press.click)

    async def options(self, press: Press) -> Reply:
        """Show the options panel."""
        session = self.clicked(press)
        if session.status is not Status.LOBBY:
            raise Refusal("not_in_lobby")
        return Reply(await self._options(press, session))

    async def _options(self, press: Press, session: Session, note: str = "") -> Shown:
        """The options as they stand now; menus only for who may choose."""
        may_choose = press.click.user_id == session.host_id or press.click.may_manage
        snapshot = await session.snapshot()
        return lobby.options(session.title, snapshot, note=note, may_choose=may_choose)

    async def option(self, press: Press) -> Reply:
        """Host: choose a value in the options panel."""
        session = self.clicked(press)
        key = press.control.key
        try:
            await session.set_option(press.click, key, press.value)
            note = self.house.say("lobby.option_set")
        except Refusal as refusal:
            if session.status is not Status.LOBBY:
                raise
            note = self.house.sentence(refusal, session)
        return Reply(await self._options(press, session, note), here=True)

    async def how_to_play(self, press: Press) -> Reply:
        """The game in five lines, and how a turn goes here."""
        session = await self.recalled(press)
        return Reply(lobby.how_to_play(session.title))

    # After the end

    async def again(self, press: Press) -> Reply:
        """A new lobby with the options of a table that has ended.

        Who sat there brings the others along; who watched sits alone at first.
        """
        old = await self.recalled(press)
        if not old.is_over:
            raise Refusal("game_not_over")
        played = old.row.header is not None and old.seat_of(press.click.user_id) is not None
        sat = [SeatCard(row.seat, row.user_id, row.name) for _, row in sorted(old.seats.items())]
        where = Place(old.guild_id, old.channel_id, old.row.parent_id)
        async with self.house.registry.desk.servers.opening(where.guild_id):
            await check_start(self.house, press, where)
            session = await self.house.registry.open_lobby(
                press.click,
                game=old.title.key,
                guild_id=where.guild_id,
                channel_id=where.channel_id,
                parent_id=where.parent_id,
                options={key: str(value) for key, value in old.row.options.items()},
                seats=sat if played else (),
                pace=old.row.pace,
            )
        told = self.house.say("lobby.opened", code=session.code, where=f"<#{session.channel_id}>")
        return Reply(Sheet().text(told).shown())


def computer_name(session: Session) -> str:
    """A name for a computer player that nobody at the table has, or had in this game."""
    words = session.title.content.words
    names: list[str] = []
    while words.has(f"lobby.computer_names.{len(names)}"):
        names.append(said(words, f"lobby.computer_names.{len(names)}"))
    numbered = (f"{name} {number}" for number in itertools.count(2) for name in names)
    return next(name for name in itertools.chain(names, numbered) if name not in session.names)
