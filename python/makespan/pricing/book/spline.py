# SPDX-License-Identifier: Apache-2.0
"""Natural cubic splines."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def derivatives(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """First and second derivatives at the points, `x` increasing; 0 of a single one."""
    if len(x) == 1:
        return np.zeros(1), np.zeros(1)
    step = np.diff(x)
    secant = np.diff(y) / step
    second = _second(step, secant)
    first = np.empty(len(x))
    first[:-1] = secant - step * (2 * second[:-1] + second[1:]) / 6
    first[-1] = secant[-1] + step[-1] * (second[-2] + 2 * second[-1]) / 6
    return first, second


def values(x: Floats, y: Floats, at: Floats) -> Floats:
    """Values at other places between the first point and the last."""
    if len(x) == 1:
        return np.full(len(at), y[0])
    step = np.diff(x)
    second = _second(step, np.diff(y) / step)
    cell = np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(step) - 1)
    width = step[cell]
    share = (at - x[cell]) / width
    rest = 1 - share
    bend = (rest**3 - rest) * second[cell] + (share**3 - share) * second[cell + 1]
    value: Floats = rest * y[cell] + share * y[cell + 1] + width**2 * bend / 6
    return value


def _second(step: Floats, secant: Floats) -> Floats:
    second = np.zeros(len(step) + 1)
    if len(step) > 1:
        matrix = np.diag(2 * (step[:-1] + step[1:]))
        matrix += np.diag(step[1:-1], 1) + np.diag(step[1:-1], -1)
        second[1:-1] = np.linalg.solve(matrix, 6 * np.diff(secant))
    return second
