"""What a player's page is told: places with unread marks, messages, commands, people, the bot."""

from __future__ import annotations

import json
from typing import Any

from bot.offline.wire import Player, Shown
from bot.offline.world import World

#: Messages of a channel that a page shows.
WINDOW = 60

_REPLY = 19
_PNG = b"\x89PNG\r\n\x1a\n"


def places(world: World, player: Player) -> list[dict[str, Any]]:
    """Every place with how much is unread in it; ``pinged`` when that addresses the player."""
    found: list[dict[str, Any]] = []
    for place in player.places():
        mark = world.read.get((player.id, place.id), 0)
        unread, named = player.unread(place.id, mark) if place.latest > mark else (0, False)
        channel = world.simulation.backend.channels[place.id]
        archived = channel.thread_metadata is not None and channel.thread_metadata.archived
        found.append(
            {
                "id": str(place.id),
                "name": place.name,
                "kind": place.kind,
                "topic": channel.topic or "",
                "parent": str(place.parent) if place.parent else None,
                "archived": archived,
                "unread": unread,
                "pinged": named or place.kind == "dm",
            }
        )
    return found


def messages(world: World, player: Player, channel_id: int) -> list[dict[str, Any]]:
    """The newest messages of one channel as this player sees them, oldest first."""
    dismissed = {message for reader, message in world.dismissed if reader == player.id}
    shown = player.messages(channel_id, WINDOW, skip=dismissed)
    return [_message(world, one, player) for one in shown]


def commands(player: Player, channel_id: int) -> list[dict[str, Any]]:
    """The slash commands of this place."""
    return player.commands(channel_id)


def people(world: World) -> dict[str, Any]:
    """Names by id, for mentions and for options that take a person, a role or a channel."""
    backend = world.simulation.backend
    guild = backend.guilds[world.guild_id]
    return {
        "server": guild.name,
        "users": {
            str(user): {
                "name": backend.users[user].global_name or backend.users[user].name,
                "bot": backend.users[user].bot,
                "owner": user == guild.owner_id,
            }
            for user in guild.members
        },
        "roles": {str(role.id): role.name for role in guild.roles.values() if role.id != guild.id},
        "channels": {
            str(channel.id): channel.name
            for channel in backend.channels.values()
            if channel.guild_id == guild.id
        },
    }


def as_text(part: Any, stored: str, served: str) -> str:
    """A part as JSON, with files under the page's own address instead of the stored one."""
    return json.dumps(part, default=str).replace(stored, served)


def _sized(world: World, attachment: dict[str, Any]) -> dict[str, Any]:
    """With a picture's pixels, as Discord tells them: a page keeps a place for what is to come."""
    data = world.simulation.file(attachment["url"]) or b""
    if not data.startswith(_PNG):
        return attachment
    width, height = (int.from_bytes(data[at : at + 4]) for at in (16, 20))
    return {**attachment, "width": width, "height": height}


def _message(world: World, shown: Shown, reader: Player) -> dict[str, Any]:
    payload = shown.payload
    asked = payload.get("interaction_metadata") or {}
    referenced = payload.get("referenced_message") or {}
    return {
        "id": str(shown.id),
        "author": {
            "id": payload["author"]["id"],
            "name": payload["author"].get("global_name") or payload["author"]["username"],
            "bot": bool(payload["author"].get("bot")),
        },
        "at": payload["timestamp"],
        "edited": payload["edited_timestamp"] is not None and not shown.ephemeral,
        "content": shown.content,
        "embeds": payload["embeds"],
        "components": shown.components,
        "attachments": [_sized(world, one) for one in shown.attachments],
        "ephemeral": shown.ephemeral,
        "loading": shown.loading,
        "mine": reader.id in shown.pings,
        "type": payload["type"],
        "asked": {
            "user": (asked.get("user") or {}).get("id"),
            "command": asked.get("name"),
        }
        if asked.get("name")
        else None,
        "reply": {
            "author": referenced["author"].get("global_name") or referenced["author"]["username"],
            "content": referenced["content"],
        }
        if payload["type"] == _REPLY and referenced
        else None,
    }
