# SPDX-License-Identifier: Apache-2.0
"""Robust centre and spread of measurements, and the ratio of two interleaved series."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Spread:
    """Median and quartiles of a series, in the unit of the series."""

    median: float
    lower_quartile: float
    upper_quartile: float
    count: int


def spread(series: Sequence[float]) -> Spread:
    """Return median and quartiles; a series of one has no width."""
    if not series:
        msg = "no measurements (every run of this contestant failed); nothing to summarise"
        raise ValueError(msg)
    if len(series) == 1:
        return Spread(series[0], series[0], series[0], 1)
    lower, median, upper = statistics.quantiles(series, n=4, method="inclusive")
    return Spread(median, lower, upper, len(series))


def paired_ratio(numerators: Sequence[float], denominators: Sequence[float]) -> Spread:
    """Return the spread of the ratio taken round by round.

    The two runs of one round lie next to each other in time, so a slow minute of the machine slows
    both and cancels; the ratio of two medians would keep it.
    """
    if len(numerators) != len(denominators):
        msg = f"series of {len(numerators)} and {len(denominators)} rounds cannot be paired"
        raise ValueError(msg)
    return spread([top / bottom for top, bottom in zip(numerators, denominators, strict=True)])
