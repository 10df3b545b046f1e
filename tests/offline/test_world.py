"""The saved world: what a restart of the offline table keeps, and what it refuses to read."""

from __future__ import annotations

import logging
import os
import pickle
import stat
from pathlib import Path

import pytest

from bot.offline import links, world
from bot.offline.wire import Upload

NAMES = ("Ann", "Ben", "Cleo")


def posted(made: world.World) -> int:
    """A message with a picture and a button in #table; returns its id."""
    channel = made.player(0).places()[0].id
    body = {
        "flags": 1 << 15,
        "components": [
            {"type": 12, "items": [{"media": {"url": "attachment://a.png"}, "description": "alt"}]},
            {
                "type": 1,
                "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}],
            },
        ],
    }
    sent = made.simulation.request(
        "POST",
        f"/channels/{channel}/messages",
        body=body,
        uploads=[Upload("a.png", b"picture", "alt")],
    )
    return int(sent["id"])


async def test_a_restart_keeps_ids_messages_buttons_and_pictures(tmp_path: Path) -> None:
    """Saved and loaded: the same people and channels, the message with button, bytes and alt."""
    path = tmp_path / "offline" / "world.pickle"
    before = world.open_world(path, NAMES)
    message_id = posted(before)
    before.memory.closed_dms.add(before.people[1])
    before.read[before.people[0], 5] = 7
    world.save(path, world.pack(before))
    after = world.open_world(path, NAMES)
    assert after.people == before.people
    assert after.memory.closed_dms == {before.people[1]}
    assert after.read == before.read
    ann = after.player(0)
    assert [place.name for place in ann.places()] == ["table", "lounge", "Nightwatch"]
    shown = ann.message(ann.places()[0].id, message_id)
    assert shown.custom_ids == ["go"]
    assert shown.pictures[0].alt == "alt"
    assert after.simulation.file(shown.pictures[0].url) == b"picture"
    assert posted(after) > message_id


async def test_the_first_player_owns_the_server_and_the_bot_is_no_administrator() -> None:
    """Moderator commands can be tried; permissions that were not asked for are missing."""
    made = world.new_world(NAMES)
    backend = made.simulation.backend
    guild = backend.guilds[made.guild_id]
    assert guild.owner_id == made.people[0]
    manage = 1 << 5
    assert backend.compute_permissions(guild.id, made.people[0]) & manage
    assert not backend.compute_permissions(guild.id, made.people[1]) & manage
    assert not backend.compute_permissions(guild.id, backend.bot_user.id) & manage


async def test_more_players_join_the_old_ones(tmp_path: Path) -> None:
    """A table of two opened for three keeps the two and adds one."""
    path = tmp_path / "world.pickle"
    before = world.open_world(path, NAMES[:2])
    world.save(path, world.pack(before))
    after = world.open_world(path, NAMES)
    assert after.people[:2] == before.people
    assert after.player(2).name == "Cleo"
    assert len(after.player(2).places()) == 3


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (lambda data: data[:-20], "damaged"),
        (lambda data: data.replace(b"simcord 3", b"simcord 2", 1), "simcord 2"),
        (lambda _data: b"", "written by"),
        (lambda _data: os.urandom(300), "written by"),
    ],
)
async def test_an_unusable_world_is_set_aside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, harm, reason: str
) -> None:
    """One line says why, the file is kept under another name, and a new world begins."""
    path = tmp_path / "world.pickle"
    world.save(path, world.pack(world.new_world(NAMES)))
    bad = harm(path.read_bytes())
    path.write_bytes(bad)
    with caplog.at_level(logging.WARNING):
        made = world.open_world(path, NAMES)
    assert len(made.people) == 3
    assert (tmp_path / "world.unusable-1").read_bytes() == bad
    (record,) = [one for one in caplog.records if one.name == "bot.offline.world"]
    assert reason in record.getMessage()
    assert "\n" not in record.getMessage()


async def test_a_saved_world_runs_no_code(tmp_path: Path) -> None:
    """A file that names anything but simulator objects and plain data is not loaded."""
    import hashlib

    class Evil:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "made"),)

    body = pickle.dumps(Evil())
    head = world.pack(world.new_world(NAMES)).partition(b"\n")[0].rpartition(b" ")[0]
    path = tmp_path / "world.pickle"
    path.write_bytes(head + b" " + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    with pytest.raises(world.Unusable, match="mkdir has no place"):
        world.load(path)
    assert not (tmp_path / "made").exists()


async def test_what_is_spent_is_not_saved(tmp_path: Path) -> None:
    """Expired interactions do not fill the file for ever."""
    made = world.new_world(NAMES)
    channel = made.player(0).places()[0].id
    made.simulation.backend.new_interaction(2, channel, made.people[0], made.guild_id)
    world.save(tmp_path / "w", world.pack(made))
    assert len(world.load(tmp_path / "w").simulation.backend.interactions) == 1
    made.simulation.backend.clock.advance(16 * 60)
    world.save(tmp_path / "w", world.pack(made))
    assert world.load(tmp_path / "w").simulation.backend.interactions == {}


def test_links_survive_a_restart_and_only_the_owner_can_read_them(tmp_path: Path) -> None:
    """The same tokens again, more for more players, mode 600."""
    path = tmp_path / "offline" / "links.json"
    first = links.tokens(path, 2)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert links.tokens(path, 2) == first
    assert links.tokens(path, 4)[:2] == first
    assert links.tokens(path, 1) == first[:1]
    assert len(set(links.tokens(path, 4))) == 4
    assert all(len(token) >= 30 for token in first)


def test_links_are_made_private_again(tmp_path: Path) -> None:
    """A file that others may read is written anew with mode 600 and the same tokens."""
    path = tmp_path / "links.json"
    first = links.tokens(path, 2)
    path.chmod(0o644)
    assert links.tokens(path, 2) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("harm", ["", "{", "[1, 2]", '["short"]', '{"a": 1}'])
def test_damaged_links_are_replaced(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, harm: str
) -> None:
    """New links and one line that says so."""
    path = tmp_path / "links.json"
    path.write_text(harm)
    assert len(links.tokens(path, 3)) == 3
    assert len(caplog.records) == 1


def test_a_token_names_its_player() -> None:
    """Only the whole token of somebody does."""
    known = ["a" * 30, "b" * 30]
    assert links.player_of("b" * 30, known) == 1
    assert links.player_of("b" * 29, known) is None
    assert links.player_of("", known) is None
