# SPDX-License-Identifier: Apache-2.0
"""How far a run is: what every `on_progress` is called with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is, some times a second."""

    done: int
    total: int | None
    """None: not known yet."""
    unit: str
    """What is counted: options, steps, items, cases."""
    elapsed_s: float
    share: float
    """Of the work, from 0 to 1: a prediction that gets better."""
    left_s: float | None = None
    """Predicted; None: nothing to predict from."""
    note: str = ""
    """What the run says of itself: a rate, the name of the case."""


OnProgress = Callable[[Progress], None]


def of_steps(done: int, total: int, elapsed_s: float, unit: str = "steps") -> Progress:
    """Of a run whose steps take equally long."""
    left_s = elapsed_s * (total - done) / done if done else None
    return Progress(done, total, unit, elapsed_s, done / total if total else 1.0, left_s)


def ignored(*_: object) -> None:
    """The callback that does nothing."""
