"""The hourglass on the table, calls to everybody, and clicks that come too late."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import simcord
from simcord.actors import MemberActor

from bot.app import Nightwatch
from tests.e2e.play import begin, controls, world_of
from tests.e2e.script import Question
from tests.e2e.world import World, find, text

TIMED = [
    Question("pick", 3, seats=(0,), seconds=60),
    Question("pick", 3, seats=(1,)),
]


async def test_the_glass_is_shown_and_runs_out(tmp_path: Path) -> None:
    """While sand runs the table has Discord's own countdown, everybody is called once, and at its
    end the game goes on by itself.
    """
    async with world_of(tmp_path, *TIMED) as world:
        await begin(world, "script", "Ben")
        await world.beat(2)
        table = next(m for m in world.messages() if controls(m, "act"))
        found = re.search(r"⏳ The sand runs out <t:(\d+):R>", text(table))
        assert found is not None
        left = int(found[1]) - world.env.now().timestamp()
        assert 55 <= left <= 60
        (call,) = [m for m in world.messages() if "everybody is needed" in text(m)]
        assert f"<@{world['Ann'].id}>" in text(call)
        assert f"<@{world['Ben'].id}>" in text(call)
        await world.beat(61)
        await world.beat(2)
        table = next(m for m in world.messages() if controls(m, "act"))
        assert "Time is up." in text(table)
        assert "⏳" not in text(table)
        assert not [m for m in world.messages() if "everybody is needed" in text(m)]


async def test_sand_stands_still_while_the_bot_is_away(tmp_path: Path) -> None:
    """After a restart the countdown has what was left, and a disconnect stops it."""
    async with world_of(tmp_path, *TIMED) as world:
        await begin(world, "script", "Ben")
        await world.beat(20)
        await world.restart()
        await world.beat(2)
        table = next(m for m in world.messages() if controls(m, "act"))
        found = re.search(r"<t:(\d+):R>", text(table))
        assert found is not None
        left = int(found[1]) - world.env.now().timestamp()
        assert 30 <= left <= 41
        with world.env._bot_scope():
            world.bot.dispatch("disconnect")
        await world.beat(120)
        with world.env._bot_scope():
            world.bot.dispatch("resumed")
        await world.beat(2)
        assert not any("Time is up." in text(m) for m in world.messages())


async def test_a_click_after_the_last_grain(tmp_path: Path) -> None:
    """A click that arrives when the sand is out does not count, even before the timer has fired."""
    async with world_of(tmp_path, *TIMED) as world:
        await begin(world, "script", "Ben")
        await world.beat(2)
        table = next(m for m in world.messages() if controls(m, "act"))
        button = controls(table, "act")[0].custom_id
        world.bot.pump.cancel()
        await world.beat(70)
        late = await world.press("Ann", table, button)
        assert text(late.response).startswith("The sand had run out")


async def test_two_shards(tmp_path: Path) -> None:
    """Two shards in one process, and a table on each: both are published, called for, answered and
    restored once.
    """

    class Sharded(World):
        def attach(self, bot: Nightwatch) -> Any:
            return simcord.run(bot, shard_count=2, settle_timeout=5)

    plain = world_of(tmp_path, *(Question("pick", 3, seats=(0,), seconds=60) for _ in range(2)))
    async with Sharded(tmp_path, plain.titles) as world:
        await begin(world, "script", "Ben")
        owner = world.owner.user
        other = world.env.create_guild("Other", owner=owner)
        while (other.id >> 22) % 2 == (world.guild.id >> 22) % 2:  # its birth decides on its shard
            await world.beat(0.003)
            other = world.env.create_guild("Other", owner=owner)
        place = other.create_text_channel("there")
        await world.beat()
        olga = MemberActor(world.env, other, owner)
        await olga.slash(place, "play", game="script")
        await world.beat()
        await olga.click(world.live(place), custom_id=find(world.live(place), "start").custom_id)
        await world.beat(2)
        shards = {world.bot.get_guild(one.id).shard_id for one in (world.guild, other)}  # type: ignore[union-attr]
        assert shards == {0, 1}
        for _ in range(2):
            for room in (world.channel, place):
                assert len([m for m in world.messages(room) if controls(m, "act")]) == 1
                assert (
                    len([m for m in world.messages(room) if "everybody is needed" in text(m)]) == 1
                )
            await world.restart()
            await world.beat(2)
        for room, member in ((world.channel, world["Ann"]), (place, olga)):
            (table,) = [m for m in world.messages(room) if controls(m, "act")]
            session = world.bot.registry.in_channel(room.id)
            assert session is not None
            done = await member.click(table, custom_id=controls(table, "act")[0].custom_id)
            assert done.deferred, text(done.response)
            await world.beat(2)
            journal = await world.store.entries(session.id)
            assert len([row for row in journal if row.interaction_id]) == 1
