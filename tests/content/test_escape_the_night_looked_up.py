"""What cards, guests and rooms do can be found out: in the hand, in questions and in the rules."""

from __future__ import annotations

import pytest

import bot.render.escape_the_night as render
from bot import titles
from bot.ui.rulebook import Rulebook
from bot.ui.text import Voice
from content.escape_the_night import DECKS, load
from engines.escape_the_night.game import GAME
from engines.kernel.chance import Chance
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough
from tests.driving import one_step

LOADED = load()
WORDS = LOADED.words
TITLE = titles.load("escape_the_night")
BOOK = Rulebook.load({"escape_the_night": TITLE})


def night(abilities="on", secret_room="off", seats=2):
    """A night that has just begun."""
    options = {"hourglass": "untimed", "abilities": abilities, "secret_room": secret_room}
    header = Header(GAME.key, 1, LOADED.digest, "5" * 64, seats, options)
    return Playthrough(GAME, LOADED.rules, header, checks=False)


def found(typed):
    """The titles that a search finds."""
    return [topic.title for topic in BOOK.search(typed)]


# In the hand and at the table


def test_a_hand_tells_what_its_guests_can_do():
    """Under the relics: each living guest of the seat's with its ability, and nobody else's."""
    play = night()
    view = play.view(0)
    told = render.hand_words(view, WORDS)

    for who in view.characters:
        line = f"{WORDS.name('character', who.id)}: {WORDS.name('character_effect', who.id)}"
        assert (line in told) == (who.owner == 0)
    assert "Your guests" in told


def test_guests_without_abilities_are_not_told():
    """Switched off, they are neither in the hand nor at set-up nor in a turn's question."""
    play = night(abilities="off")

    assert "Your guests" not in render.hand_words(play.view(0), WORDS)
    assert "abilities_count" not in [n.event.kind for n in play.events]
    (asked,) = play.asked
    who = str(asked.about["character"])
    assert WORDS.name("character_effect", who) not in Voice(TITLE, ["Ann", "Ben"]).meaning(asked)


def test_a_turn_tells_what_its_guest_can_do():
    """The question names the acting guest's ability, and set-up says where to look for others."""
    play = night()
    (asked,) = play.asked
    who = str(asked.about["character"])

    assert WORDS.name("character_effect", who) in Voice(TITLE, ["Ann", "Ben"]).meaning(asked)
    assert [n.event.kind for n in play.events].count("abilities_count") == 1


def test_a_secret_room_tells_what_it_does():
    """At set-up, when it is found."""
    play = night(secret_room="on")
    (event,) = [n.event for n in play.events if n.event.kind == "secret_room_found"]

    assert WORDS.say("events.secret_room_found", event.data).endswith(
        WORDS.name("room_effect", str(event.data["room"]))
    )
    came = {"character": "avis_swift", "room": "servants_lift"}
    assert WORDS.say("events.secret_room_entered", came) == (
        "Avis Swift steps into the Servants' Lift: go straight to a free space of the Hall, if you"
        " like."
    )


def test_an_attempt_names_the_card_and_what_failing_costs():
    """Both before the dice and after, for clues and for monsters."""
    seen: dict[tuple[str, str], str] = {}
    voice = Voice(TITLE, ["Ann", "Ben", "Cleo"])
    play = night(seats=3)
    rng = Chance(b"looked up, and again")
    while play.outcome is None and len(seen) < 4:
        for asked in play.asked:
            if asked.kind in ("attempt", "accept"):
                colour = "clue" if asked.about["clue"] else "monster"
                card = str(asked.about[colour])
                seen[asked.kind, colour] = card
                assert WORDS.name(colour, card) in voice.prompt(asked)
                meaning = voice.meaning(asked)
                assert WORDS.name(f"{colour}_stake", card) in meaning
                assert "My hand" in meaning
        one_step(play, GAME.agents["sensible"], rng)
    assert len(seen) == 4
    assert WORDS.name("clue_stake", "locked_diary") == (
        "If it fails, the tile stays, and you discard a relic."
    )


