"""What the bot needs to be invited with, taken away, thrown out and brought back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.backend.serializers import guild_create_payload

from bot import titles
from bot.sessions.faces import Status
from bot.sessions.session import Session
from bot.ui.text import Voice
from tests.e2e.play import begin, controls, pick, picks, world_of
from tests.e2e.real import (
    GAMES,
    Patient,
    Worded,
    attached,
    begun,
    drawn,
    next_move,
    real_world,
    words_of,
)
from tests.e2e.test_silence import in_thread, operator
from tests.e2e.test_whole_game import Hands
from tests.e2e.world import PERMISSIONS, World, parts, text

README = Path(__file__).resolve().parents[2] / "README.md"


def invited() -> discord.Permissions:
    """The permissions of the documented invitation."""
    (number,) = set(re.findall(r"[?&]permissions=(\d+)", README.read_text(encoding="utf-8")))
    return discord.Permissions(int(number))


def names_of(permissions: discord.Permissions) -> list[str]:
    """The permissions that are granted."""
    return [name for name, granted in permissions if granted]


def test_the_tests_play_with_the_invitation() -> None:
    """Every game of these tests is played with what README.md invites the bot with, and with no
    more; commands need nothing of the bot.
    """
    wanted = discord.Permissions(PERMISSIONS.value)
    wanted.update(use_application_commands=False)
    assert names_of(invited()) == names_of(wanted)


async def test_the_invitation_is_enough(tmp_path: Path) -> None:
    """In channels where the bot has the invited permissions and no others, tables are opened,
    shown, played, moved down and ended, in the channel and in a thread: no request is refused.
    """
    async with world_of(tmp_path, *picks(8)) as world:
        only = invited()
        rest = discord.Permissions(discord.Permissions.all().value & ~only.value)
        role = world.guild.roles[world.env.backend.bot_user.name]
        overwrite = discord.PermissionOverwrite.from_pair(only, rest)
        world.channel = world.guild.create_text_channel("strict", overwrites={role: overwrite})
        await world.beat()
        await begin(world)
        for _ in range(8):
            await pick(world)
            await world.beat(30)
        assert "Play again" in [part.label for part in parts(world.live())]
        thread, session = await in_thread(world, "Ben")
        await world.beat(200)
        assert (await session.snapshot()).ply == 1
        assert controls(world.live(thread), "menu") or world.messages(thread)
        doctor = await world.owner.slash(world.channel, "session doctor")
        assert "I lack" not in text(doctor.response)
        assert not world.bot.metrics.errors


@pytest.mark.parametrize("name", names_of(invited()))
async def test_nothing_of_the_invitation_is_too_much(tmp_path: Path, name: str) -> None:
    """Without any one of the invited permissions no table is opened: what is missing is named
    before anybody has a seat.
    """
    async with world_of(tmp_path, *picks(2)) as world:
        role = world.guild.roles[world.env.backend.bot_user.name]
        overwrite = discord.PermissionOverwrite(**{name: False})
        world.channel = world.guild.create_text_channel("short", overwrites={role: overwrite})
        await world.beat()
        thread = "thread" in name
        refused = await world.slash("Ann", "play", game="script", thread=thread)
        assert text(refused.response).startswith("Before we can play here I need: ")
        known = {"read_messages": "view_channel"}.get(name, name)  # one of two names for it
        assert world.bot.house.say(f"permissions.{known}") in text(refused.response)
        assert world.bot.registry.live() == ()


def told_in_words(session: Any, snapshot: Any) -> list[str]:
    """What a table has to tell without its picture: where the game stands, who is waited for, what
    is asked of all eyes, and its choices; and what the picture shows, in sentences.
    """
    voice = Voice.of(session.title, snapshot)
    said = [voice.heading(snapshot.view), voice.alt_text(snapshot.view)]
    for decision in snapshot.public_asked[:1]:
        said.append(voice.prompt(decision).partition("{")[0])
        said += [voice.choice(decision, one) for one in decision.options[:2]]
    said += [voice.words.seat(one.seat) for one in snapshot.waiting[:1] if not one.shared]
    return [plainly(one) for one in said]


def plainly(said: str) -> str:
    """Words without what makes them bold, or keeps them from being so."""
    return re.sub(r"[\\*_]", "", said)


@pytest.mark.timeout(240)
@pytest.mark.parametrize("game", [pytest.param(GAMES[0], marks=pytest.mark.soak), *GAMES[1:]])
async def test_a_whole_game_without_embed_links(tmp_path: Path, game: str) -> None:
    """PRM-02: Embed Links is taken away when the game has begun: it is played to its end all the
    same, and after each click the table tells in words whatever there is to know: how the game
    stands, who is waited for, what is asked, all choices, and the picture, which is attached, too;
    no message is an embed. A new table is refused by name.
    """
    title = titles.load(game)
    async with Patient(tmp_path, {game: replace(title, renderer=Worded(title.renderer))}) as world:
        session = await begun(world, game, "Ben")
        world.permit(embed_links=False)
        hands = Hands(world, 11)
        while world.bot.registry.in_channel(world.channel.id) is not None:
            await hands.step()
            assert hands.clicks < 1500
            while session.row.published_ply != session.row.ply:
                await world.beat(0.5)
            if session.status is Status.RUNNING:
                snapshot = await session.snapshot()
                table = world.table()
                assert attached(world, table) == [drawn(session, snapshot)]
                seen = plainly(words_of(table))
                assert [one for one in told_in_words(session, snapshot) if one not in seen] == []
                assert controls(table, "menu")
        await world.beat()
        assert session.status is Status.FINISHED
        closing = world.live()
        assert "you have" in text(closing)
        assert len(closing.attachments) == 1
        assert not world.bot.metrics.errors
        refused = await world.slash("Ann", "play", game=game)
        assert text(refused.response) == "Before we can play here I need: Embed Links."


@pytest.mark.parametrize("game", GAMES)
async def test_a_channel_deleted_on_the_third_turn(tmp_path: Path, caplog: Any, game: str) -> None:
    """The table rests at once, with one line for the operator; its players can play elsewhere, and
    a moderator finds it in the list and brings it back into another channel, where it goes on.
    """
    async with real_world(tmp_path) as world:
        session = await begun(world, game, "Ben")
        for _ in range(3):
            await (await next_move(world)).make(world)
        ply = (await session.snapshot()).ply
        world.env.backend.delete_channel(world.channel.id)
        await world.beat()
        assert session.status is Status.ORPHANED
        (line,) = operator(caplog, session)
        assert "its channel is gone" in line
        world.channel = world.lounge
        await begun(world, game, "Ben")
        await (await next_move(world)).make(world)

        listed = await world.owner.slash(world.lounge, "session list")
        assert session.code in text(listed.response)
        assert "its channel was lost" in text(listed.response)
        world.channel = world.guild.create_text_channel("new")
        await world.beat()
        back = await world.owner.slash(
            world.lounge, "session restore", table=session.code, channel=world.channel
        )
        assert "is back" in text(back.response)
        await world.beat(3)
        assert (await session.snapshot()).ply >= ply
        await (await next_move(world)).make(world)
        await world.beat(3)
        assert (await session.snapshot()).ply > ply


async def test_a_thread_gone_without_a_word_before_a_deadline(tmp_path: Path, caplog: Any) -> None:
    """Nobody tells of it and nobody clicks: the next timer finds out, in one failing request, the
    table rests, and no later timer asks again.
    """
    async with world_of(tmp_path, *picks(3)) as world:
        thread, session = await in_thread(world, "Ben")
        backend: Any = world.env.backend
        backend.emit = lambda *_, **__: None
        backend.delete_channel(thread.id)
        del backend.emit
        sent = len(world.env.http_requests)
        await world.beat(130)  # the reminder
        assert session.status is Status.ORPHANED
        await world.beat(600)
        hints = [
            m for m in world.messages() if f"thread of table {session.code} is gone" in text(m)
        ]
        assert len(hints) == 1
        tried = [r for r in world.env.http_requests[sent:] if str(thread.id) in r.path]
        assert len(tried) <= 2, [r.path for r in tried]
        (line,) = operator(caplog, session)
        assert "its channel is gone" in line


async def rows(world: World) -> Mapping[str, Any]:
    """All live tables, as the store has them."""
    return {row.code: row for row in await world.store.live_sessions()}


@pytest.mark.parametrize("restarts", [False, True])
async def test_an_outage_changes_no_row(tmp_path: Path, caplog: Any, restarts: bool) -> None:
    """The server is unavailable for a while, also when the bot starts meanwhile: not one row of a
    table is changed, nothing is said, and the game goes on when the server is there again.
    """
    async with world_of(tmp_path, *picks(4)) as world:
        await begin(world, pace="none")
        await pick(world)
        await world.beat(60)
        before, count = await rows(world), len(world.messages())
        guild = world.env.backend.get_guild(world.guild.id)
        world.env.backend.emit("GUILD_DELETE", {"id": str(world.guild.id), "unavailable": True})
        await world.beat(300)
        if restarts:
            await world.restart()
        assert await rows(world) == before
        world.env.backend.emit("GUILD_CREATE", guild_create_payload(world.env.backend, guild))
        await world.beat(10)
        assert await rows(world) == before
        assert len(world.messages()) == count
        await pick(world)
        assert text(world.live()).count("Ann chose one thing.") == 2
    assert not [r for r in caplog.records if r.levelname in ("WARNING", "ERROR")]


def thrown_out(world: World) -> Callable[..., None]:
    """The bot is removed from the server; the way back, perhaps without a channel that was there.

    The simulation forgets a server that the bot leaves, and what is in it.
    """
    backend: Any = world.env.backend
    guild = backend.get_guild(world.guild.id)
    channels, messages = {**backend.channels}, {**backend.messages}
    backend.remove_guild(world.guild.id)

    def invited(*gone: int, tells: bool = True) -> None:
        backend.guilds[guild.id] = guild
        guild.channel_ids[:] = [one for one in guild.channel_ids if one not in gone]
        backend.channels.update({key: one for key, one in channels.items() if key not in gone})
        backend.messages.update(messages)
        if tells:
            backend.emit("GUILD_CREATE", guild_create_payload(backend, guild))

    return invited


def returns_told(messages: Iterable[Any], session: Session) -> list[str]:
    """What is said of a table after the bot has been invited again."""
    told = [text(one) for one in messages]
    return [one for one in told if "I was removed from this server" in one and session.code in one]


@pytest.mark.parametrize("game", GAMES)
async def test_thrown_out_and_invited_again(tmp_path: Path, caplog: Any, game: str) -> None:
    """PRM-11: kicked in the middle of a game: nothing is sent while it is away, however many timers
    pass; invited again it says in the table's channel, once, what a moderator can do, and so do the
    table's buttons; a moderator brings the table back, and nothing is lost.
    """
    async with real_world(tmp_path) as world:
        await begin(world, game, "Ben", pace="live")
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        await (await next_move(world)).make(world)
        await world.beat(3)
        ply = (await session.snapshot()).ply
        invite = thrown_out(world)
        await world.beat()
        assert session.status is Status.ORPHANED
        (line,) = operator(caplog, session)
        assert line.endswith("rests: I was removed from its server")
        sent = len(world.env.http_requests)
        await world.beat(600)
        assert world.env.http_requests[sent:] == []

        invite()
        await world.beat(30)
        assert session.status is Status.ORPHANED
        (told,) = returns_told(world.messages(), session)
        assert f"in <#{world.channel.id}> has rested meanwhile; nothing is lost" in told
        pressed = await world.click("Ann", world.table(), "hand")
        assert text(pressed.response).startswith("This table rests, since its channel was gone or")
        listed = await world.owner.slash(world.channel, "session list")
        assert session.code in text(listed.response)
        back = await world.owner.slash(world.channel, "session restore", table=session.code)
        assert "is back" in text(back.response)
        await world.beat(3)
        assert (await session.snapshot()).ply >= ply
        await (await next_move(world)).make(world)
        assert session.status is Status.RUNNING
        assert len(returns_told(world.messages(), session)) == 1


@pytest.mark.parametrize("away", ["removed", "invited", "both"])
async def test_thrown_out_or_invited_while_the_bot_is_down(
    tmp_path: Path, caplog: Any, away: str
) -> None:
    """PRM-11: whichever of the two nobody could tell the bot, the table rests in between or goes
    on as if nothing had been; it is told of once, and not again after another start.
    """
    async with world_of(tmp_path, *picks(4)) as world:
        await begin(world)
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        backend: Any = world.env.backend
        if away != "invited":
            backend.emit = lambda *_, **__: None
        invite = thrown_out(world)
        backend.__dict__.pop("emit", None)
        if away == "removed":
            await world.restart()
            await world.beat(30)
            (line,) = operator(caplog, session)
            assert line.endswith("rests: I was removed from its server")
            sent = len(world.env.http_requests)
            await world.restart()
            await world.beat(30)
            asked = [r.path for r in world.env.http_requests[sent:] if "/channels/" in r.path]
            assert asked == []  # of places that are known to be lost nothing is asked
        await world.beat(3)
        invite(tells=away == "removed")
        for _ in range(2):
            if away != "removed":
                await world.restart()
            await world.beat(30)
        told = returns_told(world.messages(), session)
        assert len(told) == (away != "both")
        if away != "both":
            world.players["Olga"] = world.owner
            back = await world.slash("Olga", "session restore", table=session.code)
            assert "is back" in text(back.response)
            await world.beat(3)
        await pick(world)
        assert "Ann chose one thing." in text(world.table())


async def test_invited_again_without_the_channel(tmp_path: Path) -> None:
    """PRM-11: the table's channel was deleted meanwhile: the next moderator learns of the table."""
    async with world_of(tmp_path, *picks(4)) as world:
        await begin(world)
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        invite = thrown_out(world)
        await world.beat(30)
        invite(world.channel.id)
        await world.beat(30)
        heard = await world.owner.slash(world.lounge, "status")
        assert len(returns_told(heard.followups, session)) == 1
        again = await world.owner.slash(world.lounge, "session list")
        assert returns_told(again.followups, session) == []
        given = {"table": session.code, "channel": world.lounge}
        back = await world.owner.slash(world.lounge, "session restore", **given)
        assert "is back" in text(back.response)


async def test_another_table_stands_there_by_then(tmp_path: Path) -> None:
    """PRM-11: whoever restores a table whose place is taken is led to that one, and told how to
    name another place.
    """
    async with world_of(tmp_path, *picks(4)) as world:
        await begin(world)
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        invite = thrown_out(world)
        await world.beat(30)
        invite()
        await world.beat(30)
        await world.slash("Ben", "play", game="script")
        await world.beat()
        for given in ({}, {"channel": world.channel}):
            back = await world.owner.slash(
                world.channel, "session restore", table=session.code, **given
            )
            told = text(back.response)
            assert told.startswith("Another table stands in that place already: https://")
            assert "with `channel`" in told
