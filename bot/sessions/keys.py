"""Keys of this installation, made when they are first needed and kept in the store."""

from __future__ import annotations

import logging
import secrets

from bot.store.protocol import Store

log = logging.getLogger(__name__)


async def key_of(store: Store, setting: str, length: int) -> bytes:
    """The key under that name, so many bytes. Raises StoreError.

    One that is garbled is replaced: nothing can be done with it, and all else goes on.
    """
    stored = await store.setting(setting)
    if stored is not None:
        key = _bytes(stored)
        if len(key) == length:
            return key
        log.error(
            "the stored %s cannot be read, and a new one was made: what the old one had sealed or"
            " let through is refused; a backup may still have it",
            setting,
        )
    key = secrets.token_bytes(length)
    await store.set_setting(setting, key.hex())
    return key


def _bytes(stored: str) -> bytes:
    try:
        return bytes.fromhex(stored)
    except ValueError:
        return b""
