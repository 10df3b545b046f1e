"""People who press what is not theirs, too late, twice, or at the same instant."""

from __future__ import annotations

from pathlib import Path

import pytest
from simcord.actors import MemberActor

from bot.ui.ids import Control
from engines.kernel.decision import several
from tests.e2e.play import begin, controls, mark, world_of
from tests.e2e.real import Patient
from tests.e2e.script import BALLOT, Question
from tests.e2e.world import World, find, labels, parts, text


def picks(*seats: int) -> list[Question]:
    """One question for each of these seats in turn."""
    return [Question("pick", 3, seats=(seat,)) for seat in seats]


async def plies(world: World) -> int:
    """How many answers the journal has."""
    session = world.bot.registry.in_channel(world.channel.id)
    assert session is not None
    return (await session.snapshot()).ply


async def test_other_peoples_buttons(tmp_path: Path) -> None:
    """A player whose move it is not, and somebody without a seat, are told so in private; the
    journal stays as it is.
    """
    async with world_of(tmp_path, *picks(0, 1)) as world:
        await begin(world, "script", "Ben")
        table = world.live()
        button = controls(table, "act")[0].custom_id
        ben = await world.press("Ben", table, button)
        assert text(ben.response).startswith("That is for Ann to decide, not for you.")
        assert ben.response.ephemeral
        for verb in ("hand", "menu"):
            await world.click("Cleo", table, verb)
        cleo = await world.press("Cleo", table, button)
        assert text(cleo.response).startswith("You have no seat at this table.")
        dan = await world.slash("Dan", "hand")
        assert text(dan.response).startswith("You have no seat at this table.")
        assert await plies(world) == 0


async def test_a_stale_button_shows_the_current_choice(tmp_path: Path) -> None:
    """A button of an earlier question does nothing but say so, even when it is the same seat's
    move again and the option would be legal.
    """
    async with world_of(tmp_path, *picks(0, 0, 0)) as world:
        await begin(world)
        table = world.live()
        old = controls(table, "act")[1].custom_id
        await world.press("Ann", table, old)
        await world.beat()
        stale = await world.forge("Ann", world.live(), old)
        assert text(stale.response).startswith("The table has moved on")
        assert "Thing 2" in labels(stale.response)
        assert await plies(world) == 1
        fresh = controls(stale.response, "act")[0]
        counted = await world.press("Ann", stale.response, fresh.custom_id)
        assert text(counted.response).startswith("Counted: Thing 1.")
        assert await plies(world) == 2


async def test_double_clicks_count_once(tmp_path: Path) -> None:
    """Two hundred times two clicks of one person at the same instant, on the table and in a private
    panel: one entry each, and the other click is answered, too.
    """
    async with world_of(tmp_path, *picks(*[0] * 201)) as world:
        await begin(world)
        for ply in range(20):
            table = world.live()
            button = controls(table, "act")[0].custom_id
            await world.burst(
                world["Ann"].click(table, custom_id=button),
                world["Ann"].click(table, custom_id=button),
            )
            assert await plies(world) == ply + 1
            await world.beat()
        panel = (await world.slash("Ann", "act")).response
        for ply in range(20, 200):
            button = controls(panel, "act")[0].custom_id
            await world.burst(
                world["Ann"].click(panel, custom_id=button),
                world["Ann"].click(panel, custom_id=button),
            )
            assert await plies(world) == ply + 1


async def test_the_last_seat_goes_to_one(tmp_path: Path) -> None:
    """Twelve people press Join at the same instant; four have seats, the others are told."""
    async with world_of(tmp_path, BALLOT) as world:
        await world.slash("Ann", "play", game="script")
        await world.beat()
        names = [f"Guest{n}" for n in range(12)]
        for name in names:
            world.join_server(world.env, name)
        lobby = world.live()
        join = find(lobby, "join").custom_id
        results = await world.burst(*(world[n].click(lobby, custom_id=join) for n in names))
        refused = [r for r in results if r.response is not None and r.response.ephemeral]
        assert len(refused) == 9
        await world.beat()
        assert "(4 of 4)" in text(world.live())


async def test_two_lobbies_at_the_same_instant(tmp_path: Path) -> None:
    """One table opens, the other person gets the link to it."""
    async with world_of(tmp_path, BALLOT) as world:
        ann, ben = await world.burst(
            world["Ann"].slash(world.channel, "play", game="script"),
            world["Ben"].slash(world.channel, "play", game="script"),
        )
        said = sorted([text(ann.response), text(ben.response)])
        assert said[1].startswith("There is a table in this channel already")
        assert len(world.bot.registry.in_guild(world.guild.id)) == 1


