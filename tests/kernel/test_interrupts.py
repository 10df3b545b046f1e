"""Offers that anyone may play unasked, questions inside questions, windows."""

import pytest

from engines.kernel.decision import OFFER, Offer, Option
from engines.kernel.errors import IllegalAnswer, NotNow, RulesBug, StaleAnswer
from tests.kernel.small import by_seat, say, seats_of, start, told
from tests.toy import senate


def table_with(hands, *, nested=True):
    """Rules: all three seats vote; meanwhile cards in `hands` may be played.

    `ban` takes the option "no" away, `mute` asks whom to leave out, `void` ends the vote.
    """

    class Voided(Exception):
        pass

    async def rules(t, notes):
        options, out = ["yes", "no"], []
        busy = False

        def offers():
            if busy and not nested:
                return ()
            return [Offer(s, "card", tuple(cards)) for s, cards in hands.items()]

        async def play(seat, kind, key):
            nonlocal busy
            hands[seat].remove(key)
            t.tell("played", seat=seat, kind=kind, key=key)
            if key.startswith("ban"):
                options.remove("no")
            elif key.startswith("void"):
                raise Voided
            else:
                busy = True
                whom = await t.ask(seat, "mute_whom", lambda: ("seat_0", "seat_1", "seat_2"))
                busy = False
                out.append(int(whom[-1]))
                t.tell("muted", seat=whom)

        t.offers, t.play = offers, play
        try:
            notes["votes"] = await t.ask_each(
                lambda: [s for s in (0, 1, 2) if s not in out],
                "vote",
                lambda _: options,
                revisable=True,
            )
        except Voided:
            t.tell("voided")
        await t.ask(0, "rest", lambda: ("ok",))

    return rules


def card(play, seat, key):
    """Play a card that is offered."""
    return say(play, seat, key, kind="card")


def test_an_offer_has_number_zero_and_nobody_waits_for_it():
    """It is open beside the question, without making its seat one that is still out."""
    play = start(table_with({1: ["ban_1"]}))

    (offer,) = play.offers
    assert (offer.seat, offer.question, offer.kind, offer.keys()) == (1, OFFER, "card", ("ban_1",))
    assert seats_of(play.waiting()) == [0, 1, 2]


def test_a_hand_without_cards_is_no_offer():
    """An offer without options does not exist, and to play it is stale."""
    play = start(table_with({1: []}))

    assert play.offers == ()
    with pytest.raises(StaleAnswer):
        play.answer(1, OFFER, "card", ("ban_1",))


def test_an_offer_of_another_card_is_illegal():
    """Cards are found by their instance."""
    play = start(table_with({1: ["ban_1"]}))

    with pytest.raises(IllegalAnswer):
        play.answer(1, OFFER, "card", ("ban_2",))


def test_an_interrupt_keeps_the_number_and_the_legal_answers():
    """The question is asked again under its number; answers now illegal are dropped."""
    play = start(table_with({1: ["ban_1"]}))
    number = play.asked[0].question
    say(play, 0, "no", kind="vote")
    say(play, 2, "yes", kind="vote")

    card(play, 1, "ban_1")

    assert [(d.question, d.current) for d in play.asked] == [
        (number, None),
        (number, None),
        (number, ("yes",)),
    ]
    assert all(d.keys() == ("yes",) for d in play.asked)
    assert seats_of(play.waiting()) == [0, 1]


def test_an_interrupt_may_raise_out_of_the_question():
    """The exception that a card raises ends the question for whoever catches it."""
    play = start(table_with({1: ["void_1"]}))
    number = play.asked[0].question

    card(play, 1, "void_1")

    assert told(play) == ["played", "voided"]
    assert [d.kind for d in play.asked] == ["rest"]
    assert play.interrupted == ()
    with pytest.raises(StaleAnswer):
        play.answer(0, number, "vote", ("yes",))


def test_while_a_card_asks_the_question_below_waits():
    """An answer to it is NotNow, not stale; who was out still is; then it is open as before."""
    play = start(table_with({1: ["mute_1"]}))
    vote = by_seat(play, 0)
    say(play, 2, "no")
    card(play, 1, "mute_1")

    assert [(d.seat, d.kind) for d in play.asked] == [(1, "mute_whom")]
    assert [(d.seat, d.current) for d in play.interrupted] == [(0, None), (1, None), (2, ("no",))]
    assert [(d.seat, d.kind) for d in play.waiting()] == [
        (1, "mute_whom"),
        (0, "vote"),
        (1, "vote"),
    ]
    with pytest.raises(NotNow) as caught:
        play.answer(0, vote.question, "vote", ("yes",))
    assert caught.value.facts == {"kind": "vote"}
    with pytest.raises(NotNow):
        play.withdraw(2, vote.question, "vote")
    with pytest.raises(StaleAnswer):
        play.answer(0, vote.question - 1, "vote", ("yes",))

    say(play, 1, "seat_0", kind="mute_whom")

    assert [(d.seat, d.question) for d in play.asked] == [(1, vote.question), (2, vote.question)]
    say(play, 1, "yes", kind="vote")
    assert play.view(None) == {"votes": {1: ("yes",), 2: ("no",)}}


