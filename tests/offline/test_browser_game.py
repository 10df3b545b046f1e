"""A whole game on the offline page, by two players in a real browser, one of them at a phone."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from tests.offline.browser_player import (
    CHROMIUM,
    FLAGS,
    PHONE,
    BrowserPlayer,
    play_to_end,
    seen_by_all,
    telling,
)
from tests.offline.table_process import TableProcess, is_running

playwright = pytest.importorskip("playwright.async_api")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")

BOT = (sys.executable, "-m", "bot", "run")
ROLL = "button:has-text('Roll and move')"
TO_ACT = f"article:not(.ephemeral):has({ROLL}) strong:text-matches('^(Ann|Ben), ')"


class TwoPlayers:
    """Ann at a desk and Ben at a phone, and an album of what they saw at great moments."""

    def __init__(self, ann: BrowserPlayer, ben: BrowserPlayer, album: Path) -> None:
        self.ann, self.ben, self.album = ann, ben, album
        self.both = (ann, ben)
        self.votes = 0
        self.played = False
        self.killed = False

    async def photograph(self, moment: str) -> None:
        """Both screens, once they show the same and the newest message."""
        await seen_by_all(self.both)
        for player in self.both:
            await player.photograph(self.album / f"{moment}-{player.name}.png")

    async def arrive(self) -> None:
        """A stranger is told who they are here, and what to type."""
        for player in self.both:
            assert player.name in await player.page.inner_text(".hint")
            assert "/play" in await player.page.inner_text(".hint")
            assert "/play" in str(await player.page.get_attribute("#say", "placeholder"))
            assert await player.page.locator("#bot-news").is_hidden()
        await self.ben.page.wait_for_selector("#who[title*='Ben']")
        await self.photograph("1-first-visit")

    async def open_a_table(self) -> None:
        """Opened, joined, set to an untimed last hour, and begun."""
        ann, ben = self.ann.page, self.ben.page
        await self.ann.type_in("/play game:escape_the_night")
        await ben.click("button:has-text('Join')")
        await ann.wait_for_selector("text=2 of 11")
        await ann.click("button:has-text('Options')")
        await ann.click("[data-custom-id$=':hourglass']")
        await ann.screenshot(path=self.album / "2-options-Ann.png")
        await ann.click(".popover [data-value='untimed']")
        for page in (ann, ben):
            await page.wait_for_selector("article:not(.ephemeral):has-text('in turns')")
            typed = await page.get_attribute("#say", "placeholder")
            assert typed == "Message, or / for commands"
        await self.ann.dismiss()
        await self.photograph("3-lobby")
        await ann.click("button:has-text('Start')")
        for page in (ann, ben):
            await page.wait_for_selector(ROLL)
        await self.photograph("4-first-turn")

    async def take_a_turn(self) -> None:
        """The one to move rolls and stays, on the table; the other's click changes nothing."""
        named = await self.ann.page.locator(TO_ACT).last.inner_text()
        mover, other = self.both if named.startswith("Ann") else self.both[::-1]
        await other.page.click(ROLL)
        refused = f"article.ephemeral:has-text('is for {mover.name} to decide')"
        await other.page.wait_for_selector(refused)
        await other.dismiss()
        await mover.page.click(ROLL)
        stay = "button:has-text('Stay')"  # among few choices; among many it stands in a menu
        await mover.page.wait_for_selector(f"article .menu, article {stay}")
        if menus := await mover.page.query_selector_all("article .menu"):
            await menus[-1].click()
        await mover.page.click(stay)
        for player in self.both:
            await player.page.wait_for_selector(f"{TO_ACT}:has-text('{other.name}, ')")

    async def after(self, player: BrowserPlayer, kinds: list[str]) -> None:
        """What else is done in the game: a card or two, and the kill while a vote is open."""
        self.votes += kinds.count("vote")
        other = self.ben if player is self.ann else self.ann
        if not self.killed and self.votes > 2 and kinds[-1] == "vote":
            await other.look()
            if await other.offered("draft"):
                self.killed = True
                await self.kill_the_bot(player, other)
        elif "vote" in kinds and not self.played:
            self.played = await player.play_a_card()

    async def kill_the_bot(self, voter: BrowserPlayer, other: BrowserPlayer) -> None:
        """One ballot is in, the other begun: both and the board are the same after a kill."""
        cast = await voter.look()
        assert await voter.offered("cast") == 1
        await other.begin_ballot()
        open_ballot = await other.look()
        board = await other.ask("/board words:True")
        await self.photograph("5-ballots")
        await voter.page.click("#kill")
        await asyncio.gather(*(self.see_the_kill(player) for player in self.both))
        await voter.photograph(self.album / f"6-killed-{voter.name}.png")
        for player in self.both:
            # A new process: on a busy computer it takes its time.
            await player.page.wait_for_selector("#bot.running:has-text('start 2')", timeout=60_000)
            assert await player.page.locator("#bot-news").is_hidden()
            assert await player.page.locator("#kill").is_enabled()
        assert await voter.look() == cast
        assert await other.look() == open_ballot
        assert await other.ask("/board words:True") == board
        await self.photograph("7-after-the-kill")

    async def see_the_kill(self, player: BrowserPlayer) -> None:
        """While the bot is away its page says so, to whoever killed it and to the others."""
        await player.page.wait_for_selector("#bot-news:has-text('Nothing is lost')")
        await player.page.wait_for_selector("#kill:disabled")

    async def see_the_end(self) -> None:
        """The closing message is in view with its picture; what is over cannot be pressed."""
        for player in self.both:
            closing = player.page.locator("article:has([data-custom-id^='n:b:again:'])")
            await closing.wait_for()
            picture = closing.locator("img")
            assert await picture.evaluate("image => image.decode().then(() => image.naturalWidth)")
            assert "/verify" in await closing.inner_text()
            await player.at_end()
            assert await player.page.locator("#newest").is_hidden()
            seen = await picture.bounding_box()
            edge = await player.page.locator("#scroll").bounding_box()
            assert seen is not None
            assert edge is not None
            assert seen["y"] + seen["height"] / 2 > edge["y"]
        await self.photograph("8-the-end")
        for player in self.both:
            assert await player.dead_controls() == []
        await self.ann.type_in("/verify")
        await self.ann.page.wait_for_selector("article:last-child .file")
        await self.ann.photograph(self.album / "9-verify-Ann.png")

        page = self.ben.page
        await page.click("#menu")
        await page.click(".place.dm:has(.badge)")
        await page.wait_for_selector("#title:text-is('@Nightwatch')")
        await page.wait_for_selector("article")
        await page.wait_for_function("() => !document.querySelector('.place.dm .badge')")
        assert await self.ben.dead_controls() == []
        await self.ben.photograph(self.album / "9-letters-Ben.png")


@pytest.mark.timeout(240)
async def test_a_whole_game_with_a_kill_in_its_middle(tmp_path: Path) -> None:
    """From /play to the closing message by nothing but what the pages show.

    The first turns are taken at the table, the others in private panels, and every ballot is cast
    in secret. With one ballot in and the other begun the bot is killed, and has lost neither. No
    browser has seen an error or a failed request.
    """
    album = tmp_path / "album"
    album.mkdir()
    async with TableProcess(tmp_path, bot=BOT) as table, playwright.async_playwright() as driver:
        await table.until("Ann", is_running)
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        ann = await BrowserPlayer.open(browser, "Ann", table.links["Ann"], prefer=("stay",))
        ben = await BrowserPlayer.open(browser, "Ben", table.links["Ben"], PHONE, ("stay",))
        two = TwoPlayers(ann, ben, album)

        async with telling(ann, ben):
            await two.arrive()
            await two.open_a_table()
            await two.take_a_turn()
            await two.take_a_turn()
            await play_to_end(two.both, two.after)
            await two.see_the_end()

        assert two.killed
        assert ann.complaints == []
        assert ben.complaints == []
        await browser.close()
