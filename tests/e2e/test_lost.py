"""Fear of the Dark by clicks alone: to its win and to each of its losses, a restart in each."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.titles import Title
from bot.ui.ids import MENU_SIZE, read
from content.fear_of_the_dark import load
from content.loader import LoadedGame
from engines.fear_of_the_dark import retold
from engines.fear_of_the_dark.cards import Content, Danger, Difficulty, Secret, Tile
from engines.fear_of_the_dark.game import GAME
from engines.fear_of_the_dark.view import SeatView
from engines.kernel.chance import Chance
from engines.kernel.decision import Decision
from tests.e2e.plain_picture import PlainPicture
from tests.e2e.play import begin, controls
from tests.e2e.world import NAMES, World, labels, parts, text

HOUSE = load()

Policy = Callable[[SeatView, Decision], Sequence[str]]


def title_of(content: Content) -> Title:
    """The game with that content, its own words, and pictures that cost nothing."""
    small = content is not HOUSE.rules
    digest = "small" if small else HOUSE.digest
    loaded: LoadedGame[Content] = LoadedGame(content, HOUSE.words, digest, HOUSE.dump)
    return Title(GAME, loaded, PlainPicture(), retold)


def small(start: str = "", **changes: Any) -> Content:
    """The house's content with other parts: ``start`` and tiles are drawn in one line each."""
    if start:
        changes["start"] = Tile(tuple(start.split()))
    numbers = dataclasses.replace(HOUSE.rules.numbers, aside=0, **changes.pop("numbers", {}))
    return dataclasses.replace(HOUSE.rules, numbers=numbers, **changes)


def tiles(drawing: str, *, count: int = 1, **icons: bool) -> Mapping[str, Tile]:
    """So many tiles of that drawing, under names that have words."""
    names = list(HOUSE.rules.tiles)[:count]
    return dict.fromkeys(names, Tile(tuple(drawing.split()), **icons))


def all_dangers(kind: Any) -> Mapping[str, Danger]:
    """The danger deck with one kind only."""
    return dict.fromkeys(HOUSE.rules.dangers, Danger(kind, True))


OPEN = "+-D-+ |...| D...D |...| +-D-+"


def sensible(view: SeatView, decision: Decision) -> Sequence[str]:
    """What the computer player would do."""
    choice = GAME.agents["sensible"](view, (decision,), (), Chance(b"e2e"))
    assert choice is not None
    return choice.value


def onwards(_: SeatView, decision: Decision) -> Sequence[str]:
    """Walk through the next door in the dark, whatever it costs."""
    words = {option.word: option.key for option in decision.options}
    for word in ("give_move", "exit", "reveal", "card", "stop", "lie", "deck"):
        if word in words:
            return (words[word],)
    return decision.keys()[: decision.shape.least]


def wasteful(_: SeatView, decision: Decision) -> Sequence[str]:
    """Pace up and down in the dark until no thought is left."""
    words = {option.word: option.key for option in reversed(decision.options)}
    for word in ("give_move", "field", "near", "card", "stop"):
        if word in words:
            return (words[word],)
    return decision.keys()[: decision.shape.least]


def striking(_: SeatView, decision: Decision) -> Sequence[str]:
    """Strike the last match and take what comes."""
    return decision.keys()[: decision.shape.least]


