# SPDX-License-Identifier: Apache-2.0
"""Rows that name a surface: it is there, nothing stands beside it; and the steps of such rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.book.draft import Draft
from makespan.pricing.book.heston import ENGINE_COLUMN as HESTON
from makespan.pricing.book.heston import has_heston
from makespan.pricing.book.market import Market
from makespan.pricing.book.problems import Mask

STEPS_DEFAULT = 64
_EXCLUDED = ("volatility", "volatility_curve", "basket", *HESTON)


def named_surfaces(draft: Draft, market: Market) -> NDArray[np.int32]:
    """The number of each row's surface, -1 for none."""
    numbers = np.full(draft.rows, -1, dtype=np.int32)
    rows = draft.given("volatility_surface")
    _check_steps(draft, market)
    if not rows.any():
        return numbers
    for other in _EXCLUDED:
        draft.problems.refuse_beside(rows & draft.given(other), other, "volatility_surface")
    geometric = rows & draft.means("average_type", "geometric")
    text = "average_type must be 'arithmetic' with a volatility_surface"
    draft.problems.add_rows(geometric, "average_type", lambda _: text)
    _refuse_cash(draft, market, rows)
    names = draft.values("volatility_surface")
    for row in np.flatnonzero(rows).tolist():
        name = str(names[row])
        problem = market.surfaces.problem_of("volatility_surface", name)
        if problem is None:
            numbers[row] = market.surfaces.numbers[name]
        else:
            draft.problems.add_row(row, "volatility_surface", problem)
    return numbers


def _refuse_cash(draft: Draft, market: Market, rows: Mask) -> None:
    names = draft.values("dividends")
    for row in np.flatnonzero(rows & draft.given("dividends")).tolist():
        if "cash_dividend" in market.curves.named(str(names[row])):
            text = f"dividends '{names[row]}' are cash; with a volatility_surface they must be"
            draft.problems.add_row(row, "dividends", f"{text} proportional")


def _check_steps(draft: Draft, market: Market) -> None:
    """Only paths that need steps between fixings may say how many."""
    local = {one.name for one in market.baskets.baskets if (one.surface >= 0).any()}
    may_have = draft.given("volatility_surface") | has_heston(draft)
    names = draft.values("basket")
    for row in np.flatnonzero(draft.given("steps_per_year") & draft.given("basket")).tolist():
        may_have[row] |= str(names[row]) in local
    text = "steps_per_year is only for volatility_surface and Heston's variance; leave it empty"
    alone = draft.given("steps_per_year") & ~may_have
    draft.problems.add_rows(alone, "steps_per_year", lambda _: text)
