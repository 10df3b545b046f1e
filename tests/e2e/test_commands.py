"""The commands: what they say in each place, and who may use them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.offline.wire.limits import walk
from bot.sessions.faces import Status
from tests.e2e.play import begin, controls, mark, world_of
from tests.e2e.script import BALLOT, Question
from tests.e2e.world import World, find, labels, parts, raw, text

PICKS = [Question("pick", 3, seats=(n % 2,)) for n in range(6)]


async def test_help_says_what_can_be_done_here_now(tmp_path: Path) -> None:
    """Without a table, in the lobby, for players, for spectators, and in direct messages."""
    async with world_of(tmp_path, *PICKS) as world:
        assert "Nothing is being played" in text((await world.slash("Ann", "help")).response)
        await world.slash("Ann", "play", game="script")
        await world.beat()
        assert "waiting for players" in text((await world.slash("Ben", "help")).response)
        await world.click("Ben", world.live(), "join")
        await world.click("Ann", world.live(), "start")
        await world.beat()
        mine = text((await world.slash("Ann", "help")).response)
        assert "You sit at the table" in mine
        assert "**Ann, pick one.**" in mine
        assert "pick one" not in text((await world.slash("Ben", "help")).response)
        assert "lets you take that seat" in text((await world.slash("Dan", "help")).response)
        letter = await world["Ann"].user.slash("help")
        assert "from here you can play" in text(letter.response)
        assert "\n\nHere, too: `/rules`" in text(letter.response)
        assert "\n\nAnywhere: `/rules`" in mine
        letter = await world["Dan"].user.slash("help")
        assert "you sit at none" in text(letter.response)


async def test_rules_are_searched_and_listed(world: World) -> None:
    """A topic by autocomplete, by words, from the menu; and what cannot be found is said kindly."""
    async with world:
        offered = await world["Ann"].autocomplete(world.channel, "rules", "topic", "vote")
        assert offered
        shown = await world.slash("Ann", "rules", topic=offered[0]["value"])
        assert text(shown.response).startswith("## ")
        by_word = await world.slash("Ann", "rules", topic="vote")
        assert text(by_word.response).startswith("## ")
        listed = await world.slash("Ann", "rules")
        (menu,) = parts(listed.response)
        chosen = await world.select(
            "Ann", listed.response, [menu.options[-1]], custom_id=menu.custom_id
        )
        assert chosen.response.id == listed.response.id
        assert text(chosen.response).startswith("## ")
        nothing = await world.slash("Ann", "rules", topic="zeppelin")
        assert "“zeppelin”" in text(nothing.response)


async def test_every_topic_fits(world: World) -> None:
    """Each topic of the rules is shown whole, within Discord's limits."""
    async with world:
        for topic in world.bot.rulebook.topics:
            shown = await world.slash("Ann", "rules", topic=f"{topic.game}/{topic.key}")
            assert "…" not in text(shown.response), topic.key


async def test_leaving_and_taking_over(tmp_path: Path) -> None:
    """Who leaves is asked first; a computer player takes the seat with its ballot unmade; somebody
    else takes that seat over and is told in private what it knows.
    """
    async with world_of(tmp_path, BALLOT, *PICKS) as world:
        await begin(world, "script", "Ben")
        asked = await world.slash("Ben", "leave")
        assert "A computer player takes your seat" in text(asked.response)
        stays = await world.click("Ben", asked.response, "never_mind")
        assert text(stays.response) == "Nothing was changed."
        asked = await world.slash("Ben", "leave")
        left = await world.click("Ben", asked.response, "leave_yes")
        assert "You have left" in text(left.response)
        menu = (await world.click("Dan", world.live(), "menu")).response
        assert "Take a seat" in labels(menu)
        seats = (await world.click("Dan", menu, "take")).response
        (choice,) = parts(seats)
        taken = await world.select("Dan", seats, choice.options, custom_id=choice.custom_id)
        briefing = text(taken.response)
        assert "Your number is 41." in briefing
        assert "card_1" in briefing
        assert len(controls(taken.response, "draft")) == 6
        again = await world.slash("Dan", "hand")
        assert "card_1" in text(again.response)
        await world.beat()
        told = [text(m) for m in world.messages() if "has taken seat" in text(m)]
        assert len(told) == 1
        assert told[0].startswith("Dan has taken seat 2, where a computer player sat")
        assert not any("Your number is" in text(m) for m in world.messages())
        gone = await world.slash("Ben", "hand")
        assert text(gone.response).startswith("You have no seat")