def test_a_seat_that_had_answered_for_good_is_not_kept_waiting():
    """Its old button is as stale during the interrupt as it was before."""

    async def rules(t, notes):
        async def play(seat, kind, key):
            await t.ask(seat, "why", lambda: ("so",))

        t.offers, t.play = (lambda: [Offer(0, "card", ("c",))]), play
        await t.ask_each(lambda: (0, 1), "vote", lambda _: ("yes",))

    play = start(rules, 2)
    number = play.asked[0].question
    say(play, 1, "yes")
    card(play, 0, "c")

    with pytest.raises(StaleAnswer):
        play.answer(1, number, "vote", ("yes",))


def test_interrupts_nest():
    """A card may be played while another card asks; each level comes back in turn."""
    play = start(table_with({1: ["mute_1"], 2: ["mute_2"]}))
    card(play, 1, "mute_1")
    first = by_seat(play, 1, "mute_whom").question
    card(play, 2, "mute_2")

    assert seats_of(play.asked) == [2]
    assert [d.kind for d in play.interrupted] == ["vote", "vote", "vote", "mute_whom"]
    with pytest.raises(NotNow):
        play.answer(1, first, "mute_whom", ("seat_0",))

    say(play, 2, "seat_2")
    assert [(d.seat, d.question) for d in play.asked] == [(1, first)]
    say(play, 1, "seat_1")
    assert seats_of(play.asked) == [0]


def test_an_exception_unwinds_every_level():
    """A card played inside a card's question may end the question that both interrupted."""
    play = start(table_with({1: ["mute_1"], 2: ["void_2"]}))
    card(play, 1, "mute_1")
    card(play, 2, "void_2")

    assert [d.kind for d in play.asked] == ["rest"]
    assert play.interrupted == ()


def test_rules_may_forbid_nested_offers():
    """Offers are gathered at each suspension, so rules can return none while a card asks."""
    play = start(table_with({1: ["mute_1"], 2: ["void_2"]}, nested=False))
    assert seats_of(play.offers) == [1, 2]
    card(play, 1, "mute_1")
    assert play.offers == ()
    say(play, 1, "seat_0")
    assert seats_of(play.offers) == [2]


def test_when_all_open_seats_are_gone_the_answers_are_complete():
    """An interrupt that removes the last seat still out ends the question."""
    play = start(table_with({1: ["mute_1"]}))
    say(play, 1, "no", kind="vote")
    say(play, 2, "no")
    card(play, 1, "mute_1")
    say(play, 1, "seat_0", kind="mute_whom")

    assert play.view(None) == {"votes": {1: ("no",), 2: ("no",)}}


@pytest.mark.parametrize(
    ("offers", "what"),
    [
        ([Offer(0, "card", ("a",)), Offer(0, "card", ("b",))], "two offers of one kind"),
        ([Offer(3, "card", ("a",))], "not at the table"),
        ([Offer(0, "card", ("a", "a"))], "'a' twice"),
        ([Offer(0, "card", ("a",), {"x": object()})], "not JSON"),
        ([Offer(0, "card", (Option("a", about={"x": (1, 2.5)}),))], "not JSON"),
    ],
)
def test_an_offer_that_cannot_be_made_is_a_bug(offers, what):
    """Offers must be told apart by seat, kind and key, and speak in JSON."""

    async def rules(t, notes):
        t.offers = lambda: offers
        await t.ask(0, "rest", lambda: ("ok",))

    with pytest.raises(RulesBug, match=what):
        start(rules)


def test_offers_without_a_way_to_play_them_are_a_bug():
    """Rules that offer cards must say what playing them does."""

    async def rules(t, notes):
        t.offers = lambda: [Offer(0, "card", ("a",))]
        await t.ask(0, "rest", lambda: ("ok",))

    play = start(rules)
    with pytest.raises(RulesBug, match=r"set no table\.play"):
        card(play, 0, "a")


# Windows.


def window(cards, order, gone=()):
    """Rules: a window for `order`; a play may change it.

    "kill_n" takes seat n out, "call" adds seat 3 at the end, "turn" reverses the order.
    """
    seats, cards = list(order), {seat: list(hand) for seat, hand in cards.items()}

    async def rules(t, notes):
        async def play(seat, key):
            cards[seat].remove(key)
            t.tell("used", seat=seat, key=key)
            if key.startswith("kill"):
                seats.remove(int(key[-1]))
            if key == "call":
                seats.append(3)
            if key == "turn":
                seats.reverse()

        async def zap(seat, kind, key):
            seats.remove(int(key[-1]))

        t.offers = lambda: [Offer(0, "zap", tuple(f"zap_{n}" for n in gone if n in seats))]
        t.play = zap
        await t.window("before", lambda: seats, lambda seat: cards.get(seat, ()), play)
        t.tell("closed")

    return rules


