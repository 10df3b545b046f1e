"""Discord's rules at the REST interface, asked by hand; and SimCord's names that they rest on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
import simcord.gateway

from bot.offline.wire import Player, RateLimit, Simulation, WireServer, limits, missing_names
from bot.offline.wire.limits import Refusal
from bot.offline.wire.rest import kind_of


class World:
    """A served simulation with one channel and one person, asked without a bot."""

    def __init__(self) -> None:
        self.simulation = Simulation()
        self.server = WireServer(self.simulation, token="right", limit=RateLimit(5, 5.0))
        guild = self.simulation.create_guild("Test")
        self.channel = guild.create_text_channel("table").id
        member = guild.add_member(self.simulation.create_user("ann", global_name="Ann"))
        self.ann = Player(self.simulation, guild.id, member.id)
        self.http = aiohttp.ClientSession()

    async def ask(
        self, method: str, path: str, json: Any = None, token: str = "right", **options: Any
    ) -> tuple[int, Any, Any]:
        headers = {"Authorization": f"Bot {token}", **options.pop("headers", {})}
        async with self.http.request(
            method, self.server.api + path, json=json, headers=headers, **options
        ) as response:
            data = await response.json() if response.content_type == "application/json" else None
            return response.status, data, response.headers

    async def say(self, **body: Any) -> tuple[int, Any, Any]:
        return await self.ask("POST", f"/channels/{self.channel}/messages", body)


@pytest.fixture
async def world() -> AsyncIterator[World]:
    """A served world, and its end."""
    made = World()
    await made.server.start()
    yield made
    await made.http.close()
    await made.server.stop()


def test_every_private_name_of_simcord_is_where_it_was() -> None:
    """Fails by naming what moved, so that a new SimCord is not adopted by accident."""
    moved = missing_names()
    assert not moved, f"simcord moved or renamed: {', '.join(moved)} (used in bot/offline/wire)"


def test_a_moved_name_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The guard above is not blind: a name taken away is reported."""
    monkeypatch.delattr(simcord.gateway.FakeGateway, "feed")
    assert missing_names() == ["simcord.gateway:FakeGateway.feed"]


async def test_a_bad_token_is_unauthorised(world: World) -> None:
    """401 for REST, close code 4004 for the gateway."""
    assert (await world.ask("GET", "/users/@me", token="wrong"))[0] == 401
    assert (await world.ask("GET", "/users/@me"))[0] == 200
    async with world.http.ws_connect(world.server.gateway_address) as socket:
        assert (await socket.receive_json())["op"] == 10
        await socket.send_json({"op": 2, "d": {"token": "wrong", "intents": 1}})
        assert (await socket.receive()).data == 4004


async def test_the_sixth_message_in_five_seconds_is_refused(world: World) -> None:
    """Headers count down to a 429 with Via and Retry-After; another channel has its own bucket."""
    left = [(await world.say(content=str(n)))[2]["X-RateLimit-Remaining"] for n in range(5)]
    assert left == ["4", "3", "2", "1", "0"]
    status, body, headers = await world.say(content="6")
    assert status == 429
    assert 0 < body["retry_after"] <= 5
    assert headers["Via"]
    assert headers["Retry-After"]
    other = world.simulation.guild.create_text_channel("lounge").id
    assert (await world.ask("POST", f"/channels/{other}/messages", {"content": "a"}))[0] == 200


async def test_a_nonce_is_forgotten_after_some_minutes(world: World) -> None:
    """Within minutes the first message comes back, later a second one is made."""
    _, first, _ = await world.say(content="a", nonce="n", enforce_nonce=True)
    _, again, _ = await world.say(content="b", nonce="n", enforce_nonce=True)
    assert (again["id"], again["content"], again["nonce"]) == (first["id"], "a", "n")
    world.simulation.backend.clock.advance(301)
    _, later, _ = await world.say(content="b", nonce="n", enforce_nonce=True)
    assert later["content"] == "b"


async def test_a_message_without_enforced_nonce_is_always_new(world: World) -> None:
    """A nonce alone promises nothing."""
    _, first, _ = await world.say(content="a", nonce="n")
    _, again, _ = await world.say(content="a", nonce="n")
    assert first["id"] != again["id"]


