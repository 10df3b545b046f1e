"""`preview`: the picture of a simulated game after so many answers, as one seat would see it."""

from __future__ import annotations

import sys
from pathlib import Path

from bot.counted import counted
from bot.tools import titles
from bot.tools.errors import UsageError
from bot.tools.playing import Play, Player, header_for
from content.names import Style
from engines.kernel.playthrough import Playthrough


def run(game: str, players: int, seed: str, ply: int, seat: int | None, output: Path) -> int:
    """Write the picture; a game that ends earlier gives its closing picture."""
    title = titles.find(game)
    seats = titles.checked_seats(title, players)
    if seat is not None and seat >= seats:
        raise UsageError(f"--seat {seat}: seats go from 0 to {seats - 1}")
    header = header_for(title, seats, titles.checked_options(title, {}), seed, 1)
    play: Play = Playthrough(title.game, title.content.rules, header, checks=False)
    player = Player(play, title.game.agents["sensible"], seed, 1)
    while play.outcome is None and play.ply < ply:
        player.step()

    names = [title.content.words.seat(number) for number in range(seats)]
    words = title.content.words.bound(names, Style.PLAIN)
    view = play.view(seat)
    if play.outcome:
        print(
            f"the game ended after {counted(play.ply, 'answer')}: {play.outcome.ending}",
            file=sys.stderr,
        )
        picture = title.renderer.closing(view, words, names, play.outcome)
    else:
        picture = title.renderer.draw(view, words, names)
    try:
        output.write_bytes(picture)
    except OSError as error:
        raise UsageError(f"cannot write {output} ({error.strerror})") from error
    print(f"{output}: {counted(len(picture), 'byte')}, after {counted(play.ply, 'answer')}")
    return 0