def asked_in(play, answers):
    """Answer the window by seat (otherwise pass), and list who was asked."""
    order = []
    while play.asked:
        (turn,) = play.asked
        order.append(turn.seat)
        key = next(iter(answers.get(turn.seat, ())), "pass")
        if key != "pass":
            answers[turn.seat] = answers[turn.seat][1:]
        say(play, turn.seat, key)
    return order


def test_a_window_closes_when_all_have_passed_in_a_row():
    """After a play everybody is asked again, in turn, also who played."""
    play = start(window({1: ["x", "y"]}, (0, 1, 2)))
    assert play.asked[0].secret
    assert play.asked[0].keys() == ("pass",)

    assert asked_in(play, {1: ["x", "y"]}) == [0, 1, 2, 0, 1, 2, 0, 1]
    assert told(play) == ["used", "used", "closed"]


def test_a_window_of_nobody_is_closed():
    """Without seats there is nothing to ask."""
    play = start(window({}, ()))

    assert told(play) == ["closed"]


def test_a_window_goes_on_after_the_seat_whose_turn_it_was():
    """When a play removes a seat, nobody is skipped and nobody asked twice."""
    play = start(window({2: ["kill_0"]}, (0, 1, 2, 3)), 4)

    assert asked_in(play, {2: ["kill_0"]}) == [0, 1, 2, 3, 1, 2]


def test_a_window_goes_on_when_the_player_leaves_it():
    """The next turn is that of the seat after the one that left."""
    play = start(window({1: ["kill_1"]}, (0, 1, 2)))

    assert asked_in(play, {1: ["kill_1"]}) == [0, 1, 2, 0]


def test_a_window_asks_seats_that_join_it():
    """Whoever joins the order has a turn before the window closes."""
    play = start(window({0: ["call"]}, (0, 1)), 4)

    assert asked_in(play, {0: ["call"]}) == [0, 1, 3, 0]


def test_a_window_follows_the_order_as_it_is_now():
    """When a play turns the order round, the next turn is that of the other neighbour."""
    play = start(window({1: ["turn"]}, (0, 1, 2)))

    assert asked_in(play, {1: ["turn"]}) == [0, 1, 0, 2, 1]


def test_a_seat_removed_while_the_window_asks_it_has_passed():
    """An offer may take the asked seat out of the order: the window goes on with the next."""
    play = start(window({}, (0, 1, 2), gone=(1,)))
    say(play, 0, "pass", kind="before")
    assert seats_of(play.asked) == [1]
    say(play, 0, "zap_1", kind="zap")

    assert seats_of(play.asked) == [2]
    say(play, 2, "pass", kind="before")
    assert told(play) == ["closed"]


def test_the_toys_cards_interrupt_its_ballot():
    """In the toy a decree drops abstentions, a gag drops a voter, a veto drops the law."""
    play = senate.start(3, key="07" * 32)
    holders = {play.view(seat).hand[0].split("_")[0]: seat for seat in range(3)}
    while play.asked[0].kind != "vote":
        say(play, play.asked[0].seat, play.asked[0].keys()[-1])
    for seat in (0, 1):
        say(play, seat, "abstain", kind="vote")
    decree, gag, veto = (holders[kind] for kind in ("decree", "gag", "veto"))

    say(play, decree, *play.view(decree).hand, kind="decree")
    assert seats_of(play.waiting()) == [0, 1, 2]
    say(play, gag, *play.view(gag).hand, kind="gag")
    say(play, gag, f"seat_{veto}", kind="gag_whom")
    assert sorted(seats_of(play.asked)) == sorted([decree, gag])
    say(play, veto, *play.view(veto).hand, kind="veto")

    assert told(play)[-3:] == ["gagged", "card_played", "law_failed"]


def test_a_changed_ballot_is_cast_anew_by_everybody():
    """Who has to vote again tells nothing: also those who had not chosen what is gone."""
    for votes in (("abstain", "aye"), ("aye", "abstain"), ("aye", "aye")):
        play = senate.start(3, key="07" * 32)
        holders = {play.view(seat).hand[0].split("_")[0]: seat for seat in range(3)}
        while play.asked[0].kind != "vote":
            say(play, play.asked[0].seat, play.asked[0].keys()[-1])
        decree = holders["decree"]
        others = [seat for seat in range(3) if seat != decree]
        for seat, vote in zip(others, votes, strict=True):
            say(play, seat, vote, kind="vote")

        say(play, decree, *play.view(decree).hand, kind="decree")

        assert seats_of(play.waiting()) == [0, 1, 2]