async def test_an_interaction_token_ends_after_fifteen_minutes(world: World) -> None:
    """404 10015 before the first answer, 200 after it, 401 50027 after fifteen minutes."""
    record = world.simulation.backend.new_interaction(
        2, world.channel, world.ann.id, world.simulation.guild.id
    )
    application = world.simulation.backend.application_id
    hook = f"/webhooks/{application}/{record.token}"
    callback = f"/interactions/{record.id}/{record.token}/callback"
    assert (await world.ask("POST", hook, {"content": "x"}))[1]["code"] == 10015
    assert (await world.ask("POST", callback, {"type": 4, "data": {"content": "a"}}))[0] == 200
    assert (await world.ask("POST", callback, {"type": 4, "data": {"content": "a"}}))[1] == {
        "code": 40060,
        "message": "Interaction has already been acknowledged",
    }
    assert (await world.ask("POST", hook, {"content": "x"}))[0] == 200
    world.simulation.backend.clock.advance(15 * 60)
    for method, path in (("POST", hook), ("PATCH", hook + "/messages/@original")):
        status, body, _ = await world.ask(method, path, {"content": "y"})
        assert (status, body["code"]) == (401, 50027)
    world.simulation.forget_spent()
    assert (await world.ask("POST", hook, {"content": "x"}))[1]["code"] == 50027


async def test_a_late_first_answer_is_unknown(world: World) -> None:
    """After three seconds the interaction is void: 10062."""
    record = world.simulation.backend.new_interaction(2, world.channel, world.ann.id, None)
    world.simulation.backend.clock.advance(3.1)
    callback = f"/interactions/{record.id}/{record.token}/callback"
    assert (await world.ask("POST", callback, {"type": 5}))[1]["code"] == 10062


async def test_closed_dms_take_nothing(world: World) -> None:
    """403 50007 while they are closed, and a message when they are open again."""
    path = "/users/@me/channels"
    _, dm, _ = await world.ask("POST", path, {"recipient_id": str(world.ann.id)})
    world.ann.close_dms(world.server.memory.closed_dms)
    send = f"/channels/{dm['id']}/messages"
    status, body, _ = await world.ask("POST", send, {"content": "x"})
    assert (status, body["code"]) == (403, 50007)
    world.ann.close_dms(world.server.memory.closed_dms, closed=False)
    assert (await world.ask("POST", send, {"content": "x"}))[0] == 200
    assert [one.text for one in world.ann.direct_messages()] == ["x"]


async def test_an_archived_thread_takes_a_message_but_no_edit(world: World) -> None:
    """An edit is refused with 50083; a new message wakes the thread up."""
    _, thread, _ = await world.ask(
        "POST", f"/channels/{world.channel}/threads", {"name": "evening", "type": 11}
    )
    send = f"/channels/{thread['id']}/messages"
    _, message, _ = await world.ask("POST", send, {"content": "x"})
    await world.ask("PATCH", f"/channels/{thread['id']}", {"archived": True})
    edit = f"{send}/{message['id']}"
    assert (await world.ask("PATCH", edit, {"content": "y"}))[1]["code"] == 50083
    assert (await world.ask("POST", send, {"content": "z"}))[0] == 200
    assert (await world.ask("PATCH", edit, {"content": "y"}))[0] == 200


async def test_uploads_are_served_under_the_public_address(world: World) -> None:
    """The bot sees an address of this port, and finds the same bytes there."""
    form = aiohttp.FormData()
    form.add_field(
        "payload_json",
        '{"attachments": [{"id": 0, "filename": "a.png", "description": "a picture"}]}',
        content_type="application/json",
    )
    form.add_field("files[0]", b"bytes", filename="a.png", content_type="image/png")
    _, sent, _ = await world.ask("POST", f"/channels/{world.channel}/messages", data=form)
    (attachment,) = sent["attachments"]
    assert attachment["description"] == "a picture"
    assert attachment["url"].startswith(f"http://127.0.0.1:{world.server.port}/cdn/")
    async with world.http.get(attachment["url"]) as response:
        assert await response.read() == b"bytes"


async def test_files_that_no_message_shows_are_forgotten(world: World) -> None:
    """An edited-away picture does not stay in memory for ever; a shown one does."""
    form = aiohttp.FormData()
    form.add_field("files[0]", b"bytes", filename="a.png", content_type="image/png")
    _, sent, _ = await world.ask("POST", f"/channels/{world.channel}/messages", data=form)
    path = sent["attachments"][0]["url"].partition("/cdn")[2]
    world.simulation.forget_spent()
    assert world.simulation.file(path) == b"bytes"
    edit = f"/channels/{world.channel}/messages/{sent['id']}"
    assert (await world.ask("PATCH", edit, {"content": "x", "attachments": []}))[0] == 200
    world.simulation.forget_spent()
    assert world.simulation.file(path) == b"bytes"
    world.simulation.backend.clock.advance(61)
    world.simulation.forget_spent()
    assert world.simulation.file(path) is None


