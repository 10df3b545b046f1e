"""What a player's page may ask for: the same things that a person does in Discord's client."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from bot.offline.wire import CannotAct, Player, Reply
from bot.offline.world import World

#: A file in a command option may have this many bytes.
_MOST_BYTES = 8 << 20

Answer = dict[str, Any]
Body = Mapping[str, Any]


class Actions:
    """Carries out one player's actions. An answer holds ``ok``, and ``why`` when it is false."""

    def __init__(self, world: World, player: Player) -> None:
        self.world = world
        self.player = player
        self._doors: dict[str, Callable[[Body], Awaitable[Answer]]] = {
            "autocomplete": self._autocomplete,
            "click": self._click,
            "dismiss": self._dismiss,
            "dms": self._dms,
            "say": self._say,
            "select": self._select,
            "slash": self._slash,
            "submit": self._submit,
        }

    async def act(self, body: Body) -> Answer:
        """Do what ``body`` asks, waiting for the bot's answer as a client does."""
        door = self._doors.get(str(body.get("do")))
        if door is None:
            return {"ok": False, "why": "unknown action"}
        try:
            return await door(body)
        except CannotAct as why:
            return {"ok": False, "why": str(why)}
        except (KeyError, TypeError, ValueError) as wrong:
            return {"ok": False, "why": f"malformed action: {wrong!r}"}

    async def _slash(self, body: Body) -> Answer:
        options = {key: _file(value) for key, value in dict(body["options"]).items()}
        return _outcome(
            await self.player.slash(int(body["channel"]), str(body["name"]), options), command=True
        )

    async def _autocomplete(self, body: Body) -> Answer:
        choices = await self.player.autocomplete(
            int(body["channel"]),
            str(body["name"]),
            str(body["option"]),
            str(body["typed"]),
            dict(body["options"]),
        )
        return {"ok": True, "choices": choices}

    async def _click(self, body: Body) -> Answer:
        shown = self.player.message(int(body["channel"]), int(body["message"]))
        return _outcome(await self.player.click(shown, str(body["custom_id"])))

    async def _select(self, body: Body) -> Answer:
        shown = self.player.message(int(body["channel"]), int(body["message"]))
        values = [str(value) for value in body["values"]]
        return _outcome(await self.player.select(shown, str(body["custom_id"]), values))

    async def _submit(self, body: Body) -> Answer:
        values = {key: _file(value) for key, value in dict(body["values"]).items()}
        return _outcome(await self.player.submit(int(body["interaction"]), values))

    async def _say(self, body: Body) -> Answer:
        text = str(body["text"])
        if not 1 <= len(text) <= 2000:
            return {"ok": False, "why": "a message has 1 to 2000 characters"}
        await self.player.say(int(body["channel"]), text)
        return {"ok": True}

    async def _dismiss(self, body: Body) -> Answer:
        shown = self.player.message(int(body["channel"]), int(body["message"]))
        if shown.ephemeral:
            self.world.dismissed.add((self.player.id, shown.id))
            self.world.simulation.touch()
        return {"ok": True}

    async def _dms(self, body: Body) -> Answer:
        self.player.close_dms(self.world.memory.closed_dms, closed=bool(body["closed"]))
        self.world.simulation.touch()
        return {"ok": True}


def _outcome(reply: Reply, *, command: bool = False) -> Answer:
    """What a client shows of a reply at once: a form, or that nothing came within three seconds."""
    if not reply.acknowledged:
        failed = "The application did not respond" if command else "This interaction failed"
        return {"ok": False, "why": failed}
    if reply.kind == "modal":
        return {"ok": True, "modal": reply.modal, "interaction": str(reply.id)}
    return {"ok": True}


def _file(value: Any) -> Any:
    """``{"name", "base64"}`` becomes name and bytes; anything else stays."""
    if not isinstance(value, Mapping):
        return value
    try:
        data = base64.b64decode(str(value["base64"]), validate=True)
    except binascii.Error as wrong:
        raise ValueError("a file's bytes are not base64") from wrong
    if len(data) > _MOST_BYTES:
        raise ValueError(f"a file has at most {_MOST_BYTES >> 20} MiB here")
    return str(value["name"]), data
