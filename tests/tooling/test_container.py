"""The container's recipe, read: there is no engine here to build it with."""

import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parents[2]


def steps() -> list[tuple[str, str]]:
    """The Dockerfile's instructions in order, with continued lines joined."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip() and line[0] != "#"]
    return [(word, " ".join(rest.split())) for word, _, rest in (s.partition(" ") for s in lines)]


def last_stage() -> dict[str, str]:
    """The instructions of the image that runs; the last of each name."""
    found = steps()
    start = max(n for n, (word, _) in enumerate(found) if word == "FROM")
    return dict(found[start:])


def test_no_compiler_and_no_root():
    """The image that runs is slim, installs only wheels that were built before, and is no root."""
    stage = last_stage()

    assert stage["FROM"] == "python:3.12-slim"
    assert "--no-index" in stage["RUN"]
    assert "apt" not in stage["RUN"]
    assert stage["USER"] == "nightwatch"
    assert re.search(r"useradd --uid 10001 .* nightwatch", stage["RUN"])
    assert "--owner=nightwatch" in stage["RUN"]


def test_data_has_its_volume():
    """Data lies in a volume that the bot's user owns before it is declared."""
    words = [word for word, _ in steps()]

    assert last_stage()["VOLUME"] == "/data"
    assert "DATA_DIR=/data" in last_stage()["ENV"]
    assert words.index("VOLUME") > len(words) - 1 - words[::-1].index("RUN")


def test_it_hears_signals_and_is_watched():
    """The bot is process 1 without a shell, and its health is asked through its own command."""
    stage = last_stage()

    assert stage["CMD"] == '["python", "-m", "bot", "run", "--online"]'
    assert stage["HEALTHCHECK"].endswith('CMD ["python", "-m", "bot", "health"]')


def test_what_is_copied_is_sent_along():
    """Every file that the build copies exists and is let through by .dockerignore."""
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    let_in = {line[1:] for line in ignored if line.startswith("!")}
    copied = {
        source
        for word, rest in steps()
        if word == "COPY"
        for source in shlex.split(rest)[:-1]
    }  # fmt: skip

    assert copied == let_in
    assert [name for name in sorted(copied) if not (ROOT / name).exists()] == []


def test_no_offline_table_inside():
    """The image has neither the simulator nor the table that needs it."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")

    assert "offline" not in text
    assert "bot/offline" in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
