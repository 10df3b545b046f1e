"""Being told to stop while the loop runs: SIGTERM and Ctrl-C, once and again."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from bot.outlet import flush_all

LAST: Final = 0.5
"""Seconds for threads that still draw or replay when everything else is done."""

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)

_log = logging.getLogger(__name__)


class Stop:
    """What the process has been told: ``asked`` to stop, and in a ``hurry``, by a second signal.

    Made in a running loop, which then hears the signals. Until ``is_open`` is set there is nothing
    but the opening of the data to stop: that is finished first, or left as a kill would leave it.
    ``is_stuck``: something of the loop does not end, and is left behind.
    """

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.hurry = asyncio.Event()
        self.is_open = False
        self.is_stuck = False
        loop = asyncio.get_running_loop()
        self._threads = ThreadPoolExecutor(thread_name_prefix="work")
        loop.set_default_executor(self._threads)
        for number in SIGNALS:
            loop.add_signal_handler(number, self._told)

    def _told(self) -> None:
        if not self.asked.is_set():
            self.asked.set()
            if not self.is_open:
                _log.info("stopping as soon as the data are open")
            return
        self.hurry.set()
        if not self.is_open:
            # A thread works on the database and cannot be called off; what it has not finished
            # is rolled back at the next start.
            os._exit(1)

    def leave(self, status: int) -> int:
        """The exit status, once no thread works any more; ends the process if one goes on.

        To be called last of all. What such a thread draws or replays nobody waits for any more.
        """
        done = threading.Event()

        def end() -> None:
            self._threads.shutdown(wait=True, cancel_futures=True)
            done.set()

        threading.Thread(target=end, name="leaving", daemon=True).start()
        is_done = done.wait(LAST)
        if not is_done:  # nothing else is left to be done in this loop
            _log.info("ended while something was still being drawn or replayed")
        if self.is_stuck or not is_done:
            flush_all()
            os._exit(status)
        for number in SIGNALS:  # the loop would leave them to end the process with another status
            asyncio.get_running_loop().remove_signal_handler(number)
            signal.signal(number, signal.SIG_IGN)
        return status
