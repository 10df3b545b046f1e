"""The short form of the chaos test, and that its own checks can fail."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path

import pytest

from bot.sessions.session import Session
from tests.chaos import checks
from tests.chaos.crowd import Crowd
from tests.chaos.faults import Trouble
from tests.chaos.running import run
from tests.chaos.town import Town


@pytest.mark.timeout(240)
async def test_twenty_tables_in_trouble(tmp_path: Path) -> None:
    """Restarts, deaths, failing requests, lost permissions, messages, channels and connections, a
    full disk, clicks that come twice or late: every table still is its journal, everybody was
    answered, nothing secret stood in public, and nothing was logged as our fault.
    """
    report = await run(tmp_path, 20261130, seconds=14, steps=500)
    assert report.wrong == []
    assert report.tables >= 20
    assert set(report.faults) == set(Trouble.KINDS)
    assert report.answers > 20


def in_play(town: Town) -> list[Session]:
    """The tables of a town's places."""
    return [table for place in town.places if (table := town.session(place)) is not None]


async def test_the_checks_can_fail(tmp_path: Path) -> None:
    """A table that is unlike its journal, a message that is missing and a sentence that is for one
    seat only are each found.
    """
    town = Town(tmp_path, 3, random.Random(5))
    async with town:
        crowd = Crowd(town, random.Random(5))
        while not any(one.row.header and one.row.game == "script" for one in in_play(town)):
            await crowd.step()
            assert crowd.steps < 500
        await Trouble(town, random.Random(5)).calm()
        tables = await checks.sessions(town)
        assert await checks.unlike_journals(tables) == []
        assert checks.untrue_messages(town, tables) == []
        assert checks.leaks(town, tables) == []

        (begun, *_) = [one for one in tables if one.row.game == "script" and one.row.header]
        (sentence, *_) = checks.private_sentences(begun)
        place = next(p for p in town.places if p.channel.id == begun.channel_id)
        with town.env._bot_scope():
            channel = town.bot.get_partial_messageable(place.channel.id)
            await channel.send(f"Psst: {sentence} And {begun.row.secret.hex()}.")
        assert len(checks.leaks(town, tables)) == 2
        for message in town.messages(place.channel):
            town.env.backend.delete_message(place.channel.id, message.id)
        (missing,) = checks.untrue_messages(town, tables)
        assert "no message with controls" in missing
        row = begun.row
        begun.row = dataclasses.replace(row, touched_at=0)
        (unlike,) = await checks.unlike_journals(tables)
        assert "row" in unlike
        begun.row = row
