# SPDX-License-Identifier: Apache-2.0
"""What balancing can gain at most where a slow core is a process that is stopped by turns.

``python -m bench.objects.stops``: two processes share the work of a step and meet at its end, or
several times in it; the second is stopped for 2 of every 4 ms, as by `throttle`. Prints how much
longer a step takes with halves than with the best division, where 1.5 is what speeds would give.
"""

from __future__ import annotations

import random

ON_MS = 2.0
OFF_MS = 2.0
VARIES = 0.03
"""Part by which the work between two meetings varies, either way."""


def end_of(begin_ms: float, work_ms: float) -> float:
    """Return when a process that is stopped by turns has done its work."""
    now, left = begin_ms, work_ms
    while True:
        runs_until = now - now % (ON_MS + OFF_MS) + ON_MS
        room = max(0.0, runs_until - now)
        if left <= room:
            return now + left
        left -= room
        now = runs_until + OFF_MS


def step_ms(work_ms: float, share: float, meetings: int, steps: int) -> float:
    """Return what a step takes where the slow process has that share of the work."""
    draws = random.Random(1)  # noqa: S311 - no secret
    now = 0.0
    for _ in range(steps * meetings):
        fast, slow = (
            part * work_ms / meetings * draws.uniform(1 - VARIES, 1 + VARIES)
            for part in (1 - share, share)
        )
        now = max(now + fast, end_of(now, slow))
    return now / steps


def gain(work_ms: float, meetings: int, steps: int = 5000) -> float:
    """Return how much longer halves take than the best of 26 divisions."""
    best = min(step_ms(work_ms, share / 50, meetings, steps) for share in range(26))
    return step_ms(work_ms, 0.5, meetings, steps) / best


def main() -> None:
    """Print the table."""
    print("work of a step   meetings   gain at most")
    for work_ms in (5.5, 6.8, 47.0):
        for meetings in (1, 2):
            print(f"{work_ms:11.1f} ms {meetings:10}   {gain(work_ms, meetings):12.2f}")


if __name__ == "__main__":
    main()
