"""The board without a picture: as plain ASCII, as alt text, as a hand of relics, as one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.render.escape_the_night.telling import (
    ARTIFACT,
    CARDS,
    CHALLENGE,
    DECKS,
    RELIC,
    guest_name,
    guests,
    initials,
    phase_name,
    room_names,
)
from bot.render.kit.words import MOST_ALT, MOST_ASCII, Words, cut, plain, player
from engines.escape_the_night.view import CharacterView, SeatView

_ABILITIES: Final = "names.character_effect"


def board_words(view: SeatView, words: Words, seats: Sequence[str]) -> str:
    """What the picture shows, in at most 3,500 characters of ASCII."""
    lines = [
        *_state(view, words, seats),
        "",
        *_map(view, words),
        words.say("picture.board.legend"),
        _rooms(view, words),
        "",
        words.say("picture.board.guests"),
        *(_guest(view, words, seats, who) for who in view.characters),
        "",
        *_things(view, words, seats),
    ]
    return cut(plain("\n".join(lines)), MOST_ASCII, "...")


def _state(view: SeatView, words: Words, seats: Sequence[str]) -> list[str]:
    def say(path: str, **facts: object) -> str:
        return words.say(f"picture.board.{path}", facts)

    lines = [say("title", round=view.round, phase=phase_name(view, words))]
    if view.current_seat is not None:
        who = player(words, seats, view.current_seat)
        character = guest_name(words, view.acting) if view.acting else ""
        lines.append(say("turn", who=who, character=character, known=bool(character)))
    if view.walk_dice:
        dice = " ".join(map(str, view.walk_dice))
        lines.append(say("dice", dice=dice, steps=view.steps_left))
    if view.attempt is not None:
        lines.append(say("attempt", **_attempt(view, words)))
    if view.duel is not None:
        lines.append(say("duel", **_duel(view, words)))
    lines.append(
        say(
            "man",
            man=words.say(f"picture.man.{view.man_side}"),
            die=view.man.die if view.man else 0,
        )
    )
    if view.actions_left is not None:
        lines.append(say("actions", actions=view.actions_left))
    if view.hourglass is not None and view.phase == "last_round":
        lines.append(words.say("picture.minutes", {"minutes": view.hourglass}))
    return lines


def _attempt(view: SeatView, words: Words) -> dict[str, object]:
    attempt = view.attempt
    assert attempt is not None
    return {
        "character": guest_name(words, attempt.character),
        "card": words.name(CARDS[attempt.colour], attempt.card),
        "difficulty": attempt.difficulty,
        "bonus": attempt.bonus,
        "rolled": bool(attempt.dice),
        "total": sum(attempt.dice) + attempt.bonus,
    }


def _duel(view: SeatView, words: Words) -> dict[str, object]:
    duel = view.duel
    assert duel is not None
    one, other = (guest_name(words, ident) for ident in duel.contestants)
    return {
        "card": words.name(CHALLENGE, duel.card),
        "one": one,
        "score_one": duel.scores[0],
        "other": other,
        "score_other": duel.scores[1],
    }


def _map(view: SeatView, words: Words) -> list[str]:
    """The plan, three characters a space: room, what is there, whether it is in reach."""
    inside = _inside(view, words)
    wide = max(len(line) for line in view.board.plan)
    rows = ["   " + "".join(f"{chr(ord('A') + n)}  " for n in range(wide)).rstrip()]
    for number, line in enumerate(view.board.plan, 1):
        cells = ""
        for column, mark in enumerate(line):
            space = f"{chr(ord('a') + column)}{number}"
            if mark == ".":
                cells += "   "
            else:
                cells += mark + inside.get(space, ".") + ("+" if space in view.reachable else " ")
        rows.append(f"{number:2} {cells}".rstrip())
    return rows


def _inside(view: SeatView, words: Words) -> dict[str, str]:
    """The sign for each space that is not empty; guests hide tiles, tiles hide the circle."""
    signs = {None: "*", "clue": "c", "monster": "m"}
    found = dict.fromkeys(view.board.ritual, "o")
    found.update({artifact.space: "$" for artifact in view.artifacts})
    found.update({tile.space: signs[tile.colour] for tile in view.tiles})
    marks = initials(view, words)
    found.update({c.space: marks[c.id][0] for c in view.characters if c.alive and c.space})
    return found


def _rooms(view: SeatView, words: Words) -> str:
    names = room_names(view, words)
    told = ", ".join(f"{mark} {names[room]}" for mark, room in view.board.marks.items())
    doors = " ".join("-".join(_named(words, s) for s in door) for door in view.board.doors)
    rooms = words.say("picture.board.rooms", {"rooms": told})
    return rooms + "\n" + words.say("picture.board.doors", {"doors": doors})


def _named(words: Words, space: str) -> str:
    return words.name("space", space)


def _guest(view: SeatView, words: Words, seats: Sequence[str], who: CharacterView) -> str:
    states: list[str] = []
    if who.id == view.acting:
        states.append(words.say("picture.board.acting"))
    if who.exhausted and who.alive:
        states.append(words.say("picture.board.tired"))
    if who.monster is not None:
        name = words.name(CARDS["monster"], who.monster)
        states.append(words.say("picture.board.pinned", {"monster": name}))
    if who.id in view.late and who.alive:
        states.append(words.say("picture.board.late"))
    if not who.alive:
        place = words.say("picture.board.dead")
    else:
        place = _named(words, who.space) if who.space else words.say("picture.board.outside")
    facts = {
        "mark": initials(view, words)[who.id],
        "name": guest_name(words, who.id),
        "who": player(words, seats, who.owner),
        "place": place,
        "states": "".join(f", {state}" for state in states),
        "solved": who.solved,
        "slain": who.slain,
    }
    return words.say("picture.board.guest", facts)


def _things(view: SeatView, words: Words, seats: Sequence[str]) -> list[str]:
    none = words.say("picture.board.none")

    def named(idents: Sequence[str]) -> str:
        return ", ".join(words.name(ARTIFACT, ident) for ident in idents) or none

    lying = ", ".join(
        f"{_named(words, a.space)} {words.name(ARTIFACT, a.id)}" for a in view.artifacts
    )
    relics = ", ".join(
        f"{player(words, seats, seat)}: {count}" for seat, count in enumerate(view.hand_counts)
    )
    mantle = {"count": len(view.mantle), "names": named(view.mantle)}
    return [
        words.say("picture.board.mantle", mantle),
        words.say("picture.board.artifacts", {"artifacts": lying or none}),
        words.say("picture.board.seats", {"seats": relics}),
        words.say("picture.board.piles", {**dict.fromkeys(DECKS, 0), **dict(view.pile_counts)}),
    ]


def alt_text(view: SeatView, words: Words, seats: Sequence[str]) -> str:
    """The state in two or three sentences, at most 1,000 characters."""

    def say(path: str, facts: Mapping[str, object]) -> str:
        return words.say(f"picture.alt.{path}", facts)

    told = [
        say(
            "stand",
            {
                "round": view.round,
                "phase": phase_name(view, words),
                "mantle": len(view.mantle),
                "living": sum(c.alive for c in view.characters),
                "all": len(view.characters),
                "tiles": len(view.tiles),
            },
        )
    ]
    if view.duel is not None:
        told.append(say("duel", _duel(view, words)))
    elif view.attempt is not None:
        told.append(say("attempt", _attempt(view, words)))
    elif view.man is not None:
        told.append(say("man", {"die": view.man.die}))
    elif view.acting is not None and view.current_seat is not None:
        told.append(say("turn", _turn(view, words, seats)))
    if view.actions_left is not None:
        told.append(say("actions", {"actions": view.actions_left}))
    return cut(" ".join(told), MOST_ALT, "…")


def _turn(view: SeatView, words: Words, seats: Sequence[str]) -> dict[str, object]:
    assert view.acting is not None
    assert view.current_seat is not None
    space = guests(view)[view.acting].space
    name = seats[view.current_seat][:80] if view.current_seat < len(seats) else ""
    room = ""
    if space:
        mark = view.board.plan[int(space[1:]) - 1][ord(space[0]) - ord("a")]
        room = room_names(view, words)[view.board.marks[mark]]
    return {
        "who": name or words.say("picture.seat", {"number": view.current_seat + 1}),
        "character": guest_name(words, view.acting),
        "space": _named(words, space) if space else "",
        "room": room,
        "walking": bool(view.walk_dice),
        "steps": view.steps_left,
    }


def hand_words(view: SeatView, words: Words) -> str:
    """The viewing seat's relics and guests with what they do, as Markdown; not for the channel."""
    lines: list[str] = []
    for relic in view.hand:
        facts = {"name": words.name(RELIC, relic)}
        if words.has(f"texts.{RELIC}.{relic}"):
            text = words.say(f"texts.{RELIC}.{relic}")
            lines.append(words.say("picture.hand.card_text", {**facts, "text": text}))
        else:
            lines.append(words.say("picture.hand.card", facts))
    return "\n".join((*(lines or [words.say("picture.hand.none")]), *_own_guests(view, words)))


def _own_guests(view: SeatView, words: Words) -> list[str]:
    """What the seat's living guests can do, while abilities count."""
    able = [
        words.say(
            "picture.hand.guest",
            {"name": guest_name(words, who.id), "ability": words.say(f"{_ABILITIES}.{who.id}")},
        )
        for who in view.characters
        if who.alive and who.owner == view.seat and words.has(f"{_ABILITIES}.{who.id}")
    ]
    return [words.say("picture.hand.guests"), *able] if able and view.abilities else []


def heading(view: SeatView, words: Words) -> str:
    """One line: the hour, what is going on, whose turn it is."""
    facts: dict[str, object] = {"round": view.round, "phase": phase_name(view, words)}
    if view.current_seat is None:
        return words.say("picture.heading.plain", facts)
    return words.say("picture.heading.turn", {**facts, "seat": view.current_seat})
