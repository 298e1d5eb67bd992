# SPDX-License-Identifier: Apache-2.0
"""Bumps of the parameters of Heston's model, each row's own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.book.heston import ENGINE_COLUMN
from makespan.pricing.book.normal import EngineColumns
from makespan.pricing.columns.book import COLUMNS_BY_NAME
from makespan.pricing.sensitivity.bump import Bump, Target, Term, central, one_sided
from makespan.pricing.sensitivity.moved_market import Move

SHARE = 0.01
"""Of the parameter; wider than for others, since paths change their branch of the scheme."""
LEAST = 1e-4

Floats = NDArray[np.float64]


def heston_bumps(numbered: EngineColumns) -> Iterator[Bump]:
    """None where no row has a random variance; one-sided at the ends of a range."""
    if "variance_volatility" not in numbered:
        return
    has_model = numbered["variance_volatility"] > 0
    for name, column in ENGINE_COLUMN.items():
        value = numbered[column]
        size = np.full_like(value, SHARE) if name == "heston_rho" else _sizes(value)
        low, high = _range(name)
        fits_below, fits_above = value - size >= low, value + size <= high

        def moved(by: Floats, column: str = column, value: Floats = value) -> Move:
            return Move(column=column, values=value + by)

        signed = np.where(fits_above, size, -size)
        ways: tuple[tuple[NDArray[np.bool_], tuple[Term, ...]], ...] = (
            (fits_below & fits_above, central(moved(size), moved(-size), size)),
            (fits_below ^ fits_above, one_sided(moved(0.5 * signed), moved(signed), signed)),
        )
        for rows, terms in ways:
            found = np.flatnonzero(has_model & rows)
            if len(found):
                yield Bump(Target(name), found, terms)


def _sizes(value: Floats) -> Floats:
    sizes: Floats = np.maximum(SHARE * value, LEAST)
    return sizes


def _range(name: str) -> tuple[float, float]:
    """Of the values that the engine prices."""
    column = COLUMNS_BY_NAME[name]
    bound = column.bound
    if bound is not None and bound.high is not None:
        return float(bound.low or 0.0), bound.high
    return column.smallest, column.largest
