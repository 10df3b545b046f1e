"""Ways to forge a public record, for tests of what checks it.

Each changes a record of Escape the Night in its place. The record needs a rewind, an artifact that
was recovered, and a few rolls of two dice.
"""

from __future__ import annotations

from typing import Any

from bot.sessions.pledge import pledge_of
from bot.tools.verify import dice_in

Record = dict[str, Any]


def dice_events(record: Record) -> list[Record]:
    """The events that tell dice."""
    return [event for event in record["events"] if [*dice_in(event["data"])]]


def changed_die(record: Record) -> None:
    """The first roll told shows another face."""
    dice = next(e for e in dice_events(record) if "dice" in e["data"])["data"]["dice"]
    dice[0] = dice[0] % 6 + 1


def repeated_die(record: Record) -> None:
    """A roll that claims to have been the one before once more."""
    rolls = [e for e in dice_events(record) if len(e["data"].get("dice", ())) == 2]
    other = next(e for e in rolls if e["data"]["dice"] != rolls[0]["data"]["dice"])
    before = rolls[rolls.index(other) - 1]
    other["data"]["dice"] = before["data"]["dice"]


def die_told_twice_differently(record: Record) -> None:
    """The Mysterious Man acts by another die than was rolled."""
    event = next(e for e in record["events"] if e["kind"] == "man_acted")
    event["data"]["die"] = event["data"]["die"] % 6 + 1


def changed_draw(record: Record) -> None:
    """A tile was drawn differently than the key says."""
    draw = next(d for d in record["ledger"] if d["purpose"] == "setup.tiles" and d["n"] > 2)
    draw["result"] = (draw["result"] + 1) % draw["n"]


def changed_die_and_draw(record: Record) -> None:
    """A die and its draw agree with each other, and not with the key."""
    event = dice_events(record)[0]
    draw = record["ledger"][event["draws"] - 1]
    draw["result"] = (draw["result"] + 1) % 6
    event["data"]["dice"][-1] = draw["result"] + 1


def missing_draw(record: Record) -> None:
    """A draw has been left out."""
    place = next(n for n, d in enumerate(record["ledger"]) if d["purpose"] == "move")
    del record["ledger"][place]


def missing_last_draw(record: Record) -> None:
    """The last draw has been left out, which leaves no gap in any count."""
    del record["ledger"][-1]


def closed_die(record: Record) -> None:
    """A die is passed off as a draw that nobody may see."""
    draw = next(d for d in record["ledger"] if d["purpose"] == "attempt")
    del draw["result"]
    draw["hidden"] = True


def opened_deck(record: Record) -> None:
    """A draw of a closed deck is passed off as an open one."""
    draw = next(d for d in record["ledger"] if d["purpose"] == "setup.relic")
    del draw["hidden"]
    draw["result"] = 0


def other_branch(record: Record) -> None:
    """The rewind is denied."""
    for draw in record["ledger"]:
        draw["branch"] = 0


def changed_secret(record: Record) -> None:
    """Another secret."""
    record["header"]["secret"] = "0" * 64


def changed_start(record: Record) -> None:
    """Another click on Start."""
    record["header"]["start"] = "1234567890123456780"


def other_commitment(record: Record) -> None:
    """Another hash."""
    record["header"]["pledge"] = pledge_of(b"another")


def changed_ending(record: Record) -> None:
    """Another ending."""
    record["outcome"]["ending"] = "all_dead"


def changed_survivors(record: Record) -> None:
    """Nobody has survived."""
    record["outcome"]["facts"]["survivors"] = []


def no_outcome(record: Record) -> None:
    """The game is said to have been ended early."""
    record["outcome"] = None


def changed_votes(record: Record) -> None:
    """A guest who was spared is told to have had the most votes; their number stays the same."""
    event = next(e for e in record["events"] if e["kind"] == "votes_counted")
    totals = event["data"]["totals"]
    totals[0]["votes"], totals[-1]["votes"] = totals[-1]["votes"], totals[0]["votes"]


def other_contestant(record: Record) -> None:
    """Somebody goes into the challenge who had fewer votes than one who does not."""
    at = next(n for n, e in enumerate(record["events"]) if e["kind"] == "votes_counted")
    chosen = next(e for e in record["events"][at:] if e["kind"] == "chosen")
    least = record["events"][at]["data"]["totals"][-1]["character"]
    assert least not in chosen["data"]["contestants"]
    chosen["data"]["contestants"][1] = least


def other_end(record: Record) -> None:
    """Outcome and last event agree on a win that the events do not lead to."""
    record["outcome"]["won"] = not record["outcome"]["won"]
    event = next(e for e in record["events"] if e["kind"] == "night_ended")
    event["data"]["won"] = record["outcome"]["won"]


def swapped_events(record: Record) -> None:
    """Two rolls trade places; numbers and draws stay where they belong."""
    one, other = dice_events(record)[:2]
    for part in ("kind", "data"):
        one[part], other[part] = other[part], one[part]


def swapped_as_they_are(record: Record) -> None:
    """Two events trade places, numbers and all."""
    events = record["events"]
    events[40], events[41] = events[41], events[40]


def missing_event(record: Record) -> None:
    """An event has been left out."""
    del record["events"][40]