class Party:
    """People who share the Lost and take turns at the one pair of hands."""

    def __init__(self, world: World, policy: Policy, *names: str) -> None:
        self.world = world
        self.policy = policy
        self.names = names
        self.answers = 0

    async def step(self) -> None:
        """One question, answered by the next of those who may, with what the table shows."""
        session = self.world.bot.registry.in_channel(self.world.channel.id)
        assert session is not None
        snapshot = await session.snapshot()
        asked = {decision.seat: decision for decision in snapshot.public_asked}
        seats = [seat for seat, name in enumerate(self.names) if seat in asked]
        seat = seats[self.answers % len(seats)]
        view: Any = snapshot.view
        keys = self.policy(view, asked[seat])
        await self.answer(self.names[seat], asked[seat], keys)
        self.answers += 1
        await self.world.beat()

    async def answer(self, name: str, decision: Decision, keys: Sequence[str]) -> None:
        """Press the button, or choose in the menu, or turn the pages of the panel."""
        table = await self._up_to_date(decision)
        for part in controls(table, "act"):
            if part.custom_id.endswith(f":{keys[0]}") and not part.options:
                await self.world.press(name, table, part.custom_id)
                return
            if set(keys) <= set(part.options):
                await self.world.select(name, table, keys, custom_id=part.custom_id)
                return
        page = decision.keys().index(keys[0]) // MENU_SIZE
        (more,) = controls(table, "more")
        result = await self.world.press(name, table, more.custom_id)
        panel = result.response
        for _ in range(page - 1):
            await self.world.press(name, panel, controls(panel, "more")[-1].custom_id)
            panel = result.response
        (menu,) = controls(panel, "act")
        await self.world.select(name, panel, keys, custom_id=menu.custom_id)

    async def _up_to_date(self, decision: Decision) -> Any:
        """The table's message once it shows the question: a picture takes its time to draw."""
        for _ in range(20):
            for table in reversed(self.world.messages()):
                shown = [read(part.custom_id) for part in controls(table, "act")]
                if any(one is not None and one.question == decision.question for one in shown):
                    return table
            await self.world.beat()
        raise AssertionError(f"the table never showed {decision.kind}")

    @property
    def is_playing(self) -> bool:
        return self.world.bot.registry.in_channel(self.world.channel.id) is not None


ENDINGS: Mapping[str, tuple[Content, Policy, str]] = {
    "escaped": (small(OPEN, tiles=tiles(OPEN, count=3)), sensible, "easy"),
    "mind_lost": (HOUSE.rules, wasteful, "normal"),
    "terror": (
        small(OPEN, tiles=tiles(OPEN, count=4, danger=True), dangers=all_dangers("terror")),
        onwards,
        "normal",
    ),
    "dark_echo": (
        small(
            OPEN,
            tiles={
                **tiles(OPEN, count=2, danger=True, echo=True),
            },
            dangers=all_dangers("collapse"),
        ),
        onwards,
        "very_hard",
    ),
    "maze_closed": (
        small(
            "+---+ |...| D...| |...| +---+",
            tiles=tiles("+---+ |...| D...| |...| +---+", count=2),
            secrets=dict.fromkeys(HOUSE.rules.secrets, Secret("information")),
        ),
        onwards,
        "normal",
    ),
    "trapped": (
        small(
            "+---+ |XXX| |X.X| |XXX| +---+",
            tiles=tiles(OPEN),
            numbers={
                "locks": 8,
                "difficulties": dict.fromkeys(
                    HOUSE.rules.numbers.difficulties, Difficulty(1, deadly=True)
                ),
            },
        ),
        striking,
        "hard",
    ),
}


@pytest.mark.parametrize("ending", ENDINGS)
async def test_every_ending_by_clicks(tmp_path: Path, ending: str, caplog: Any) -> None:
    """Three people share the Lost; after a restart in the middle the same buttons go on; the
    closing message says how it ended, and nothing on the way was without words.
    """
    content, policy, difficulty = ENDINGS[ending]
    title = title_of(content)
    async with World(tmp_path, {title.key: title}) as world:
        await begin(world, title.key, "Ben", "Cleo", difficulty=difficulty)
        party = Party(world, policy, *NAMES[:3])
        await party.step()
        before = world.live()
        await world.restart()
        assert world.live().id == before.id
        while party.is_playing:
            await party.step()
            assert party.answers < 400
        await world.beat()
        closing = world.live()
        assert labels(closing) == ["Play again", "Story"]
        outcome = (await _finished(world)).outcome
        assert outcome["ending"] == ending
        tale = [
            word
            for word in title.content.words.section("names.ending_tale")
            if word.startswith(ending)
            and title.content.words.name("ending_tale", word) in text(closing)
        ]
        assert len(tale) == 1, text(closing)
        assert all(not parts(message) for message in world.messages()[:-1])
    assert [r.message for r in caplog.records if r.message.startswith(("words:", "no words"))] == []


