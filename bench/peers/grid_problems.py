# SPDX-License-Identifier: Apache-2.0
"""First values and sums of the problems of bench/grid/problems.hpp, for peers written in Python."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from bench.line_worker import Reply, serve

Array = Any  # of float64, by z, y, x
REPEATS = 2
FEED, KILL = 0.035, 0.065
"""Of Gray and Scott's equations."""


def _coordinates(shape: Sequence[int]) -> tuple[Array, Array, Array]:
    z, y, x = np.ogrid[: shape[0], : shape[1], : shape[2]]
    return x, y, z


def first_values(problem: str, shape: Sequence[int]) -> list[Array]:
    """Return the fields before the first step; of a wave, the step before too."""
    x, y, z = _coordinates(shape)
    hashed = ((7 * x + 13 * y + 29 * z) % 64) / 64
    if problem == "gray_scott":
        return [1 - hashed / 2, hashed / 4]
    return [hashed, hashed] if problem == "wave" else [hashed]


def weighted_sum(fields: Sequence[Array]) -> float:
    """Return the sum of all points, each times the weight of its place."""
    x, y, z = _coordinates(fields[0].shape)
    weights = 1 + (3 * x + 5 * y + 11 * z) % 17
    return float(sum((weights * field).sum() for field in fields))


def best_seconds(work: Callable[[], float]) -> float:
    """Return the least of what `work` says that it took [s]."""
    return min(work() for _ in range(REPEATS))


def farthest(sums: Sequence[float]) -> float:
    """Return the sum that is farthest from the first."""
    return max(sums, key=lambda one: abs(one - sums[0]))


def seconds_of(work: Callable[[], object]) -> float:
    """Return for how long it ran [s]."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


class Measured(Protocol):
    """A problem of one size, with the fastest of a peer's settings."""

    def measure(self) -> Reply:
        """Return points a second."""


def serve_problems(
    tuned: Callable[[str, tuple[int, int, int], int], Measured],
    checked: Callable[[str, tuple[int, int, int], int], Reply],
) -> None:
    """Answer requests for a problem's speed or, after `check`, for its sum; sizes by z, y, x.

    The problem that was asked for last stays tuned.
    """
    last: dict[tuple[str, ...], Measured] = {}

    def run(words: list[str], _seed: int) -> Reply:
        is_check = words[0] == "check"
        name, *numbers = words[1:] if is_check else words
        x, y, z, steps = map(int, numbers)
        if is_check:
            return checked(name, (z, y, x), steps)
        key = tuple(words)
        if key not in last:
            last.clear()
            last[key] = tuned(name, (z, y, x), steps)
        return last[key].measure()

    serve(run)
