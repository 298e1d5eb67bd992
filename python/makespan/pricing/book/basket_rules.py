# SPDX-License-Identifier: Apache-2.0
"""Rows that name a basket: it is there, nothing stands beside it, its curves are long enough."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.book.basket import BASKET_NUMBER_COLUMNS, Basket
from makespan.pricing.book.cells import Cells
from makespan.pricing.book.curve import Curves
from makespan.pricing.book.draft import Draft
from makespan.pricing.book.heston import ENGINE_COLUMN as HESTON
from makespan.pricing.book.market import Market
from makespan.pricing.book.names import unknown_name
from makespan.pricing.book.problems import number_text
from makespan.pricing.columns.book import GROWTH_MAX, LOG_DEVIATION_MAX

_EXCLUDED = (
    "spot",
    "dividend_yield",
    "drift",
    "volatility",
    "dividend_yield_curve",
    "forward_curve",
    "volatility_curve",
    "volatility_surface",
    "dividends",
    *HESTON,
)


def named_baskets(draft: Draft, market: Market) -> NDArray[np.int32]:
    """The number of each row's basket, -1 for none; spots become the gross values of baskets."""
    numbers = np.full(draft.rows, -1, dtype=np.int32)
    rows = draft.given("basket")
    if not rows.any():
        return numbers
    for other in _EXCLUDED:
        both = rows & draft.given(other)
        draft.problems.refuse_beside(both, other, "basket", ", whose underlyings have their own")
    geometric = rows & draft.means("average_type", "geometric")
    draft.problems.add_rows(
        geometric, "average_type", lambda _: "average_type must be 'arithmetic' with a basket"
    )
    places = {name: number for number, name in enumerate(market.baskets.names)}
    names = draft.values("basket")
    for row in np.flatnonzero(rows).tolist():
        number = places.get(str(names[row]))
        if number is None:
            known = (market.baskets.source, market.baskets.names)
            problem = unknown_name("basket", str(names[row]), "baskets", *known)
            draft.problems.add_row(row, "basket", problem)
            continue
        numbers[row] = number
        _check_length(draft, row, market.baskets.baskets[number], market.curves)
    found = numbers >= 0
    gross = np.array([one.gross for one in market.baskets.baskets] + [np.nan])
    cells = draft.cells["spot"]
    draft.cells["spot"] = Cells(np.where(rows, gross[numbers], cells.values), cells.given | found)
    return numbers


def _check_length(draft: Draft, row: int, basket: Basket, curves: Curves) -> None:
    """Curves reach the row's expiry, and growth and variance up to it can be computed with."""
    expiry = float(draft.values("expiry")[row])
    if not draft.given("expiry")[row] or not np.isfinite(expiry):
        return
    used = {int(n) for name in BASKET_NUMBER_COLUMNS for n in basket.numbers[name] if n >= 0}
    for number in sorted(used):
        curve = curves.curves[number]
        if expiry > curve.last:
            end = number_text(curve.last)
            text = f"expiry {number_text(expiry)} is after the end of curve '{curve.name}', {end}"
            draft.problems.add_row(row, "basket", f"{text}, in basket '{basket.name}'; add a point")
            return
    growth = float(np.max(np.abs(basket.dividend_yield))) * expiry
    deviation = float(np.max(basket.volatility)) * np.sqrt(max(expiry, 0.0))
    if growth > GROWTH_MAX or deviation > LOG_DEVIATION_MAX:
        text = f"a yield or volatility of basket '{basket.name}' up to expiry"
        draft.problems.add_row(row, "basket", f"{text} is too large to compute with")
