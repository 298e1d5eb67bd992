# SPDX-License-Identifier: Apache-2.0
"""What else the engine would refuse: paths of too many steps, and methods that a model has not.

Its own limits (contract/contract_book.cpp and run/detail/pricing_engine.cpp of
src/makespan/apps/asian) would end the run at the first such row.
"""

from __future__ import annotations

import numpy as np

from makespan.pricing.book.closed_forms import has_closed_form
from makespan.pricing.book.engine_rows import EngineRows
from makespan.pricing.book.market import Market
from makespan.pricing.book.normal import EngineColumns, rows_of
from makespan.pricing.book.problems import Mask, Problems

HESTON_STEPS_MAX = 1e6
LOCAL_STEPS_MAX = 2.5e4
"""Of all local volatilities of a row together."""

_OF_HESTON = frozenset({"exact", "rqmc", "rqmc_smooth"})
_OF_BASKET = frozenset({"exact"})
"""Methods that cannot price such rows, unless these need no paths."""


def check_engine_limits(
    problems: Problems, columns: EngineColumns, market: Market, method: str
) -> None:
    """Applies every rule of this file to the rows that have no problem so far."""
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
