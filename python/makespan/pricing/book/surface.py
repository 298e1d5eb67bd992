# SPDX-License-Identifier: Apache-2.0
"""Surfaces of local volatilities by name, as the rows of a book refer to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.book.names import unknown_name

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Surface:
    """One surface; `volatility` has shape (times, log_moneyness)."""

    name: str
    time: Floats
    log_moneyness: Floats
    volatility: Floats
    implied: Surface | None = None
    """The implied volatilities that local ones were made of, as they were given."""


@dataclass(frozen=True, slots=True)
class Surfaces:
    """All surfaces of a table."""

    source: str
    surfaces: tuple[Surface, ...] = ()
    numbers: Mapping[str, int] = field(init=False, repr=False, compare=False)
    """By name, in the order of the table."""

    def __post_init__(self) -> None:
        numbers = {one.name: number for number, one in enumerate(self.surfaces)}
        object.__setattr__(self, "numbers", numbers)

    def problem_of(self, column: str, name: str) -> str | None:
        """What is wrong with a name in a column; None: nothing."""
        if name in self.numbers:
            return None
        return unknown_name(column, name, "surfaces", self.source, list(self.numbers))


NO_SURFACES = Surfaces("surfaces")
