# SPDX-License-Identifier: Apache-2.0
"""What the points of a curve must satisfy: order, ranges, and no negative forward variance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from makespan.base.errors import Problem
from makespan.pricing.book.curve import Curve
from makespan.pricing.book.problems import Problems, number_text
from makespan.pricing.columns.book import (
    GROWTH_MAX,
    LOG_DEVIATION_MAX,
    PRICE_MIN,
    TIME_MIN,
    VOLATILITY_MIN,
)
from makespan.pricing.columns.curves import DIVIDENDS, PERCENT_ABOVE, RATES, VOLATILITIES


def check_points(curves: Sequence[Curve], problems: Problems) -> None:
    """Applies every rule of this file to each curve; its rows are told in `problems`."""
    _check_one_kind(curves, problems)
    for curve in curves:
        found = len(problems.of_rows)
        _check_times(curve, problems)
        _check_values(curve, problems)
        if len(problems.of_rows) > found:
            continue
        if curve.kind in VOLATILITIES:
            _check_variance(curve, problems)
        elif curve.kind in RATES:
            _check_growth(curve, problems)


def _check_one_kind(curves: Sequence[Curve], problems: Problems) -> None:
    first: dict[str, str] = {}
    for curve in curves:
        kind = first.setdefault(curve.name, curve.kind)
        if kind != curve.kind and not (kind in DIVIDENDS and curve.kind in DIVIDENDS):
            text = (
                f"kind {curve.kind}, but curve '{curve.name}' begins with {kind}; use one name each"
            )
            problems.add_row(int(curve.rows[0]), "kind", text)


def _check_times(curve: Curve, problems: Problems) -> None:
    times, rows = curve.time, curve.rows.tolist()
    begins_now = curve.kind == "forward_price"
    if begins_now and times[0] != 0:
        text = f"forward prices begin at time 0, with the spot; the first is at {_text(times[0])}"
        problems.add_row(rows[0], "time", text)
    for i, row in enumerate(rows):
        if i > 0 and times[i] <= times[i - 1]:
            said = f"time {_text(times[i])} comes after {_text(times[i - 1])}"
            problems.add_row(row, "time", f"{said}; order a curve's points by time, each once")
        elif times[i] < TIME_MIN and not (begins_now and i == 0 and times[i] == 0):
            text = f"time must be > 0, at least {TIME_MIN:g}, got {_text(times[i])}"
            problems.add_row(row, "time", text)
    if begins_now and len(rows) == 1:
        problems.add_row(rows[0], "time", "forward prices need a point after time 0")


def _check_values(curve: Curve, problems: Problems) -> None:
    rules = {
        "forward_price": (PRICE_MIN, np.inf, "forward_price must be > 0"),
        "cash_dividend": (0.0, np.inf, "cash_dividend must be >= 0"),
        "proportional_dividend": (
            0.0,
            np.nextafter(1.0, 0.0),
            "proportional_dividend must be a share from 0 to below 1",
        ),
    }
    volatility = (VOLATILITY_MIN, np.inf, "volatility must be > 0")
    low, high, text = rules.get(
        curve.kind, volatility if curve.kind in VOLATILITIES else (-np.inf, np.inf, "")
    )
    for row, value in zip(curve.rows.tolist(), curve.value.tolist(), strict=True):
        if not low <= value <= high:
            problems.add_row(row, "value", f"{text}, got {_text(value)}")


def percent_warnings(curves: Sequence[Curve], source: str) -> tuple[Problem, ...]:
    """One for each curve whose values look like percent."""
    found = []
    for curve in curves:
        large = np.flatnonzero(np.abs(curve.value) > PERCENT_ABOVE.get(curve.kind, np.inf))
        if not len(large):
            continue
        value, time = float(curve.value[large[0]]), curve.time[large[0]]
        share = f"{len(large)} of {len(curve.value)} points"
        text = f"{source}: curve '{curve.name}': {curve.kind}={_text(value)} at {_text(time)}"
        text = f"{text} looks like percent ({share}); write {_text(value / 100)}"
        found.append(Problem(text, column="value"))
    return tuple(found)


def _check_variance(curve: Curve, problems: Problems) -> None:
    """Total variance grows, and stays computable."""
    total = curve.totals()
    for i in range(1, len(total)):
        if total[i] > total[i - 1]:
            continue
        least = float(np.sqrt(total[i - 1] / curve.time[i]))
        text = (
            f"volatility {_text(curve.value[i])} at {_text(curve.time[i])} makes the variance "
            f"since {_text(curve.time[i - 1])} negative or 0 (total variance {_text(total[i])} "
            f"after {_text(total[i - 1])}); it must be above {_text(least)}"
        )
        problems.add_row(int(curve.rows[i]), "value", text)
    deviation = np.sqrt(np.maximum(total, 0.0))
    for i in np.flatnonzero(deviation > LOG_DEVIATION_MAX)[:1].tolist():
        text = f"volatility x sqrt(time) is {_text(deviation[i])}, too large to compute with"
        problems.add_row(int(curve.rows[i]), "value", f"{text}; the most is {LOG_DEVIATION_MAX}")


def _check_growth(curve: Curve, problems: Problems) -> None:
    total = np.abs(curve.totals())
    for i in np.flatnonzero(total > GROWTH_MAX)[:1].tolist():
        text = f"rate x time is {_text(total[i])}, too large to compute with"
        problems.add_row(int(curve.rows[i]), "value", f"{text}; the most is {GROWTH_MAX}")


def _text(value: float) -> str:
    return number_text(float(value))
