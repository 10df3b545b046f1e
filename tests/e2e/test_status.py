"""/status: how the bot is doing, and nothing that is anybody's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bot.exporter import Exporter
from tests.e2e.play import begin, pick, picks, world_of
from tests.e2e.world import World, text


async def status(world: World, name: str = "Olga") -> str:
    """What the command answers."""
    world.players.setdefault("Olga", world.owner)
    return text((await world.slash(name, "status")).response)


class Backups:
    """A schedule as the running bot has it."""

    last: float | None = None
    failure: str | None = None


async def test_status_tells_how_things_stand(tmp_path: Path) -> None:
    """Answers, tables by state, restores, backups, gateway, loop; for moderators only."""
    async with world_of(tmp_path, *picks(5)) as world:
        assert "status" not in world["Ann"].available_commands(world.channel)
        first = await status(world)
        assert "Nobody was answered within the last ten minutes." in first
        assert "Tables here: none." in first
        assert "There is no backup yet." in first
        await begin(world)
        await pick(world)
        told = await status(world)
        # How many there were would grow with each ballot that is changed.
        times = r"- Half of the answers within the last ten minutes came after at most \d+ ms, "
        assert re.search(times + r"the slowest after \d+ ms\.$", told, re.MULTILINE)
        assert "Tables here: 1 being played." in told
        assert re.search(
            r"- I started <t:\d+:R>; there was no table to bring back\.$", told, re.MULTILINE
        )


async def test_status_tells_of_restores_and_backups(tmp_path: Path) -> None:
    """After a restart: what came back and what could not; when the last backup was, and that a
    try failed, but not why, since that names the operator's folders.
    """
    async with world_of(tmp_path, *picks(5)) as world:
        await begin(world)
        await pick(world)
        sql = "UPDATE entry SET record = replace(record, 'thing_1', 'thing_9')"
        await world.store._writer.run(lambda connection: connection.execute_fetchall(sql))
        await world.restart()
        assert "and brought no table back; one could not be replayed." in await status(world)
        backups: Any = Backups()
        backups.last, backups.failure = world.time.epoch() - 60, "/srv/secret is full"
        world.bot.backups = backups
        told = await status(world)
        assert f"Last backup <t:{round(backups.last)}:R>; the latest try failed" in told
        assert "secret" not in told


async def test_other_servers_tables_are_not_told(tmp_path: Path) -> None:
    """Only this server's tables are counted."""
    async with world_of(tmp_path, *picks(5)) as world:
        from bot.sessions.ports import Click

        await world.bot.registry.open_lobby(
            Click(77, "Far", 7000, world.time.monotonic()),
            game="script", guild_id=world.guild.id + 5, channel_id=99,
        )  # fmt: skip
        assert "Tables here: none." in await status(world)


async def test_nothing_exported_names_anybody(tmp_path: Path) -> None:
    """A whole game, with failures: no id, name, code or text of a table is in any label."""
    client = pytest.importorskip("prometheus_client")
    async with world_of(tmp_path, *picks(3)) as world:
        exporter = Exporter()
        world.bot.metrics.exports.append(exporter)
        await begin(world)
        code = world.bot.registry.live()[0].code
        path = f"/channels/{world.channel.id}/messages/*"
        world.env.inject_error("PATCH", path, status=403, code=50013, times=1)
        for _ in range(3):
            await pick(world)
        await world.beat(5)
        world.bot.metrics.late(0.0)
        told = client.generate_latest(exporter.registry).decode()
        assert 'error="NotAllowed"' in told
        assert "nightwatch_acknowledgement_seconds_count 5.0" in told
        ids = [world["Ann"].id, world.guild.id, world.channel.id]
        for secret in ("Ann", code, "script", *map(str, ids)):
            assert secret not in told
