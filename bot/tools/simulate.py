"""`simulate`: computer players play whole games; the last line of stdout is one JSON object."""

from __future__ import annotations

import json
import sys
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bot.counted import counted
from bot.titles import Title
from bot.tools import files, titles
from bot.tools.errors import UsageError
from bot.tools.playing import Play, Player, Stuck, header_for
from engines.kernel.errors import RulesBug
from engines.kernel.playthrough import Playthrough


@dataclass(slots=True)
class Tally:
    """What came of the games so far; `seconds` is the only figure that a clock decides."""

    games: int = 0
    wins: int = 0
    decisions: int = 0
    seconds: float = 0.0
    endings: dict[str, int] = field(default_factory=dict[str, int])

    def count(self, play: Play, seconds: float) -> None:
        """Add one game."""
        outcome = play.outcome
        ending = outcome.ending if outcome else "none"
        self.games += 1
        self.wins += bool(outcome and outcome.won)
        self.decisions += play.ply
        self.seconds += seconds
        self.endings[ending] = self.endings.get(ending, 0) + 1

    def line(self) -> str:
        """The JSON object; equal games give equal lines apart from ms_per_game."""
        return json.dumps(
            {
                "games": self.games,
                "wins": self.wins,
                "win_rate": round(self.wins / self.games, 4),
                "decisions_per_game": round(self.decisions / self.games, 1),
                "ms_per_game": round(self.seconds * 1000 / self.games, 1),
                "endings": dict(sorted(self.endings.items())),
            }
        )


def run(
    game: str,
    players: int,
    games: int,
    seed: str,
    agent: str,
    options: Mapping[str, str],
    save: Path | None,
) -> int:
    """Play the games and print what came of them; 0 only if every one of them ended."""
    title = titles.find(game)
    seats = titles.checked_seats(title, players)
    chosen = titles.checked_options(title, options)
    if agent not in title.game.agents:
        raise UsageError(f"there is no agent {agent!r}; agents: {', '.join(title.game.agents)}")
    if save is not None:
        _prepare(save, title)
    told = ", ".join(f"{key}={value}" for key, value in chosen.items())
    print(f"{title.key}, {counted(seats, 'seat')}, {agent} players, {told}")
    tally = Tally()
    for number in range(1, games + 1):
        start = time.perf_counter()
        play = _play(title, seats, chosen, seed, number, agent, checks=save is not None)
        tally.count(play, time.perf_counter() - start)
        if save is not None:
            name = files.journal_name(play.header, seed, number)
            files.write_journal(save / name, play.header, play.entries)
    print(tally.line())
    return 0 if "none" not in tally.endings else 1


def _prepare(folder: Path, title: Title) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files.write_content(folder, title)
    except OSError as error:
        raise UsageError(f"--save: cannot write in {folder} ({error.strerror})") from error


def _play(
    title: Title,
    seats: int,
    options: Mapping[str, str],
    seed: str,
    number: int,
    agent: str,
    *,
    checks: bool,
) -> Play:
    """One game, to its end or to where it broke, which is told on stderr."""
    header = header_for(title, seats, options, seed, number)
    play: Play = Playthrough(title.game, title.content.rules, header, checks=checks)
    player = Player(play, title.game.agents[agent], seed, number)
    try:
        while play.outcome is None:
            player.step()
    except Stuck as error:
        print(f"game {number}: {error}", file=sys.stderr)
    except (Exception, RulesBug):  # noqa: BLE001 - one broken game must not hide the others
        print(f"game {number} broke after {counted(play.ply, 'answer')}:", file=sys.stderr)
        traceback.print_exc()
    return play
