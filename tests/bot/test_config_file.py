"""The file `.env`: a slip of the pen is told with its line, and never passes for a setting."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from bot.config import NAMES, Settings, SettingsError
from bot.offline import table
from tests.bot.another_user import needs_root, run_as_another

ROOT = Path(__file__).parents[2]
TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.abcdefghijklmnopqrstuvwxyz0123456789AB"
SECRET = "canary"


def told_by(folder: Path, text: str) -> list[str]:
    """The warnings for that text as `.env` of the folder."""
    (folder / ".env").write_text(text, encoding="utf-8")
    told: list[str] = []
    Settings.read({}, folder, warn=told.append)
    return told


def run(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """`python -m bot` in that folder, with nothing but `.env` to go by."""
    return subprocess.run(
        [sys.executable, "-m", "bot", *args],
        cwd=folder, env={"PYTHONPATH": str(ROOT)},
        check=False, capture_output=True, text=True, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('LOG_LEVEL="canary\nDATA_DIR="canary"\n', 1),
        ('LOG_LEVEL=INFO\n\n\nDATA_DIR="canary\nBACKUP_KEEP=7\n', 4),
        ("# ours\nDATA_DIR='canary\n", 2),
        ("LOG_LEVEL=INFO\nDATA_DIR: canary", 2),
        ("LOG_LEVEL=INFO\nDATA_DIR:canary\n", 2),
        ("RETENTION_DAYS: 0\n", 1),
        ("DATA_DIR canary\n", 1),
        ("DATA_DIR\n", 1),
        ("DISCORD_TOKEN:canary=\n", 1),
        ("DISCORD_TOKEN=\ncanary.canary==\n; canary\n", 3),
        ('"DATA_DIR"=canary\n', 1),
        ("set DATA_DIR=canary\n", 1),
        ("\u200bDATA_DIR=canary\n", 1),
        ("=canary\n", 1),
        ('LOG_LEVEL=INFO\nDISCORD_API="canary\nDATA_DIR="\n', 2),
        ('\nTHEIRS="canary\nexport DATA_DIR = "\n', 2),
    ],
)
def test_a_line_that_cannot_be_read(tmp_path, text, line, ending):
    """A line that sets nothing clear is refused with file and line; its value is not shown, and
    no folder for data was made in place of the one that was meant.
    """
    (tmp_path / ".env").write_bytes(text.replace("\n", ending).encode())
    with pytest.raises(SettingsError) as caught:
        Settings.read({}, tmp_path)

    told = str(caught.value)
    assert told.startswith(f"{tmp_path}/.env, line {line}: cannot be read; NAME=value was expected")
    assert "\n" not in told
    assert SECRET not in told
    assert not (tmp_path / "data").exists()


def test_an_unreadable_line_ends_the_program(tmp_path):
    """It is one line and status 2, whatever else the file sets."""
    (tmp_path / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\nDATA_DIR: real\n", encoding="utf-8")
    done = run(tmp_path, "run", "--online")

    assert done.returncode == 2
    (line,) = (done.stdout + done.stderr).splitlines()
    assert line.startswith(f"run: {tmp_path}/.env, line 2: cannot be read; NAME=value")
    assert TOKEN not in line


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("DATADIR", "DATA_DIR"),
        ("BACKUP_HOUR", "BACKUP_HOURS"),
        ("DISCORD_TOKN", "DISCORD_TOKEN"),
        ("DISCORD_BOT_TOKEN", "DISCORD_TOKEN"),
        ("discord_token", "DISCORD_TOKEN"),
        ("LOG-LEVEL", "LOG_LEVEL"),
        ("LOG_LVL", "LOG_LEVEL"),
    ],
)
def test_a_name_that_is_misspelt(tmp_path, name, near):
    """A name like one of ours is told with its line and the name that may be meant."""
    assert told_by(tmp_path, f"# ours\n{name}={SECRET}\n") == [
        f"{tmp_path}/.env, line 2: {name} is no setting and changes nothing; is {near} meant?"
    ]


def test_names_of_others_are_their_own(tmp_path):
    """The file may be shared: what looks like nothing of ours is let through without a word."""
    text = (
        "COMPOSE_PROJECT_NAME=x\nCOMPOSE_FILE=a.yml\nCOMPOSE_FILE=b.yml\nTZ=UTC\nPUID=1000\n"
        "GITHUB_TOKEN=x\nPOSTGRES_PASSWORD=\nHTTP_PROXY=http://x\nPATH\nmy.key-1=x\n"
        'CERTIFICATE="one\ntwo=\n"\nexport LOG_LEVEL=DEBUG\n'
    )
    assert told_by(tmp_path, text) == []
    assert Settings.read({}, tmp_path).log_level == "DEBUG"


def test_strays_of_the_environment_are_not_warned_of(tmp_path):
    """YML-11: only the file is looked through for misspelt names."""
    told: list[str] = []
    Settings.read({"DATADIR": "x", "DISCORD_TOKN": "x"}, tmp_path, warn=told.append)

    assert told == []


def test_a_name_that_stands_twice(tmp_path):
    """All its lines are told, and the one that counts; the values are not."""
    text = f"BACKUP_KEEP=3\nOFFLINE_PORT=1\nDATA_DIR=/{SECRET}\n\nBACKUP_KEEP=4\nDATA_DIR=.\n"
    text += "BACKUP_KEEP=5\n"

    assert told_by(tmp_path, text) == [
        f"{tmp_path}/.env, lines 1, 5 and 7: BACKUP_KEEP stands there more than once;"
        " line 7 counts",
        f"{tmp_path}/.env, lines 3 and 6: DATA_DIR stands there more than once; line 6 counts",
    ]
    assert Settings.read({}, tmp_path).backup_keep == 5


def test_whoever_was_warned_is_not_warned_again(tmp_path):
    """The bot beside an offline table reads the file that the table has warned of."""
    (tmp_path / ".env").write_text(f"DISCORD_TOKN={TOKEN}\n", encoding="utf-8")
    done = run(tmp_path, "run", "--online", "--warned")

    assert "warning" not in done.stderr
    assert "DISCORD_TOKEN is not set" in done.stderr
    assert "--warned" in table.BOT


def test_a_misspelt_token_is_named_where_the_token_is_missed(tmp_path):
    """Who misspelt DISCORD_TOKEN is told so by the line that asks for it."""
    (tmp_path / ".env").write_text(f"TZ=UTC\nDISCORD_TOKN={TOKEN}\n", encoding="utf-8")
    done = run(tmp_path, "run", "--online")

    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        f"warning: {tmp_path}/.env, line 2: DISCORD_TOKN is no setting and changes nothing;"
        " is DISCORD_TOKEN meant?",
        f"run: DISCORD_TOKEN is not set, but line 2 of {tmp_path}/.env says DISCORD_TOKN;"
        " --online signs in to Discord and needs it",
    ]


def test_a_file_that_is_no_text(tmp_path):
    """A file in another coding is asked for as UTF-8."""
    (tmp_path / ".env").write_bytes("DATA_DIR=\u00fc".encode("latin-1"))
    with pytest.raises(SettingsError, match="cannot be read: save it as UTF-8 text"):
        Settings.read({}, tmp_path)


def test_a_folder_of_that_name(tmp_path):
    """A folder `.env`, as some keep their Python in, sets nothing."""
    (tmp_path / ".env").mkdir()

    assert Settings.read({}, tmp_path).log_level == "INFO"


@needs_root
def test_a_file_that_may_not_be_read():
    """A file of another user is told as such, with the user who must be allowed to read it."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        file = Path(folder) / ".env"
        file.write_text(f"DISCORD_TOKEN={TOKEN}\n", encoding="utf-8")
        file.chmod(0o600)
        status, told = run_as_another(folder, {})

    assert status == 2
    assert told == [
        f"run: {file} cannot be read by user 65534 (Permission denied); allow that user to read it"
    ]


def test_the_known_names_are_those_of_the_example():
    """What counts as ours in the file is what `.env.example` lists."""
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    listed = [line.split("=")[0] for line in text.splitlines() if line and line[0] != "#"]

    assert sorted(NAMES) == sorted(listed)
