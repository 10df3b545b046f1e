"""Run as a script: ``leash.py PARENT PROGRAM ARGS...`` becomes PROGRAM, tied to its parent's life.

A child that outlives a killed parent would go on holding the data folder and a port. Linux can
send a signal to a process when its parent ends; the wish survives ``exec``, so this script asks
for it and then turns into the program. Elsewhere the program is started as it is.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

_PR_SET_PDEATHSIG = 1


def leashed(argv: Sequence[str]) -> list[str]:
    """The command line that starts ``argv`` as a child of this process, leashed if possible."""
    if sys.platform != "linux":
        return list(argv)
    return [sys.executable, "-S", "-E", str(Path(__file__)), str(os.getpid()), *argv]


def _main(argv: Sequence[str]) -> int:
    parent, program = int(argv[1]), list(argv[2:])
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        return 1  # the parent was gone before the wish was made
    os.execvp(program[0], program)  # noqa: S606  # replacing this process is the purpose
    return 1


if __name__ == "__main__":
    sys.exit(_main(sys.argv))