FORGED = [
    "n:b:act:1:1:pick:no_such_thing",
    "n:b:act:1:9:pick:thing_1",
    "n:b:act:1:1:veto:thing_1",
    "n:b:act:9:1:pick:thing_1",
    "n:b:fly:1:1:pick:thing_1",
    "n:b:end_yes:1:0::",
    "n:b:replace_yes:1:0::1",
    "n:b:cast:1:1:pick:",
    "n:b:more:1:1:pick:77",
    "n:b:more:1:1:pick:x",
    "n:b:history:0:0::-5",
    "n:b:",
    "n:b:act",
    "n:b:act:zzzzzzzzzzzz:1:pick:thing_1",
    "persistent_view:button",
    "n:x:act:1:1:pick:thing_1",
    "n:b:act:1:1:pick:" + "a" * 60,
]


@pytest.mark.parametrize("custom_id", FORGED)
async def test_forged_buttons_are_answered_and_do_nothing(tmp_path: Path, custom_id: str) -> None:
    """Whatever a custom_id says, the click gets a private sentence and changes nothing."""
    async with world_of(tmp_path, *picks(0, 1)) as world:
        await begin(world, "script", "Ben")
        result = await world.forge("Ben", world.live(), custom_id)
        assert result.response is not None
        assert text(result.response)
        assert await plies(world) == 0
        assert world.bot.registry.in_channel(world.channel.id) is not None


@pytest.mark.parametrize(
    ("custom_id", "values"),
    [
        ("n:m:act:1:1:pick:0", ["thing_99"]),
        ("n:m:act:1:1:pick:0", ["thing_1", "thing_2"]),
        ("n:m:draft:1:1:pick:77.0", ["thing_1"]),
        ("n:m:draft:1:1:pick:x.y", ["thing_1"]),
        ("n:m:take_seat:1:0::", ["1.0"]),
        ("n:m:take_seat:1:0::", ["x"]),
        ("n:m:go:0:0::panel", ["99"]),
        ("n:m:go:0:0::fly", ["1"]),
        ("n:m:option:1:0::speed", ["warp"]),
        ("n:m:topic:0:0::", ["script/none"]),
    ],
)
async def test_forged_menus_are_answered_and_do_nothing(
    tmp_path: Path, custom_id: str, values: list[str]
) -> None:
    """The same for menus and their values."""
    async with world_of(tmp_path, *picks(0, 1)) as world:
        await begin(world, "script", "Ben")
        member = world["Ann"]
        table = world.live()
        stored = world.env.backend.get_message(table.channel.id, table.id)
        shown = stored.components
        options = [{"label": value, "value": value} for value in values]
        menu = {"type": 3, "custom_id": custom_id, "options": options, "max_values": len(values)}
        stored.components = [{"type": 1, "components": [menu]}]
        result = await member.select(table, values, custom_id=custom_id)
        stored.components = shown
        assert result.acknowledged
        assert text(result.response)
        assert await plies(world) == 0


async def test_secrets_of_another_seat_cannot_be_opened(tmp_path: Path) -> None:
    """Whoever clicks sees the own hand and ballot, whosever button it was."""
    async with world_of(tmp_path, BALLOT) as world:
        await begin(world, "script", "Ben")
        panel = (await world.click("Ann", world.live(), "panel")).response
        await mark(world, "Ann", panel, ["thing_4"] * 5 + ["thing_3"])
        other = await world.forge("Ben", world.live(), find(panel, "panel").custom_id)
        assert not any(part.label.endswith("Thing 4") for part in parts(other.response))
        hand = await world.click("Ben", world.live(), "hand")
        assert "card_1" in text(hand.response)
        assert "card_0" not in text(hand.response)


async def test_commands_in_direct_messages(tmp_path: Path) -> None:
    """Without a table each says so kindly; with one it means that one."""
    async with world_of(tmp_path, *picks(0, 1)) as world:
        ann = world["Ann"].user
        for command in ("act", "vote", "hand", "board", "log", "leave"):
            result = await ann.slash(command)
            assert text(result.response).startswith("You sit at no table just now."), command
        for command in ("help", "tables", "notify", "rules"):
            assert text((await ann.slash(command)).response), command
        await begin(world, "script", "Ben")
        result = await ann.slash("act")
        assert "pick one" in text(result.response)
        fresh = controls(result.response, "act")[0]
        counted = await ann.click(result.response, custom_id=fresh.custom_id)
        assert "Counted" in text(counted.response)
        assert await plies(world) == 1


