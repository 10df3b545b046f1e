"""The private SimCord names that this package rests on, and a check that they are still there.

A new SimCord may move any of them; then the check names it, before a game stops in the middle.
"""

from __future__ import annotations

import importlib
from typing import Any

import discord
from simcord.env import Env

from bot.offline.wire.simulation import STORED_CDN

#: Every private name that this package relies on: ``module:attribute.attribute``.
PRIVATE_NAMES = (
    "simcord._clock:Clock.advance",
    "simcord._clock:Clock.now",
    "simcord.actors:MemberActor._check",
    "simcord.actors:_dispatch_actor_interaction",
    "simcord.backend:Backend.emit",
    "simcord.backend:Backend.find_command",
    "simcord.backend:Backend.get_dm_channel",
    "simcord.backend:Backend.now_iso",
    "simcord.backend:Backend.visible_commands",
    "simcord.backend.access:channel_accessible",
    "simcord.backend.cdn:CDN_BASE",
    "simcord.backend.cdn:CdnStore.get",
    "simcord.backend.errors:BackendError.to_json",
    "simcord.backend.models:Interaction.loading",
    "simcord.backend.models:Message.visible_to",
    "simcord.backend.serializers:guild_create_payload",
    "simcord.backend.serializers:message_payload",
    "simcord.backend.serializers:user_payload",
    "simcord.builders:_guard_builder_operation",
    "simcord.env:Env._begin_operation",
    "simcord.env:Env._end_operation",
    "simcord.env:Env._mark_mutation",
    "simcord.env:Env._notify_dispatch_observers",
    "simcord.env:Env._settle_internal",
    "simcord.gateway:FakeGateway.feed",
    "simcord.gateway:FakeWebSocket.request_chunks",
    "simcord.http.router:dispatch",
    "simcord.interactions:command_leaves",
)

#: Private attributes that exist only on instances; :func:`missing_names` makes one of each.
PRIVATE_ATTRIBUTES = (
    "_guilds",
    "_started",
    "backend._reserved_ids",
    "backend._sequences",
    "backend.cdn._blobs",
    "backend.channels",
    "backend.clock",
    "backend.commands",
    "backend.dm_channels",
    "backend.faults",
    "backend.guilds",
    "backend.http_requests",
    "backend.interaction_tokens",
    "backend.interactions",
    "backend.messages",
    "backend.subscribers",
    "backend.transcript",
    "backend.users",
)


def missing_names() -> list[str]:
    """The private SimCord names that this package uses and that are gone: none, if all is well."""
    missing: list[str] = []
    for name in PRIVATE_NAMES:
        module, _, path = name.partition(":")
        try:
            target: Any = importlib.import_module(module)
            for part in path.split("."):
                target = getattr(target, part)
        except (ImportError, AttributeError):
            missing.append(name)
    env = Env(discord.Client(intents=discord.Intents(guilds=True)))
    for name in PRIVATE_ATTRIBUTES:
        target = env
        try:
            for part in name.split("."):
                target = getattr(target, part)
        except AttributeError:
            missing.append(f"simcord.env:Env().{name}")
    if importlib.import_module("simcord.backend.cdn").CDN_BASE != STORED_CDN:
        missing.append("simcord.backend.cdn:CDN_BASE (its value changed)")
    return missing
