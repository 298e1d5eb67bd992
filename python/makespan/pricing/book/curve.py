# SPDX-License-Identifier: Apache-2.0
"""Curves by name, as the rows of a book refer to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from makespan.base.errors import Problem
from makespan.pricing.columns.curves import DIVIDENDS, VOLATILITIES

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Curve:
    """One curve; `time` [years], `value` and `rows` have shape (points)."""

    name: str
    kind: str
    time: Floats
    value: Floats
    rows: NDArray[np.int64]
    """Of the table, from 0: for messages."""

    @property
    def last(self) -> float:
        """Where it ends [years]; dividends go on, without any."""
        return np.inf if self.kind in DIVIDENDS else float(self.time[-1])

    def totals(self) -> Floats:
        """The integral up to each point: of the rate, or of the squared volatility."""
        value = self.value**2 if self.kind in VOLATILITIES else self.value
        if self.kind.startswith("forward_"):
            return np.cumsum(value * np.diff(self.time, prepend=0.0))
        return value * self.time

    def total(self, time: Floats) -> Floats:
        """The integral up to any times up to the last: linear between points."""
        points = np.concatenate(([0.0], self.time))
        return np.interp(time, points, np.concatenate(([0.0], self.totals())))


@dataclass(frozen=True, slots=True)
class Curves:
    """All curves of a table; a name has two where it has dividends of both kinds."""

    source: str
    curves: tuple[Curve, ...] = ()
    warnings: tuple[Problem, ...] = ()
    """Of values that are allowed but look like a mistake."""
    _numbers: Mapping[str, Mapping[str, int]] = field(init=False, repr=False, compare=False)
    """By name and kind: books may have curves of their own for each row."""

    def __post_init__(self) -> None:
        numbers: dict[str, dict[str, int]] = {}
        for number, one in enumerate(self.curves):
            numbers.setdefault(one.name, {})[one.kind] = number
        object.__setattr__(self, "_numbers", numbers)

    def named(self, name: str) -> Mapping[str, int]:
        """The numbers of the curves of a name, by kind; empty where there is none."""
        return self._numbers.get(name, {})

    @property
    def names(self) -> list[str]:
        """Each once, in the order of the table."""
        return list(self._numbers)


NO_CURVES = Curves("curves")
