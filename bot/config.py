"""Settings: what the environment, and a file `.env` beside it, say about this installation.

Values are read the same way wherever they come from: spaces, a carriage return and a pair of quotes
around a value do not count, and an empty value is no value. The environment goes before `.env`.
A complaint names the variable and never shows its value, which may be a secret; DATA_DIR's path is
none and is shown.
"""

from __future__ import annotations

import errno
import os
import re
import shlex
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final

from bot import envfile
from bot.envfile import SettingsError

LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")
LOG_FORMATS: Final = ("text", "json")
OFFLINE_PORT: Final = 8420
BACKUP_HOURS: Final = 24
BACKUP_KEEP: Final = 7
METRICS_HOST: Final = "127.0.0.1"
RETENTION_DAYS: Final = 365
LEFT_SERVER_DAYS: Final = 30
_QUOTES: Final = ("'", '"')
_SNOWFLAKE: Final = re.compile(r"[0-9]{15,20}")


def _unheard(_told: str) -> None:
    """For who does not want to hear warnings."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How this installation runs. Without a token there is no Discord, only the offline table.

    `data_dir` exists and can be written to, unless it was only to be looked at. `dev_guild_id` is
    the server that gets commands at once. `discord_api` and `discord_gateway` replace Discord's
    addresses. Port 0: any free one.
    A backup is made every `backup_hours` (0: never), and the newest `backup_keep` are kept.
    Metrics are served only with a `metrics_port`. Games that are over go after `retention_days`
    (0: never), a server's data `left_server_days` after the bot was removed from it.
    """

    token: str | None = field(repr=False)
    data_dir: Path
    log_level: str = "INFO"
    log_format: str = "text"
    dev_guild_id: int | None = None
    offline_port: int = OFFLINE_PORT
    discord_api: str | None = None
    discord_gateway: str | None = None
    backup_hours: int = BACKUP_HOURS
    backup_keep: int = BACKUP_KEEP
    metrics_port: int | None = None
    metrics_host: str = METRICS_HOST
    retention_days: int = RETENTION_DAYS
    left_server_days: int = LEFT_SERVER_DAYS

    @classmethod
    def read(
        cls,
        environ: Mapping[str, str],
        folder: Path,
        *,
        looks: bool = False,
        warn: Callable[[str], None] = _unheard,
    ) -> Settings:
        """The settings of the environment and of `.env` in that folder. SettingsError if unusable.

        Makes `data` in the folder when DATA_DIR is not set; a DATA_DIR that is set must exist.
        Who only `looks` makes nothing, and needs no folder that can be written to.
        `warn` is told, a line at a time, what in `.env` is likely not meant as it stands.
        """
        values = _values(environ, folder / ".env", warn)
        return cls(
            token=_token(values),
            data_dir=_data_dir(values.get("DATA_DIR"), folder, looks),
            log_level=_one_of(values, "LOG_LEVEL", LOG_LEVELS, "INFO"),
            log_format=_one_of(values, "LOG_FORMAT", LOG_FORMATS, "text"),
            dev_guild_id=_snowflake(values, "DEV_GUILD_ID"),
            offline_port=_port(values, "OFFLINE_PORT", OFFLINE_PORT),
            discord_api=_address(values, "DISCORD_API", "http"),
            discord_gateway=_address(values, "DISCORD_GATEWAY", "ws"),
            backup_hours=_number(values, "BACKUP_HOURS", 0, 8760, BACKUP_HOURS),
            backup_keep=_number(values, "BACKUP_KEEP", 1, 1000, BACKUP_KEEP),
            metrics_port=_port(values, "METRICS_PORT", 0) if "METRICS_PORT" in values else None,
            metrics_host=_host(values, "METRICS_HOST", METRICS_HOST),
            retention_days=_number(values, "RETENTION_DAYS", 0, 36500, RETENTION_DAYS),
            left_server_days=_number(values, "LEFT_SERVER_DAYS", 1, 3650, LEFT_SERVER_DAYS),
        )


NAMES: Final = ("DISCORD_TOKEN", *(f.name.upper() for f in fields(Settings) if f.name != "token"))
"""Every variable that is read."""


def misspelt(name: str, folder: Path) -> str | None:
    """Where `.env` in that folder has a name that is likely this one misspelt."""
    path = folder / ".env"
    for line in envfile.read(path, NAMES):
        if line.name not in NAMES and envfile.meant(line.name, NAMES) == name:
            return f"line {line.line} of {path} says {line.name}"
    return None


