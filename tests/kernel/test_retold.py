"""The toy's outcome, found out from its public events alone."""

from engines.kernel.event import PUBLIC
from engines.kernel.game import Setting
from tests.driving import play_out
from tests.toy.senate import CONTENT, SENATE, start
from tests.toy.senate_retold import outcome_of


def test_every_ending_of_the_senate_is_found_out():
    """What all could see leads to what the rules said, for each way to end."""
    endings = set()
    for n in range(60):
        play = start(3 + n % 4, key=f"{n:064x}", length=("short", "long")[n % 2], cards="two")
        setting = Setting(play.header.seats, play.header.options)
        assert outcome_of(CONTENT, setting, ()) is None
        play_out(play, SENATE.agents[("random", "sensible")[n % 3 == 0]], bytes([n]))
        public = [told.event for told in play.events if told.event.only is PUBLIC]
        assert outcome_of(CONTENT, setting, public) == play.outcome
        assert play.outcome is not None
        endings.add(play.outcome.ending)

    assert endings == {"ruin", "golden_age", "dissolved"}
