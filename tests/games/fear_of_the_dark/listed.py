"""What is told and asked has the facts that told.py lists, neither fewer nor more."""

from __future__ import annotations

from typing import Any

from engines.fear_of_the_dark import told
from engines.kernel.decision import Decision
from engines.kernel.event import PUBLIC, Event


def check_event(event: Event) -> None:
    """It has the facts that told.py lists for it, each of the sort that it says, and is for all."""
    assert event.only is PUBLIC
    check_facts(event.data, told.EVENTS[event.kind], event.kind)


def check_decision(decision: Decision) -> None:
    """It has a kind, facts and options that told.py lists, and no option twice."""
    asked = told.ASKED[decision.kind]
    check_facts(decision.about, asked.about, decision.kind)
    assert len(set(decision.keys())) == len(decision.options) > 0
    for option in decision.options:
        word = option.word or option.key
        check_facts(option.about, asked.options[word], f"{decision.kind}.{word}")


def check_facts(facts: Any, listed: str, where: str) -> None:
    """Names and sorts are as listed; ``near`` may be absent, since there may be nothing."""
    sorts = {fact.rstrip("#*!-?"): fact[len(fact.rstrip("#*!-?")) :] for fact in listed.split()}
    assert set(facts) == set(sorts), where
    for name, value in facts.items():
        sort = sorts[name]
        if value is None:
            assert sort.endswith("?"), (where, name)
            continue
        known = {"#": int, "!": bool, "": str, "*": (list, tuple)}[sort.removesuffix("?")]
        assert isinstance(value, known), (where, name, value)
        assert sort.startswith("!") or not isinstance(value, bool), (where, name)
