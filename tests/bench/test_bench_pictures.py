"""The benchmark of pictures still runs; how quick anything is, is asserted nowhere."""

import pytest

from bot import titles
from tests.bench.pictures import rates


@pytest.mark.parametrize("key", titles.KEYS)
def test_the_benchmark_of_pictures_runs(key):
    """For every game it measures four ratios of time and two of bytes; only bytes have a bound."""
    found = rates(key, 2, 1)

    assert len(found) == 6
    assert all(value > 0 for value in found.values())
    assert found["largest picture, share of 250 KB"] <= 1
