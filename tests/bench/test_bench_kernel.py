"""The benchmark still runs; how quick anything is, is asserted nowhere."""

from tests.bench.kernel import rates


def test_the_kernels_benchmark_runs():
    """It measures four rates and two ratios of real games."""
    found = rates(1)

    assert len(found) == 6
    assert all(value > 0 for value in found.values())
