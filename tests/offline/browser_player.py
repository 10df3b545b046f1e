"""Players who know nothing but their page, and use what it offers: for any game of the bot.

A control's custom_id says whether it answers a question, so neither words nor rules are needed
here. Whatever a player presses must be visible, and the newest message come into view after it.
"""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.async_api import Browser, ConsoleMessage, Page, Response

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]
DESK = (1280, 800)
PHONE = (390, 844)

#: Seconds without any news after which a game counts as stuck.
STUCK = 40.0

#: Seconds within which a page has done what it was asked, even a long row of answers.
PATIENCE = 60.0

#: The page's side; every function waits for a condition, and ``patience`` (ms) bounds a failure.
_PAGE_SIDE = (Path(__file__).parent / "browser_player.js").read_text("utf-8")


class Stuck(AssertionError):
    """The page offers nothing more, or something that cannot be used; the message says what."""


class BrowserPlayer:
    """One person at one page. ``prefer`` holds keys of options to choose where they are offered."""

    def __init__(self, name: str, page: Page, prefer: Sequence[str] = ()) -> None:
        self.name = name
        self.page = page
        self.prefer = prefer
        #: Kinds of the questions answered so far, in order.
        self.answers: list[str] = []
        #: What the browser complained of: errors of scripts, failed requests, refused ones.
        self.complaints: list[str] = []
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("requestfailed", lambda one: self.complaints.append(f"{one.failure}: {one.url}"))
        page.on("crash", lambda _: self.complaints.append("the page crashed"))
        page.on("console", self._said)
        page.on("response", self._answered)

    @classmethod
    async def open(
        cls,
        browser: Browser,
        name: str,
        link: str,
        size: tuple[int, int] = DESK,
        prefer: Sequence[str] = (),
    ) -> BrowserPlayer:
        """Open a player's link in a window of its own, so many pixels wide and high."""
        context = await browser.new_context(viewport={"width": size[0], "height": size[1]})
        made = cls(name, await context.new_page(), prefer)
        await made.page.goto(link)
        await made.page.wait_for_selector("#bot.running")
        return made

    def _said(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.complaints.append(said.text)

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.complaints.append(f"{response.status}: {response.url}")

    async def _do(self, what: str, **facts: Any) -> Any:
        try:
            async with asyncio.timeout(PATIENCE):
                return await self.page.evaluate(
                    f"async (facts) => {{ {_PAGE_SIDE}; return {what}; }}", facts
                )
        except TimeoutError:
            raise Stuck(f"{self.name}: the page does not come back from {what}") from None

    # ------------------------------------------------------------------ by keyboard and mouse

    async def type_in(self, text: str) -> None:
        """Type into the message box and press Enter."""
        await self.page.fill("#say", text)
        await self.page.press("#say", "Enter")

    async def ask(self, command: str) -> str:
        """Type a command that is answered privately; the answer's text, which is dismissed then."""
        private = "[...document.querySelectorAll('article.ephemeral')]"
        known = await self.page.evaluate(f"() => {private}.map(one => one.dataset.id)")
        await self.type_in(command)
        answer = await self.page.wait_for_function(
            f"known => {private}.find(one => !known.includes(one.dataset.id)"
            " && one.querySelector('.container'))",
            arg=known,
        )
        article = answer.as_element()
        assert article is not None
        # What the message says, without the minute at which it came.
        parts = await article.query_selector_all(".container")
        text = "\n".join([await part.inner_text() for part in parts])
        await self.dismiss(await article.get_attribute("data-id"))
        return text

    async def dismiss(self, number: str | None = None) -> None:
        """Dismiss a message that only this player sees; the newest one if no id is given."""
        if number is None:
            newest = self.page.locator("article.ephemeral").last
            number = await newest.get_attribute("data-id")
        await self.page.click(f"article[data-id='{number}'] >> text=Dismiss message")
        await self.page.wait_for_selector(f"article[data-id='{number}']", state="detached")

    async def at_end(self) -> None:
        """Wait until the newest message's end is in view."""
        await self.page.wait_for_function(
            "() => { const box = document.getElementById('scroll');"
            " return box.scrollHeight - box.scrollTop - box.clientHeight < 5 }"
        )

    async def photograph(self, path: Path) -> None:
        """Keep what is on the screen, once the newest message is in view."""
        await self.at_end()
        await self.page.screenshot(path=path)

    # ------------------------------------------------------------------ a seat's private panel

    async def open_panel(self) -> None:
        """Ask for a panel at the bottom of the channel, and let an older one go."""
        if number := await self._do("panel()?.dataset.id"):
            await self.dismiss(number)
        await self.type_in("/act")
        await self.page.wait_for_selector(
            "article.ephemeral [data-custom-id^='n:b:panel:'],"
            " article [data-custom-id^='n:b:again:']"
        )

    async def look(self) -> str:
        """Have the panel say what is asked now; its text, empty when the game is over."""
        if not await self._do("isNewest(panel())"):
            await self.open_panel()
        return "" if await self.is_over() else self._read(await self._do("look()"))

    async def play(self) -> list[str]:
        """Look, and answer what is asked until no more is; the kinds of the questions answered."""
        if not await self.look():
            return []
        told = await self._do("answerAll(facts)", prefer=list(self.prefer))
        kinds = [one.partition(":")[2] for one in told["answers"]]
        self.answers += kinds
        self._read(told)
        return kinds

    async def play_a_card(self) -> bool:
        """Open the hand and play the first card that may be played now, if there is one."""
        if not await self.look():
            return False
        told = await self._do("playACard(facts)", prefer=list(self.prefer))
        self._read(told)
        await self.dismiss()
        return bool(told["answers"])

    async def begin_ballot(self) -> None:
        """Place the first token of the ballot that the panel shows, and hand nothing in."""
        self._read(await self._do("spendOne()"))

    async def offered(self, *verbs: str) -> int:
        """How many controls with these verbs could be used in the panel."""
        return await self._do("controls(panel(), ...facts.verbs).length", verbs=verbs)

    async def dead_controls(self) -> list[str]:
        """Labels of what everybody could still press here that would only be of use in a game."""
        return await self._do(
            "articles().filter((one) => !one.classList.contains('ephemeral'))"
            ".flatMap((one) => controls(one, ...facts.verbs)).map((one) => one.innerText)",
            verbs=["act", "ballot", "cast", "draft", "form", "hand", "menu", "more", "panel"],
        )

    def _read(self, told: dict[str, Any]) -> str:
        if told["failure"]:
            raise Stuck(f"{self.name}: {told['failure']}\n{told['text']}")
        return told["text"]

    async def is_over(self) -> bool:
        """Whether the game's closing message stands in the channel."""
        return await self._do("articles().some((one) => controls(one, 'again').length > 0)")


async def play_to_end(
    players: Sequence[BrowserPlayer],
    after: Callable[[BrowserPlayer, list[str]], Awaitable[None]],
) -> None:
    """Let everybody play in turn; ``after`` hears who has answered questions of which kinds."""
    moved = time.monotonic()
    while not await players[0].is_over():
        for player in players:
            if kinds := await player.play():
                moved = time.monotonic()
                await after(player, kinds)
        if time.monotonic() - moved > STUCK:
            raise Stuck("\n\n".join([await player.look() for player in players]))


@asynccontextmanager
async def telling(*players: BrowserPlayer) -> AsyncIterator[None]:
    """Whatever fails inside tells what stood on everybody's page then."""
    try:
        yield
    except Exception as failure:
        for player in players:
            words = await player.page.inner_text("#scroll")
            failure.add_note(
                f"{player.name} sees at the end: {words[-900:]!r}; {player.complaints}"
            )
        raise


async def seen_by_all(players: Sequence[BrowserPlayer]) -> None:
    """Wait until every page shows the same public messages with the same pictures."""
    public = (
        "() => [...document.querySelectorAll('article:not(.ephemeral) .container')].map(one =>"
        " one.innerText + [...one.querySelectorAll('img')].map(img => img.src.split('/').at(-1)))"
    )
    async with asyncio.timeout(STUCK):
        while True:
            told = [await player.page.evaluate(public) for player in players]
            if all(one == told[0] for one in told):
                return
            await asyncio.sleep(0.1)