STAKES = {
    ("clue", "warm_teacup"): "the tile stays.",
    ("clue", "open_window"): "the tile stays, and your guest is back outside the front door.",
    ("clue", "unsent_telegram"):
        "the tile stays, and you exhaust another guest who has not acted yet.",
    ("clue", "broken_seal"): "the tile stays, and it is a monster tile from now on.",
    ("clue", "lily_perfume"): "the tile stays, and your guest is driven to the Chapel.",
    ("clue", "cellar_receipt"):
        "the tile stays, and one of your relics, drawn blind, goes to the next player.",
    ("clue", "mirror_writing"): "the tile stays, and your guest trades places with one drawn by "
        "lot whom no monster holds.",
    ("clue", "family_bible"): "the tile stays, and every player discards a relic.",
    ("clue", "moth_collection"):
        "the tile stays, and the strongest discarded monster goes on top of its deck.",
    ("monster", "bearskin_rug"): "the monster keeps its hold.",
    ("monster", "mother_of_moths"): "the monster keeps its hold, and you discard 2 relics.",
}  # fmt: skip


def test_what_failing_costs_is_one_sentence():
    """Every clue and monster says in one whole sentence what follows, whatever is on the card."""
    for (deck, card), told in STAKES.items():
        assert WORDS.name(f"{deck}_stake", card) == f"If it fails, {told}"
    content = TITLE.content.rules
    cards = [("clue", one) for one in content.clues]
    cards += [("monster", one) for one in content.monsters]
    for deck, card in cards:
        said = WORDS.name(f"{deck}_stake", card)
        assert said.startswith("If it fails, ")
        assert said.count(".") == 1
        assert said.endswith(".")
        assert ":" not in said
    # Each kind of effect that a failure has stands above.
    kinds = {f.do for c in (*content.clues.values(), *content.monsters.values()) if (f := c.failed)}
    named = {content.clues[card].failed for deck, card in STAKES if deck == "clue"}
    assert kinds == {effect.do for effect in named if effect} | {"discard_relics"}


CHALLENGES = ("back", "bid", "brace", "call", "cunning", "glasses", "guess", "hide", "jaws",
              "judge", "matches", "plead", "press", "seek", "spread", "verdict")  # fmt: skip


@pytest.mark.parametrize("kind", CHALLENGES)
def test_questions_of_a_challenge_name_it(kind):
    """Whoever comes late to the table reads which challenge a question belongs to."""
    facts = {"seat": 0, "challenge": "box_with_teeth", "contestants": ("avis_swift", "madame_pell"),
             "character": "avis_swift", "losers": (), "left": 2, "most": 6, "least": 6, "score": 3,
             "limit": 15}  # fmt: skip

    assert "The Box with Teeth" in WORDS.say(f"decisions.{kind}.prompt", facts)


def test_scores_say_what_they_count():
    """A low guess is told as a distance, and a tray of glasses speaks of no dice."""
    scored = {"character": "avis_swift", "procedure": "nearest", "score": 0, "bonus": 0}

    told = WORDS.say("events.challenge_scored", {**scored, "low": True, "void": False})
    assert told == "Avis Swift is off by 0."
    bouts = {**scored, "procedure": "best_of", "score": 1, "bonus": 2, "low": False, "void": False}
    assert WORDS.say("events.challenge_scored", bouts) == (
        "Avis Swift has won 1 bout, and help adds 2."
    )
    low = {**scored, "procedure": "dice_duel", "score": 13, "bonus": 1, "low": True, "void": False}
    told = WORDS.say("events.challenge_scored", low)
    assert told == "Avis Swift has rolled 13, and help takes 1 off."
    told = WORDS.say("events.challenge_scored", {**scored, "low": True, "void": True})
    assert told == "Avis Swift guessed too high: worth nothing."
    assert "dice" not in WORDS.name("opening", "glasses")
    assert "dice roll" in WORDS.name("opening", "allies")


