"""The makers of malformed input make the same from the same."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from tests.fuzz.mutants import SHAPES, damaged_data, short

WHOLE: dict[str, Any] = {"x": 1, "left": 5}
BEFORE = repr((SHAPES, WHOLE))


@short(200)
@given(damaged_data(WHOLE))
def test_damage_stays_in_its_example(tree: Any) -> None:
    """Neither what is damaged nor the shapes that are put into it change for the next example."""
    assert repr((SHAPES, WHOLE)) == BEFORE, tree
