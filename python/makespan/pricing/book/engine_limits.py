# SPDX-License-Identifier: Apache-2.0
"""What else the engine would refuse: paths of too many steps, and methods that a model has not.

Its own limits (contract/contract_book.cpp and run/detail/pricing_engine.cpp of
src/makespan/apps/asian) would end the run at the first such row.
"""

from __future__ import annotations

import numpy as np

from makespan.pricing.book.basket import Basket
from makespan.pricing.book.engine_rows import EngineRows
from makespan.pricing.book.market import Market
from makespan.pricing.book.normal import EngineColumns, rows_of
from makespan.pricing.book.problems import Mask, Problems
from makespan.pricing.columns.book import COLUMNS_BY_NAME

_NO_VARIANCE = 1e-30

HESTON_STEPS_MAX = 1e6
LOCAL_STEPS_MAX = 2.5e4
"""Of all local volatilities of a row together."""

_OF_HESTON = frozenset({"exact", "rqmc", "rqmc_smooth"})
_OF_BASKET = frozenset({"exact"})
"""Methods that cannot price such rows, unless these need no paths."""


def check_engine_limits(
    problems: Problems, columns: EngineColumns, market: Market, method: str
) -> None:
    """Applies every rule of this file to the rows that have no problem so far.

    To none if the file has a problem with a whole column.
    """
    # Of a column that is missing as a whole the rows hold anything, and are not marked as bad.
    if any(column in COLUMNS_BY_NAME for column, _ in problems.of_file):
        return
    asked = np.flatnonzero(_has_model(columns) & ~problems.bad)
    if not len(asked):
        return
    rows = EngineRows(rows_of(columns, asked), market)
    _check_steps(problems, rows, asked.tolist())
    if method in _OF_HESTON | _OF_BASKET:
        _check_method(problems, rows, asked.tolist(), method)


def _has_model(columns: EngineColumns) -> Mask:
    found = (columns["basket"] >= 0) | (columns["surface"] >= 0)
    if "variance_volatility" in columns:
        found = found | (columns["variance_volatility"] > 0)
    return np.asarray(found)


def _check_steps(problems: Problems, rows: EngineRows, asked: list[int]) -> None:
    local = rows.local_volatilities
    most = np.where(local > 0, LOCAL_STEPS_MAX / np.maximum(local, 1), np.inf)
    most = np.where(rows.has_heston, HESTON_STEPS_MAX, most)
    for place in np.flatnonzero(rows.steps > most).tolist():
        text = (
            f"paths have {int(np.ceil(rows.steps[place]))} steps, and {int(most[place])} are the "
            "most; lower steps_per_year, or give fewer fixings"
        )
        problems.add_row(asked[place], "steps_per_year", text)


def _check_method(problems: Problems, rows: EngineRows, asked: list[int], method: str) -> None:
    # A model that has all methods but exact is not asked of its closed form for the others.
    concerned = rows.has_heston & (method in _OF_HESTON) | rows.has_basket & (method in _OF_BASKET)
    if not concerned.any():
        return
    for place in np.flatnonzero(concerned & ~has_closed_form(rows)).tolist():
        if rows.has_heston[place]:
            column, why, others = "heston_v0", "its variance is random", "auto, mc or mc_plain"
        elif rows.columns["surface"][place] >= 0:
            column, why = "volatility_surface", "its volatility is local"
            others = "auto, mc, mc_plain, rqmc or rqmc_smooth"
        else:
            column, why = "basket", "it has several underlyings"
            others = "auto, mc, mc_plain, rqmc or rqmc_smooth"
        text = f"method {method} cannot price it: {why}; use {others}"
        problems.add_row(asked[place], column, text)


# --- rows of a model that have a price without paths all the same: estimate/exact_price.cpp and
# contract/basket_law.cpp


def has_closed_form(rows: EngineRows) -> Mask:
    """Of rows with a random variance, a basket or a surface; elsewhere it means nothing."""
    found = _heston_has_one(rows) if rows.has_heston.any() else np.zeros(rows.count, np.bool_)
    for row in np.flatnonzero(rows.has_basket).tolist():
        found[row] = _basket_has_one(rows, row)
    return found


