"""Discord's rate limit for message writes: so many per channel and kind within a window."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class RateLimit:
    """At most ``calls`` within ``seconds`` for each bucket; ``calls=0`` lifts the limit."""

    calls: int = 5
    seconds: float = 5.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a call may pass, and the headers that tell the bot how much is left."""

    allowed: bool
    headers: dict[str, str]
    retry_after: float


@dataclass(slots=True)
class Buckets:
    """The counters of all buckets; ``refused`` counts the 429 answers given."""

    limit: RateLimit = field(default_factory=RateLimit)
    refused: int = 0
    _open: dict[tuple[str, str], tuple[int, float]] = field(default_factory=dict)

    def take(self, method: str, channel: str) -> Verdict:
        """Count one call of ``method`` in ``channel``, or refuse it until the window ends."""
        if not self.limit.calls:
            return Verdict(allowed=True, headers={}, retry_after=0.0)
        now = time.monotonic()
        left, reset = self._open.get((method, channel), (0, 0.0))
        if now >= reset:
            left, reset = self.limit.calls, now + self.limit.seconds
        allowed = left > 0
        left -= allowed
        self._open[method, channel] = (left, reset)
        wait = reset - now
        headers = {
            "X-RateLimit-Limit": str(self.limit.calls),
            "X-RateLimit-Remaining": str(left),
            "X-RateLimit-Reset-After": f"{wait:.3f}",
            "X-RateLimit-Reset": f"{time.time() + wait:.3f}",
            "X-RateLimit-Bucket": f"{method.lower()}-messages",
        }
        if not allowed:
            self.refused += 1
            # discord.py takes a 429 without Via for a ban by Cloudflare.
            headers |= {"Retry-After": f"{wait:.3f}", "Via": "1.1 simulated"}
        return Verdict(allowed, headers, wait)
