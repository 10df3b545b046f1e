"""The command line: `python -m bot` plays, the other commands look at games and content.

What a command needs is imported when it runs, so that `simulate` never loads discord and a missing
extra breaks only what needs it.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot import __version__
from bot.titles import KEYS
from bot.tools.errors import UsageError

if TYPE_CHECKING:
    from bot.config import Settings

USAGE: Final = 2
"""Exit status for arguments or settings that cannot be used."""

MOST_PLAYERS: Final = 11
_EXTRA: Final = ("simcord", "aiohttp")
_GAMES: Final = f"one of: {', '.join(KEYS)}"


def main(argv: Sequence[str] | None = None) -> int:
    """Carry out one command; its exit status."""
    given = list(sys.argv[1:] if argv is None else argv)
    if not given or (given[0].startswith("-") and given[0] not in ("-h", "--help", "--version")):
        given.insert(0, "run")
    args = _parser().parse_args(given)
    command: Callable[[argparse.Namespace], int] = args.carry_out
    try:
        return command(args)
    except UsageError as error:
        print(f"{args.command}: {error}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        return 0 if args.command == "run" else 130
    except Exception as error:
        from content.yaml_source import ContentError

        if not isinstance(error, ContentError):
            raise
        for fault in error.all():
            print(fault, file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bot",
        description="Host board games on Discord, or at an offline table in the browser.",
        epilog="Without a command: run. Each command explains itself with --help: run --help.",
    )
    parser.add_argument("--version", action="version", version=f"nightwatch {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def add(name: str, carry_out: Callable[[argparse.Namespace], int], told: str):  # noqa: ANN202
        command = commands.add_parser(name, help=told, description=f"{told}.")
        command.set_defaults(carry_out=carry_out)
        return command

    run = add("run", _run, "Host games: on Discord with a token, else at an offline table")
    run.add_argument(
        "--players",
        type=_between(1, MOST_PLAYERS),
        metavar="N",
        help="seats at the offline table, 1 to 11 (default 4)",
    )
    run.add_argument(
        "--online", action="store_true", help="never the offline table; DISCORD_TOKEN must be set"
    )
    # The offline table has read the same `.env` when it starts its bot.
    run.add_argument("--warned", action="store_true", help=argparse.SUPPRESS)

    simulate = add("simulate", _simulate, "Let computer players play whole games, and count")
    simulate.add_argument("game", metavar="GAME", help=_GAMES)
    simulate.add_argument(
        "--players", type=_between(1, 99), required=True, metavar="N", help="how many seats"
    )
    simulate.add_argument(
        "--games", type=_between(1, 10**6), default=1, metavar="K", help="how many (default 1)"
    )
    simulate.add_argument(
        "--seed",
        default="1",
        metavar="S",
        help="any text; equal seeds give equal games (default 1)",
    )
    simulate.add_argument(
        "--agent", default="sensible", metavar="NAME",
        help="who plays: sensible or random (default sensible)",
    )  # fmt: skip
    simulate.add_argument(
        "--option", type=_option, action="append", default=[], metavar="KEY=VALUE",
        help="a lobby option; may be given several times",
    )  # fmt: skip
    simulate.add_argument(
        "--save", type=Path, metavar="DIR", help="write a journal of each game into this folder"
    )

    preview = add("preview", _preview, "Draw the board of a simulated game as a picture")
    preview.add_argument("game", metavar="GAME", help=_GAMES)
    preview.add_argument(
        "--seed", default="1", metavar="S", help="as in simulate: equal seeds, equal games"
    )
    preview.add_argument(
        "--ply",
        type=_between(0, 10**6),
        default=0,
        metavar="N",
        help="after how many answers (default 0)",
    )
    preview.add_argument(
        "--players", type=_between(1, 99), default=4, metavar="N", help="seats (default 4)"
    )
    preview.add_argument(
        "--seat", type=_between(0, 98), metavar="K",
        help="as that seat sees it, from 0 (default: a spectator)",
    )  # fmt: skip
    preview.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE", help="the picture, a PNG"
    )

    check = add("check-content", _check_content, "Load every game's content and count it")
    check.add_argument(
        "folder", nargs="?", type=Path, metavar="DIR", help="a content folder (default: our own)"
    )

    replay = add("replay", _replay, "Play a saved journal again, checking every answer")
    replay.add_argument("file", type=Path, metavar="FILE", help="what simulate --save writes")

    verify = add("verify", _verify, "Check the dice and the outcome of a finished game's record")
    verify.add_argument("file", type=Path, metavar="FILE", help="what /verify gives")
    verify.add_argument(
        "--pledge", metavar="HASH", help="the hash from the channel, to compare with the file's"
    )

    add("validate-journals", _validate, "Replay all unfinished games of the store on this code")

    backup = add("backup", _backup, "Copy the data, also while the bot runs, and check the copy")
    backup.add_argument(
        "--to", type=Path, metavar="FILE",
        help="a file or a folder (default: backups/ in the data folder)",
    )  # fmt: skip
    restored = add("restore-backup", _restore, "Go on from a backup; the data of now is kept aside")
    restored.add_argument(
        "file", type=Path, metavar="FILE", help="a backup; the bot must be stopped"
    )

    forget = add("forget", _forget, "Remove every trace of a user, while the bot is stopped")
    forget.add_argument(
        "user", type=_between(1, 2**63 - 1), metavar="USER_ID", help="their number on Discord"
    )

    add("health", _health, "Exit with 0 if the running bot has given a sign of life")
    return parser


def _between(least: int, most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is no number from {least} to {most}")
        return int(text)

    return number


def _option(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not key or not sign or not value:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form key=value")
    return key, value


def _settings(*, looks: bool = False, warns: bool = True) -> Settings:
    from bot.config import Settings, SettingsError

    try:
        return Settings.read(os.environ, Path.cwd(), looks=looks, warn=_warn if warns else _unheard)
    except SettingsError as error:
        raise UsageError(str(error)) from error


def _warn(told: str) -> None:
    print(f"warning: {told}", file=sys.stderr)


def _unheard(_: str) -> None:
    """For who has said it before."""


def _run(args: argparse.Namespace) -> int:
    from bot import hearing

    hearing.hear()
    from bot import logs

    settings = _settings(warns=not args.warned)
    logs.start(settings.log_level, settings.log_format, settings.token)
    if settings.token:
        if args.players is not None:
            raise UsageError("--players is for the offline table, but DISCORD_TOKEN is set")
        from bot.online import main as online

        return online(settings)
    if args.online:
        from bot.config import misspelt

        instead = misspelt("DISCORD_TOKEN", Path.cwd())
        but = f", but {instead}" if instead else ""
        raise UsageError(
            f"DISCORD_TOKEN is not set{but}; --online signs in to Discord and needs it"
        )
    try:
        from bot.offline.table import main as offline
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in _EXTRA and error.name != "bot.offline":
            raise
        told = f"the offline table is not installed ({error.name} is missing)"
        raise UsageError(f"{told}: pip install -e '.[offline]', or set DISCORD_TOKEN") from error
    return offline(settings, args.players or 4)


def _simulate(args: argparse.Namespace) -> int:
    from bot.tools import simulate

    return simulate.run(
        args.game, args.players, args.games, args.seed, args.agent, dict(args.option), args.save
    )


def _preview(args: argparse.Namespace) -> int:
    from bot.tools import preview

    return preview.run(args.game, args.players, args.seed, args.ply, args.seat, args.output)


def _check_content(args: argparse.Namespace) -> int:
    from bot.tools import check_content

    return check_content.run(args.folder)


def _replay(args: argparse.Namespace) -> int:
    from bot.tools import replay

    return replay.run(args.file)


def _verify(args: argparse.Namespace) -> int:
    from bot.tools import verify

    return verify.run(args.file, args.pledge)


def _validate(args: argparse.Namespace) -> int:
    from bot.tools import validate_journals

    del args
    return validate_journals.run(_settings(looks=True).data_dir)


def _backup(args: argparse.Namespace) -> int:
    from bot.tools import backup

    return backup.run(_settings(looks=True).data_dir, args.to, time.time())


def _restore(args: argparse.Namespace) -> int:
    from bot.tools import backup

    return backup.restore(_settings().data_dir, args.file, time.time())


def _forget(args: argparse.Namespace) -> int:
    from bot.tools import forget

    return forget.run(_settings().data_dir, args.user)


def _health(args: argparse.Namespace) -> int:
    from bot.health import HEARTBEAT, LIMIT, is_healthy

    del args
    heartbeat = _settings(looks=True).data_dir / HEARTBEAT
    if is_healthy(heartbeat, time.time()):
        return 0
    told = f"no sign of life in {heartbeat} within the last {LIMIT} seconds"
    print(f"health: {told}: the bot does not run there, or hangs; see its log", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
