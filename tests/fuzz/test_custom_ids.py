"""What could stand in a click: any text where the bot once wrote what the click means."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.ui import ids
from bot.ui.ids import Control
from tests.e2e.play import begin, picks, world_of
from tests.e2e.script import BALLOT
from tests.fuzz.mutants import PATIENT, bounded, short

VERBS = (
    "act", "draft", "cast", "more", "ballot", "form", "panel", "hand", "menu", "board", "words",
    "log", "story", "history", "join", "leave", "start", "go", "again", "end", "end_yes", "take",
    "take_seat", "undo", "agree", "mod_list", "mod_log", "old", "command", "nobody",
)  # fmt: skip
"""Verbs of many kinds, and some that there are not."""

WORD = st.from_regex(r"[a-z0-9_.\-]{0,12}", fullmatch=True)
BASE36 = st.one_of(
    st.sampled_from(["0", "1", "2", "zz", "zzzzzzzz", "00000001"]),
    st.from_regex(r"[0-9a-z]{1,12}", fullmatch=True),
)
FORGED = st.builds(
    lambda letter, verb, session, question, kind, key: (
        f"n:{letter}:{verb}:{session}:{question[:8]}:{kind.replace('-', '').replace('.', '')}:{key}"
    ),
    st.sampled_from("bmf"), st.sampled_from(VERBS), BASE36, BASE36, WORD, WORD,
)  # fmt: skip


@short(300)
@given(st.one_of(st.text(max_size=120), FORGED))
def test_any_text_is_read_or_not(text: str) -> None:
    """Reading never fails; what is read is written the same way, but for leading zeros."""
    with bounded(1):
        control = ids.read(text)
    if control is not None:
        made = {"b": control.button, "m": control.menu, "f": control.form}[text[2]]
        assert ids.read(made) == control
        assert len(made) <= ids.LIMIT


@short(200)
@given(
    st.builds(
        Control,
        st.text(max_size=20),
        st.integers(-5, 2**70),
        st.integers(-5, 2**50),
        st.text(max_size=40),
        st.text(max_size=60),
    )
)
def test_what_cannot_be_written_is_refused(control: Control) -> None:
    """A control that would not fit into a custom_id, or could not be read back, is our mistake."""
    try:
        made = control.button
    except ValueError:
        return
    assert ids.read(made) == control


@PATIENT
async def test_forged_clicks_are_answered(tmp_path: Path, caplog: Any) -> None:
    """Anybody clicking anything is answered, changes nothing that is not theirs to change, and is
    no fault of ours: no reference code, no traceback.
    """
    examples: list[tuple[str, str, list[str] | None]] = []

    @settings(short(90), database=None)
    @given(
        st.sampled_from(["Ann", "Ben", "Dan"]),
        st.one_of(FORGED, st.text(min_size=1, max_size=100)),
        st.one_of(st.none(), st.lists(st.text(min_size=1, max_size=30), min_size=1, max_size=3)),
    )
    def collect(name: str, custom_id: str, values: list[str] | None) -> None:
        chosen = None if values is None else list(dict.fromkeys(values))
        examples.append((name, custom_id.strip() or "x", chosen))

    collect()
    async with world_of(tmp_path, BALLOT, *picks(3)) as world:
        await begin(world, "script", "Ben")
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        key = session.row.secret
        for name, custom_id, values in examples:
            await world.forge(name, world.live(), custom_id, values)
        assert session.row.secret == key
        assert (await session.snapshot()).view is not None
    assert [r.getMessage() for r in caplog.records if r.levelname in ("ERROR", "CRITICAL")] == []
