"""A moderator's clicks and what the log has of them, for tests."""

from __future__ import annotations

from bot.sessions.faces import NoticeFace
from bot.sessions.ports import Click
from bot.sessions.session import Session
from tests.sessions.house import MOD, House


def mod(house: House, user: int = MOD) -> Click:
    """A click of a moderator."""
    return house.click(user, may_manage=True)


async def words(house: House) -> list[str]:
    """The notices in the channel."""
    await house.run(3)
    return [m.face.word for m in house.channel.of(NoticeFace) if isinstance(m.face, NoticeFace)]


async def done(house: House, session: Session) -> list[str]:
    """The log of the table, the oldest first."""
    return [act.what for act in reversed(await house.store.acts(session.guild_id, session.id))]


async def damage(house: House, session: Session, ply: int, record: str) -> None:
    """Change a stored record behind the store's back."""
    sql = "UPDATE entry SET record = ? WHERE session = ? AND ply = ?"
    await house.store._writer.run(
        lambda connection: connection.execute_fetchall(sql, (record, session.id, ply))
    )
