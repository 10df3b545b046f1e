"""Finished games and their public records, for tests of what is checked and what is kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bot.sessions.pledge import dice_secret, keys_of
from bot.sessions.record import digest_of, dump, public_record
from bot.titles import Title
from bot.tools.playing import Play, Player
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough

ROOT = b"r" * 32
START = "1234567890123456789"


def header_of(title: Title, seats: int, root: bytes = ROOT, **options: str) -> Header:
    """The header that a session makes of its secret and of the click on Start."""
    keys = keys_of(root, START)
    chosen = {option.key: option.default for option in title.game.options} | options
    return Header(
        title.key,
        title.game.rules_version,
        title.content.digest,
        keys.open.hex(),
        seats,
        chosen,
        START,
        keys.hidden.hex(),
    )


def played(
    title: Title,
    seats: int,
    *,
    seed: str = "1",
    agent: str = "sensible",
    rewind: int = 0,
    root: bytes = ROOT,
    **options: str,
) -> Play:
    """A game to its end; after ``rewind`` answers the second half of them is taken back."""
    header = header_of(title, seats, root, **options)
    play: Play = Playthrough(title.game, title.content.rules, header)
    player = Player(play, title.game.agents[agent], seed, 1)
    while play.outcome is None:
        if rewind and play.ply == rewind:
            kept = play.entries[: rewind // 2]
            play = Playthrough.replay(title.game, title.content.rules, header, kept, branch=1)
            player = Player(play, title.game.agents[agent], f"{seed} again", 1)
            rewind = 0
        player.step()
    return play


def record_of(play: Play, root: bytes = ROOT) -> dict[str, Any]:
    """The public record, as it is read from its file."""
    return json.loads(dump(public_record(play, dice_secret(root))))


def sealed(record: Mapping[str, Any]) -> str:
    """A record as a file, with a digest that fits: what a careful forger would hand on."""
    return dump({**record, "digest": digest_of(record)})
