"""The first turns of a real game on the offline page, as two players, in a real browser."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.offline.table_process import TableProcess, is_running
from tests.offline.test_browser import FLAGS, type_in

if TYPE_CHECKING:
    from playwright.async_api import Page

playwright = pytest.importorskip("playwright.async_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")

BOT = (sys.executable, "-m", "bot", "run")
ROLL = "button:has-text('Roll and move')"
NAMED_LAST = """name => {
    const named = [...document.body.innerText.matchAll(/(Ann|Ben), [^\\n]+ is to act\\./g)];
    return named.length > 0 && named[named.length - 1][1] === name;
}"""


async def whose_turn(pages: dict[str, Page]) -> str:
    """Whom the newest prompt names."""
    page = pages["Ann"]
    await page.wait_for_selector(ROLL)
    named = re.findall(r"(Ann|Ben), [^\n]+ is to act\.", await page.inner_text("body"))
    return named[-1]


async def take_a_turn(pages: dict[str, Page]) -> str:
    """The player whose turn it is rolls and stays; the other's click changes nothing."""
    mover = await whose_turn(pages)
    other = next(name for name in pages if name != mover)
    await pages[other].click(ROLL)
    refused = pages[other].locator(f".message:has-text('is for {mover} to decide')").last
    await refused.wait_for()
    await refused.locator("text=Dismiss message").click()
    await pages[mover].click(ROLL)
    await pages[mover].click(".menu >> nth=-1")
    await pages[mover].click(".popover .option:has-text('Stay')")
    for page in pages.values():
        await page.wait_for_function(NAMED_LAST, arg=other)
    return mover


async def test_the_first_turns_of_a_real_game(tmp_path: Path) -> None:
    """Opened, joined, started, rolled, moved; the bot is killed, and the next one moves."""
    async with TableProcess(tmp_path, bot=BOT) as table, playwright.async_playwright() as driver:
        await table.until("Ann", is_running)
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        pages: dict[str, Page] = {}
        for name in ("Ann", "Ben"):
            context = await browser.new_context(viewport={"width": 1100, "height": 1000})
            pages[name] = await context.new_page()
            pages[name].set_default_timeout(15_000)
            await pages[name].goto(table.links[name])
            await pages[name].wait_for_selector("#bot.running")
        ann, ben = pages["Ann"], pages["Ben"]

        await type_in(ann, "/play game:escape_the_night")
        await ben.click("button:has-text('Join')")
        await ann.wait_for_selector("text=2 of 11")
        await ann.click("button:has-text('Start')")
        for page in pages.values():
            await page.wait_for_selector("img[alt*='Hour 1'], img[alt*='hour 1'], img[alt]")
        first = await take_a_turn(pages)

        await ann.click("text=Kill the bot")
        await ann.wait_for_selector("#bot:not(.running)")
        await ann.wait_for_selector("#bot.running")
        second = await take_a_turn(pages)

        assert first != second
        await browser.close()
