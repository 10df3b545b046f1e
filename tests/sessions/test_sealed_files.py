"""Files that are not what they should be: each is refused, tidily and cheaply."""

from __future__ import annotations

import json
import time
import tracemalloc
import zlib
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.sessions import sealing
from bot.sessions.ports import Refusal
from bot.sessions.sealing import MAGIC, MOST_SEALED, Seals
from tests.sessions.house import House
from tests.sessions.moved import bring_in, export, key_in, lose, played, read


@pytest.mark.parametrize(("days", "fits"), [(89, True), (91, False), (-0.5, True), (-2, False)])
async def test_files_have_their_time(house: House, days: float, fits: bool) -> None:
    """Ninety days; a file from the future was made under a wrong clock."""
    sealed = await export(house, await played(house))
    house.time.offset += days * 86400
    if fits:
        await read(house, sealed)
    else:
        with pytest.raises(Refusal, match="file_expired"):
            await read(house, sealed)


async def test_every_cut_and_every_flipped_byte_is_refused(house: House) -> None:
    """Truncated or changed anywhere: one tidy refusal, in no time."""
    sealed = await export(house, await played(house))
    lengths = [0, 1, len(MAGIC) - 1, len(MAGIC), len(MAGIC) + 7, len(MAGIC) + 30, len(sealed) - 1]
    for length in lengths:
        with pytest.raises(Refusal, match="file_"):
            await read(house, sealed[:length])
    for place in [*range(60), len(sealed) // 2, len(sealed) - 1]:
        changed = bytearray(sealed)
        changed[place] ^= 1
        with pytest.raises(Refusal, match="file_"):
            await read(house, bytes(changed))
    with pytest.raises(Refusal, match="file_damaged"):
        await read(house, sealed + b"x")


@given(data=st.binary(max_size=400), ours=st.booleans())
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_whatever_comes_is_a_tidy_refusal(data: bytes, ours: bool) -> None:
    """Any bytes, also behind the right first line and the right key's name: never anything else."""
    key = b"k" * 32
    made = MAGIC + sealing._name(key) + data if ours else data
    with pytest.raises(Refusal, match="file_"):
        sealing._open(key, made)


async def test_huge_files_cost_little(house: House) -> None:
    """Too many bytes are refused unread; packed zeros are not unpacked beyond the limit."""
    with pytest.raises(Refusal, match="file_too_big"):
        await read(house, MAGIC + bytes(MOST_SEALED))
    key = bytes.fromhex(await key_in(house))
    bomb = zlib.compress(bytes(200 * 1024 * 1024), 9)
    filled = len(bomb).to_bytes(4, "big") + bomb
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    head = MAGIC + sealing._name(key)
    sealed = head + bytes(12) + AESGCM(key).encrypt(bytes(12), filled, head)
    tracemalloc.start()
    begun = time.process_time()
    with pytest.raises(Refusal, match="file_damaged"):
        await read(house, sealed)
    assert time.process_time() - begun < 5
    assert tracemalloc.get_traced_memory()[1] < 3 * sealing.MOST_OPENED
    tracemalloc.stop()


def _without(key: str) -> Any:
    def change(told: dict[str, Any]) -> Any:
        del told[key]
        return told

    return change


@pytest.mark.parametrize(
    "change",
    [
        lambda told: [],
        lambda told: None,
        lambda told: {**told, "format": 2},
        lambda told: {**told, "secret": "xyz"},
        lambda told: {**told, "entries": [["a"]]},
        lambda told: {**told, "entries": 5},
        lambda told: {**told, "seats": [[0]]},
        lambda told: {**told, "sittings": {"a": 1}},
        lambda told: {**told, "options": []},
        lambda told: {**told, "made_at": "soon"},
        _without("code"),
        _without("header"),
    ],
)
async def test_a_file_of_another_form_is_refused(house: House, change: Any) -> None:
    """Sealed with our key, by another version: one sentence, never a traceback."""
    session = await played(house)
    seals = Seals(house.store)
    told = json.loads(await seals.open(await export(house, session)))
    sealed = await seals.seal(json.dumps(change(told)).encode())
    with pytest.raises(Refusal, match="file_damaged"):
        await read(house, sealed)


@pytest.mark.parametrize(
    "change",
    [
        lambda told: {**told, "entries": told["entries"][1:]},
        lambda told: {**told, "header": "{}"},
        lambda told: {**told, "seats": told["seats"][:2]},
        lambda told: {**told, "content_digest": "0" * 64},
        lambda told: {**told, "entries": [["{", None, None], *told["entries"]]},
    ],
)
async def test_a_journal_that_does_not_replay_is_refused(house: House, change: Any) -> None:
    """Nothing of it is stored."""
    session = await played(house)
    seals = Seals(house.store)
    told = json.loads(await seals.open(await export(house, session)))
    await lose(house, session)
    sealed = await seals.seal(json.dumps(change(told)).encode())
    with pytest.raises(Refusal, match="import_unplayable"):
        await bring_in(house, sealed)
    assert house.registry.everything() == ()
    assert await house.store.session_by_code(session.code) is None
