"""`python -m bot forget`: for somebody who cannot ask the bot any more."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.store.db import open_store
from bot.store.rows import PreferenceRow


def test_a_user_is_forgotten_while_the_bot_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Their preferences are gone; while the bot runs, one line and exit status 2."""
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    assert main(["forget", "77"]) == 2
    assert "there is nobody to forget" in capsys.readouterr().err

    async def fill() -> None:
        async with await open_store(tmp_path) as store:
            await store.set_preference(PreferenceRow(77, "dm"))
            assert await asyncio.to_thread(main, ["forget", "77"]) == 2

    asyncio.run(fill())
    assert "already" in capsys.readouterr().err
    assert main(["forget", "77"]) == 0
    assert "they stood in 0 tables" in capsys.readouterr().out

    async def look() -> None:
        async with await open_store(tmp_path) as store:
            assert await store.preference(77) == PreferenceRow(77)

    asyncio.run(look())


@pytest.mark.parametrize("user", ["0", "-1", "x", "99999999999999999999"])
def test_what_is_no_id_is_refused(user: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is opened."""
    with pytest.raises(SystemExit):
        main(["forget", user])
    assert "no number from 1" in capsys.readouterr().err