async def test_another_host_name_is_refused(world: World) -> None:
    """A browser led here under another name gets nothing."""
    status, _, _ = await world.ask("GET", "/users/@me", headers={"Host": "evil.example"})
    assert status == 403


async def test_an_unknown_route_is_loud(world: World) -> None:
    """What the simulation cannot do is 501 and noted, never a pretended success."""
    status, _, _ = await world.ask("POST", "/soundboard/play", {})
    assert status == 501
    assert "soundboard" in world.server.rest.gaps[0]


def test_kinds_have_no_ids_and_no_tokens() -> None:
    """Calls are counted by what they do."""
    assert kind_of("PATCH", "/channels/123456/messages/987654") == (
        "PATCH /channels/{id}/messages/{id}"
    )
    assert kind_of("PATCH", "/webhooks/123456/simcord_interaction_1/messages/@original") == (
        "PATCH /webhooks/{id}/{token}/messages/@original"
    )


def row(*components: dict[str, Any]) -> dict[str, Any]:
    """A message of one row."""
    return {"components": [{"type": 1, "components": list(components)}]}


def button(**fields: Any) -> dict[str, Any]:
    """A button without a label."""
    return {"type": 2, "style": 1, "custom_id": "a", **fields}


def menu(options: int, **fields: Any) -> dict[str, Any]:
    """A menu whose options are all chosen."""
    listed = [{"label": str(n), "value": str(n), "default": True} for n in range(options)]
    return {"type": 3, "custom_id": "m", "options": listed, **fields}


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (row(button()), "label or an emoji"),
        (row(button(emoji={"name": "moon"})), "Invalid emoji"),
        (row(menu(2, max_values=3)), "max_values"),
        (row(menu(3, max_values=2)), "defaults"),
        ({"nonce": "n" * 26}, "nonce"),
        ({"attachments": [{"id": 0, "description": "d" * 1025}]}, "description"),
        ({"attachments": [{"id": n} for n in range(11)]}, "attachments"),
        ({"components": [{"type": 10, "content": "\u2014" * 3334}]}, "bytes of text"),
    ],
)
def test_malformed_messages_are_refused(body: dict[str, Any], word: str) -> None:
    """Each rule of Discord's that SimCord lets pass is refused with 50035, naming what is wrong."""
    with pytest.raises(Refusal, match=word) as refused:
        limits.check_message(body)
    assert (refused.value.status, refused.value.code) == (400, 50035)


def test_messages_at_the_limits_pass() -> None:
    """The longest allowed forms are not refused."""
    limits.check_message(
        {
            "nonce": "n" * 25,
            "attachments": [{"id": n, "description": "d" * 1024} for n in range(10)],
            "components": [
                {"type": 10, "content": "\u2014" * 3333},
                *row(button(emoji={"name": "\N{FULL MOON SYMBOL}"}))["components"],
                *row(button(emoji={"name": "1\ufe0f\u20e3"}))["components"],
                *row(menu(25, max_values=25))["components"],
            ],
        }
    )


def command(**fields: Any) -> dict[str, Any]:
    """A command, sound but for what is given."""
    return {"name": "play", "description": "Play", "type": 1, **fields}


@pytest.mark.parametrize(
    ("commands", "word"),
    [
        ([command(name="Play")], "lower-case"),
        ([command(description="")], "description"),
        ([command(description="d" * 101)], "description"),
        ([command(options=[{**command(type=3), "name": f"o{n}"} for n in range(26)])], "options"),
        ([command(options=[command(type=3), command(type=3)])], "same name"),
        (
            [
                command(
                    options=[
                        command(name="a", type=3),
                        command(name="b", type=3, required=True),
                    ]
                )
            ],
            "required",
        ),
        ([command(choices=[{"name": "n", "value": "v"}] * 26)], "choices"),
        ([command(choices=[{"name": "n" * 101, "value": "v"}])], "choices.name"),
        ([command(name=f"c{n}") for n in range(101)], "slash commands"),
    ],
)
def test_malformed_commands_are_refused(commands: list[dict[str, Any]], word: str) -> None:
    """A command tree that Discord would not register is not registered here."""
    with pytest.raises(Refusal, match=word):
        limits.check_commands(commands)


def test_a_command_of_too_many_characters_is_refused() -> None:
    """Names, descriptions and choices together have a limit of their own."""
    options = [
        {"name": f"o{n}", "description": "d" * 100, "type": 3, "choices": choices}
        for n in range(4)
        for choices in [[{"name": "n" * 50, "value": "v" * 50}] * 20]
    ]
    with pytest.raises(Refusal, match="8000"):
        limits.check_commands([command(options=options)])
    limits.check_commands([command(options=options[:3])])
