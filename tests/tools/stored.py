"""Games of the toy senate in a data folder."""

import json

from bot.store.db import open_store
from bot.store.protocol import Write
from bot.store.rows import EntryRow, SessionRow, Status
from bot.tools.playing import Player, header_for
from engines.kernel.journal import dump_header, dump_record
from engines.kernel.playthrough import Playthrough

PLIES = 6


async def store_game(
    folder, title, code: str, status: Status = "running", **changes: object
) -> int:
    """Store a game of some plies, with changes to one of its records; the session's number."""
    header = header_for(title, 4, {"length": "long", "cards": "one"}, code, 1)
    play = Playthrough(title.game, title.content.rules, header)
    player = Player(play, title.game.agents["sensible"], code, 1)
    while play.ply < PLIES:
        player.step()
    records = [json.loads(dump_record(entry)) for entry in play.entries]
    records[3] |= changes
    row = SessionRow(
        code=code, game=title.key, guild_id=1, channel_id=len(code) + ord(code[0]),
        status=status, secret=bytes(32), header=dump_header(header),
        content_digest=title.content.digest, created_at=1.0, touched_at=1.0,
    )  # fmt: skip
    async with await open_store(folder) as store:
        await store.put_content(title.content.digest, title.key, title.content.dump.encode())
        session = await store.open_session(row)
        entries = tuple(
            EntryRow(session=session, ply=ply, record=json.dumps(record))
            for ply, record in enumerate(records)
        )
        await store.commit(Write(session=session, expected_ply=0, entries=entries, at=2.0))
    return session
