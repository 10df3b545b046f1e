"""The players' site without a browser: who may see what, and what a page is told."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Self

import aiohttp
import pytest

from bot.offline import page, world
from bot.offline.page import BotState, PlayersPage, listen, views
from bot.offline.wire import Upload

STATIC = Path(page.__file__).parent / "static"
TOKENS = ["ann" * 10, "ben" * 10]


class Site:
    """A served world of two, without a bot."""

    def __init__(self) -> None:
        self.world = world.new_world(("Ann", "Ben"))
        self.kills = 0
        self.state = BotState("running", 1, "")
        self.page = PlayersPage(self.world, TOKENS, lambda: self.state, self.killed)
        self.http = aiohttp.ClientSession()
        self.table = self.world.player(0).places()[0].id

    def killed(self) -> None:
        self.kills += 1

    def url(self, path: str = "", player: int = 0) -> str:
        return self.page.link(player) + path

    def bot_posts(self, channel: int, text: str, **options: Any) -> dict[str, Any]:
        return self.world.simulation.request(
            "POST", f"/channels/{channel}/messages", body={"content": text}, **options
        )

    def whisper(self, player: int, text: str) -> int:
        """An ephemeral answer of the bot; returns its message's id."""
        backend = self.world.simulation.backend
        record = backend.new_interaction(
            2, self.table, self.world.people[player], self.world.guild_id
        )
        self.world.simulation.request(
            "POST",
            f"/interactions/{record.id}/{record.token}/callback",
            body={"type": 4, "data": {"content": text, "flags": 64}},
        )
        assert record.message_id is not None
        return record.message_id


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    """A served world, and its end."""
    made = Site()
    await made.page.start(listen(0))
    yield made
    await made.http.close()
    await made.page.stop()


class Feed:
    """What one open page was told last, by part."""

    def __init__(self, site: Site, player: int) -> None:
        self.site, self.player = site, player
        self.parts: dict[str, Any] = {}

    async def __aenter__(self) -> Self:
        self.socket = await self.site.http.ws_connect(self.site.url("/live", self.player))
        await self.until(lambda parts: "messages" in parts)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.socket.close()

    async def until(self, condition) -> None:
        async with asyncio.timeout(30):
            while not condition(self.parts):
                told = await self.socket.receive_json()
                self.parts[told["part"]] = told["value"]

    def texts(self) -> list[str]:
        return [one["content"] for one in self.parts["messages"]["messages"]]

    def place(self, name: str) -> dict[str, Any]:
        return next(one for one in self.parts["places"] if one["name"] == name)


async def test_only_a_players_own_link_opens_a_page(site: Site) -> None:
    """A wrong token is 404 on every door, and no page lies at the root."""
    for path in ("/p/" + "x" * 30, "/p/" + TOKENS[0][:-1], "/p/", "/", "/p/x/live", "/p/x/file/a"):
        async with site.http.get(f"http://127.0.0.1:{site.page.port}{path}") as response:
            assert response.status == 404, path
    for door in ("act", "kill"):
        wrong = f"http://127.0.0.1:{site.page.port}/p/nobody/{door}"
        async with site.http.post(wrong, json={}) as response:
            assert response.status == 404
    assert site.kills == 0
    async with site.http.get(site.url()) as response:
        assert response.status == 200
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize("headers", [{"Host": "evil.example"}, {"Origin": "http://evil.example"}])
async def test_other_sites_are_refused(site: Site, headers: dict[str, str]) -> None:
    """A right token under another host name, or from another site's script, is 403."""
    async with site.http.get(site.url(), headers=headers) as response:
        assert response.status == 403
    async with site.http.post(site.url("/kill"), headers=headers) as response:
        assert response.status == 403
    assert site.kills == 0


def test_the_page_asks_nobody_else() -> None:
    """No file of the page names an address of the network."""
    files = list(STATIC.iterdir())
    assert {one.suffix for one in files} == {".html", ".css", ".js"}
    for one in files:
        found = set(re.findall(r"(?:https?|wss?)://[\w.-]+", one.read_text("utf-8")))
        assert found <= {"http://www.w3.org"}, one.name  # the namespace of a drawing, no address


async def test_what_is_in_the_static_folder_is_served_and_nothing_else(site: Site) -> None:
    """Scripts and styles come with their types; no path leads out of the folder."""
    root = f"http://127.0.0.1:{site.page.port}/static/"
    async with site.http.get(root + "app.js") as response:
        assert response.status == 200
        assert "javascript" in response.content_type
    for name in ("..%2Fsite.py", "%2e%2e/site.py", "nothing.js", ""):
        async with site.http.get(root + name) as response:
            assert response.status == 404
    async with site.http.get(root + "emoji.ttf") as response:
        assert response.status == 200


async def test_ephemeral_messages_go_to_their_owner_only(site: Site) -> None:
    """Ben's page has what was whispered to Ben, Ann's does not; dismissing takes it away."""
    site.bot_posts(site.table, "for all")
    whispered = site.whisper(1, "for Ben")
    async with Feed(site, 0) as ann, Feed(site, 1) as ben:
        assert ann.texts() == ["for all"]
        assert ben.texts() == ["for all", "for Ben"]
        action = {"do": "dismiss", "channel": site.table, "message": whispered}
        async with site.http.post(site.url("/act", 0), json=action) as response:
            assert await response.json() == {"ok": False, "why": "that message is gone"}
        async with site.http.post(site.url("/act", 1), json=action) as response:
            assert await response.json() == {"ok": True}
        await ben.until(lambda _: ben.texts() == ["for all"])


