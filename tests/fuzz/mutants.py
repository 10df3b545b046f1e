"""Malformed input of the kinds that people and broken disks make."""

from __future__ import annotations

import copy
import os
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

SEARCHES = os.environ.get("HYPOTHESIS_PROFILE") == "search"

PATIENT = pytest.mark.timeout(3600 if SEARCHES else 120)
"""For tests of which a thousand examples take longer than a test may."""


def short(examples: int) -> settings:
    """So many examples in the normal run; a thousand with HYPOTHESIS_PROFILE=search."""
    return settings(
        max_examples=1000 if SEARCHES else examples,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )


MEMORY = 300 * 2**20
"""Bytes that one reading may need beyond what the process had."""

SHAPES: tuple[Any, ...] = (
    None, True, False, 0, -1, 7, 10**14, -(10**14), "", "no", "1.10", "x" * 5000, "{seat}", "{",
    "}", "{a|b}", "\u202e", "\U0001f3b2", "🙂" * 100, [], [[]], [None], {}, {"id": None},
    {"": ""},
    [{"id": "x"}] * 3, {"a": {"b": {"c": {"d": []}}}}, ["a"] * 500,
)  # fmt: skip
"""What stands where something else belongs."""

PIECES = (
    "\n", " ", "  ", ":", ": ", "-", "- ", "#", "'", '"', "{", "}", "[", "]", ",", "&a ", "*a",
    "!!python/object:os ",
    "|", ">", "<<: ", "?", "%", "@", "`", "\t", "\x00", "\ufeff", "0555", "1e3", "no", "---\n",
    "...\n", "\\", "{seat}",
)  # fmt: skip
"""What is typed or lost in a text."""


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """What is done in here takes no longer, and no great amount of memory."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    yield
    assert time.process_time() - began < seconds
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < MEMORY


@st.composite
def damaged_text(draw: st.DrawFn, whole: str) -> str:
    """A text with one to four pieces cut out, doubled, moved or typed into it."""
    text = whole
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(0, len(text) - 1)))
        length = draw(st.sampled_from((1, 1, 2, 5, 20, 200)))
        kind = draw(st.sampled_from(("cut", "double", "type", "type", "replace", "end")))
        cut = text[at : at + length]
        match kind:
            case "cut":
                text = text[:at] + text[at + length :]
            case "double":
                text = text[:at] + cut + text[at:]
            case "type":
                text = text[:at] + draw(st.sampled_from(PIECES)) + text[at:]
            case "replace":
                text = text[:at] + draw(st.sampled_from(PIECES)) + text[at + length :]
            case _:
                text = text[:at]
    return text


@st.composite
def damaged_data(draw: st.DrawFn, whole: Any) -> Any:
    """A tree of dicts and lists in which one to three parts have another shape, or are missing."""
    tree = copy.deepcopy(whole)
    for _ in range(draw(st.integers(1, 3))):
        parent = tree
        for _ in range(draw(st.integers(0, 6))):
            inner = [part for part in _parts(parent) if isinstance(part, dict | list) and part]
            if not inner:
                break
            parent = draw(st.sampled_from(inner))
        _damage(draw, parent)
    return tree


def _parts(node: Any) -> list[Any]:
    return list(node.values()) if isinstance(node, dict) else list(node)


def _damage(draw: st.DrawFn, node: Any) -> None:
    steps = list(node) if isinstance(node, dict) else list(range(len(node)))
    if not steps:
        return
    step = draw(st.sampled_from(steps))
    kind = draw(st.sampled_from(("shape", "shape", "shape", "drop", "misspell", "more")))
    if kind == "drop":
        del node[step]
    elif kind == "misspell" and isinstance(node, dict):
        node[f"{step}x"] = node.pop(step)
    elif kind == "more" and isinstance(node, dict):
        node[draw(st.sampled_from(("colour", "count", "id", "name", "no")))] = _shape(draw)
    else:
        node[step] = _shape(draw)


def _shape(draw: st.DrawFn) -> Any:
    """A copy: the next damage may be done to it."""
    return copy.deepcopy(draw(st.sampled_from(SHAPES)))
