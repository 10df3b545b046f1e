"""Keys in the store that cannot be read any more: new ones take their place."""

from __future__ import annotations

import pytest

from bot.sessions.passes import Passes
from bot.sessions.ports import Refusal
from bot.sessions.sealing import Seals
from tests.sessions.house import GUILD, MOD, House

GARBLED = ["", "no hex", "ab" * 31, "\N{REPLACEMENT CHARACTER}"]


@pytest.mark.parametrize("stored", GARBLED)
async def test_a_garbled_key_of_passes(
    house: House, caplog: pytest.LogCaptureFixture, stored: str
) -> None:
    """RPL-09: moderators' buttons work again at once; one line says what happened, once."""
    await house.store.set_setting("pass_key", stored)
    passes = Passes(house.store, house.time)
    made = await passes.made(MOD, GUILD)
    assert await Passes(house.store, house.time).holds(made, MOD, GUILD)
    (line,) = caplog.messages
    assert "the stored pass_key cannot be read" in line


@pytest.mark.parametrize("stored", GARBLED)
async def test_a_garbled_key_of_sealed_files(
    house: House, caplog: pytest.LogCaptureFixture, stored: str
) -> None:
    """RPL-09: files are sealed and opened with a new one; older ones are refused in a sentence."""
    before = await Seals(house.store).seal(b"a game")
    assert caplog.messages == []
    await house.store.set_setting("seal_key", stored)
    after = await Seals(house.store).seal(b"another game")
    (line,) = caplog.messages
    assert "the stored seal_key cannot be read" in line
    assert await Seals(house.store).open(after) == b"another game"
    with pytest.raises(Refusal, match="file_not_ours"):
        await Seals(house.store).open(before)
