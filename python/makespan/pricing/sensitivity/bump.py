# SPDX-License-Identifier: Apache-2.0
"""One derivative: what is moved, which rows it changes, and what of their prices it is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.sensitivity.moved_market import Move

Moved = TypeVar("Moved")
Weight = NDArray[np.float64] | float
"""One, or one for each valid row of the book."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a derivative is to; None where it is not of that kind."""

    to: str
    name: str | None = None
    other: str | None = None
    time: float | None = None
    log_moneyness: float | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """A price under a move, times a weight."""

    move: Move
    weight: Weight

    def weights(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Of each of these valid rows."""
        if isinstance(self.weight, float):
            return np.full(len(rows), self.weight)
        return self.weight[rows]


@dataclass(frozen=True, slots=True)
class Bump:
    """A row's derivative is the sum of its terms."""

    target: Target
    rows: NDArray[np.int64]
    """Valid rows of the book."""
    terms: tuple[Term, ...] = ()
    problem: str = ""
    """Why there is none; nothing is priced then."""


def central(up: Move, down: Move, size: Weight) -> tuple[Term, ...]:
    """Right but for a third derivative times size^2 / 6."""
    return Term(up, 0.5 / size), Term(down, -0.5 / size)


def one_sided(half: Move, whole: Move, size: Weight) -> tuple[Term, ...]:
    """From the book as it is and moves by half the size and the size, which may be negative.

    Right but for a third derivative times size^2 / 12.
    """
    return Term(Move(), -3.0 / size), Term(half, 4.0 / size), Term(whole, -1.0 / size)


def terms_of(
    made: Callable[[float], Moved | None], size: float, add: Callable[[Moved], Move]
) -> tuple[Term, ...]:
    """Of what `made` makes of a distance, `central` or by the one side that it allows.

    None of `made`: that distance is not possible; no terms: neither side is.
    """
    up, down = made(size), made(-size)
    if up is not None and down is not None:
        return central(add(up), add(down), size)
    for whole, signed in ((up, size), (down, -size)):
        half = None if whole is None else made(0.5 * signed)
        if whole is not None and half is not None:
            return one_sided(add(half), add(whole), signed)
    return ()
