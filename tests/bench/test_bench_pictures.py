"""The benchmark of pictures still runs; how quick anything is, is asserted nowhere."""

from tests.bench.pictures import rates


def test_the_benchmark_of_pictures_runs():
    """It measures five ratios of time and two of bytes; only bytes have a bound."""
    found = rates(("walk", "eleven"), 1)

    assert len(found) == 7
    assert all(value > 0 for value in found.values())
    assert found["largest picture, share of 250 KB"] <= 1
