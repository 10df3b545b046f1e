"""Small disks that a test mounts for itself, where the system lets it."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest


def mount(folder: Path, options: str) -> None:
    """Mount a file system in memory there; where that is not allowed the test is skipped."""
    program = shutil.which("mount")
    if sys.platform != "linux" or os.getuid() != 0 or program is None:
        pytest.skip("only root can mount a file system")
    arguments = [program, "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if subprocess.run(arguments, check=False, capture_output=True).returncode != 0:
        pytest.skip("mounting is not allowed here")


@contextlib.contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A new folder on a disk of this size, such as ``3m``; gone afterwards with all it holds."""
    folder.mkdir()
    mount(folder, f"size={size}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)
