"""The rows of a table that is just being opened, before the store has given it a number."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Final

from bot.sessions.faces import SeatCard
from bot.sessions.pace import LOBBY
from bot.store.rows import NO_SEAT, MessageRow, Pace, SeatRow, SessionRow
from engines.kernel.game import GameOption

_CODE: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def session_row(
    *,
    game: str,
    guild_id: int,
    channel_id: int,
    parent_id: int | None,
    host_id: int,
    options: Mapping[str, str],
    pace: Pace,
    at: float,
) -> SessionRow:
    """An open lobby with a fresh code and a fresh secret of the dice."""
    return SessionRow(
        code="".join(secrets.choice(_CODE) for _ in range(6)),
        game=game,
        guild_id=guild_id,
        channel_id=channel_id,
        parent_id=parent_id,
        host_id=host_id,
        options=dict(options),
        secret=secrets.token_bytes(32),
        created_at=at,
        touched_at=at,
        pace=pace,
        expires_at=at + LOBBY,
    )


def chosen(game: Sequence[GameOption], asked: Mapping[str, str]) -> dict[str, str]:
    """A value for each of the game's options: what was asked for if there is such a one."""
    return {
        option.key: asked[option.key] if asked.get(option.key) in option.values else option.default
        for option in game
    }


def seat_rows(sitting: Sequence[SeatCard], opener: int, at: float) -> tuple[SeatRow, ...]:
    """Who sits there from the start."""
    return tuple(
        SeatRow(
            0,
            number,
            card.user_id,
            card.name,
            "computer" if card.user_id is None else "person",
            acted_at=at if card.user_id == opener else None,
        )
        for number, card in enumerate(sitting)
    )


def message_rows(at: float) -> tuple[MessageRow, ...]:
    """The pledge first: it must stand before anybody can press Start. Then the lobby."""
    return tuple(
        MessageRow(0, purpose, NO_SEAT, serial, None, None, "post", 0, at)
        for serial, purpose in enumerate(("pledge", "lobby"), 1)
    )
