# SPDX-License-Identifier: Apache-2.0
"""What balancing can gain at most where a slow core is one that another program takes by turns.

``python -m bench.objects.stops``: two processes share the work of a step and meet at its end, or
several times in it; the second runs for half of the time, in turns of a given length, as under
`throttle`. Prints how much longer a step takes with halves than with the best division, where 1.5
is what speeds would give.
"""

from __future__ import annotations

import random

VARIES = 0.03
"""Part by which the work between two meetings varies, either way."""


def end_of(begin_ns: int, work_ns: int, turn_ns: int) -> int:
    """Return when a process that runs in every second turn has done its work."""
    turn, into = divmod(begin_ns, turn_ns)
    left = work_ns
    while True:
        if turn % 2 == 0:
            room = turn_ns - into
            if left <= room:
                return turn * turn_ns + into + left
            left -= room
        turn, into = turn + 1, 0


def step_ms(work_ms: float, share: float, meetings: int, turn_ms: float, steps: int) -> float:
    """Return what a step takes where the slow process has that share of the work."""
    draws = random.Random(1)  # noqa: S311 - no secret
    now = 0
    for _ in range(steps * meetings):
        fast, slow = (
            round(1e6 * part * work_ms / meetings * draws.uniform(1 - VARIES, 1 + VARIES))
            for part in (1 - share, share)
        )
        now = max(now + fast, end_of(now, slow, round(1e6 * turn_ms)))
    return 1e-6 * now / steps


def gain(work_ms: float, meetings: int, turn_ms: float, steps: int = 2000) -> float:
    """Return how much longer halves take than the best of 26 divisions."""
    best = min(step_ms(work_ms, share / 50, meetings, turn_ms, steps) for share in range(26))
    return step_ms(work_ms, 0.5, meetings, turn_ms, steps) / best


def main() -> None:
    """Print the table."""
    turns_ms = (2.0, 1.0, 0.5, 0.2)
    print("gain at most, with turns of", *(f"{turn_ms:6.1f}" for turn_ms in turns_ms), "ms")
    for work_ms in (5.5, 6.8, 47.0):
        for meetings in (1, 2):
            gains = [f"{gain(work_ms, meetings, turn_ms):6.2f}" for turn_ms in turns_ms]
            print(f"{work_ms:4.1f} ms a step, {meetings} meetings  ", *gains)


if __name__ == "__main__":
    main()
