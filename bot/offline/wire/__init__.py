"""SimCord's simulated Discord over real HTTP and WebSocket, for a bot in a process of its own."""

from __future__ import annotations

from bot.offline.wire.buckets import RateLimit
from bot.offline.wire.players import CannotAct, Player
from bot.offline.wire.private_names import missing_names
from bot.offline.wire.rest import Call, Memory, Severed
from bot.offline.wire.server import WireServer
from bot.offline.wire.shown import Place, Reply, Shown
from bot.offline.wire.simulation import Simulation, Upload

__all__ = [
    "Call",
    "CannotAct",
    "Memory",
    "Place",
    "Player",
    "RateLimit",
    "Reply",
    "Severed",
    "Shown",
    "Simulation",
    "Upload",
    "WireServer",
    "missing_names",
]