async def test_pages_follow_within_a_second_and_count_what_is_unread(site: Site) -> None:
    """News in another channel is counted; opening it while it is looked at clears the mark."""
    lounge = site.world.player(0).places()[1].id
    async with Feed(site, 0) as ann:
        await ann.socket.send_json({"watched": True})
        began = asyncio.get_running_loop().time()
        site.bot_posts(site.table, "here")
        await ann.until(lambda _: ann.texts() == ["here"])
        assert asyncio.get_running_loop().time() - began < 1
        site.bot_posts(lounge, f"there <@{site.world.people[0]}>")
        await ann.until(lambda _: ann.place("lounge")["unread"] == 1)
        assert ann.place("lounge")["pinged"]
        assert ann.place("table")["unread"] == 0
        await ann.socket.send_json({"open": str(lounge)})
        await ann.until(lambda _: ann.texts() == [f"there <@{site.world.people[0]}>"])
        await ann.until(lambda _: ann.place("lounge")["unread"] == 0)


async def test_a_page_out_of_sight_reads_nothing(site: Site) -> None:
    """An open but hidden tab leaves messages unread."""
    site.bot_posts(site.table, "news")
    async with Feed(site, 0) as ann:
        assert ann.place("table")["unread"] == 1
        await ann.socket.send_json({"watched": False})
        site.bot_posts(site.table, "more")
        await ann.until(lambda _: ann.place("table")["unread"] == 2)


async def test_pictures_are_served_to_those_who_see_their_message(site: Site) -> None:
    """A direct message's picture is Ann's; Ben's link to the same file is 404."""
    dm = site.world.simulation.backend.dm_channels[site.world.people[0]]
    sent = site.bot_posts(dm, "secret", uploads=[Upload("a.png", b"picture", "alt")])
    path = sent["attachments"][0]["url"].partition(".invalid")[2]
    async with site.http.get(site.url("/file" + path, 0)) as response:
        assert (response.status, await response.read()) == (200, b"picture")
        assert response.content_type == "image/png"
    async with site.http.get(site.url("/file" + path, 1)) as response:
        assert response.status == 404


async def test_a_picture_just_replaced_is_still_served_to_whose_page_shows_it(site: Site) -> None:
    """A page that was told of a picture may fetch it although another has taken its place."""
    dm = site.world.simulation.backend.dm_channels[site.world.people[0]]
    async with Feed(site, 0) as ann:
        await ann.socket.send_str(json.dumps({"open": str(dm)}))
        sent = site.bot_posts(dm, "secret", uploads=[Upload("a.png", b"picture", "alt")])
        path = sent["attachments"][0]["url"].partition(".invalid")[2]
        await ann.until(lambda parts: path in json.dumps(parts["messages"]))
        site.world.simulation.backend.get_message(dm, int(sent["id"])).attachments.clear()
        for player, status in ((0, 200), (1, 404)):
            async with site.http.get(site.url("/file" + path, player)) as response:
                assert response.status == status


async def test_the_bot_can_be_killed_and_its_state_is_told(site: Site) -> None:
    """The control reaches the process, and a change of state reaches the page."""
    async with Feed(site, 0) as ann:
        assert ann.parts["bot"]["state"] == "running"
        async with site.http.post(site.url("/kill")) as response:
            assert response.status == 200
        assert site.kills == 1
        site.state = BotState("restarting", 1, "")
        await ann.until(lambda parts: parts["bot"]["state"] == "restarting")


async def test_a_page_that_cannot_be_told_is_not_left_hanging(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A fault of ours is logged and closes the feed, so that the page connects anew."""

    def broken(_world: object) -> None:
        raise KeyError("lost")

    async with Feed(site, 0) as ann:
        monkeypatch.setattr(views, "people", broken)
        site.bot_posts(site.table, "news")
        while (told := await ann.socket.receive()).type is aiohttp.WSMsgType.TEXT:
            pass
        assert told.data == aiohttp.WSCloseCode.INTERNAL_ERROR
    assert "could not be told" in caplog.text
    assert "KeyError: 'lost'" in caplog.text


@pytest.mark.parametrize(
    "action",
    [
        {},
        {"do": "fly"},
        {"do": "click"},
        {"do": "click", "channel": "x", "message": "1", "custom_id": "a"},
        {"do": "say", "channel": 1, "text": "x"},
        {"do": "slash", "channel": 1, "name": "play", "options": []},
        {"do": "submit", "interaction": 1, "values": {}},
    ],
)
async def test_malformed_actions_are_answered(site: Site, action: dict[str, Any]) -> None:
    """Whatever a page sends gets an answer, never a broken connection."""
    async with site.http.post(site.url("/act"), json=action) as response:
        assert response.status == 200
        answer = await response.json()
        assert answer["ok"] is False
        assert answer["why"]


async def test_an_action_that_is_no_json_is_a_bad_request(site: Site) -> None:
    """400 for what cannot be read."""
    for data in (b"{", b"[]"):
        async with site.http.post(site.url("/act"), data=data) as response:
            assert response.status == 400


async def test_closing_direct_messages_is_remembered_by_the_server(site: Site) -> None:
    """The box in the side bar makes the bot's letters fail with 50007."""
    async with site.http.post(site.url("/act"), json={"do": "dms", "closed": True}) as response:
        assert (await response.json())["ok"]
    assert site.world.memory.closed_dms == {site.world.people[0]}
