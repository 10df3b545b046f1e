"""Sealed files: only this installation can make and open them, and nobody can see what is inside.

A line that says what it is, which key it needs, a nonce, and AES-GCM over the packed contents. They
are filled up to whole blocks, so that a file's size tells little of what is in it.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import zlib
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from bot.sessions.keys import key_of
from bot.sessions.ports import Refusal
from bot.store.protocol import Store, StoreError

MOST_SEALED: Final = 8 * 1024 * 1024
MOST_OPENED: Final = 64 * 1024 * 1024
MAGIC: Final = b"nightwatch sealed game 1\n"

_SETTING: Final = "seal_key"
_KEY: Final = 32
_NAME: Final = 8
_NONCE: Final = 12
_TAG: Final = 16
_LENGTH: Final = 4
_BLOCK: Final = 16 * 1024


class Seals:
    """Seals and opens; the key is in the store, and so in the data folder and its backups."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._key = b""
        self._making = asyncio.Lock()

    async def seal(self, contents: bytes) -> bytes:
        """A file of these contents. Refusals ``export_too_big``, ``not_saved``."""
        key = await self._key_of_ours()
        if len(contents) > MOST_OPENED:
            raise Refusal("export_too_big")
        sealed = await asyncio.to_thread(_seal, key, contents)
        if len(sealed) > MOST_SEALED:
            raise Refusal("export_too_big")
        return sealed

    async def open(self, sealed: bytes) -> bytes:
        """What is in a file; never more than MOST_OPENED bytes.

        Refusals ``file_too_big``, ``file_unknown``, ``file_not_ours``, ``file_damaged``.
        """
        if len(sealed) > MOST_SEALED:
            raise Refusal("file_too_big", most=MOST_SEALED // 1024**2)
        if not sealed.startswith(MAGIC):
            raise Refusal("file_unknown")
        key = await self._key_of_ours()
        return await asyncio.to_thread(_open, key, sealed)

    async def _key_of_ours(self) -> bytes:
        async with self._making:
            if not self._key:
                try:
                    self._key = await key_of(self._store, _SETTING, _KEY)
                except StoreError as error:
                    raise Refusal("not_saved") from error
            return self._key


def _name(key: bytes) -> bytes:
    """Tells keys apart, and nothing about them."""
    return hashlib.sha256(b"nightwatch seal/" + key).digest()[:_NAME]


def _seal(key: bytes, contents: bytes) -> bytes:
    packed = zlib.compress(contents, 9)
    filled = len(packed).to_bytes(_LENGTH, "big") + packed
    filled += bytes(-(len(filled) + _TAG) % _BLOCK)
    head, nonce = MAGIC + _name(key), secrets.token_bytes(_NONCE)
    return head + nonce + AESGCM(key).encrypt(nonce, filled, head)


def _open(key: bytes, sealed: bytes) -> bytes:
    head = sealed[: len(MAGIC) + _NAME]
    rest = sealed[len(head) :]
    if len(rest) < _NONCE + _TAG + _LENGTH:
        raise Refusal("file_damaged")
    if head[len(MAGIC) :] != _name(key):
        raise Refusal("file_not_ours")
    try:
        filled = AESGCM(key).decrypt(rest[:_NONCE], rest[_NONCE:], head)
    except InvalidTag as error:
        raise Refusal("file_damaged") from error
    length = int.from_bytes(filled[:_LENGTH], "big")
    unpacker = zlib.decompressobj()
    try:
        contents = unpacker.decompress(filled[_LENGTH : _LENGTH + length], MOST_OPENED)
    except zlib.error as error:
        raise Refusal("file_damaged") from error
    if not unpacker.eof:
        raise Refusal("file_damaged")
    return contents
