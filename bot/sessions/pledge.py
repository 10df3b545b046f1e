"""What the bot commits to when a lobby opens, and what both keys of a game are made of.

A table's root secret never leaves the store. Of it come two: the *dice secret*, whose SHA-256 hash
is posted before anybody sits down and which is told at the end, and one that is told to nobody, for
draws that would give away who held what. Each makes a key with the id of the click on Start.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of one game."""

    open: bytes
    hidden: bytes


def dice_secret(root: bytes) -> bytes:
    """What the pledge is the hash of; to be told only when the game is over."""
    return hmac.digest(root, b"dice", "sha256")


def pledge_of(root: bytes) -> str:
    """The hash that is posted when the lobby opens, in hex."""
    return hashlib.sha256(dice_secret(root)).hexdigest()


def keys_of(root: bytes, start: str) -> Keys:
    """The keys of the game that the click with this id has begun."""
    hidden = hmac.digest(root, b"hidden", "sha256")
    return Keys(key_of(dice_secret(root), start), key_of(hidden, start))


def key_of(secret: bytes, start: str) -> bytes:
    """A key: HMAC-SHA256 under the secret of the click's id, written in digits."""
    return hmac.digest(secret, start.encode(), "sha256")
