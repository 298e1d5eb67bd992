# SPDX-License-Identifier: Apache-2.0
"""Local volatilities from implied ones, on the same grid.

B. Dupire, Risk 7(1) (1994) 18-20; in terms of total variance J. Gatheral, The Volatility Surface
(2006), eq. 1.10. Derivatives to time are those of parabolas through three times, 0 among them;
those to log-moneyness of natural cubic splines.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Arbitrage:
    """A point, by its place in the grid, at which no local volatility exists, and why."""

    time: int
    moneyness: int
    why: str


def local_volatilities(
    time: Floats, log_moneyness: Floats, implied: Floats
) -> tuple[Floats, list[Arbitrage]]:
    """Shape (times, log_moneyness), NaN where there is arbitrage.

    `time` increases, above 0; `log_moneyness` increases.
    """
    total = implied**2 * time[:, None]
    by_time = _time_slopes(time, total)
    first = np.empty_like(total)
    second = np.empty_like(total)
    for row in range(len(time)):
        first[row], second[row] = _spline_derivatives(log_moneyness, total[row])
    k = log_moneyness[None, :]
    density = (
        1
        - k * first / total
        + 0.25 * (-0.25 - 1 / total + (k / total) ** 2) * first**2
        + 0.5 * second
    )
    found = []
    grows = (by_time > 0) & (np.diff(total, axis=0, prepend=0.0) > 0)
    for row, column in zip(*np.nonzero(~grows), strict=True):
        found.append(
            Arbitrage(int(row), int(column), _calendar(time, total, int(row), int(column)))
        )
    for row, column in zip(*np.nonzero(grows & ~(density > 0)), strict=True):
        why = "the density that the strikes around it imply is negative there (butterfly arbitrage)"
        found.append(Arbitrage(int(row), int(column), why))
    found.sort(key=lambda one: (one.time, one.moneyness))
    good = grows & (density > 0)
    local = np.sqrt(np.where(good, by_time, np.nan) / np.where(good, density, 1.0))
    return local, found


def _calendar(time: Floats, total: Floats, row: int, column: int) -> str:
    before = total[row - 1, column] if row > 0 else 0.0
    if total[row, column] <= before:
        return (
            f"the total variance falls from {before:.6g} at time {time[row - 1]:g} to "
            f"{total[row, column]:.6g} (calendar arbitrage)"
        )
    return f"the total variance {total[row, column]:.6g} does not grow there (calendar arbitrage)"


def _time_slopes(time: Floats, total: Floats) -> Floats:
    """Of the total variance, which is 0 at time 0; at the last time the last parabola's."""
    times = np.concatenate(([0.0], time))
    values = np.vstack((np.zeros((1, total.shape[1])), total))
    step = np.diff(times)[:, None]
    secant = np.diff(values, axis=0) / step
    middle = (step[1:] * secant[:-1] + step[:-1] * secant[1:]) / (step[1:] + step[:-1])
    if len(time) == 1:
        return secant
    last = secant[-1] + (secant[-1] - middle[-1])
    return np.vstack((middle, last[None, :]))


def _spline_derivatives(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """First and second derivatives at the points of a natural cubic spline."""
    count = len(x)
    second = np.zeros(count)
    if count == 1:
        return np.zeros(1), second
    step = np.diff(x)
    secant = np.diff(y) / step
    if count > 2:
        matrix = np.diag(2 * (step[:-1] + step[1:]))
        matrix += np.diag(step[1:-1], 1) + np.diag(step[1:-1], -1)
        second[1:-1] = np.linalg.solve(matrix, 6 * np.diff(secant))
    first = np.empty(count)
    first[:-1] = secant - step * (2 * second[:-1] + second[1:]) / 6
    first[-1] = secant[-1] + step[-1] * (second[-2] + 2 * second[-1]) / 6
    return first, second
