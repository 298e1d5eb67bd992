# SPDX-License-Identifier: Apache-2.0
"""What the rows of a book refer to: curves, surfaces, and baskets of underlyings."""

from __future__ import annotations

from dataclasses import dataclass

from makespan.pricing.book.basket import NO_BASKETS, Baskets
from makespan.pricing.book.basket_table import read_baskets
from makespan.pricing.book.curve import NO_CURVES, Curves
from makespan.pricing.book.curve_table import read_curves
from makespan.pricing.book.problems import with_any_numbers
from makespan.pricing.book.surface import NO_SURFACES, Surfaces
from makespan.pricing.book.surface_table import read_surfaces


@dataclass(frozen=True, slots=True)
class Market:
    """Tables that were read, with all that they name among themselves looked up."""

    curves: Curves = NO_CURVES
    baskets: Baskets = NO_BASKETS
    surfaces: Surfaces = NO_SURFACES


@dataclass(frozen=True, slots=True)
class MarketTables:
    """A path, a table or a dict for each; None: there is none (docs/reference)."""

    curves: object = None
    baskets: object = None
    correlations: object = None
    surfaces: object = None


@with_any_numbers
def read_market(tables: MarketTables) -> Market:
    """Raises `InputError`, or `BookError` with everything that is wrong with a table."""
    curves = read_curves(tables.curves)
    surfaces = read_surfaces(tables.surfaces)
    baskets = read_baskets(tables.baskets, tables.correlations, curves, surfaces)
    return Market(curves, baskets, surfaces)
