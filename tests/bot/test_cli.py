"""The command line as a user meets it: help, one-line complaints, and what each command loads."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot import __version__
from bot.__main__ import main

ROOT = Path(__file__).parents[2]
COMMANDS = (
    "run simulate preview check-content replay verify validate-journals"
    " backup restore-backup health"
).split()


def bot(*args: str, cwd: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """`python -m bot` in a folder of its own, with nothing set but what is given."""
    clean = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environ}
    return subprocess.run(
        [sys.executable, "-m", "bot", *args],
        cwd=cwd, env=clean, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)])
def test_help(command, capsys):
    """Every command explains itself."""
    with pytest.raises(SystemExit) as stopped:
        main([*command, "--help"])

    assert stopped.value.code == 0
    shown = capsys.readouterr().out
    assert shown.startswith("usage: python -m bot")
    assert all(name in shown for name in ([] if command else COMMANDS))


def test_version(capsys):
    """The version is the package's."""
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])

    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"nightwatch {__version__}\n"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["dance"], "invalid choice: 'dance'"),
        (["--players", "0"], "argument --players: '0' is no number from 1 to 11"),
        (["run", "--players", "12"], "argument --players: '12' is no number from 1 to 11"),
        (["run", "--players", "two"], "argument --players: 'two' is no number from 1 to 11"),
        (["run", "x"], "unrecognized arguments: x"),
        (["simulate"], "the following arguments are required: GAME, --players"),
        (["simulate", "g", "--players", "-1"], "argument --players"),
        (["simulate", "g", "--players", "4", "--games", "0"], "argument --games"),
        (["simulate", "g", "--players", "4", "--option", "x"], "'x' is not of the form key=value"),
        (["preview", "g"], "the following arguments are required: -o/--output"),
        (["preview", "g", "-o", "f", "--ply", "x"], "argument --ply: 'x' is no number from 0"),
        (["replay"], "the following arguments are required: FILE"),
        (["restore-backup"], "the following arguments are required: FILE"),
        (["backup", "copy.db"], "unrecognized arguments: copy.db"),
    ],
)
def test_wrong_arguments(args, said, capsys):
    """A wrong argument is refused in one line, with status 2."""
    with pytest.raises(SystemExit) as stopped:
        main(args)

    assert stopped.value.code == 2
    assert said in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["simulate", "chess", "--players", "2"], "simulate: there is no game 'chess'; games: "),
        (["preview", "chess", "-o", "x.png"], "preview: there is no game 'chess'; games: "),
        (["replay", "none.jsonl"], "replay: none.jsonl cannot be read (No such file"),
        (["check-content", "none"], "check-content: none is not a folder"),
    ],
)
def test_complaints(args, said, capsys, monkeypatch, tmp_path):
    """What cannot be done is said in one line naming the command, with status 2."""
    monkeypatch.chdir(tmp_path)

    assert main(args) == 2
    told = capsys.readouterr().err
    assert told.startswith(said)
    assert told.count("\n") == 1


def test_online_needs_a_token(tmp_path):
    """`run --online` never opens the offline table: without a token it is one line, status 2."""
    done = bot("run", "--online", cwd=tmp_path)

    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        "run: DISCORD_TOKEN is not set; --online signs in to Discord and needs it\n"
    )


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["run"],
        ["run", "--online"],
        ["validate-journals"],
        ["backup"],
        ["restore-backup", "copy.db"],
    ],
)
def test_settings_are_checked_first(args, tmp_path):
    """NET-08, OPS-04: a folder that is missing ends the program before anybody signs in."""
    token = "canary." + "x" * 40
    done = bot(*args, cwd=tmp_path, DATA_DIR="/nowhere/at/all", DISCORD_TOKEN=token)

    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "DATA_DIR: /nowhere/at/all is not a folder" in done.stderr
    assert "canary" not in done.stderr


def test_a_malformed_setting(tmp_path):
    """The variable is named, its value is not shown, and no traceback appears."""
    done = bot(cwd=tmp_path, OFFLINE_PORT="canary")

    assert done.returncode == 2
    assert done.stderr == "run: OFFLINE_PORT must be a port, 0 to 65535\n"


def test_players_are_for_the_offline_table(tmp_path):
    """With a token, a number of players is a misunderstanding that is cleared up."""
    done = bot("--players", "3", cwd=tmp_path, DISCORD_TOKEN="x" * 60)

    assert done.returncode == 2
    assert done.stderr == "run: --players is for the offline table, but DISCORD_TOKEN is set\n"


def test_the_offline_table_needs_its_extra(tmp_path):
    """Without the extra, one line says how to install it."""
    (tmp_path / "simcord.py").write_text("raise ModuleNotFoundError(name='simcord')\n")
    done = bot("run", cwd=tmp_path, PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}")

    assert done.returncode == 2
    assert done.stderr == (
        "run: the offline table is not installed (simcord is missing):"
        " pip install -e '.[offline]', or set DISCORD_TOKEN\n"
    )


LOADED = """
import sys
from bot.__main__ import main
sys.argv[1:] = {args!r}
try:
    main()
except SystemExit:
    pass
print(sorted({names!r} & sys.modules.keys()))
"""


@pytest.mark.parametrize(
    "args",
    [
        ["--help"],
        ["simulate", "escape_the_night", "--players", "4"],
        ["check-content"],
        ["replay", "none"],
        ["backup"],
        ["restore-backup", "none"],
    ],
)
def test_no_discord_where_none_is_needed(args, tmp_path):
    """The tools never load discord, nor the simulated one."""
    code = LOADED.format(
        args=args, names={"discord", "aiohttp", "simcord", "bot.app", "bot.online"}
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert done.stdout.splitlines()[-1] == "[]"
