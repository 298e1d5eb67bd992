# SPDX-License-Identifier: Apache-2.0
"""What the rows of a book refer to: curves, surfaces, and baskets of underlyings."""

from __future__ import annotations

from collections.abc import Mapping
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
    """A path, a table or a dict for each; None, an empty dict: there is none (docs/reference)."""

    curves: object = None
    baskets: object = None
    correlations: object = None
    surfaces: object = None


@with_any_numbers
def read_market(tables: MarketTables) -> Market:
    """Raises `InputError`, or `BookError` with everything that is wrong with a table."""
    curves = read_curves(_given(tables.curves))
    surfaces = read_surfaces(_given(tables.surfaces))
    baskets = read_baskets(_given(tables.baskets), _given(tables.correlations), curves, surfaces)
    return Market(curves, baskets, surfaces)


def _given(table: object) -> object:
    """None for a dict of nothing, as programs have one that collect what rows need."""
    return None if isinstance(table, Mapping) and not table else table
