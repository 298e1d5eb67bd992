# SPDX-License-Identifier: Apache-2.0
"""Speeds as whole numbers, for programs that read no others."""

from __future__ import annotations

from collections.abc import Sequence

_ERROR_MAX = 0.005
_LARGEST_TRIED = 1000
_LIMIT = 1_000_000
"""Sums of weights, which programs keep in 32 bits, stay small."""


def whole_numbers(speeds: Sequence[float]) -> list[int]:
    """In proportion to `speeds`, none 0, as small as they can be within 0.5 % of each speed.

    If one speed is more than 10 000 times another one, small ones may be further off.
    """
    fastest, slowest = max(speeds), min(speeds)
    for largest in range(1, _LARGEST_TRIED + 1):
        exact = [speed / fastest * largest for speed in speeds]
        if all(abs(round(value) - value) <= _ERROR_MAX * value for value in exact):
            return [round(value) for value in exact]
    # From 100 on, rounding changes a number by 0.5 % at most.
    scale = max(_LARGEST_TRIED, min(100 * fastest / slowest, _LIMIT))
    return [max(1, round(speed / fastest * scale)) for speed in speeds]
