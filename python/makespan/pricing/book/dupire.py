# SPDX-License-Identifier: Apache-2.0
"""Local volatilities from implied ones, on a grid of four times as many points each way and wider.

B. Dupire, Risk 7(1) (1994) 18-20; in terms of total variance J. Gatheral, The Volatility Surface
(2006), eq. 1.10. Derivatives to time are those of parabolas through three times, 0 among them;
those to log-moneyness of natural cubic splines.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.book import spline

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Arbitrage:
    """A point, by its place in the grid, at which no local volatility exists, and why."""

    time: int
    moneyness: int
    why: str


@dataclass(frozen=True, slots=True)
class Local:
    """Local volatilities, shape (times, log_moneyness)."""

    time: Floats
    log_moneyness: Floats
    volatility: Floats


_PARTS = 4
"""Of each gap between two given points."""
_WING_POINTS = 8
"""Beyond each end of the given log-moneyness ..."""
_WING = 0.5
"""... over this share of its width."""
_WING_FACTOR = 2.0
"""Local volatilities there are within this factor of the end's."""
_FIRST_SHARES = (0.125, 0.25, 0.5, 0.75)
"""Times before the first, as shares of it."""


def refined_local_volatilities(
    time: Floats, log_moneyness: Floats, implied: Floats
) -> tuple[Local | None, list[Arbitrage]]:
    """Between the given points as well; arbitrage there is told of the nearest given one.

    Total variance goes between the points by the splines in log-moneyness, and in time by cubics
    with the slopes of the parabolas. Beyond the ends it goes on in straight lines, as natural
    splines do and as far strikes ask for (R. Lee, Math. Finance 14 (2004) 469-480): what options at
    the ends are worth comes from there, too. Arguments as for `local_volatilities`.
    """
    _, found = local_volatilities(time, log_moneyness, implied)
    if found:
        return None, found
    fine_time, inner_x = _fine_times(time), _between(log_moneyness)
    given = implied**2 * time[:, None]
    inner = spline.values(log_moneyness, given, inner_x)
    fine_x, rows = _with_wings(inner_x, inner, spline.derivatives(log_moneyness, given)[0])
    total, by_time = _in_time(time, rows, fine_time)
    density = _density(fine_x, total)
    good = (by_time > 0) & (total > 0) & (density > 0)
    wings = (len(fine_x) - len(inner_x)) // 2
    inside = slice(wings, wings + len(inner_x))
    why = "between it and its neighbours no local volatility exists; give more points, or smoother"
    places = {
        (_nearest(time, fine_time[i]), _nearest(log_moneyness, inner_x[k]))
        for i, k in zip(*np.nonzero(~good[:, inside]), strict=True)
    }
    if places:
        return None, [Arbitrage(i, k, why) for i, k in sorted(places)]
    local = np.sqrt(np.where(good, by_time, np.nan) / np.where(good, density, 1.0))
    _hold_wings(local, wings)
    return Local(fine_time, fine_x, local), []


def _with_wings(x: Floats, rows: Floats, slopes: Floats) -> tuple[Floats, Floats]:
    """Rows over `x`, and straight lines of the slopes at its ends beyond them."""
    width = x[-1] - x[0]
    if width == 0:
        return x, rows
    away = _WING * width * np.arange(1, _WING_POINTS + 1) / _WING_POINTS
    low = rows[:, :1] - slopes[:, :1] * away[::-1]
    high = rows[:, -1:] + slopes[:, -1:] * away
    return np.concatenate((x[0] - away[::-1], x, x[-1] + away)), np.hstack((low, rows, high))


def _hold_wings(local: Floats, wings: int) -> None:
    """From where none exists there, or none that is near the end's, it stays as it was before."""
    for row in (local, local[:, ::-1]):
        end = row[:, wings]
        for k in range(wings - 1, -1, -1):
            nearer = row[:, k + 1]
            most, least = end * _WING_FACTOR, end / _WING_FACTOR
            row[:, k] = np.where(np.isnan(row[:, k]), nearer, np.clip(row[:, k], least, most))


def _nearest(points: Floats, at: float) -> int:
    return int(np.argmin(np.abs(points - at)))


def _between(points: Floats) -> Floats:
    """The points, and others that cut each gap into equal parts."""
    shares = np.arange(_PARTS) / _PARTS
    inner = points[:-1, None] + np.diff(points)[:, None] * shares
    return np.concatenate((inner.ravel(), points[-1:]))


def _fine_times(time: Floats) -> Floats:
    return np.concatenate((time[0] * np.array(_FIRST_SHARES), _between(time)))


def _in_time(time: Floats, total: Floats, at: Floats) -> tuple[Floats, Floats]:
    """Total variance and its slope at other times; it is 0 at time 0."""
    slopes = _time_slopes(time, total)
    secant = total[0] / time[0]
    start = np.maximum(2 * secant - slopes[0], 0.1 * secant)
    times = np.concatenate(([0.0], time))
    values = np.vstack((np.zeros(total.shape[1]), total))
    slopes = np.vstack((start, slopes))
    cell = np.clip(np.searchsorted(times, at, side="left") - 1, 0, len(times) - 2)
    width = (times[cell + 1] - times[cell])[:, None]
    share = (at - times[cell])[:, None] / width
    rest = 1 - share
    rise = (values[cell + 1] - values[cell]) / width
    left, right = slopes[cell] - rise, slopes[cell + 1] - rise
    value = values[cell] + width * share * (rise + rest * (rest * left - share * right))
    slope = rise + rest * (1 - 3 * share) * left + share * (3 * share - 2) * right
    return value, slope


def _density(log_moneyness: Floats, total: Floats) -> Floats:
    """The part of Dupire's formula that the strikes make, for each time."""
    first, second = spline.derivatives(log_moneyness, total)
    k = log_moneyness[None, :]
    density: Floats = (
        1
        - k * first / total
        + 0.25 * (-0.25 - 1 / total + (k / total) ** 2) * first**2
        + 0.5 * second
    )
    return density


def local_volatilities(
    time: Floats, log_moneyness: Floats, implied: Floats
) -> tuple[Floats, list[Arbitrage]]:
    """At the given points, shape (times, log_moneyness), NaN where there is arbitrage.

    `time` increases, above 0; `log_moneyness` increases.
    """
    total = implied**2 * time[:, None]
    by_time = _time_slopes(time, total)
    density = _density(log_moneyness, total)
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