def _heston_has_one(rows: EngineRows) -> Mask:
    columns, total = rows.columns, rows.fixings_total
    still = _mean_variance(rows) * rows.horizon < _NO_VARIANCE
    geometric = columns["average_type"] == 1
    cash = np.array([rows.cash_of(row) for row in range(rows.count)])
    spot, past = columns["spot"] - cash[:, 0], columns["past_sum"] + cash[:, 1]
    level = columns["strike"] / spot - past / total / spot
    certain = level - np.where(rows.fixes_now, 1 / total, 0.0) <= 0
    on_price = (rows.random_fixings == 0) | certain
    has_past = (columns["past_count"] > 0) | (past > 0)
    one_at_end = (rows.random_fixings == 1) & rows.fixes_at_end
    only_the_end = (rows.fixings == 1) & ~has_past & one_at_end
    never = one_at_end & (1 - columns["strike_multiplier"] / total <= 0)
    on_strike = (rows.random_fixings > 0) & (only_the_end | geometric | never)
    return np.asarray(still | np.where(rows.on_price, on_price | geometric, on_strike))


def _mean_variance(rows: EngineRows) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    columns = rows.columns
    x = columns["mean_reversion"] * rows.horizon
    far = np.maximum(x, 1e-8)
    share = np.where(x > 1e-8, (1 - np.exp(-far)) / far, 1 - 0.5 * x)
    mean = columns["variance_mean"]
    variance: np.ndarray[tuple[int], np.dtype[np.float64]]
    variance = mean + (columns["variance_now"] - mean) * share
    return variance


def _basket_has_one(rows: EngineRows, row: int) -> bool:
    """Its payoff is certain to be exercised, or certain not to be, or nothing is random."""
    columns = rows.columns
    number = int(columns["basket"][row])
    basket = None if number < 0 else rows.market.baskets.baskets[number]
    weights = np.ones(1) if basket is None else basket.weight
    spot = float(columns["spot"][row])
    net = spot if basket is None else float(np.sum(basket.weight * basket.spot))
    now = net / spot / rows.fixings_total[row] if rows.fixes_now[row] else 0.0
    past = columns["past_sum"][row] / rows.fixings_total[row] / spot
    ends = _signs_of_instants(rows, row)
    falls = any(sign * weight < 0 for sign in ends for weight in weights.tolist())
    rises = any(sign * weight > 0 for sign in ends for weight in weights.tolist())
    if rows.on_price[row]:
        left = columns["strike"][row] / spot - past - now
    else:
        multiplier = columns["strike_multiplier"][row]
        end = 0.0 if columns["expiry"][row] > 0 else net / spot
        left = multiplier * past - (end - multiplier * now)
    certain = (left <= 0 and not falls) or (left >= 0 and not rises)
    return bool(certain) or _stands_still(basket, float(rows.horizon[row]))


def _signs_of_instants(rows: EngineRows, row: int) -> list[float]:
    """Of the weights that prices after now have in the sum against the level: one of each."""
    random = int(rows.random_fixings[row])
    if rows.on_price[row]:
        return [1.0] if random else []
    fixing = -rows.columns["strike_multiplier"][row] / rows.fixings_total[row]
    if rows.columns["expiry"][row] == 0:
        return [fixing] if random else []
    at_end = bool(rows.fixes_at_end[row])
    others = [fixing] if random > at_end else []
    return [*others, 1 + fixing if at_end else 1.0]


def _stands_still(basket: Basket | None, end: float) -> bool:
    """`basket`: None for a row with a surface of its own."""
    if basket is None:
        return end <= 0
    # The least variance that a curve can have up to the least of times is above the limit.
    varies = (basket.surface >= 0) | (basket.numbers["volatility_curve"] >= 0)
    if end > 0 and varies.any():
        return False
    return bool(np.max(basket.volatility**2 * end) < _NO_VARIANCE)
