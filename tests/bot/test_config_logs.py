"""Logs: readable by people and machines, and no secret in them, however it got there."""

import base64
import io
import json
import logging
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bot import logs

ROOT = Path(__file__).parents[2]
TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.abcdefghijklmnopqrstuvwxyz0123456789AB"
INTERACTION = "aW50ZXJhY3Rpb246MTIzNDU2Nzg5MDEyMzQ1Njc4OmFiY2RlZmdo"


@pytest.fixture(params=["text", "json"])
def written(request):
    """A log in one of the two forms; put back afterwards as it was."""
    root = logging.getLogger()
    before = root.handlers[:], root.level
    hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
    stream = io.StringIO()
    logs.start("DEBUG", request.param, TOKEN, stream)
    yield stream
    logging.captureWarnings(capture=False)
    root.handlers[:], root.level = before[0], before[1]
    sys.excepthook, threading.excepthook, sys.unraisablehook = hooks


SECRETS = [
    f"login with {TOKEN} failed",
    f"first half {TOKEN[: len(TOKEN) // 2]}",
    f"second half {TOKEN[len(TOKEN) // 2 :]}",
    f"part {TOKEN.split('.')[2]}",
    f"encoded {base64.b64encode(TOKEN.encode()).decode()}",
    f"basic {base64.b64encode(b'user:' + TOKEN.encode()).decode()}",
    f"basic {base64.b64encode(b'me:x' + TOKEN.encode()).decode()}",
    f"url {base64.urlsafe_b64encode(TOKEN.encode()).decode()}",
    f"headers {{'Authorization': 'Bot {TOKEN}'}}",
    "other MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs",
    "POST https://discord.com/api/v10/webhooks/123456789012345678/s3cr3t-Hook_tokenvalue?wait=1",
    "DELETE /webhooks/123456789012345678/s3cr3t-Hook_tokenvalue/messages/1",
    "POST /api/v10/interactions/123456789012345678/s3cr3t-Hook_tokenvalue/callback",
    f"interaction {INTERACTION}",
    "{'type': 2, 'token': 's3cr3t-Hook_tokenvalue', 'id': 1}",
    '{"type": 2, "token": "s3cr3t-Hook_tokenvalue", "id": 1}',
    "{'Authorization': 'Bearer s3cr3t-Hook_tokenvalue'}",
]


def gives_away(text: str) -> bool:
    """Whether any secret of the list, or half of one, can be read in the text."""
    half = len(TOKEN) // 2
    encoded = base64.b64encode(TOKEN.encode()).decode()
    known = [TOKEN[:half], TOKEN[half:], encoded[8:40], "s3cr3t-Hook", "Cl2FMQ", INTERACTION[8:]]
    return any(secret in text for secret in known)


@pytest.mark.parametrize("message", SECRETS)
def test_no_secret_in_a_message(written, message):
    """OPS-08: token (whole, half, encoded), interaction tokens and webhooks stay out."""
    logging.getLogger("some.library").debug("%s", message)

    assert "[secret]" in written.getvalue()
    assert not gives_away(written.getvalue())
    assert message.split()[0].strip("{}:'\"") in written.getvalue()


@pytest.mark.parametrize("message", SECRETS)
def test_no_secret_in_a_traceback(written, message):
    """OPS-08: an error that carries a secret is logged without it, and so are its causes."""
    try:
        try:
            raise ValueError(message)
        except ValueError as error:
            raise RuntimeError(f"because {message}") from error
    except RuntimeError:
        logging.getLogger("some.library").exception("failed")

    assert "RuntimeError" in written.getvalue()
    assert not gives_away(written.getvalue())


def test_ordinary_words_stay(written):
    """What only reminds of a secret is left alone."""
    said = "Bot started; tokens: 3; token bucket; webhooks are off; see https://discord.com/x"
    logging.getLogger("bot").info(said)

    assert said in written.getvalue()


def test_one_record_one_line(written):
    """A message with line breaks cannot pretend to be another record."""
    logging.getLogger("bot").warning("name: %s", "x\n2026-01-01T00:00:00Z ERROR bot: forged")

    assert written.getvalue().count("\n") == 1


def test_json_lines():
    """Each line is one JSON object with the time in UTC."""
    record = logging.LogRecord("bot.x", logging.INFO, "f", 1, "said %d", (3,), None)
    record.created = 1767225600.5
    line = json.loads(logs.JsonFormatter(logs.Redactor()).format(record))

    assert line == {
        "time": "2026-01-01T00:00:00.500Z",
        "level": "INFO",
        "logger": "bot.x",
        "message": "said 3",
    }


def test_text_lines():
    """The same as text."""
    record = logging.LogRecord("bot.x", logging.INFO, "f", 1, "said %d", (3,), None)
    record.created = 1767225600.5

    assert logs.TextFormatter(logs.Redactor()).format(record) == (
        "2026-01-01T00:00:00.500Z INFO bot.x: said 3"
    )


CRASH = """
import asyncio, sys, threading, warnings
from bot import logs
secret = sys.argv[1]
logs.start("DEBUG", sys.argv[2], secret)
warnings.warn(f"warned of {secret}")
thread = threading.Thread(target=lambda: int(secret))
thread.start()
thread.join()
class Bad:
    def __del__(self):
        raise ValueError(secret)
Bad()
async def main():
    asyncio.get_running_loop().set_debug(True)
    task = asyncio.create_task(failing())
    await asyncio.sleep(0)
    del task
async def failing():
    raise ValueError(f"in a task: {secret}")
asyncio.run(main())
raise SystemError(f"at the end: {secret}")
"""


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_secret_from_a_crash(form):
    """OPS-08: nor from warnings, threads, tasks, destructors, or what nobody caught."""
    done = subprocess.run(
        [sys.executable, "-c", CRASH, TOKEN, form],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 1
    assert done.stdout == ""
    for told in ("warned of", "invalid literal", "in a task", "at the end", "__del__"):
        assert told in done.stderr
    assert not gives_away(done.stderr)


def test_debug_lines_that_would_tell_secrets_are_not_written(written):
    """The database's and the gateway's DEBUG lines hold ballots and the secret of the dice."""
    for name in ("aiosqlite", "discord.gateway", "discord.http"):
        logging.getLogger(name).debug("a ballot")
        logging.getLogger(name).warning("%s warns", name)
    logging.getLogger("bot.app").debug("our own")

    assert "a ballot" not in written.getvalue()
    assert "discord.http warns" in written.getvalue()
    assert "our own" in written.getvalue()
