"""Drawing many tables at once leaves the loop free; how quick anything is, is asserted nowhere."""

from tests.bench.redraws import TABLES, rates


def test_no_picture_is_drawn_in_the_loop():
    """While 25 boards of all games are drawn, the loop's own thread never works for as long as one
    picture takes, between two looks. The clock is not asked: the machine may be busy.
    """
    found = rates()
    assert found["boards drawn"] == TABLES
    assert found["looks at the loop"] > TABLES
    assert found["longest own work : one picture"] < 0.5, found
