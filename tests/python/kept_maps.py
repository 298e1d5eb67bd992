# SPDX-License-Identifier: Apache-2.0
"""Functions whose results are kept, and journals of them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path

import makespan


def square(number: int) -> int:
    return number * number


def failing_at(places: Sequence[int], ran: list[int]) -> Callable[[int], int]:
    @functools.wraps(square)  # the same function by its name
    def run(number: int) -> int:
        ran.append(number)
        if number in places:
            raise ValueError(number)
        return number * number

    return run


def journal_of(path: Path, results: Sequence[int]) -> Path:
    """Of a run that is complete, for these items."""
    makespan.map(square, results, checkpoint=path, threads=2)
    return path
