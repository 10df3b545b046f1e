"""A line for the operator about each attempt that no control of ours and no list of ours offers.

Codes of other servers' tables, controls that were made up, seats and options that there are not:
the player is refused like everybody else, and who tried what stands in the log. Honest people end
up here, too, with a message of last year or a mistyped code, so a line is no verdict. One line a
minute and person, and ``MOST`` a minute in all: a storm is counted and does not fill the disk.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from bot.sessions.ports import Refusal
from bot.ui import ids

_log = logging.getLogger(__name__)

EVERY: Final = 60.0
"""Seconds in which one person's attempts make one line."""

MOST: Final = 100
"""People about whom there may be a line within ``EVERY``."""

CUT: Final = 100
"""Characters of a code or custom_id that are told."""

_FORGED: Final = {
    "old_control": "a control that is unknown",
    "no_such_table": "a control of a table that is unknown",
    "not_an_option": "a control for an option that there is not",
    "unknown_option": "a control for a setting that there is not",
    "no_such_seat": "a control for a seat that there is not",
    "no_such_topic": "a control for a topic that there is not",
    "only_moderators": "a moderator's control without a pass",
}
"""What a refusal says of the control that was clicked; nobody is offered such a one."""

_STRANGERS: Final = (
    "no_such_table", "not_seated", "not_seated_yet", "not_host", "motion_not_yours",
    "only_moderators",
)  # fmt: skip
"""Refusals of those who have no business at a table."""


class Attempts:
    """Tells the log of them; ``clock`` is monotonic, in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._told: dict[int, float] = {}
        self._untold = 0

    def refused(
        self, refusal: Refusal, custom_id: str, *, user: int, guild: int | None, away: bool
    ) -> None:
        """Somebody was refused; tell of it if it was such an attempt.

        ``custom_id`` is empty for a command; ``away``: the control was another server's table's.
        """
        level, given = logging.INFO, custom_id
        if refusal.problem == "no_such_code":
            what = "a code of no table"
            if refusal.facts.get("elsewhere"):
                level, what = logging.WARNING, "a code of another server"
            given = str(refusal.facts.get("code", ""))
        elif not custom_id:
            return
        elif away and refusal.problem in _STRANGERS:
            level, what = logging.WARNING, "a control of another server's table"
        elif refusal.problem in _FORGED:
            what = _FORGED[refusal.problem]
        elif refusal.problem == "not_host" and _is_confirmation(custom_id):
            what = "a confirmation that only a host is asked for"
        else:
            return
        if self._may_tell(user):
            where = "in direct messages" if guild is None else f"on server {guild}"
            more = f"; {self._untold} more were not told" if self._untold else ""
            self._untold = 0
            _log.log(
                level, "refused: %s, %s, user %d %s%s", what, harmless(given), user, where, more
            )

    def _may_tell(self, user: int) -> bool:
        now = self._clock()
        if user not in self._told and len(self._told) >= MOST:
            self._told = {one: at for one, at in self._told.items() if now - at < EVERY}
        last = self._told.get(user)
        room = last is not None or len(self._told) < MOST
        if not room or (last is not None and now - last < EVERY):
            self._untold += 1
            return False
        self._told[user] = now
        return True


def _is_confirmation(custom_id: str) -> bool:
    control = ids.read(custom_id)
    return control is not None and control.verb.endswith("_yes")


def harmless(given: str) -> str:
    """What somebody sent as a log may show it: in quotes, ASCII, one line, and cut."""
    return ascii(given[:CUT]) + ("..." if len(given) > CUT else "")
