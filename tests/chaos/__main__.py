"""The long form: `python -m tests.chaos --minutes N` plays so long and prints one JSON line."""

from __future__ import annotations

import argparse
import asyncio
import logging
import secrets
import sys
import tempfile
from pathlib import Path

from tests.chaos.running import run


def main() -> int:
    """Play; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0, metavar="N")
    parser.add_argument("--seed", type=int, default=None, metavar="S", help="default: a new one")
    parser.add_argument("--verbose", action="store_true", help="the bot's log, on stderr")
    args = parser.parse_args()
    level = logging.INFO if args.verbose else logging.CRITICAL
    shown = logging.StreamHandler(sys.stderr)
    shown.setLevel(level)
    logging.basicConfig(level=logging.INFO, handlers=[shown])
    seed = secrets.randbelow(10**6) if args.seed is None else args.seed
    with tempfile.TemporaryDirectory() as folder:
        report = asyncio.run(run(Path(folder), seed, seconds=args.minutes * 60))
    print(report.line())
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
