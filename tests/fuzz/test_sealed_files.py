"""Sealed games that were cut, changed, swollen or made by somebody who has the key."""

from __future__ import annotations

import asyncio
import json
import secrets
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from hypothesis import given
from hypothesis import strategies as st

from bot.sessions import moving, sealing
from bot.sessions.moderating import Place
from bot.sessions.ports import Refusal
from bot.sessions.sealing import MAGIC, MOST_OPENED, MOST_SEALED, Seals
from tests.fuzz.mutants import PATIENT, bounded, damaged_data, short
from tests.sessions.house import ANN, BEA, CID, GUILD, MOD, House

pytestmark = PATIENT
SHORT = short(60)
NAMES = ["Agatha", "Barnaby", "Cordelia"]


class Sealed:
    """A game that was taken out, and the house that knows its key and has lost the game."""

    def __init__(self, folder: Path, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.house = self.run(House(folder).open())
        self.file: bytes = self.run(self._export())
        key = self.run(self.house.store.setting("seal_key"))
        assert key is not None
        self.key = bytes.fromhex(key)
        self.told: dict[str, Any] = json.loads(self.run(Seals(self.house.store).open(self.file)))
        self.told["code"] = "ZZZZZZ"  # not the one that is still here

    def run(self, awaitable: Any) -> Any:
        """Wait for it."""
        return self._loop.run_until_complete(awaitable)

    async def _export(self) -> bytes:
        session = await self.house.game(ANN, BEA, CID)
        await self.house.answer_all_people(session)
        click = self.house.click(MOD, may_manage=True)
        return await moving.export(session, Seals(self.house.store), click)

    def refusal(self, sealed: bytes) -> str:
        """Why a file is refused, in time and in bounds; empty if it came in."""
        with bounded(5):
            try:
                self.run(self._bring_in(sealed))
            except Refusal as refused:
                return str(refused)
        return ""

    async def _bring_in(self, sealed: bytes) -> None:
        house = self.house
        moved = await moving.read(Seals(house.store), sealed, house.time.epoch())
        click = house.click(MOD, may_manage=True)
        await moving.bring_in(house.registry, click, moved, GUILD, Place(900, 901), NAMES)

    def seal(self, packed: bytes, length: int | None = None) -> bytes:
        """A file of whatever stands for the packed contents, under the right key."""
        head, nonce = MAGIC + sealing._name(self.key), secrets.token_bytes(12)
        filled = (len(packed) if length is None else length).to_bytes(4, "big") + packed
        return head + nonce + AESGCM(self.key).encrypt(nonce, filled, head)


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sealed]:
    """One for all tests: a refused file leaves nothing behind."""
    loop = asyncio.new_event_loop()
    made = Sealed(tmp_path_factory.mktemp("sealed"), loop)
    yield made
    made.run(made.house.die())
    loop.close()


@SHORT
@given(data=st.data())
def test_cut_anywhere(sealed: Sealed, data: st.DataObject) -> None:
    """The end is missing, or there is more of it."""
    length = data.draw(st.integers(0, len(sealed.file) - 1))
    more = data.draw(st.binary(max_size=40))
    assert sealed.refusal(sealed.file[:length] + more).startswith("file_")


@SHORT
@given(data=st.data())
def test_bits_turned_anywhere(sealed: Sealed, data: st.DataObject) -> None:
    """One bit or several."""
    changed = bytearray(sealed.file)
    places = st.integers(0, len(changed) * 8 - 1)
    for place in data.draw(st.lists(places, min_size=1, max_size=5, unique=True)):
        changed[place // 8] ^= 1 << place % 8
    assert sealed.refusal(bytes(changed)).startswith("file_")


def test_under_another_key(sealed: Sealed) -> None:
    """Another installation's, and one that bears our key's name but was made under another."""
    other = secrets.token_bytes(32)
    head, nonce = MAGIC + sealing._name(other), bytes(12)
    assert sealed.refusal(head + nonce + bytes(500)) == "file_not_ours"
    head = MAGIC + sealing._name(sealed.key)
    forged = head + nonce + AESGCM(other).encrypt(nonce, bytes(500), head)
    assert sealed.refusal(forged) == "file_damaged"


@pytest.mark.parametrize("length", [None, 0, 3, 2**31, 2**32 - 1])
@pytest.mark.parametrize(
    "packed",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xff" * 100, id="no stream"),
        pytest.param(zlib.compress(b"{}")[:-3], id="cut stream"),
        pytest.param(zlib.compress(b"\xff\xfe{"), id="no text"),
        pytest.param(zlib.compress(b'{"format":1,' * 3), id="no JSON"),
        pytest.param(zlib.compress(b"[" * 100_000), id="too deep"),
        pytest.param(zlib.compress(b'{"made_at":1e999}'), id="endless number"),
        pytest.param(zlib.compress(b'{"made_at":' + b"9" * 5000 + b"}"), id="long number"),
    ],
)
def test_odd_contents(sealed: Sealed, packed: bytes, length: int | None) -> None:
    """What somebody could seal who has the key: a tidy refusal."""
    assert sealed.refusal(sealed.seal(packed, length)).startswith("file_")


def test_bombs(sealed: Sealed) -> None:
    """Small files that want to be large: many zeros, and zeros packed twice."""
    zeros = zlib.compress(bytes(MOST_OPENED * 4), 9)
    assert sealed.refusal(sealed.seal(zeros)) == "file_damaged"
    assert sealed.refusal(sealed.seal(zlib.compress(zeros, 9))) == "file_damaged"
    assert sealed.refusal(MAGIC + bytes(MOST_SEALED)) == "file_too_big"
    quoted = zlib.compress(b'{"format":1,"code":"' + b"A" * (MOST_OPENED // 4) + b'"}', 9)
    assert sealed.refusal(sealed.seal(quoted)) == "file_damaged"


@SHORT
@given(data=st.data())
def test_wrong_shapes_under_the_right_key(sealed: Sealed, data: st.DataObject) -> None:
    """Contents of another shape, or of another version: refused in one word, or a sound game; and
    then nothing, or all of it, is here.
    """
    changed = data.draw(damaged_data(sealed.told))
    before = len(sealed.house.registry.everything())
    file = sealed.seal(zlib.compress(json.dumps(changed).encode()))
    why = sealed.refusal(file)
    came = len(sealed.house.registry.everything()) - before
    assert came == (why == "")
    if came:
        (session,) = [s for s in sealed.house.registry.everything() if s.row.channel_id == 900]
        sealed.run(session.snapshot())
        sealed.run(sealed.house.registry.desk.drain(2.0))
        sealed.run(lose(sealed.house, session.id))


async def lose(house: House, session: int) -> None:
    """Take the game away again, with all that belongs to it."""
    house.registry.drop([session])
    parts = ("interaction", "message", "entry", "aside", "seat", "sitting", "motion")
    for part in parts:
        sql = f"DELETE FROM {part} WHERE session = {session}"
        await house.store._writer.run(lambda c, one=sql: c.execute_fetchall(one))
    sql = f"DELETE FROM session WHERE id = {session}"
    await house.store._writer.run(lambda c: c.execute_fetchall(sql))
