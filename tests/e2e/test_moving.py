"""/session export and /session import on Discord: out of one channel, into another."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.sessions.faces import Status
from bot.sessions.sealing import MAGIC, MOST_SEALED
from tests.e2e.play import begin, controls, pick, picks, world_of
from tests.e2e.world import World, find, text


async def export(world: World, code: str) -> bytes:
    """The file that a moderator gets, seen by nobody else."""
    result = await world.slash("Olga", "session export", table=code)
    assert result.response.ephemeral
    (attached,) = result.response.attachments
    assert attached.filename == f"table-{code.lower()}.nightwatch" or code in attached.filename
    return await attached.read()


async def bring_in(world: World, sealed: bytes, where: Any = None, name: str = "x") -> Any:
    """The reply to a file."""
    place = where or world.channel
    result = await world.owner.slash(place, "session import", file=(name, sealed))
    await world.beat()
    return world._checked(result).response


async def lose(world: World, session: Any) -> None:
    """The game's rows are lost, as after going on from an older backup; the key is not."""
    await world.bot.registry.desk.drain(2.0)
    world.bot.registry.drop([session.id])
    parts = ("interaction", "message", "entry", "aside", "seat", "sitting", "motion")
    sqls = [f"DELETE FROM {part} WHERE session = {session.id}" for part in parts]
    for sql in (*sqls, f"DELETE FROM session WHERE id = {session.id}"):
        await world.store._writer.run(lambda c, one=sql: c.execute_fetchall(one))


async def test_a_game_moves_to_another_channel(tmp_path: Path) -> None:
    """Exported, lost, brought in elsewhere, people seated again by a button, resumed, played on."""
    async with world_of(tmp_path, *picks(6)) as world:
        world.players["Olga"] = world.owner
        await begin(world, "script", "Ben")
        await pick(world)
        (session,) = world.bot.registry.live()
        sealed = await export(world, session.code)
        assert b"Ann" not in sealed
        await lose(world, session)
        reply = await bring_in(world, sealed, world.lounge)
        told = text(reply)
        assert "is here, paused, with computer players at every seat" in told
        assert f"seat 1: <@{world['Ann'].id}>" in told
        assert "brought this game in from a file" in "\n".join(
            text(one) for one in world.messages(world.lounge)
        )
        done = await world.click("Olga", reply, "seat_again")
        assert "2 people sit" in text(done.response)
        await world.restart()
        (again,) = world.bot.registry.live()
        assert again.status is Status.PAUSED
        resumed = await world.slash("Olga", "session resume", table=again.code)
        assert "goes on" in text(resumed.response)
        await world.beat()
        table = next(one for one in world.messages(world.lounge) if controls(one, "act"))
        await world.press("Ann", table, controls(table, "act")[0].custom_id)
        await world.beat()
        assert (await again.check()).is_good
        log = text((await world.slash("Olga", "session log")).response)
        for line in ("as a sealed file", "from a sealed file", "seated 2 people"):
            assert line in log


async def test_who_has_left_the_server_is_not_seated(tmp_path: Path) -> None:
    """Their seat stays with the computer player."""
    async with world_of(tmp_path, *picks(6)) as world:
        world.players["Olga"] = world.owner
        await begin(world, "script", "Ben")
        (session,) = world.bot.registry.live()
        sealed = await export(world, session.code)
        await lose(world, session)
        world.guild.remove_member(world["Ben"])
        reply = await bring_in(world, sealed, world.lounge)
        done = await world.click("Olga", reply, "seat_again")
        assert "One person sits" in text(done.response)
        (again,) = world.bot.registry.live()
        assert list(again.persons().values()) == [world["Ann"].id]


@pytest.mark.parametrize(
    ("sealed", "told"),
    [
        (b"", "That is no file of mine."),
        (b"{}", "That is no file of mine."),
        (MAGIC, "That file is damaged"),
        (MAGIC + bytes(100), "sealed by another installation"),
        (MAGIC + bytes(MOST_SEALED), "That file is too big; mine have at most 8 MB."),
        (b"@everyone ``` <@1> [x](http://y)", "That is no file of mine."),
    ],
)
async def test_hostile_files_get_one_sentence(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, sealed: bytes, told: str
) -> None:
    """Refused, logged, nothing stored; a hostile file name is not repeated."""
    caplog.set_level("INFO")
    async with world_of(tmp_path, *picks(1)) as world:
        world.players["Olga"] = world.owner
        reply = await bring_in(world, sealed, name="@everyone.nightwatch")
        assert told in text(reply)
        assert "everyone" not in text(reply)
        assert "is not brought in: file_" in caplog.text
        assert world.bot.registry.everything() == ()
        assert world.messages() == []


async def test_a_file_that_discord_does_not_give(tmp_path: Path) -> None:
    """Discord's store is out of reach: one sentence."""
    async with world_of(tmp_path, *picks(1)) as world:
        world.players["Olga"] = world.owner
        cog: Any = world.bot.cogs["Moving"]
        read = cog._read

        async def fail() -> bytes:
            raise OSError("the line broke")

        async def broken(file: Any) -> Any:
            return await read(SimpleNamespace(size=file.size, read=fail))

        cog._read = broken
        assert "could not get that file from Discord" in text(await bring_in(world, MAGIC))


async def test_other_servers_tables_cannot_be_taken(tmp_path: Path) -> None:
    """A code of another server is no code here; and the settings bind imports, too."""
    from bot.sessions.ports import Click

    async with world_of(tmp_path, *picks(3)) as world:
        world.players["Olga"] = world.owner
        far = await world.bot.registry.open_lobby(
            Click(77, "Far", 7000, world.time.monotonic()),
            game="script", guild_id=world.guild.id + 5, channel_id=99,
        )  # fmt: skip
        refused = await world.slash("Olga", "session export", table=far.code)
        assert "no table with that code" in text(refused.response)
        refused = await world.slash("Olga", "session export", table="x" * 200)
        assert "no table with that code" in text(refused.response)
        await begin(world)
        offered = await world.owner.autocomplete(world.channel, "session export", "table", "")
        assert [choice["value"] for choice in offered] == [
            one.code for one in world.bot.registry.live() if one is not far
        ]
        (mine,) = [one for one in world.bot.registry.live() if one is not far]
        sealed = await export(world, mine.code)
        assert "being played here already" in text(await bring_in(world, sealed, world.lounge))
        await lose(world, mine)
        await world.slash("Olga", "settings", tables=1)
        await world.slash("Ben", "play", game="script")
        assert "has one table already" in text(await bring_in(world, sealed, world.lounge))
        world.permit(embed_links=False)
        told = text(await bring_in(world, sealed, world.lounge))
        assert "Embed Links" in told


async def test_the_button_holds_for_its_moderator_only(tmp_path: Path) -> None:
    """A copied custom_id does nothing for anybody else."""
    async with world_of(tmp_path, *picks(3)) as world:
        world.players["Olga"] = world.owner
        await begin(world, "script", "Ben")
        (session,) = world.bot.registry.live()
        sealed = await export(world, session.code)
        await lose(world, session)
        reply = await bring_in(world, sealed, world.lounge)
        forged = find(reply, "seat_again").custom_id
        refused = await world.forge("Ben", world.live(world.lounge), forged)
        assert "Manage Server" in text(refused.response)
        (again,) = world.bot.registry.live()
        assert again.persons() == {}