def test_a_tally_speaks_of_votes_that_were_taken_away():
    """Abilities are public, so the one guest is named for whom fewer votes stand than were cast."""
    told = WORDS.say("events.votes_fell", {"character": "birdie_malone", "votes": 3})
    assert told.startswith("Birdie Malone: 3 votes left; with abilities, one vote against")
    told = WORDS.say("events.votes_fell", {"character": "avis_swift", "votes": 1})
    assert told == "Avis Swift: 1 vote"


def test_a_total_is_told_once():
    """The dice are named as they fall, and what they come to with the standing after them; relics
    are no part of a bid for which nobody had any.
    """
    rolled = {"character": "avis_swift", "dice": (6, 6, 2), "total": 14}
    assert WORDS.say("events.duel_rolled", rolled) == "Avis Swift rolls 6, 6 and 2."
    backed = WORDS.say("events.backed", {**rolled, "seats": ()})
    assert backed == "Avis Swift rolls 6, 6 and 2 with nobody on the rope."
    scored = {"character": "avis_swift", "score": 14, "bonus": 0, "low": False, "void": False}
    told = WORDS.say("events.challenge_scored", {**scored, "procedure": "dice_duel"})
    assert told == "Avis Swift has rolled 14."
    told = WORDS.say("events.challenge_scored", {**scored, "procedure": "bid"})
    assert told == "Avis Swift comes to 14."


# In the rules


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.key)
def test_each_card_is_found_by_its_name(deck):
    """First of all that is found, with all that stands on it."""
    for card in getattr(LOADED.rules, deck.key):
        first = BOOK.search(WORDS.name(deck.table, card))[0]

        assert first.key == f"{deck.table}.{card}"
        assert WORDS.say(f"texts.{deck.table}.{card}") in first.text
        assert BOOK.topic("escape_the_night", first.key) is first
        assert len(f"{first.game}/{first.key}") <= 100


def test_each_room_is_found_by_its_name():
    """With its artifact and its tiles, if it has any."""
    for room in LOADED.rules.board.rooms:
        assert BOOK.search(WORDS.name("room", room))[0].key == f"room.{room}"
    assert BOOK.search("kitchen")[0].text == (
        "A room with 3 S.A.E. tiles. The Bone Ladle lies here, on space m11."
    )


def test_words_are_found_where_they_begin():
    """`tie` is in no `abilities`; accents, dots and plurals are no hindrance."""
    assert "Abilities" not in found("tie")
    assert found("tie")[0] == "The vote"
    assert found("seance")[0] == "Séance Room"
    assert found("sae") == found("S.A.E.")
    assert found("walls")[0] == found("wall")[0] == "Moving"
    assert found("monster")[0] == found("monsters")[0] == "Monsters"
    assert found("monst")[0] == "Monsters"


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("how do I pass a wall", "Moving"),
        ("what is S.A.E.", "Setting up"),
        ("may I claim the zeppelin", "Artifacts"),
        ("what does Avis Swift do", "Avis Swift"),
    ],
)
def test_questions_find_something(typed, first):
    """Words that say nothing are passed over, and some of the words are better than none."""
    assert found(typed)[0] == first


def test_nothing_typed_lists_the_topics_alone():
    """The list to choose from is not drowned in cards; nonsense still finds nothing."""
    assert BOOK.search("") == list(BOOK.topics)
    assert BOOK.search("zeppelin") == []
    assert len(BOOK.cards) == 50 + 30 + 40 + 20 + 11 + 9 + 3 + len(LOADED.rules.board.rooms)


def test_no_button_is_named_that_is_not_there():
    """Relics are played from the hand, and votes are called votes."""
    texts = " ".join(topic.text for topic in BOOK.topics)
    assert "Play a relic" not in texts
    assert "My hand" in texts
    turn = " ".join(WORDS.say(f"game.turn.{n}") for n in range(len(WORDS._tree["game"]["turn"])))
    assert WORDS.say("decisions.roll.options.roll") in turn
    assert "token" not in (texts + turn).casefold()
    assert "ballot" not in (texts + turn).casefold()
