"""A log that nobody reads stops nobody, and one that is read loses nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.outlet import Outlet

ROOT = Path(__file__).parents[2]

CHATTY = """
import asyncio, logging, os, signal, sys
from bot import logs, outlet

async def main():
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    os.write(int(sys.argv[1]), b"up")
    while not stop.is_set():
        for _ in range(200):
            logging.info("x" * 500)
        outlet.say("y" * 200)
        await asyncio.sleep(0.01)
    os.write(int(sys.argv[1]), b"down")

logs.start("INFO", "text", None)
asyncio.run(main())
"""


@pytest.mark.parametrize("is_closed", [False, True])
def test_sigterm_is_heard_though_nobody_reads(is_closed: bool) -> None:
    """Ten thousand lines into a pipe that is full, or whose reader has gone: the loop turns, the
    signal is heard, the process ends by itself, and memory stays bounded.
    """
    told, tells = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-c", CHATTY, str(tells)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=ROOT,
        pass_fds=(tells,),
    )
    os.close(tells)
    try:
        assert process.stdout is not None
        assert os.read(told, 2) == b"up"
        if is_closed:
            process.stdout.close()
        time.sleep(1.5)
        pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
        assert pages * os.sysconf("SC_PAGE_SIZE") < 200 * 2**20
        process.send_signal(signal.SIGTERM)
        assert os.read(told, 4) == b"down"
        assert process.wait(8) == 0
    finally:
        process.kill()
        process.wait()
        os.close(told)
        if process.stdout is not None:
            process.stdout.close()


def test_everything_is_written_in_order_at_the_end() -> None:
    """A process that ends right after it has logged leaves nothing behind."""
    code = (
        "import logging; from bot import logs; logs.start('INFO', 'text', None)\n"
        "for n in range(5000): logging.info('line %d', n)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
        check=True,
    )
    found = [line.rpartition(" ")[2] for line in done.stderr.splitlines()]
    assert found == [str(n) for n in range(5000)]


def test_what_a_slow_reader_has_missed_is_counted() -> None:
    """What does not fit is dropped, and a line says how much, once somebody reads again."""
    reads, writes = os.pipe()
    outlet = Outlet(writes, most=100_000)
    began = time.monotonic()
    for _ in range(1000):
        outlet.write("z" * 999 + "\n")
    assert time.monotonic() - began < 20
    assert not outlet.flush(0.05)
    seen = b""
    while not seen.endswith(b"last\n"):
        seen += os.read(reads, 65536)
        if outlet.flush(0.01) and not seen.endswith(b"last\n"):
            outlet.write("last\n")
    lost = int(seen.partition(b"(")[2].partition(b" lines lost")[0])
    assert lost + seen.count(b"z\n") == 1000
    assert 800 < lost < 1000
    os.close(reads)
