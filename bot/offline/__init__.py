"""A simulated Discord for playing and testing without an account.

``bot.offline.wire`` serves SimCord's in-memory Discord over real HTTP and WebSocket on the loopback
interface; ``bot.offline.world`` saves and loads it; ``bot.offline.table`` is the offline table:
the simulated Discord, the normal bot as a child process, and one browser page per player.
The bot itself knows nothing of all this: it is given two other addresses to connect to.
"""

from __future__ import annotations

import logging

#: What discord.py says of the stand-in clients that SimCord makes; no operator can use it.
_IDLE = ("Guilds intent seems", "PyNaCl is not installed", "davey is not installed")


def _is_of_use(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith(_IDLE)


# SimCord makes its first stand-in while it is imported, hence here, before anything else.
for _name in ("discord.client", "discord.state"):
    logging.getLogger(_name).addFilter(_is_of_use)
