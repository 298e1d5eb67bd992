# SPDX-License-Identifier: Apache-2.0
"""So few bars of a schedule that a browser draws them at once.

Runs that are too many are joined with their neighbours. Claims and steals are not, since a bar over
several would hide what ran between them: the longest are drawn, which are all that can be seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

BARS_MAX = 20_000
"""More than this a browser does not draw in a second: short ones are joined."""
_FIRST_GAP = 1.0 / 4000.0
"""Of the whole time: less than a pixel."""


def first_of_joined(
    row: NDArray[np.integer],
    begin: NDArray[np.float64],
    end: NDArray[np.float64],
    bars_max: int,
) -> NDArray[np.int64]:
    """The first span of each bar; those up to the next one belong to it.

    Spans are sorted by row and beginning. Neighbours with gaps shorter than a pixel are one bar
    where there are too many, then with longer ones; rows stay apart, so there is one for each.
    """
    first = np.arange(len(begin))
    gap = 0.0
    while len(first) > bars_max:
        gap = max(2.0 * gap, float(end.max()) * _FIRST_GAP)
        starts = np.ones(len(begin), dtype=bool)
        starts[1:] = (row[1:] != row[:-1]) | (begin[1:] - end[:-1] > gap)
        first = np.flatnonzero(starts)
        if len(first) == len(np.unique(row)):
            break
    return first


def longest(
    begin: NDArray[np.float64], end: NDArray[np.float64], bars_max: int
) -> NDArray[np.int64]:
    """So many of the spans, rising; all where there are no more."""
    if len(begin) <= bars_max:
        return np.arange(len(begin))
    by_length = np.argsort(begin - end, kind="stable")
    return np.sort(by_length[:bars_max])
