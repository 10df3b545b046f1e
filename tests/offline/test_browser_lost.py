"""Fear of the Dark on the offline page: two players share the Lost, one of them at a phone."""

from __future__ import annotations

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
TABLE = "article:not(.ephemeral)"
INTO_THE_DARK = ("give.move", "yes")
"""Keys of a hurried walk: through the dark, a thought for each stretch of the way."""


class Party:
    """Ann at a desk and Ben at a phone, and an album of what they saw."""

    def __init__(self, ann: BrowserPlayer, ben: BrowserPlayer, album: Path) -> None:
        self.ann, self.ben, self.album = ann, ben, album
        self.both = (ann, ben)
        self.answers = 0

    async def photograph(self, moment: str) -> None:
        """Both screens, once they show the same and the newest message."""
        await seen_by_all(self.both)
        for player in self.both:
            await player.photograph(self.album / f"{moment}-{player.name}.png")

    async def begin(self) -> None:
        """Opened by one, joined by the other, and begun."""
        await self.ann.type_in("/play game:fear_of_the_dark")
        await self.ben.page.click("button:has-text('Join')")
        await self.ann.page.wait_for_selector("text=2 of 8")
        await self.photograph("1-lobby")
        await self.ann.page.click("button:has-text('Start')")
        for player in self.both:
            await player.page.wait_for_selector(f"{TABLE}:has-text('Anybody at the table')")
        await self.photograph("2-start")

    async def strike_together(self) -> None:
        """Ben strikes the match at the table, Ann chooses the hand: what either does, both see."""
        await self.ben.page.click(f"{TABLE} button:has-text('Strike a match')")
        menu = f"{TABLE} [data-custom-id*=':build:']"
        for player in self.both:
            await player.page.wait_for_selector(menu)
        await self.photograph("3-build")
        await self.ann.page.click(menu)
        options = self.ann.page.locator(".popover [data-value]")
        for number in range(3):
            await options.nth(number).click()
        await self.ann.page.click(".popover >> text=Done")
        for player in self.both:
            await player.page.wait_for_selector(f"{TABLE}:has-text('In hand:')")
        await self.photograph("4-light")

    async def kill(self) -> None:
        """In the middle of the light the bot is killed; the board is the same afterwards."""
        board = await self.ann.ask("/board words:True")
        await self.ann.page.click("#kill")
        for one in self.both:
            await one.page.wait_for_selector("#bot-news:has-text('Nothing is lost')")
        for one in self.both:
            await one.page.wait_for_selector("#bot.running:has-text('start 2')", timeout=60_000)
        assert await self.ann.ask("/board words:True") == board
        await self.photograph("5-after-the-kill")

    async def after(self, player: BrowserPlayer, kinds: list[str]) -> None:
        """Who has answered what."""
        self.answers += len(kinds)

    async def see_the_end(self) -> None:
        """The closing message is in view, with its picture."""
        for player in self.both:
            closing = player.page.locator("article:has([data-custom-id^='n:b:again:'])")
            await closing.wait_for()
            picture = closing.locator("img")
            assert await picture.evaluate("image => image.decode().then(() => image.naturalWidth)")
            assert await player.dead_controls() == []
        await self.photograph("6-the-end")


@pytest.mark.timeout(240)
async def test_two_players_share_the_lost(tmp_path: Path) -> None:
    """From /play to the closing message: either player answers for both, at the table and in
    panels, and a kill in the middle costs nothing.
    """
    album = tmp_path / "album"
    album.mkdir()
    async with TableProcess(tmp_path, bot=BOT) as table, playwright.async_playwright() as driver:
        await table.until("Ann", is_running)
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        links = table.links
        ann = await BrowserPlayer.open(browser, "Ann", links["Ann"], prefer=INTO_THE_DARK)
        ben = await BrowserPlayer.open(browser, "Ben", links["Ben"], PHONE, INTO_THE_DARK)
        party = Party(ann, ben, album)

        async with telling(ann, ben):
            await party.begin()
            await party.strike_together()
            await party.kill()
            await play_to_end(party.both, party.after)
            await party.see_the_end()

        assert party.answers
        assert ann.complaints == []
        assert ben.complaints == []
        await browser.close()
