"""Rules with a fault of their own, for tests."""

from __future__ import annotations

from typing import Any

from tests.toy.senate import Senate


class Faulty(Senate):
    """A senate whose rules break when a law named by the test is proposed."""

    broken = True

    def setup(self, table: Any, content: Any, setting: Any) -> Any:
        state, rules = super().setup(table, content, setting)
        tell = table.tell

        def telling(kind: str, **data: Any) -> None:
            if kind == "proposed" and Faulty.broken:
                raise ZeroDivisionError("a fault in the rules")
            tell(kind, **data)

        table.tell = telling
        return state, rules
