# SPDX-License-Identifier: Apache-2.0
"""One derivative: what is moved, which rows it changes, and how far."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.sensitivity.moved_market import Move


@dataclass(frozen=True, slots=True)
class Target:
    """What a derivative is to; None where it is not of that kind."""

    to: str
    name: str | None = None
    other: str | None = None
    time: float | None = None
    log_moneyness: float | None = None


@dataclass(frozen=True, slots=True)
class Bump:
    """A row's derivative is (price under `up` - price under `down`) / width."""

    target: Target
    rows: NDArray[np.int64]
    """Valid rows of the book."""
    up: Move = field(default_factory=Move)
    down: Move = field(default_factory=Move)
    width: NDArray[np.float64] | float = 1.0
    """One, or one for each valid row of the book."""
    problem: str = ""
    """Why there is none; nothing is priced then."""

    def widths(self) -> NDArray[np.float64]:
        """Of each of `rows`."""
        if isinstance(self.width, float):
            return np.full(len(self.rows), self.width)
        return self.width[self.rows]
