"""Settings: the same value in every wrapping, and one line for whatever cannot be used."""

import os
import tempfile
from dataclasses import fields
from pathlib import Path

import pytest

from bot.config import OFFLINE_PORT, Settings, SettingsError
from tests.bot.another_user import needs_root, run_as_another

ROOT = Path(__file__).parents[2]
TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.abcdefghijklmnopqrstuvwxyz0123456789AB"


def test_defaults(tmp_path):
    """Nothing is needed: without settings there is an offline table, with data beside it."""
    settings = Settings.read({}, tmp_path)

    assert settings == Settings(token=None, data_dir=tmp_path / "data", offline_port=OFFLINE_PORT)
    assert (tmp_path / "data").is_dir()


@pytest.mark.parametrize(
    "wrapped",
    ["{}", '"{}"', "'{}'", " {} ", "{}\r", '"{}"\r', "'{}' ", "\"'{}'\"", "' {} '"],
)
def test_quotes_and_spaces_do_not_count(tmp_path, wrapped):
    """OPS-01: docker, compose and a shell give the same token and the same number."""
    environ = {
        "DISCORD_TOKEN": wrapped.format(TOKEN),
        "DEV_GUILD_ID": wrapped.format("123456789012345678"),
        "OFFLINE_PORT": wrapped.format("9000"),
        "LOG_LEVEL": wrapped.format("debug"),
        "LOG_FORMAT": wrapped.format("JSON"),
        "DISCORD_API": wrapped.format("http://127.0.0.1:1/api/"),
        "DISCORD_GATEWAY": wrapped.format("ws://127.0.0.1:1"),
        "BACKUP_HOURS": wrapped.format("0"),
        "BACKUP_KEEP": wrapped.format("30"),
        "METRICS_PORT": wrapped.format("9100"),
        "METRICS_HOST": wrapped.format("0.0.0.0"),
        "DATA_DIR": wrapped.format(tmp_path),
    }
    settings = Settings.read(environ, tmp_path)

    assert settings == Settings(
        TOKEN, tmp_path, "DEBUG", "json", 123456789012345678, 9000,
        "http://127.0.0.1:1/api", "ws://127.0.0.1:1", 0, 30, 9100, "0.0.0.0",
    )  # fmt: skip


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("wrapped", ["{}", '"{}"', "'{}'", "{}  ", "{} # ours"])
def test_the_file_reads_alike(tmp_path, ending, start, wrapped):
    """OPS-01: a `.env` from any editor says the same as the environment."""
    text = f"# mine{ending}DISCORD_TOKEN={wrapped.format(TOKEN)}{ending}LOG_LEVEL=ERROR{ending}"
    (tmp_path / ".env").write_bytes(start + text.encode())
    settings = Settings.read({}, tmp_path)

    assert settings.token == TOKEN
    assert settings.log_level == "ERROR"


def test_the_environment_goes_first(tmp_path):
    """A variable of the environment hides the file's, unless it is empty."""
    (tmp_path / ".env").write_text("LOG_LEVEL=ERROR\nOFFLINE_PORT=1\n", encoding="utf-8")
    settings = Settings.read({"LOG_LEVEL": "DEBUG", "OFFLINE_PORT": '""'}, tmp_path)

    assert settings.log_level == "DEBUG"
    assert settings.offline_port == 1


def test_strays_are_ignored(tmp_path):
    """YML-11: whatever else the environment holds disturbs nothing."""
    environ = {"DISCORD": "x", "LOGLEVEL": "loud", "PORT": "abc", "PATH": "/bin", "TOKEN": "'"}

    assert Settings.read(environ, tmp_path).token is None


def test_no_setting_is_a_list():
    """OPS-01: every setting is one word or number, so there is no list to be quoted in parts."""
    kinds = {kind for field in fields(Settings) for kind in str(field.type).split(" | ")}

    assert kinds == {"str", "int", "Path", "None"}


