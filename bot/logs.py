"""Logging to stderr, as text or as JSON lines, with every secret taken out.

Secrets are taken out of what is written, not of records, so that tracebacks and whatever a library
logs are covered. That is the token (whole, either half, each of its parts, in base64), anything
that looks like a bot's token, the tokens of interactions, and webhooks' addresses.
"""

from __future__ import annotations

import base64
import contextlib
import json
import logging
import re
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from types import TracebackType
from typing import Final, TextIO

from bot.outlet import Outlet, outlet

REDACTED: Final = "[secret]"
_LEAST: Final = 6
"""Shorter pieces of a token are not looked for: they would be found in ordinary words."""
_LONG: Final = 20
"""Shorter parts of a token between its dots are no secrets by themselves."""

_SHAPES: Final = (
    (re.compile(r"https?://[^\s\"'<>]*/webhooks/[0-9]+/[\w.~%-]+[^\s\"'<>]*"), REDACTED),
    (re.compile(r"((?:/webhooks|/interactions)/[0-9]+/)[\w.~%=-]+"), rf"\1{REDACTED}"),
    (re.compile(r"aW50ZXJhY3Rpb24[\w+/=-]+"), REDACTED),
    (re.compile(r"\b[A-Za-z0-9_-]{20,30}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{20,}"), REDACTED),
    (re.compile(r"""(\\?["']?\b[\w-]*token\\?["']?\s*[:=]\s*\\?["'])[^"'\\]+"""), rf"\1{REDACTED}"),
    (re.compile(r"(?i)(authorization\W{1,8}(?:bot|bearer|basic) )[\w.+/=-]+"), rf"\1{REDACTED}"),
)
_log: Final = logging.getLogger(__name__)


class Redactor:
    """Takes secrets out of text."""

    def __init__(self, token: str | None = None) -> None:
        pieces = sorted(_pieces(token), key=len, reverse=True) if token else []
        self._token = re.compile("|".join(map(re.escape, pieces))) if pieces else None

    def __call__(self, text: str) -> str:
        """The text with every secret replaced."""
        if self._token:
            text = self._token.sub(REDACTED, text)
        for shape, instead in _SHAPES:
            text = shape.sub(instead, text)
        return text


def _pieces(token: str) -> Iterator[str]:
    middle = len(token) // 2
    found = [token, token[:middle], token[middle:]]
    found += [part for part in token.split(".") if len(part) >= _LONG]
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        # Where the token stands in what was encoded shifts its code by 0, 2 or 4 bits.
        for shift in range(3):
            code = encode(bytes(shift) + token.encode()).decode().rstrip("=")
            found.append(code[4 if shift else 0 : -1])
    return (piece for piece in found if len(piece) >= _LEAST)


class TextFormatter(logging.Formatter):
    """One line a record: time (UTC), level, logger, message; a traceback below it."""

    def __init__(self, redact: Redactor) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        """The record as text, without secrets."""
        return self._redact(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """The first line; a message cannot pretend to be two records."""
        record.message = record.message.replace("\r", "\\r").replace("\n", "\\n")
        return super().formatMessage(record)

    def formatTime(  # noqa: N802 - logging's name
        self, record: logging.LogRecord, datefmt: str | None = None
    ) -> str:
        """The time in UTC, to the millisecond."""
        return _time(record)


class JsonFormatter(logging.Formatter):
    """One JSON object a line: time (UTC), level, logger, message, and traceback if there is one."""

    def __init__(self, redact: Redactor) -> None:
        super().__init__()
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        """The record as a JSON object, without secrets."""
        said = {
            "time": _time(record),
            "level": record.levelname,
            "logger": record.name,
            "message": self._redact(record.getMessage()),
        }
        if record.exc_info:
            said["traceback"] = self._redact(self.formatException(record.exc_info))
        if record.stack_info:
            said["stack"] = self._redact(record.stack_info)
        return json.dumps(said, ensure_ascii=False)


def _time(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


TELLTALES: Final = ("aiosqlite", "discord")
"""Libraries whose DEBUG lines hold what players answer in secret, and the secret of the dice."""


class Unhurried(logging.Handler):
    """Writes records where nobody has to wait for whoever reads them."""

    def __init__(self, to: Outlet) -> None:
        super().__init__()
        self._to = to

    def emit(self, record: logging.LogRecord) -> None:
        """Put the record into words at once, and have them written later."""
        try:
            self._to.write(f"{self.format(record)}\n")
        except Exception:  # noqa: BLE001 - logging's own rule: a log never breaks what it tells of
            self.handleError(record)


def _handler(stream: TextIO | None) -> logging.Handler:
    if stream is None:
        with contextlib.suppress(OSError, ValueError, AttributeError):
            return Unhurried(outlet(sys.stderr.fileno()))
    return logging.StreamHandler(stream or sys.stderr)


def start(level: str, form: str, token: str | None, stream: TextIO | None = None) -> None:
    """Log to stderr (or `stream`) from now on; replaces whatever was set up before.

    A reader of stderr that stops reading holds nobody up. What nobody caught, in any thread, and
    warnings are logged as well.
    """
    redact = Redactor(token)
    handler = _handler(stream)
    handler.setFormatter(JsonFormatter(redact) if form == "json" else TextFormatter(redact))
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level)
    for name in TELLTALES:
        logging.getLogger(name).setLevel(max(root.level, logging.INFO))
    logging.captureWarnings(capture=True)
    sys.excepthook = _uncaught
    threading.excepthook = _uncaught_in_thread
    sys.unraisablehook = _unraisable


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    _log.critical("nobody caught this", exc_info=(kind, error, trace))


def _uncaught_in_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None:
        name = args.thread.name if args.thread else "a thread"
        _log.critical(
            "nobody caught this in %s", name,
            exc_info=(args.exc_type, args.exc_value, args.exc_traceback),
        )  # fmt: skip


def _unraisable(args: sys.UnraisableHookArgs) -> None:
    if args.exc_value is not None:
        _log.error(
            "%s: %r", args.err_msg or "ignored", args.object,
            exc_info=(args.exc_type, args.exc_value, args.exc_traceback),
        )  # fmt: skip
