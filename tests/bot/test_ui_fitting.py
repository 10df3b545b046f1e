"""Texts cut to fit, and what a custom_id says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui.fitting import distinct, fit, fit_label, fit_lines, units
from bot.ui.ids import BUTTON, LIMIT, MENU, Control, read

FAMILY = "👩‍👩‍👧‍👦"
WAVE = "👋🏽"
FLAGS = "🇳🇴🇸🇪"


@given(st.text(), st.integers(1, 60))
def test_whatever_is_fitted_fits(text: str, limit: int) -> None:
    """No text is longer than its limit, and one that fits is left alone."""
    fitted = fit(text, limit)
    assert units(fitted) <= limit
    if units(text) <= limit:
        assert fitted == text
    else:
        assert fitted.endswith("…")


@pytest.mark.parametrize(
    ("text", "limit", "fitted"),
    [
        ("a long label", 7, "a long…"),
        ("a long label", 8, "a long…"),
        (f"{FAMILY} and so on", 8, "…"),
        (f"ab{FAMILY}", 11, "ab…"),
        (f"ab{WAVE}!", 5, "ab…"),
        (f"{FLAGS}!", 7, "🇳🇴…"),
        ("cafe\u0301 noir", 6, "cafe\u0301…"),
        ("cafe\u0301 noir", 5, "caf…"),
        ("\\*\\*\\*\\*", 6, "\\*\\*…"),
    ],
)
def test_cuts_go_between_whole_characters(text: str, limit: int, fitted: str) -> None:
    """Families, flags, skin tones, accents and escapes are kept whole or left out."""
    assert fit(text, limit) == fitted


def test_labels_are_one_line_and_never_empty() -> None:
    """Discord refuses empty labels and shows line breaks badly."""
    assert fit_label("a\n b", 80) == "a b"
    assert fit_label("  ", 80) == "…"


def test_labels_that_look_alike_are_numbered() -> None:
    """Also those that only became alike by being cut."""
    assert distinct(["Alex", "Bo", "Alex"], 100) == ["Alex (1)", "Bo", "Alex (2)"]
    long = ["x" * 120 + "a", "x" * 120 + "b"]
    first, second = distinct(long, 100)
    assert first != second
    assert max(len(first), len(second)) <= 100


def test_the_newest_lines_are_kept() -> None:
    """As many of the last lines as fit; a single one that is too long is cut."""
    assert fit_lines(["one", "two", "three"], 10) == ["two", "three"]
    assert fit_lines(["x" * 50], 10) == ["x" * 9 + "…"]
    assert fit_lines([], 10) == []


KEYS = st.from_regex(r"\A[a-z0-9_.-]{0,30}\Z")
CONTROLS = st.builds(
    Control,
    st.from_regex(r"\A[a-z_]{1,14}\Z"),
    st.integers(0, 10**9),
    st.integers(0, 10**5),
    st.from_regex(r"\A[a-z0-9_]{0,20}\Z"),
    KEYS,
)


@given(CONTROLS)
def test_a_control_survives_its_custom_id(control: Control) -> None:
    """What is written is read again, and buttons and menus are never taken for each other."""
    assert read(control.button) == read(control.menu) == control
    assert len(control.button) <= LIMIT
    assert control.button.startswith(BUTTON)
    assert control.menu.startswith(MENU)


@pytest.mark.parametrize(
    "custom_id",
    ["", "x", "n:b:", "n:b:act", "n:b:act:1:2:k", "n:b:act:1:2:K:key", "n:z:act:1:2:k:key",
     "n:b:act:1:2:k:key:more", "n:b:act:-1:2:k:key", "n:b:act:1:2:k:key\n"],
)  # fmt: skip
def test_what_is_no_custom_id_of_ours(custom_id: str) -> None:
    """It is read as nothing, not as something else."""
    assert read(custom_id) is None


def test_a_custom_id_that_would_not_fit_is_our_bug() -> None:
    """It is noticed here, before Discord refuses the whole message."""
    with pytest.raises(ValueError, match="no custom_id"):
        _ = Control("act", 1, 1, "k" * 30, "x" * 41).button
    with pytest.raises(ValueError, match="no custom_id"):
        _ = Control("act", 1, 1, "k", "Not A Key").button
    with pytest.raises(ValueError, match="negative"):
        _ = Control("act", -1).button