@pytest.mark.parametrize("empty", ["", " ", '""', "''", "\r"])
def test_empty_is_unset(tmp_path, empty):
    """A line of `.env.example` that was left empty sets nothing."""
    names = ("DISCORD_TOKEN", "DATA_DIR", "LOG_LEVEL", "LOG_FORMAT", "DEV_GUILD_ID")
    names += ("OFFLINE_PORT", "DISCORD_API", "DISCORD_GATEWAY", "BACKUP_HOURS", "BACKUP_KEEP")

    assert Settings.read(dict.fromkeys(names, empty), tmp_path) == Settings.read({}, tmp_path)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("DISCORD_TOKEN", f'"{TOKEN}', "begins or ends with a quote that has no partner"),
        ("DISCORD_TOKEN", f"{TOKEN}'", "begins or ends with a quote that has no partner"),
        ("DISCORD_TOKEN", f"Bot {TOKEN}", "holds a space"),
        ("DISCORD_TOKEN", f"{TOKEN}\u200b", "holds a space or a sign that no token has"),
        ("LOG_LEVEL", "canary", "must be one of DEBUG, INFO, WARNING, ERROR"),
        ("LOG_FORMAT", "canary", "must be one of text, json"),
        ("DEV_GUILD_ID", "canary", "must be a server's id"),
        ("DEV_GUILD_ID", "123", "must be a server's id"),
        ("DEV_GUILD_ID", "-12345678901234567", "must be a server's id"),
        ("OFFLINE_PORT", "canary", "must be a port"),
        ("OFFLINE_PORT", "65536", "must be a port"),
        ("OFFLINE_PORT", "-1", "must be a port"),
        ("OFFLINE_PORT", "8_0", "must be a port"),
        ("DISCORD_API", "canary", "must be an address that begins with http://"),
        ("DISCORD_API", "ws://x", "must be an address that begins with http://"),
        ("DISCORD_GATEWAY", "http://x", "must be an address that begins with ws://"),
        ("DISCORD_GATEWAY", "wss://a b", "must be an address that begins with ws://"),
        ("RETENTION_DAYS", "canary", "must be a whole number from 0 to 36500"),
        ("LEFT_SERVER_DAYS", "0", "must be a whole number from 1 to 3650"),
        ("METRICS_PORT", "canary", "must be a port"),
        ("METRICS_PORT", "70000", "must be a port"),
        ("METRICS_HOST", "canary, canary", "must be an address or a name of this machine"),
        ("BACKUP_HOURS", "canary", "must be a whole number from 0 to 8760"),
        ("BACKUP_HOURS", "-1", "must be a whole number from 0 to 8760"),
        ("BACKUP_HOURS", "0.5", "must be a whole number from 0 to 8760"),
        ("BACKUP_KEEP", "0", "must be a whole number from 1 to 1000"),
        ("BACKUP_KEEP", "1001", "must be a whole number from 1 to 1000"),
    ],
)
def test_what_cannot_be_used(tmp_path, name, value, said):
    """A malformed value gets one line with the variable's name, and is not shown."""
    with pytest.raises(SettingsError) as caught:
        Settings.read({name: value}, tmp_path)

    line = str(caught.value)
    assert line.startswith(name)
    assert said in line
    assert "\n" not in line
    assert "canary" not in line
    assert TOKEN not in line


def test_a_data_folder_that_is_not_there(tmp_path):
    """OPS-04: a folder that was set is not made behind the operator's back: one line says how."""
    with pytest.raises(SettingsError) as caught:
        Settings.read({"DATA_DIR": f"{tmp_path}/no ne"}, tmp_path)
    folder = f"'{tmp_path}/no ne'"
    assert str(caught.value) == (
        f"DATA_DIR: {tmp_path}/no ne is not a folder that user {os.getuid()} can see;"
        f" try: mkdir -p {folder} && chown {os.getuid()} {folder}"
    )
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match=f"DATA_DIR: {tmp_path}/file is not a folder that user"):
        Settings.read({"DATA_DIR": f"{tmp_path}/file"}, tmp_path)


@needs_root
@pytest.mark.parametrize(
    ("mode", "owner", "says"),
    [
        (0o700, 0, "cannot be written to by user 65534 (Permission denied); try: chown -R 65534"),
        (0o755, 0, "cannot be written to by user 65534 (Permission denied); try: chown -R 65534"),
        (0o700, 12345, "cannot be written to by user 65534 (Permission denied); try: chown -R 6"),
        (None, 0, "is not a folder that user 65534 can see; try: mkdir -p"),
    ],
)
def test_a_data_folder_of_somebody_else(mode, owner, says):
    """OPS-04: of root, open to all for reading or not, of another user, or missing: one line with
    the path, the user it must belong to and a command; not 0, and nothing else was tried.
    """
    with tempfile.TemporaryDirectory() as parent:
        Path(parent).chmod(0o755)
        folder = Path(parent) / "data"
        if mode is not None:
            folder.mkdir(mode)
            folder.chmod(mode)
            os.chown(folder, owner, owner)
        environ = {"DISCORD_TOKEN": TOKEN, "DATA_DIR": str(folder)}
        status, (line,) = run_as_another("/", environ)

    assert status == 2
    assert f"DATA_DIR: {folder} {says}" in line
    assert str(folder) in line.partition("try: ")[2]
    assert TOKEN not in line


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a folder closed even to root")
def test_a_data_folder_that_cannot_be_written():
    """OPS-04: one line with the path, the user it must belong to, and a command that helps."""
    with pytest.raises(SettingsError) as caught:
        Settings.read({"DATA_DIR": "/proc"}, Path("/"))

    line = str(caught.value)
    assert line.startswith(f"DATA_DIR: /proc cannot be written to by user {os.getuid()}")
    assert line.endswith(f"try: chown -R {os.getuid()} /proc")


def test_the_token_is_not_shown(tmp_path):
    """OPS-08: settings can be logged without giving the token away."""
    assert TOKEN not in repr(Settings.read({"DISCORD_TOKEN": TOKEN}, tmp_path))


def test_the_example_is_complete(tmp_path):
    """`.env.example` names every variable, and is itself a valid `.env`."""
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    names = [line.split("=")[0] for line in text.splitlines() if line and line[0] != "#"]
    (tmp_path / ".env").write_text(text, encoding="utf-8")

    assert sorted(names) == sorted(
        [
            "DISCORD_TOKEN",
            "DATA_DIR",
            "BACKUP_HOURS",
            "BACKUP_KEEP",
            "METRICS_PORT",
            "METRICS_HOST",
            "RETENTION_DAYS",
            "LEFT_SERVER_DAYS",
            "LOG_LEVEL",
            "LOG_FORMAT",
            "DEV_GUILD_ID",
            "OFFLINE_PORT",
            "DISCORD_API",
            "DISCORD_GATEWAY",
        ]
    )
    assert Settings.read({}, tmp_path) == Settings(token=None, data_dir=tmp_path / "data")
