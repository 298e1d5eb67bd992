# SPDX-License-Identifier: Apache-2.0
"""Natural cubic splines through many rows of values at the same points."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def derivatives(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """First and second derivatives at the points, `x` increasing; 0 of a single one.

    `y` and both have shape (rows, points).
    """
    if len(x) == 1:
        return np.zeros_like(y), np.zeros_like(y)
    step = np.diff(x)
    secant = np.diff(y, axis=1) / step
    second = _second(step, secant)
    first = np.empty_like(y)
    first[:, :-1] = secant - step * (2 * second[:, :-1] + second[:, 1:]) / 6
    first[:, -1] = secant[:, -1] + step[-1] * (second[:, -2] + 2 * second[:, -1]) / 6
    return first, second


def values(x: Floats, y: Floats, at: Floats) -> Floats:
    """Values at other places between the first point and the last, of shape (rows, places)."""
    if len(x) == 1:
        return np.repeat(y, len(at), axis=1)
    step = np.diff(x)
    second = _second(step, np.diff(y, axis=1) / step)
    cell = np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(step) - 1)
    width = step[cell]
    share = (at - x[cell]) / width
    rest = 1 - share
    bend = (rest**3 - rest) * second[:, cell] + (share**3 - share) * second[:, cell + 1]
    value: Floats = rest * y[:, cell] + share * y[:, cell + 1] + width**2 * bend / 6
    return value


def _second(step: Floats, secant: Floats) -> Floats:
    """Second derivatives, 0 at both ends.

    The system is tridiagonal, diagonally dominant and the same for all rows: elimination without
    pivots (Thomas' algorithm) is stable, and takes as many operations as there are points.
    """
    count = len(step) - 1  # points within
    second = np.zeros((len(secant), count + 2))
    if count == 0:
        return second
    pivot = 2 * (step[:-1] + step[1:])
    right = 6 * np.diff(secant, axis=1).T
    for i in range(1, count):
        share = step[i] / pivot[i - 1]
        pivot[i] -= share * step[i]
        right[i] -= share * right[i - 1]
    right[-1] /= pivot[-1]
    for i in range(count - 2, -1, -1):
        right[i] = (right[i] - step[i + 1] * right[i + 1]) / pivot[i]
    second[:, 1:-1] = right.T
    return second