def _values(
    environ: Mapping[str, str], dotenv: Path, warn: Callable[[str], None]
) -> dict[str, str]:
    """Every variable that has a value, cleaned."""
    lines = envfile.read(dotenv, NAMES)
    for told in envfile.warnings(dotenv, lines, NAMES):
        warn(told)
    given = {line.name: line.value for line in lines}
    # An empty variable of the environment does not hide the one in the file.
    given |= {name: value for name, value in environ.items() if _cleaned(value)}
    cleaned = {name: _cleaned(value or "") for name, value in given.items()}
    return {name: value for name, value in cleaned.items() if value}


def _cleaned(value: str) -> str:
    value = value.strip()
    while len(value) >= 2 and value[0] in _QUOTES and value[0] == value[-1]:
        value = value[1:-1].strip()
    return value


def _token(values: Mapping[str, str]) -> str | None:
    token = values.get("DISCORD_TOKEN")
    if token is None:
        return None
    if token[0] in _QUOTES or token[-1] in _QUOTES:
        raise SettingsError("DISCORD_TOKEN begins or ends with a quote that has no partner")
    if not token.isascii() or not token.isprintable() or " " in token:
        raise SettingsError("DISCORD_TOKEN holds a space or a sign that no token has")
    return token


def _one_of(values: Mapping[str, str], name: str, known: tuple[str, ...], default: str) -> str:
    value = values.get(name, default)
    for choice in known:
        if value.lower() == choice.lower():
            return choice
    raise SettingsError(f"{name} must be one of {', '.join(known)}")


def _snowflake(values: Mapping[str, str], name: str) -> int | None:
    value = values.get(name)
    if value is None:
        return None
    if not _SNOWFLAKE.fullmatch(value):
        raise SettingsError(f"{name} must be a server's id, 15 to 20 digits")
    return int(value)


def _port(values: Mapping[str, str], name: str, default: int) -> int:
    value = values.get(name, str(default))
    if not re.fullmatch(r"[0-9]{1,5}", value) or int(value) > 65535:
        raise SettingsError(f"{name} must be a port, 0 to 65535")
    return int(value)


def _number(values: Mapping[str, str], name: str, least: int, most: int, default: int) -> int:
    value = values.get(name, str(default))
    if not re.fullmatch(r"[0-9]{1,6}", value) or not least <= int(value) <= most:
        raise SettingsError(f"{name} must be a whole number from {least} to {most}")
    return int(value)


def _host(values: Mapping[str, str], name: str, default: str) -> str:
    value = values.get(name, default)
    if not re.fullmatch(r"[A-Za-z0-9.:-]{1,253}", value):
        raise SettingsError(f"{name} must be an address or a name of this machine")
    return value


def _address(values: Mapping[str, str], name: str, scheme: str) -> str | None:
    value = values.get(name)
    if value is None:
        return None
    if not re.fullmatch(rf"{scheme}s?://[^\s'\"]+", value):
        raise SettingsError(
            f"{name} must be an address that begins with {scheme}:// or {scheme}s://"
        )
    return value.rstrip("/")


def _data_dir(value: str | None, folder: Path, looks: bool) -> Path:
    if value is None:
        path = folder / "data"
        if looks and not _is_there(path):
            return path
        try:
            path.mkdir(exist_ok=True)
        except OSError as error:
            told = f"DATA_DIR is not set and {path} cannot be made ({error.strerror})"
            raise SettingsError(f"{told}; set it to a folder that exists") from error
    else:
        path = folder / Path(value).expanduser()
    # Not Path.is_dir, which raises where a folder above may not be searched.
    if not os.path.isdir(path):  # noqa: PTH112
        told = f"DATA_DIR: {path} is not a folder that user {os.getuid()} can see"
        there, user = shlex.quote(str(path)), os.getuid()
        remedy = f"try: mkdir -p {there} && chown {user} {there}"
        raise SettingsError(f"{told}; {'set another' if _is_there(path) else remedy}")
    if looks:
        if os.access(path, os.R_OK | os.X_OK):
            return path
        told = f"DATA_DIR: {path} cannot be read by user {os.getuid()}"
        raise SettingsError(f"{told}; try: chown -R {os.getuid()} {shlex.quote(str(path))}")
    try:
        with tempfile.TemporaryFile(dir=path):
            return path
    except OSError as error:
        raise SettingsError(
            f"DATA_DIR: {path} cannot be written to by user {os.getuid()} ({error.strerror});"
            f" {_remedy(path, error)}"
        ) from error


def _is_there(path: Path) -> bool:
    """Whether there is something of that name, folder or not, or it cannot be told."""
    try:
        os.lstat(path)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return True


def _remedy(path: Path, error: OSError) -> str:
    if error.errno == errno.EROFS:
        return "mount it so that it can be written, or set another folder"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "free some space there"
    return f"try: chown -R {os.getuid()} {shlex.quote(str(path))}"
