"""`simulate`: equal arguments, equal games; every game ends; the last line is JSON."""

import json
from dataclasses import replace

import pytest

from bot.__main__ import main
from bot.tools.playing import MOST_ANSWERS, SECONDS_PER_ANSWER, Player, Stuck, header_for
from engines.kernel.agents import random_agent
from engines.kernel.decision import TimeUp
from engines.kernel.game import Outcome
from engines.kernel.playthrough import Playthrough


def simulate(capsys, *args: str) -> dict:
    """The object on the last line, when all games ended."""
    assert main(["simulate", "senate", "--players", "4", *args]) == 0
    return json.loads(capsys.readouterr().out.splitlines()[-1])


def untimed(line: dict) -> dict:
    """What no clock decides."""
    return {name: value for name, value in line.items() if name != "ms_per_game"}


def test_the_last_line(capsys):
    """The object has the promised figures, and they fit together."""
    line = simulate(capsys, "--games", "20", "--agent", "random", "--option", "length=long")

    assert list(line) == [
        "games", "wins", "win_rate", "decisions_per_game", "ms_per_game", "endings",
    ]  # fmt: skip
    assert line["games"] == 20 == sum(line["endings"].values())
    assert line["wins"] == line["endings"].get("golden_age", 0)
    assert line["win_rate"] == line["wins"] / 20
    assert line["decisions_per_game"] > 4
    assert line["ms_per_game"] > 0


def test_equal_arguments_equal_games(capsys):
    """The same command gives the same line apart from the time it took."""
    first = simulate(capsys, "--games", "8", "--seed", "7", "--agent", "random")

    assert untimed(first) == untimed(
        simulate(capsys, "--games", "8", "--seed", "7", "--agent", "random")
    )
    assert untimed(first) != untimed(
        simulate(capsys, "--games", "8", "--seed", "8", "--agent", "random")
    )


def test_saving_does_not_change_the_games(capsys, tmp_path):
    """With and without journals the same games are played."""
    saved = simulate(capsys, "--games", "3", "--save", str(tmp_path / "new" / "folder"))

    assert untimed(saved) == untimed(simulate(capsys, "--games", "3"))
    names = sorted(path.name for path in (tmp_path / "new" / "folder").iterdir())
    assert names[1:] == [f"senate-4p-1-{n}.jsonl" for n in (1, 2, 3)]
    assert names[0].startswith("content-")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--players", "2"], "senate is for 3 to 6 players, not 2"),
        (["--agent", "genius"], "there is no agent 'genius'; agents: random, sensible"),
        (["--option", "size=9"], "senate has no option 'size'; options: length, cards"),
        (["--option", "length=9"], "option length cannot be '9'; choices: short, long"),
        (["--save", "/proc/x"], "--save: cannot write in /proc/x"),
    ],
)
def test_what_cannot_be_simulated(args, said, capsys):
    """A wrong number, agent or option is said in one line with what there is."""
    assert main(["simulate", "senate", "--players", "4", *args]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"simulate: {said}")
    assert told.count("\n") == 1


def test_a_broken_game_is_told_and_counted(capsys, monkeypatch):
    """Rules that break do not hide the other games, and the status says so."""
    monkeypatch.setattr("tests.toy.senate.bury", lambda g: g.missing)

    assert main(["simulate", "senate", "--players", "4", "--games", "2"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out.splitlines()[-1])["endings"] == {"none": 2}
    assert "game 1 broke after 0 answers:" in err
    assert "AttributeError" in err
    assert "game 2 broke" in err


def test_an_agent_that_does_not_answer(senate):
    """Nobody answering is a stuck game, not an endless loop."""
    play, player = start(senate, lambda *_: None)

    with pytest.raises(Stuck, match="nobody answers"):
        player.step()
    assert play.ply == 0


def start(title, agent):
    """A game of the title and the player of its seats."""
    options = {option.key: option.default for option in title.game.options}
    header = header_for(title, 4, options, "s", 1)
    play = Playthrough(title.game, title.content.rules, header)
    return play, Player(play, agent, "s", 1)


class Hourglass:
    """A made-up game: one seat turns pages while the sand of twenty seconds falls."""

    key = "hourglass"
    rules_version = 1
    options = ()

    def setup(self, table, content, setting):
        async def rules():
            pages = 0
            try:
                with table.timer("sand", 20):
                    while True:
                        await table.ask(0, "turn", lambda: ["page"])
                        pages += 1
            except TimeUp:
                return Outcome("over", True, {"pages": pages})

        return None, rules()

    def view(self, state, seat):
        return None


def test_sand_falls_with_the_answers(senate):
    """A timer runs out although there is no clock: each answer takes its seconds."""
    play, player = start(replace(senate, game=Hourglass()), random_agent)
    while play.outcome is None:
        player.step()

    assert SECONDS_PER_ANSWER == 8
    assert play.outcome.facts == {"pages": 3}
    assert play.entries[-1].by == "clock"


def test_a_game_without_end(senate, monkeypatch):
    """A game that goes on for ever is given up and told."""
    monkeypatch.setattr("bot.tools.playing.MOST_ANSWERS", 3)
    _, player = start(senate, random_agent)
    for _ in range(3):
        player.step()

    with pytest.raises(Stuck, match="no end after 3 answers"):
        player.step()
    assert MOST_ANSWERS > 10_000


def test_headers(senate):
    """Each seed, number and table has chance of its own, and the same again."""
    options = {"length": "short", "cards": "one"}
    keys = [
        header_for(senate, seats, options, seed, number).key
        for seats in (3, 4) for seed in ("1", "2") for number in (1, 2)
    ]  # fmt: skip

    assert len(set(keys)) == 8
    assert header_for(senate, 3, options, "1", 1).key == keys[0]