async def _finished(world: World) -> Any:
    (row,) = await world.store.finished(world.guild.id)
    return row


@pytest.mark.timeout(240)
async def test_a_whole_game_with_the_house_s_content(tmp_path: Path, caplog: Any) -> None:
    """A game as people play it, the lead going round, with two restarts; then it is verified."""
    title = title_of(HOUSE.rules)
    async with World(tmp_path, {title.key: title}) as world:
        await begin(world, title.key, "Ben", "Cleo", "Dan", lead="round", difficulty="easy")
        party = Party(world, sensible, *NAMES)
        restarts = [9, 30]
        while party.is_playing:
            await party.step()
            if restarts and party.answers >= restarts[0]:
                restarts.pop(0)
                await world.restart()
            assert party.answers < 400
        await world.beat()
        closing = world.live()
        assert labels(closing) == ["Play again", "Story"]
        assert len(closing.attachments) == 1
        verified = (await world.slash("Dan", "verify")).response
        (attached,) = verified.attachments
        body = (world.env.backend.cdn.get(attached.url) or b"").decode()
        assert '"fear_of_the_dark"' in body
        assert not [name for name in NAMES if name in body]
    assert [r.message for r in caplog.records if r.message.startswith(("words:", "no words"))] == []


async def _asked(world: World) -> Sequence[Decision]:
    session = world.bot.registry.in_channel(world.channel.id)
    return () if session is None else (await session.snapshot()).public_asked


async def test_two_hands_at_once(tmp_path: Path) -> None:
    """Two players choose different hands at the same instant: one counts, the other is shown what
    is asked now; somebody who only watches gets neither.
    """
    title = title_of(HOUSE.rules)
    async with World(tmp_path, {title.key: title}) as world:
        await begin(world, title.key, "Ben")
        party = Party(world, striking, "Ann")
        await party.step()
        table = world.live()
        (menu,) = (part for part in controls(table, "act") if part.options)
        hands = {"Ann": ("move_1", "scout_1", "light_1"), "Ben": ("clear_1", "move_2", "move_3")}
        hands["Dan"] = hands["Ben"]
        results = await world.burst(
            *(world[n].select(table, hands[n], custom_id=menu.custom_id) for n in hands)
        )
        said = [text(r.response) for r in results if r.response.ephemeral]
        assert len(said) == 2
        assert any(one.startswith("The table has moved on") for one in said)
        assert any(one.startswith("You have no seat") for one in said)
        await world.beat()
        assert "In hand: Light a match, Move and Scout." in text(world.live())


async def test_whoever_leads_may_leave(tmp_path: Path) -> None:
    """RULE-F41: the lead is left in the middle of choosing a hand. A computer player chooses, the
    lead goes on to the next, and the one person who stays plays the game to its end.
    """
    title = title_of(HOUSE.rules)
    async with World(tmp_path, {title.key: title}) as world:
        await begin(world, title.key, "Ben", lead="round", difficulty="easy")
        party = Party(world, sensible, "Ann", "Ben")
        while [(one.seat, one.kind) for one in await _asked(world)] != [(0, "build")]:
            await party.step()
        (menu,) = controls(world.live(), "act")
        refused = await world.select(
            "Ben", world.live(), menu.options[: menu.least], custom_id=menu.custom_id
        )
        assert "is for Ann to decide" in text(refused.response)
        leaving = (await world.slash("Ann", "leave")).response
        await world.click("Ann", leaving, "leave_yes")
        for _ in range(300):
            if not party.is_playing:
                break
            if 1 in [one.seat for one in await _asked(world)]:
                await party.step()
            else:
                await world.beat(10)
        assert not party.is_playing
        assert labels(world.live()) == ["Play again", "Story"]