async def test_tables_lists_and_offers_seats(tmp_path: Path) -> None:
    """/tables links the tables, and a computer player's seat can be taken from there."""
    async with world_of(tmp_path, *PICKS) as world:
        empty = await world.slash("Ann", "tables")
        assert "No table is open here" in text(empty.response)
        await world.slash("Ann", "play", game="script")
        await world.beat()
        await world.click("Ann", world.live(), "add_computer")
        await world.click("Ann", world.live(), "start")
        await world.beat()
        listed = await world.slash("Dan", "tables")
        assert str(world.live().id) in text(listed.response)
        assert "being played" in text(listed.response)
        (menu,) = parts(listed.response)
        taken = await world.select("Dan", listed.response, menu.options, custom_id=menu.custom_id)
        assert "This is what your seat knows" in text(taken.response)
        mine = await world.slash("Dan", "tables")
        assert "one is yours" in text(mine.response)
        assert parts(mine.response) == []


async def test_the_last_person_to_leave_is_told_that_the_game_ends(tmp_path: Path) -> None:
    """Before and after; the history lists who played, and anybody may open the next table."""
    async with world_of(tmp_path, *PICKS) as world:
        await begin(world, "script", "Ben")
        first = await world.slash("Ben", "leave")
        assert "the game ends" not in text(first.response)
        await world.click("Ben", first.response, "leave_yes")
        asked = await world.slash("Ann", "leave")
        assert "the last person here: the game ends without a result." in text(asked.response)
        left = await world.click("Ann", asked.response, "leave_yes")
        assert "the game ended without a result." in text(left.response)
        assert "computer player" not in text(left.response)
        await world.beat(3)
        history = text((await world.slash("Dan", "history")).response)
        assert "Ann and Agatha" in history


async def test_no_two_computer_players_of_a_table_share_a_name(tmp_path: Path) -> None:
    """Not even when the first has given its seat back meanwhile."""
    async with world_of(tmp_path, *PICKS) as world:
        await begin(world, "script", "Ben")
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        names: list[str] = []
        for _ in range(14):
            asked = (await world.slash("Ben", "leave")).response
            await world.click("Ben", asked, "leave_yes")
            names.append(session.seats[1].name)
            menu = (await world.click("Ben", world.table(), "menu")).response
            seats = (await world.click("Ben", menu, "take")).response
            (choice,) = parts(seats)
            await world.select("Ben", seats, choice.options, custom_id=choice.custom_id)
        assert len(set(names)) == 14


@pytest.mark.parametrize("command", ["history", "verify", "session list"])
async def test_what_is_about_a_server_says_so_in_letters(tmp_path: Path, command: str) -> None:
    """Also to the server's owner: who manages a server is not what is missing there."""
    async with world_of(tmp_path, *PICKS) as world:
        result = await world.owner.user.slash(command)
        told = "That is about the tables of one server. Please use it in a server's channel."
        assert text(result.response) == told
        tables = await world["Ann"].user.slash("tables")
        assert "In a server's channel `/play` opens one." in text(tables.response)


async def test_act_by_words_says_why_not(tmp_path: Path) -> None:
    """Watching, waiting for somebody else, in the lobby: each is told what is the case."""
    async with world_of(tmp_path, *PICKS) as world:
        await world.slash("Ann", "play", game="script")
        await world.beat()
        early = await world.slash("Ann", "act", choice="thing")
        assert text(early.response) == "The game has not begun yet."
        await world.click("Ben", world.live(), "join")
        await world.click("Ann", world.live(), "start")
        await world.beat()
        watching = await world.slash("Dan", "act", choice="thing")
        assert text(watching.response).startswith("You have no seat at this table.")
        waiting = await world.slash("Ben", "act", choice="thing 2")
        assert text(waiting.response) == "It is not your move just now. Waiting for Ann."
        unclear = await world.slash("Ann", "act", choice="the moon")
        assert "“the moon”" in text(unclear.response)
        assert "Thing 2" in labels(unclear.response)


