"""/privacy in a server and in direct messages: shown, given as a file, forgotten."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.play import begin, pick, picks, world_of
from tests.e2e.world import find, labels, text


async def test_it_is_shown_and_exported_to_oneself_only(tmp_path: Path) -> None:
    """Counts in words, all of it as a file; the reply is private and names nobody else."""
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world, "script", "Ben")
        shown = await world.slash("Ann", "privacy show")
        told = text(shown.response)
        assert shown.response.ephemeral
        assert "one seat at a table" in told
        assert "one table that you host" in told
        assert "deleted after 365 days" in told
        assert "30 days after I was removed" in told
        assert "no seat" not in told
        result = await world.slash("Ann", "privacy export")
        assert result.response.ephemeral
        assert text(result.response).startswith("This is all that I have stored about you.")
        assert "Forget me" in labels(shown.response)
        stranger = (await world.slash("Dan", "privacy show")).response
        assert "nothing at all" in text(stranger)
        assert "Forget me" not in labels(stranger)


async def test_deleting_asks_first_and_the_table_goes_on(tmp_path: Path) -> None:
    """Confirmed by a button; the table hears that a computer player sits there."""
    async with world_of(tmp_path, *picks(4)) as world:
        await begin(world, "script", "Ben")
        await pick(world)
        asked = await world.slash("Ann", "privacy delete")
        assert "at the table where you play" in text(asked.response)
        kept = await world.click("Ann", asked.response, "never_mind")
        assert text(kept.response) == "Nothing was changed."
        asked = await world.slash("Ann", "privacy delete")
        done = await world.click("Ann", asked.response, "forget_yes")
        await world.beat()
        assert text(done.response).startswith("You are forgotten, at one table.")
        (session,) = world.bot.registry.live()
        assert session.seats[0].user_id is None
        assert "Nothing for you" not in text(world.live())
        said = [text(m) for m in world.messages() if "has seat 1 now" in text(m)]
        assert [one.partition(". ")[0] for one in said] == ["A player has left"]
        told = text((await world.slash("Ann", "privacy show")).response)
        assert "at a table" not in told
        await world.restart()
        (session,) = world.bot.registry.live()
        assert (await session.check()).is_good


async def test_somebody_who_has_left_can_still_ask(tmp_path: Path) -> None:
    """In direct messages, without being on the server any more."""
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world, "script", "Ben")
        user = world["Ben"].user
        world.guild.remove_member(world["Ben"])
        await world.beat()
        shown = await user.slash("privacy show")
        assert "one seat at a table" in text(shown.response)
        asked = await user.slash("privacy delete")
        part = find(asked.response, "forget_yes")
        done = await user.click(asked.response, custom_id=part.custom_id)
        assert "You are forgotten" in text(done.response)
        await world.beat()
        (session,) = world.bot.registry.live()
        assert list(session.persons().values()) == [world["Ann"].id]


async def test_a_forged_button_forgets_only_whoever_presses_it(tmp_path: Path) -> None:
    """It carries no user: nobody can have somebody else forgotten."""
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world, "script", "Ben")
        asked = await world.slash("Ann", "privacy delete")
        forged = find(asked.response, "forget_yes").custom_id
        assert str(world["Ann"].id) not in forged
        await world.forge("Dan", world.live(), forged)
        (session,) = world.bot.registry.live()
        assert list(session.persons().values()) == [world["Ann"].id, world["Ben"].id]
