"""The program as a user who may not read or write what belongs to root, for tests."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

#: What is imported first can be read by root alone, where the project is root's.
_ANOTHER = """
import os, sys
from bot import config, envfile, logs, stopping, __main__
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
sys.exit(__main__.main(["run", "--online"]))
"""

needs_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")


def run_as_another(folder: str, environ: Mapping[str, str]) -> tuple[int, list[str]]:
    """`run --online` in that folder as user 65534: its status, and the lines that it says."""
    done = subprocess.run(
        [sys.executable, "-c", _ANOTHER],
        cwd=folder, env={"PYTHONPATH": str(ROOT), **environ},
        check=False, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    return done.returncode, (done.stdout + done.stderr).splitlines()