async def test_a_table_that_has_not_begun_is_not_meant(tmp_path: Path) -> None:
    """Of two tables of which one is a lobby, a move means the other; leaving could mean both."""
    async with world_of(tmp_path, *PICKS) as world:
        await begin(world)
        await world["Ann"].slash(world.lounge, "play", game="script")
        await world.beat()
        ann = world["Ann"].user
        for command in ("act", "vote"):
            assert "pick one" in text((await ann.slash(command)).response)
        assert "card_0" in text((await ann.slash("hand")).response)
        leaving = await ann.slash("leave")
        assert "Which one do you mean?" in text(leaving.response)


async def test_no_choice_among_several_is_recommended(tmp_path: Path) -> None:
    """The buttons of several choices look alike; a single one stands out."""
    single = Question("pick", 1, seats=(0,))
    async with world_of(tmp_path, PICKS[0], single) as world:
        await begin(world)
        for style in (2, 1):
            styles = {
                one["style"]
                for one in walk(raw(world.live()))
                if str(one.get("custom_id")).startswith("n:b:act")
            }
            assert styles == {style}
            await world.press("Ann", world.live(), controls(world.live(), "act")[0].custom_id)
            await world.beat(3)


async def test_the_host_replaces_somebody_who_is_away(tmp_path: Path) -> None:
    """From the table menu, with a second confirmation; others do not see it."""
    async with world_of(tmp_path, *PICKS) as world:
        await begin(world, "script", "Ben")
        theirs = (await world.click("Ben", world.live(), "menu")).response
        assert "Replace a player" not in labels(theirs)
        menu = (await world.click("Ann", world.live(), "menu")).response
        who = (await world.click("Ann", menu, "replace")).response
        (choice,) = parts(who)
        asked = await world.select("Ann", who, choice.options, custom_id=choice.custom_id)
        assert "Give the seat of Ben" in text(asked.response)
        await world.click("Ann", asked.response, "replace_yes")
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        assert session.seat_of(world["Ben"].id) is None


async def test_ending_a_table(tmp_path: Path) -> None:
    """Moderators end a table after a second confirmation; others are not even offered it."""
    async with world_of(tmp_path, *PICKS) as world:
        await begin(world, "script", "Ben")
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        assert "session end" not in world["Ben"].available_commands(world.channel)
        codes = await world.owner.autocomplete(world.channel, "session end", "table", "")
        asked: Any = await world.owner.slash(world.channel, "session end", table=codes[0]["value"])
        assert session.code in text(asked.response)
        assert session.status is Status.RUNNING
        yes = find(asked.response, "end_yes")
        done = await world.owner.click(asked.response, custom_id=yes.custom_id)
        assert "is ended" in text(done.response)
        await world.beat(3)
        assert session.status is Status.ABANDONED
        assert world.bot.registry.in_channel(world.channel.id) is None
        history = await world.slash("Ben", "history")
        assert "ended without a result" in text(history.response)
        await begin(world)


async def test_the_host_ends_a_table_from_its_menu(tmp_path: Path) -> None:
    """The same confirmation; a player who is not host does not find the button."""
    async with world_of(tmp_path, *PICKS) as world:
        await begin(world, "script", "Ben")
        menu = (await world.click("Ben", world.live(), "menu")).response
        assert "End the game" not in labels(menu)
        menu = (await world.click("Ann", world.live(), "menu")).response
        asked = (await world.click("Ann", menu, "end")).response
        await world.click("Ann", asked, "end_yes")
        assert world.bot.registry.in_channel(world.channel.id) is None
        await world.beat()
        assert labels(world.live()) == ["Play again", "Story"]
        story = await world.click("Dan", world.live(), "story")
        assert len(story.response.attachments) == 1


