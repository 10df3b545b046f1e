"""docs/operating.md stays true: its commands run, and the bot says the lines it explains."""

import asyncio
import re
import shlex
from pathlib import Path

import pytest

from bot.__main__ import main
from tests.tools.stored import store_game

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands() -> list[list[str]]:
    """Every command of the page that stands in a block of its own, without the program's name."""
    blocks = re.findall(r"^\s*```\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    return [shlex.split(line)[3:] for line in lines if line.startswith("python -m bot ")]


def test_the_commands_run_in_the_order_of_the_page(folder, senate, capsys, monkeypatch, tmp_path):
    """Backed up, restored, validated: each ends with 0 and one line or more."""
    monkeypatch.chdir(tmp_path)
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    names = []
    for command in commands():
        assert main(command) == 0
        assert capsys.readouterr().out
        names.append(command[0])
    assert names == ["backup", "backup", "restore-backup", "validate-journals"]


@pytest.mark.parametrize("page", [PAGE, README], ids=["operating", "README"])
def test_every_command_exists(page, capsys):
    """Also those inside a sentence, and those for a container."""
    named = set(re.findall(r"python -m bot ([a-z]+(?:-[a-z]+)*)", page))
    named |= set(re.findall(r"nightwatch python -m bot ([a-z-]+)", page))
    assert {"backup", "restore-backup", "validate-journals"} <= named
    for name in sorted(named):
        with pytest.raises(SystemExit) as stopped:
            main([name, "--help"])
        assert stopped.value.code == 0
    capsys.readouterr()


def test_every_line_it_explains_is_said():
    """Each phrase of the log's table stands in the sources, so that searching for it works."""
    table = PAGE.partition("## What the log says")[2]
    phrases = [
        phrase
        for row in re.findall(r"^\| (`.*?) \| ", table, re.MULTILINE)
        for phrase in re.findall(r"`(.+?)`", row)
    ]
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "bot").rglob("*.py")]
    # A text that goes on in the next line of the source is one text.
    source = "\n".join(re.sub(r'"\s*\n\s*f?"', "", text) for text in texts)
    source = re.sub(r"\{[^{}]*\}|%s|%d", "…", source)
    assert len(phrases) > 15
    missing = [
        phrase
        for phrase in phrases
        if not re.search(
            r"[^\n]*".join(re.escape(part.strip()) for part in phrase.split("...")), source
        )
    ]
    assert missing == []


def test_every_setting_is_in_the_readme():
    """The table of settings and `.env.example` name the same variables."""
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    names = {line.split("=")[0] for line in example.splitlines() if line and line[0] != "#"}
    table = README.partition("## Settings")[2].partition("\n## ")[0]
    assert set(re.findall(r"`([A-Z_]{5,})`", table)) - {"DEBUG", "ERROR", "WARNING"} == names
