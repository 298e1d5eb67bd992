# SPDX-License-Identifier: Apache-2.0
"""A market with curves, surfaces and baskets added that differ from its own in one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.book.basket import Basket, Baskets
from makespan.pricing.book.curve import Curve, Curves
from makespan.pricing.book.curve_rules import NUMBER_COLUMNS
from makespan.pricing.book.market import Market
from makespan.pricing.book.normal import EngineColumns
from makespan.pricing.book.surface import Surface, Surfaces

Numbers = Mapping[int, int]
"""Old number to new one."""


@dataclass(frozen=True, slots=True)
class Move:
    """What rows have instead: other numbers, or the values of a column, by valid row."""

    curves: Numbers = field(default_factory=dict)
    surfaces: Numbers = field(default_factory=dict)
    baskets: Numbers = field(default_factory=dict)
    spots: Mapping[int, float] = field(default_factory=dict)
    """Of rows that have the forward curve of a new number, whose first value is their spot."""
    column: str = ""
    values: NDArray[np.float64] | None = None

    def numbers(self) -> dict[str, Numbers]:
        """By the engine's column that they are in."""
        tables = dict.fromkeys(NUMBER_COLUMNS, self.curves)
        return {**tables, "surface": self.surfaces, "basket": self.baskets}

    def apply(self, columns: EngineColumns, part: slice, rows: NDArray[np.int64]) -> None:
        """Changes a part of the columns, of which each row was `rows` of the book's."""
        for name, numbers in self.numbers().items():
            cells = columns[name][part]
            for old, new in numbers.items():
                cells[cells == old] = new
        for number, spot in self.spots.items():
            columns["spot"][part][columns["forward_curve"][part] == number] = spot
        if self.values is not None:
            columns[self.column][part] = self.values[rows]


class MovedMarket:
    """A market that grows by what is moved."""

    def __init__(self, market: Market) -> None:
        self._own = market
        self._curves = list(market.curves.curves)
        self._surfaces = list(market.surfaces.surfaces)
        self._baskets = list(market.baskets.baskets)

    def rows_of_curve(self, number: int, numbered: EngineColumns) -> NDArray[np.int64]:
        """The valid rows that have a curve, by their own or in their basket."""
        baskets = [
            place
            for place, basket in enumerate(self._own.baskets.baskets)
            if any((column == number).any() for column in basket.numbers.values())
        ]
        has = np.isin(numbered["basket"], baskets)
        for name in NUMBER_COLUMNS:
            has |= numbered[name] == number
        return np.flatnonzero(has)

    def rows_of_surface(self, number: int, numbered: EngineColumns) -> NDArray[np.int64]:
        """Likewise."""
        baskets = [
            place
            for place, basket in enumerate(self._own.baskets.baskets)
            if (basket.surface == number).any()
        ]
        has = np.isin(numbered["basket"], baskets) | (numbered["surface"] == number)
        return np.flatnonzero(has)

    def with_curve(self, number: int, moved: Curve) -> Move:
        """Wherever the curve stands, baskets too; spots are the first of its forwards."""
        self._curves.append(moved)
        new = len(self._curves) - 1
        first = float(moved.value[0])
        baskets = {}
        for place, basket in enumerate(self._own.baskets.baskets):
            if any((column == number).any() for column in basket.numbers.values()):
                numbers = {
                    name: np.where(column == number, new, column).astype(np.int32)
                    for name, column in basket.numbers.items()
                }
                spot = np.where(basket.numbers["forward_curve"] == number, first, basket.spot)
                baskets[place] = self._add_basket(replace(basket, numbers=numbers, spot=spot))
        spots = {new: first} if moved.kind == "forward_price" else {}
        return Move(curves={number: new}, baskets=baskets, spots=spots)

    def with_surface(self, number: int, moved: Surface) -> Move:
        """Likewise."""
        self._surfaces.append(moved)
        new = len(self._surfaces) - 1
        baskets = {}
        for place, basket in enumerate(self._own.baskets.baskets):
            if (basket.surface == number).any():
                surface = np.where(basket.surface == number, new, basket.surface).astype(np.int32)
                baskets[place] = self._add_basket(replace(basket, surface=surface))
        return Move(surfaces={number: new}, baskets=baskets)

    def with_basket(self, number: int, moved: Basket) -> Move:
        """In the rows that name it."""
        return Move(baskets={number: self._add_basket(moved)})

    def market(self) -> Market:
        """All of it."""
        own = self._own
        return Market(
            Curves(own.curves.source, tuple(self._curves)),
            Baskets(own.baskets.source, tuple(self._baskets)),
            Surfaces(own.surfaces.source, tuple(self._surfaces)),
        )

    def _add_basket(self, basket: Basket) -> int:
        self._baskets.append(basket)
        return len(self._baskets) - 1