async def test_a_crashed_table_is_restored_by_a_moderator(tmp_path: Path) -> None:
    """The table says that it was stopped, with a reference; /session restore brings it back."""
    async with world_of(tmp_path, *PICKS) as world:
        await begin(world, "script", "Ben")
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        game: Any = session.playing

        def fault(*_: Any, **__: Any) -> None:
            raise RuntimeError("a bug in the rules")

        game.answer = fault
        table = world.live()
        told = await world.press("Ann", table, controls(table, "act")[0].custom_id)
        assert "stopped by a fault (reference" in text(told.response)
        await world.beat(3)
        notices = [m for m in world.messages() if "Something went wrong" in text(m)]
        assert len(notices) == 1
        code = session.code
        refused = await world.slash("Ben", "hand")
        assert "stopped by a fault" in text(refused.response)
        restored = await world.owner.slash(world.channel, "session restore", table=code)
        assert "is back" in text(restored.response)
        await world.beat(3)
        table = world.live()
        await world.press("Ann", table, controls(table, "act")[0].custom_id)
        await world.beat()
        assert "Ann chose one thing." in text(world.live())


async def test_board_and_log(tmp_path: Path) -> None:
    """The board as a picture with alt text or in words; the log with what only you know."""
    async with world_of(tmp_path, *PICKS) as world:
        await begin(world, "script", "Ben")
        picture = await world.slash("Ann", "board")
        assert len(picture.response.attachments) == 1
        words = await world.slash("Ann", "board", words=True)
        assert "```\n+---+\nAnn\nBen\n+---+\n```" in text(words.response)
        assert words.response.attachments == []
        assert "Your number is 40." in text((await world.slash("Ann", "log")).response)
        watching = text((await world.slash("Dan", "log")).response)
        assert "Your number is" not in watching


async def test_calls_come_where_they_are_wanted(tmp_path: Path) -> None:
    """A call mentions only the player whose move it is; /notify moves it to direct messages or
    switches it off, and it is taken back once answered.
    """
    async with world_of(tmp_path, *PICKS) as world:
        await world.slash("Ben", "notify", pings="dm")
        await begin(world, "script", "Ben")
        await world.beat(40)
        (call,) = [m for m in world.messages() if "it is your move" in text(m)]
        assert "it is your move: pick one." in text(call)
        assert f"<@{world['Ann'].id}>" in text(call)
        await world.press("Ann", world.live(), controls(world.live(), "panel")[0].custom_id)
        table = next(m for m in world.messages() if controls(m, "act"))
        await world.press("Ann", table, controls(table, "act")[0].custom_id)
        await world.beat(40)
        assert not [m for m in world.messages() if "it is your move" in text(m)]
        (letter,) = [m for m in world.letters("Ben") if "it is your move" in text(m)]
        opened = await world["Ben"].user.click(
            letter, custom_id=controls(letter, "panel")[0].custom_id
        )
        fresh = controls(opened.response, "act")[0]
        await world.slash("Ann", "notify", pings="off")
        await world["Ben"].user.click(opened.response, custom_id=fresh.custom_id)
        await world.beat(60)
        assert not [m for m in world.messages() if "it is your move" in text(m)]


async def test_the_end_and_what_can_be_done_then(tmp_path: Path) -> None:
    """The story of a game that has ended is a file, and old closing messages keep working."""
    async with world_of(tmp_path, BALLOT) as world:
        await begin(world)
        panel = (await world.click("Ann", world.live(), "panel")).response
        await mark(world, "Ann", panel, ["thing_1", "thing_2"] * 3)
        done = await world.click("Ann", panel, "cast")
        assert "With that the game is over." in text(done.response)
        await world.beat(3)
        closing = world.live()
        assert "Everything was asked." in text(closing)
        assert "The winner is Ann" in text(closing)
        last = next(text(m) for m in world.messages() if "Its end stands further down" in text(m))
        assert "moved on" not in last
        await world.restart()
        story = await world.click("Dan", closing, "story")
        (attached,) = story.response.attachments
        body = world.env.backend.cdn.get(attached.url) or b""
        assert b"The Script, table" in body
        assert b"Ann chose 6 things." in body
        await world.click("Dan", closing, "again")
        await world.beat()
        assert "1. Dan (host)" in text(world.live())
        assert "Ann" not in text(world.live())
        await world.click("Dan", world.live(), "cancel")
        await world.beat()
        await world.click("Ann", closing, "again")
        await world.beat()
        assert "1. Ann (host)" in text(world.live())
