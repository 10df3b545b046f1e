"""Games that go out of an installation as files and come in again, for tests."""

from __future__ import annotations

from bot.sessions import moving
from bot.sessions.moderating import Place
from bot.sessions.moving import Moved
from bot.sessions.sealing import Seals
from bot.sessions.session import Session
from tests.sessions.house import ANN, BEA, CID, GUILD, MOD, House

NAMES = ["Agatha", "Barnaby", "Cordelia"]


ELSEWHERE = Place(900, 901)


async def played(house: House) -> Session:
    """A game of three, some answers long."""
    session = await house.game(ANN, BEA, CID)
    for _ in range(3):
        await house.answer_all_people(session)
    return session


async def export(house: House, session: Session, user: int = MOD) -> bytes:
    """The game as a file."""
    click = house.click(user, may_manage=True)
    return await moving.export(session, Seals(house.store), click)


async def read(house: House, sealed: bytes) -> Moved:
    """What this installation finds in a file."""
    return await moving.read(Seals(house.store), sealed, house.time.epoch())


async def bring_in(house: House, sealed: bytes, place: Place = ELSEWHERE) -> Session:
    """The file's game in another channel."""
    moved = await read(house, sealed)
    click = house.click(MOD, may_manage=True)
    return await moving.bring_in(house.registry, click, moved, GUILD, place, NAMES)


async def lose(house: House, session: Session) -> None:
    """The game's rows are lost, as after going on from an older backup; the key is not."""
    sqls = [f"DELETE FROM {part} WHERE session = {session.id}" for part in
            ("interaction", "message", "entry", "aside", "seat", "sitting", "former",
             "motion")]  # fmt: skip
    await house.registry.desk.drain(2.0)
    house.registry.drop([session.id])
    for sql in (*sqls, f"DELETE FROM session WHERE id = {session.id}"):
        await house.store._writer.run(lambda c, one=sql: c.execute_fetchall(one))


async def key_in(house: House) -> str:
    """The key that files of this installation are sealed with, as its setting says it."""
    await Seals(house.store).seal(b"")
    key = await house.store.setting("seal_key")
    assert key is not None
    return key
