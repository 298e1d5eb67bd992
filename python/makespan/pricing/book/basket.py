# SPDX-License-Identifier: Apache-2.0
"""Baskets by name, as the rows of a book refer to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BASKET_NUMBER_COLUMNS = (
    "yield_curve",
    "forward_curve",
    "volatility_curve",
    "proportional_dividends",
)
"""The engine's columns of the curves that an underlying may have."""


@dataclass(frozen=True, slots=True)
class Basket:
    """One basket; arrays have shape (underlyings), `correlation` (underlyings, underlyings)."""

    name: str
    underlyings: tuple[str, ...]
    weight: Floats
    spot: Floats
    dividend_yield: Floats
    volatility: Floats
    """0 with a curve of it."""
    numbers: Mapping[str, NDArray[np.int32]]
    """Of the curves of each underlying, by `BASKET_NUMBER_COLUMNS`; -1 for none."""
    surface: NDArray[np.int32]
    """The number of the surface of each, -1 for none."""
    correlation: Floats

    @property
    def gross(self) -> float:
        """What prices are in units of: the values of all underlyings, short ones too."""
        return float(np.sum(np.abs(self.weight) * self.spot))


@dataclass(frozen=True, slots=True)
class Baskets:
    """All baskets of a table."""

    source: str
    baskets: tuple[Basket, ...] = ()

    @property
    def names(self) -> list[str]:
        """In the order of the table."""
        return [one.name for one in self.baskets]


NO_BASKETS = Baskets("baskets")