async def test_with_two_tables_a_menu_asks_which(tmp_path: Path) -> None:
    """Elsewhere than at a table the player chooses the table, then goes on."""
    async with world_of(tmp_path, *picks(0, 1)) as world:
        await begin(world)
        await world["Ann"].slash(world.lounge, "play", game="script")
        await world.beat()
        await world["Ann"].click(
            world.live(world.lounge), custom_id=find(world.live(world.lounge), "start").custom_id
        )
        await world.beat()
        ann = world["Ann"].user
        asked = await ann.slash("hand")
        (menu,) = parts(asked.response)
        assert len(menu.options) == 2
        chosen = await ann.select(asked.response, [menu.options[1]], custom_id=menu.custom_id)
        assert "card_0" in text(chosen.response)


async def test_managing_one_server_is_nothing_on_another(tmp_path: Path) -> None:
    """A moderator of the server may end a table; the same click from elsewhere may not."""
    async with world_of(tmp_path, *picks(0, 1)) as world:
        await begin(world)
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        other = world.env.create_guild("Elsewhere", owner=world["Dan"].user)
        place = other.create_text_channel("here")
        await world.beat()
        member = MemberActor(world.env, other, world["Dan"].user)
        opened = await member.slash(place, "play", game="script")
        assert opened.acknowledged
        await world.beat()
        forged = Control("end_yes", session.id).button
        message = world.live(place)
        stored = world.env.backend.get_message(place.id, message.id)
        stored.components = [
            {"type": 1, "components": [{"type": 2, "style": 2, "label": "x", "custom_id": forged}]}
        ]
        result = await member.click(message, custom_id=forged)
        assert text(result.response).startswith("That table does not exist any more.")
        assert not session.is_over


async def test_many_refusals_do_not_become_many_messages(tmp_path: Path) -> None:
    """The same refusal to the same person within two seconds is acknowledged without words."""
    async with world_of(tmp_path, *picks(0, 1)) as world:
        await begin(world, "script", "Ben")
        table = world.live()
        button = controls(table, "act")[0].custom_id
        results = [await world.press("Ben", table, button) for _ in range(10)]
        told = [r for r in results if r.response is not None and r.response.ephemeral]
        assert len(told) == 1
        await world.beat(3)
        again = await world.press("Ben", table, button)
        assert again.response.ephemeral


async def test_a_storm_of_refused_clicks(tmp_path: Path) -> None:
    """Thirty people press a refused button ten times each: every click is acknowledged, and nobody
    is written to more than once in two seconds.
    """
    async with Patient(tmp_path, world_of(tmp_path, *picks(0, 1)).titles) as world:
        await begin(world, "script", "Ben")
        names = [f"Guest{n}" for n in range(30)]
        for name in names:
            world.join_server(world.env, name)
        table = world.live()
        button = controls(table, "act")[0].custom_id
        sent = len(world.env.http_requests)
        for _ in range(2):
            clicks = (world[n].click(table, custom_id=button) for n in names for _ in range(10))
            results = await world.burst(*clicks)
            assert len(results) == 300
            told = [r for r in results if r.response is not None and r.response.ephemeral]
            assert len(told) == 30
            assert not any(r.followups for r in results)
            await world.beat(3)
        words = [r for r in world.env.http_requests[sent:] if r.path.startswith("/webhooks/")]
        assert words == []
        assert await plies(world) == 0


async def test_several_choices_and_none(tmp_path: Path) -> None:
    """A question for some options takes them from one menu; for none there is a button."""
    some = Question("some", 5, several(0, 3), seats=(0,))
    async with world_of(tmp_path, some, some, *picks(1)) as world:
        await begin(world, "script", "Ben")
        table = world.live()
        menu = next(part for part in parts(table) if part.options)
        await world.select("Ann", table, ["thing_2", "thing_5"], custom_id=menu.custom_id)
        await world.beat()
        none = next(part for part in controls(world.live(), "act") if not part.options)
        assert none.label == "None of these"
        await world.press("Ann", world.live(), none.custom_id)
        await world.beat()
        assert "Ann chose 2 things." in text(world.live())
        assert "Ann chose 0 things." in text(world.live())
