"""The players' page in a real browser: two windows at one table, one as small as a phone."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.offline.browser_player import CHROMIUM, DESK, FLAGS, PHONE
from tests.offline.table_process import TableProcess, is_running

if TYPE_CHECKING:
    from playwright.async_api import Page, Route

playwright = pytest.importorskip("playwright.async_api")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")


@dataclass
class Windows:
    """Ann at a laptop, Ben at a phone, and all that their pages asked for or complained of."""

    table: TableProcess
    ann: Page
    ben: Page
    asked: list[str]
    complaints: list[str]


@pytest.fixture
async def windows(tmp_path: Path) -> AsyncIterator[Windows]:
    """A table with two open pages."""
    asked: list[str] = []
    complaints: list[str] = []
    async with TableProcess(tmp_path) as table, playwright.async_playwright() as driver:
        await table.until("Ann", is_running)
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        pages = []
        for name, size in (("Ann", DESK), ("Ben", PHONE)):
            context = await browser.new_context(viewport={"width": size[0], "height": size[1]})
            page = await context.new_page()
            page.set_default_timeout(30_000)
            page.on("request", lambda request: asked.append(request.url))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on(
                "console", lambda said: complaints.append(said.text) if said.type == "error" else 0
            )
            await page.goto(table.links[name])
            await page.wait_for_selector("#bot.running")
            pages.append(page)
        yield Windows(table, pages[0], pages[1], asked, complaints)
        await browser.close()


async def type_in(page: Page, text: str) -> None:
    """Type into the message box and press Enter."""
    await page.fill("#say", text)
    await page.press("#say", "Enter")


async def test_two_players_at_one_table(windows: Windows) -> None:
    """Hint, command, picture with alt text, buttons, menu, letters, form, kill: all by hand."""
    ann, ben = windows.ann, windows.ben

    # A visitor is told what to type; a command posts a board that both see with its picture.
    assert "/play" in await ann.inner_text(".hint")
    await type_in(ann, "/board")
    for page in (ann, ben):
        await page.wait_for_selector("text=number 0")
        picture = page.locator("article img")
        assert await picture.get_attribute("alt") == "A board showing 0"
        assert await picture.evaluate("image => image.naturalWidth") == 320
        # The way to its description hides nothing of it.
        low, way = await picture.bounding_box(), await page.locator(".alt").bounding_box()
        assert low is not None
        assert way is not None
        assert low["y"] + low["height"] <= way["y"]
    assert await ann.locator(".hint").count() == 0
    assert await ann.get_by_text("here it comes").count() == 1
    assert await ben.get_by_text("here it comes").count() == 0

    # One page acts, the other follows by itself, with the newest message in view.
    await ben.click("button:has-text('Count')")
    await ann.wait_for_selector("text=number 1")
    assert await ann.locator("article img").get_attribute("alt") == "A board showing 1"
    await asyncio.gather(
        *(page.click("button:has-text('Whisper')") for page in (ann, ben)),
    )
    for page, name in ((ann, "Ann"), (ben, "Ben")):
        whisper = page.locator("article.ephemeral", has_text=f"only @{name}")
        await whisper.wait_for()
        await page.wait_for_function(
            "() => { const box = document.getElementById('scroll');"
            " return box.scrollHeight - box.scrollTop - box.clientHeight < 5 }"
        )
        assert await page.get_by_text("Only you can see this").last.is_visible()
    assert await ann.get_by_text("only @Ben").count() == 0

    # What one has picked among the suggestions stays picked while the table changes.
    await ann.fill("#say", "/")
    await ann.wait_for_selector("#suggestions .option:nth-child(2)")
    await ann.press("#say", "ArrowDown")
    second = "#suggestions .option[aria-selected='true']:nth-child(2)"
    await ann.wait_for_selector(second)
    await ben.click("button:has-text('Count')")
    await ann.wait_for_selector("article:has-text('number 2')")
    assert await ann.locator(second).count() == 1
    await ann.fill("#say", "")

    # The letter is marked unread in the side bar, which a phone opens as a drawer.
    await ben.wait_for_selector("#menu-unread:has-text('1')")
    assert not await ben.locator("#sidebar").is_visible()
    for seen in (True, False, True):
        await ben.click("#menu")  # opens the drawer, and closes it again
        await ben.locator("#sidebar").wait_for(state="visible" if seen else "hidden")
    await ben.wait_for_selector(".place.dm .badge:has-text('1')")
    await ben.click(".place.dm")
    await ben.wait_for_selector("article:has-text('a letter')")
    await ben.wait_for_function("() => document.getElementById('menu-unread').textContent === ''")
    name = ben.locator("#title")
    assert await name.evaluate("one => one.scrollWidth <= one.clientWidth")  # even on a phone
    await ben.click("button:has-text('Whisper')")
    await ben.wait_for_selector("article.ephemeral:has-text('only @Ben')")

    # A menu, a form, an option with suggestions.
    await ann.click(".menu")
    await ann.click(".popover .option:has-text('Oak')")
    await ann.wait_for_selector("text=picked oak")
    await type_in(ann, "/form")
    await ann.fill("#control-word", "old")
    await ann.select_option("#control-tree", label="Oak")
    await ann.click("#form button:has-text('Submit')")
    await ann.wait_for_selector("text=old oak")
    await ann.fill("#say", "/sa")
    await ann.click("#suggestions .option:has-text('/say')")
    await ann.fill("#option-word", "du")
    await ann.click("#suggestions .option:has-text('Dusk')")
    await ann.select_option("#option-loud", "true")
    await ann.press("#option-loud", "Enter")
    await ann.wait_for_selector("text=DUSK")
    await type_in(ann, "/say word:dawn loud:false")
    await ann.wait_for_selector("article:has-text('dawn')")

    # A link to a message stays on the page and leads to it.
    await ann.click(".place.open")
    board = ann.locator("article", has_text="number 2").first
    await board.wait_for()
    place = await ann.evaluate("() => sessionStorage.getItem('channel')")
    link = f"https://discord.com/channels/1/{place}/{await board.get_attribute('data-id')}"
    await type_in(ann, f"look at {link}")
    address = ann.url
    await ann.click("article .jump:has-text('› message')")
    await ann.wait_for_selector("article.found:has-text('number 2')")
    assert ann.url == address
    await type_in(ann, "https://discord.com/channels/1/2")
    await ann.click("article .jump:has-text('#unknown')")
    await ann.wait_for_selector("#notice:has-text('not open to you')")

    # A relative time counts by itself.
    await type_in(ann, f"<t:{int(await ann.evaluate('Date.now() / 1000')) + 40}:R>")
    clock = ann.locator("article time.time").last
    first = await clock.inner_text()
    assert re.fullmatch(r"in \d+ seconds", first)
    await ann.wait_for_function(
        "seen => [...document.querySelectorAll('article time.time')].at(-1).textContent !== seen",
        arg=first,
        timeout=30_000,
    )

    # The bot is killed, says so, comes back, and an old button works.
    await ann.click("#kill")
    await ann.wait_for_selector("#bot.restarting")
    await ann.wait_for_selector("#bot.running:has-text('start 2')")
    await ann.locator("article", has_text="number 2").get_by_role("button", name="Count").click()
    await ann.wait_for_selector("text=number 3")

    # Whoever writes is text, never markup; nothing was asked of anybody else.
    await type_in(ann, "<img src=x onerror=alert(1)> **bold** `code`")
    await ann.wait_for_selector("article strong:text-is('bold')")
    assert await ann.locator("article img").count() == 1
    root = windows.table.links["Ann"].partition("/p/")[0]
    assert [url for url in windows.asked if not url.startswith((root, "data:"))] == []
    assert windows.complaints == []


async def test_what_is_in_use_is_not_drawn_anew_under_the_hand(windows: Windows) -> None:
    """While a menu is open, or a button held down, the table may change: neither click is lost."""
    ann, ben = windows.ann, windows.ben
    await type_in(ann, "/board")
    await ann.click(".menu")
    await ben.click("button:has-text('Count')")
    await ben.wait_for_selector("text=number 1")
    await type_in(ben, "a word after it")
    await ann.wait_for_selector("article:has-text('a word after it')")
    await ann.click(".popover .option:has-text('Oak')")
    await ann.wait_for_selector("text=picked oak")
    await ann.wait_for_selector("text=number 1")

    await ann.hover("button:has-text('Whisper')")
    await ann.mouse.down()
    await ben.click("button:has-text('Count')")
    await ben.wait_for_selector("text=number 2")
    await asyncio.sleep(0.5)  # it would have come by now
    await ann.mouse.up()
    await ann.wait_for_selector("article.ephemeral:has-text('only @Ann')")
    await ann.wait_for_selector("text=number 2")

    # A picture that takes its time has its place already.
    picture = ann.locator("article img")
    place = await picture.bounding_box()
    arrived = asyncio.Event()

    async def late(route: Route) -> None:
        await arrived.wait()
        await route.continue_()

    await ann.route("**/*.png", late)
    await ben.click("button:has-text('Count')")
    await ann.wait_for_selector("text=number 3")
    assert await picture.evaluate("image => image.naturalWidth") == 0
    assert await picture.bounding_box() == place
    arrived.set()
    await ann.wait_for_function("() => document.querySelector('article img').naturalWidth === 320")

    # What is no longer there to be used goes at once.
    await ann.hover("button:has-text('Count')")
    await ann.mouse.down()
    await ben.click("button:has-text('Count')")
    await ann.wait_for_selector("text=number 4")
    await ann.mouse.up()
    assert windows.complaints == []


async def test_an_action_without_an_answer_says_so(windows: Windows) -> None:
    """While the bot is dead a click fails visibly after three seconds, as on Discord."""
    ann = windows.ann
    await type_in(ann, "/fail how:exit")
    await ann.wait_for_selector("#notice:has-text('did not respond')")
    await ann.wait_for_selector("#bot.down, #bot.running:has-text('start 2')")
