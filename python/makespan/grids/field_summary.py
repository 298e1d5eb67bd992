# SPDX-License-Identifier: Apache-2.0
"""Least, most and mean of a field, as the engine adds it up: without rounding."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

_LIMB_BITS = 27
_LAST_BITS = 80
"""The last limb counts 2^-80 of what values were divided by."""


Point = tuple[int, int, int]
"""(x, y, z)."""


class FieldSummary(NamedTuple):
    """Of all points of a box."""

    least: float
    most: float
    mean: float
    """The sum, of which nothing is lost above 2^-80 of the largest value, over the points; rounded
    once. NaN where a value is not finite."""


def field_summary(team: Any, field: int, begin: Point, end: Point) -> FieldSummary:
    """Of a box of one of the team's fields; the same bits however the grid is cut.

    Blocks, on image 0.
    """
    least, most, scale, limbs = team.summary(field, begin, end)
    if not (math.isfinite(least) and math.isfinite(most)):
        return FieldSummary(least, most, math.nan)
    total = 0
    for limb in limbs:
        total = (total << _LIMB_BITS) + limb
    points = math.prod(last - first for first, last in zip(begin, end, strict=True))
    return FieldSummary(least, most, _quotient(total, points, _LAST_BITS + scale))


def _quotient(total: int, points: int, power: int) -> float:
    """Total / (points 2^power), rounded to the nearest."""
    if power >= 0:
        return total / (points << power)
    return (total << -power) / points
