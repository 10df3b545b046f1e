"""/session seat: to whom a seat can be given, by whom, and what stands in the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.moderating import at_table, newest, press, session, table
from tests.e2e.play import controls
from tests.e2e.world import labels, parts, text


@pytest.mark.parametrize("to", ["computer", "person"])
async def test_seat_as_an_outsider(tmp_path: Path, to: str) -> None:
    """A question that names table and seat; then somebody else sits there, and the table knows."""
    async with at_table(tmp_path) as world:
        offered = await world.owner.autocomplete(
            world.channel, "session seat", "seat", "", table=table(world).code
        )
        assert [(one["value"], one["name"]) for one in offered] == [
            ("1", "Seat 1: Ann"),
            ("2", "Seat 2: Ben"),
        ]
        options: dict[str, Any] = {"seat": "2"}
        if to == "person":
            options["player"] = world["Dan"].user
        asked = await session(world, "seat", **options)
        assert table(world).code in text(asked)
        assert "give seat 2 (Ben) to" in text(asked)
        assert table(world).seat_of(world["Ben"].id) == 1
        told = await press(world, asked, "seat_yes")
        assert text(told).startswith("Seat 2 of ")
        assert "has changed hands" in text(told)
        assert "gave seat 2 of " in text(await session(world, "log"))
        await world.beat()
        assert table(world).seat_of(world["Ben"].id) is None
        if to == "person":
            assert table(world).seat_of(world["Dan"].id) == 1
            assert "seat 2 at this table, where Ben sat, is yours now" in newest(world)
            hand = await world.slash("Dan", "hand")
            assert "card_1" in text(hand.response)
        else:
            assert "A moderator gave seat 2 to a computer player" in newest(world)


@pytest.mark.parametrize("seated", [False, True])
async def test_what_stands_in_the_way_of_a_seat_is_said_first(tmp_path: Path, seated: bool) -> None:
    """Instead of the question whether to do it, and before anybody at the table is asked."""
    async with at_table(tmp_path, seated=seated) as world:
        asked = await session(world, "seat", seat="1", barred=True)
        await press(world, asked, "seat_yes")
        await world.beat()
        other = world["Olga" if seated else "Ben"].user
        stranger = world.env.create_user("far", global_name="Far")
        wrong: list[tuple[str, dict[str, Any]]] = [
            ("A computer player sits there already.", {"seat": "1"}),
            ("That table has no such seat.", {"seat": "7"}),
            ("They sit at this table already.", {"seat": "1", "player": other}),
            ("have sat at another seat", {"seat": "2", "player": world["Ann"].user}),
            ("They are not on this server", {"seat": "1", "player": stranger}),
        ]
        if seated:
            wrong.append(
                ("taken them out of this game", {"seat": "1", "player": world["Ann"].user})
            )
        for told, options in wrong:
            reply = await session(world, "seat", **options)
            assert told in text(reply)
            assert not parts(reply)
        await world.beat()
        assert not [m for m in world.messages() if controls(m, "motion")]


async def test_seat_as_a_seated_moderator(tmp_path: Path) -> None:
    """A person only with the owner's click, which works after a restart; nobody else's counts."""
    async with at_table(tmp_path, seated=True) as world:
        asked = await session(world, "seat", seat="1", player=world["Dan"].user)
        told = await press(world, asked, "seat_yes")
        assert "I have asked the table" in text(told)
        await world.beat()
        motion = [m for m in world.messages() if controls(m, "motion")][-1]
        assert "give the seat of Ann to Dan" in text(motion)
        agree = controls(motion, "motion")[0].custom_id
        await world.restart()
        for name in ("Olga", "Dan", "Cleo"):
            refused = await world.press(name, motion, agree)
            assert text(refused.response) == "That is for others to agree to."
        assert table(world).seat_of(world["Ann"].id) == 0
        done = await world.press("Ann", motion, agree)
        assert text(done.response) == "Agreed, and done."
        await world.beat()
        assert table(world).seat_of(world["Dan"].id) == 0
        closed = next(m for m in world.messages() if m.id == motion.id)
        assert "Agreed, and done." in text(closed)
        assert not parts(closed)
        asked = await session(world, "seat", seat="1")
        await press(world, asked, "seat_yes")
        await world.beat()
        assert table(world).seat_of(world["Dan"].id) is None


async def test_who_has_sat_is_not_offered_another_seat(tmp_path: Path) -> None:
    """Neither in the table's menu nor in /tables; a barred player is told why."""
    async with at_table(tmp_path) as world:
        await world.click("Ben", (await world.slash("Ben", "leave")).response, "leave_yes")
        asked = await session(world, "seat", seat="2", player=world["Dan"].user)
        await press(world, asked, "seat_yes")
        asked = await session(world, "seat", seat="2", barred=True)
        await press(world, asked, "seat_yes")
        await world.beat()
        menu = (await world.click("Ben", world.live(), "menu")).response
        assert "Take a seat" in labels(menu)
        menu = (await world.click("Dan", world.live(), "menu")).response
        assert "Take a seat" not in labels(menu)
        forged = f"n:m:take_seat:{table(world).id}:0::"
        value = f"{table(world).id}.1"
        refused = await world.forge("Dan", world.live(), forged, [value])
        assert "A moderator has taken you out of this game" in text(refused.response)
        listed = await world.slash("Dan", "tables")
        assert not parts(listed.response)
