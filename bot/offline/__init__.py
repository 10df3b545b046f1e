"""A simulated Discord for playing and testing without an account.

``bot.offline.wire`` serves SimCord's in-memory Discord over real HTTP and WebSocket on the loopback
interface; ``bot.offline.world`` saves and loads it; ``bot.offline.table`` is the offline table:
the simulated Discord, the normal bot as a child process, and one browser page per player.
The bot itself knows nothing of all this: it is given two other addresses to connect to.
"""
