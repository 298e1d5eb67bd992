# SPDX-License-Identifier: Apache-2.0
"""Curves, baskets and surfaces as the engine's columns.

Those that rows use, numbered in the order of their first use.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.book.basket import BASKET_NUMBER_COLUMNS, Basket
from makespan.pricing.book.curve import Curve
from makespan.pricing.book.curve_rules import NUMBER_COLUMNS
from makespan.pricing.book.market import Market
from makespan.pricing.book.surface import Surface
from makespan.pricing.columns.curves import KINDS

Columns = dict[str, NDArray[Any]]

CURVE_POINTS = ("curve_kind", "curve_offset", "curve_time", "curve_value")
BASKET_NUMBERS = tuple(f"basket_{name}" for name in BASKET_NUMBER_COLUMNS)
"""Numbers of curves, of each underlying."""
BASKET_POINTS = (
    "basket_offset",
    "basket_weight",
    "basket_spot",
    "basket_dividend_yield",
    "basket_volatility",
    *BASKET_NUMBERS,
    "basket_surface",
    "basket_correlation",
)
SURFACE_POINTS = (
    "surface_time_offset",
    "surface_moneyness_offset",
    "surface_time",
    "surface_log_moneyness",
    "surface_volatility",
)
POINT_COLUMNS = (*CURVE_POINTS, *BASKET_POINTS, *SURFACE_POINTS)
"""Those whose length is not the number of rows."""
_ROW_COLUMNS = (*NUMBER_COLUMNS, "payment_lag")


def with_market(columns: Columns, market: Market) -> Columns:
    """The same with curves, baskets and surfaces that are used, in the order of their first use.

    Books that say the same thus have the same columns, whatever else the tables have; and those
    that use no curve, nor a payment lag, have no columns of either, those without baskets or
    surfaces none of these.
    """
    columns = _with_baskets(columns, market.baskets.baskets)
    columns = _with_surfaces(columns, market.surfaces.surfaces)
    number_columns = [*NUMBER_COLUMNS, *(name for name in BASKET_NUMBERS if name in columns)]
    of_rows = np.stack([columns[name] for name in NUMBER_COLUMNS], axis=1).ravel()
    of_baskets = [columns[name] for name in number_columns[len(NUMBER_COLUMNS) :]]
    used = _in_order(np.concatenate([of_rows, *of_baskets]))
    if not used and not np.any(columns["payment_lag"]):
        return {name: column for name, column in columns.items() if name not in _ROW_COLUMNS}
    curves = market.curves.curves
    place = _places(used, len(curves))
    return {
        **columns,
        **{name: np.ascontiguousarray(place[columns[name]]) for name in number_columns},
        **_curve_columns([curves[number] for number in used]),
    }


def _in_order(numbers: NDArray[np.int32]) -> list[int]:
    """Each but -1 once, in the order of its first use."""
    return [number for number in dict.fromkeys(numbers.tolist()) if number >= 0]


def _places(used: Sequence[int], count: int) -> NDArray[np.int32]:
    place = np.full(count + 1, -1, dtype=np.int32)  # the last is that of -1
    place[list(used)] = np.arange(len(used), dtype=np.int32)
    return place


def _offsets(counts: Sequence[int]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)


def _curve_columns(curves: Sequence[Curve]) -> Columns:
    empty = np.zeros(0)
    return {
        "curve_kind": np.array([KINDS[one.kind].code for one in curves], dtype=np.int8),
        "curve_offset": _offsets([len(one.time) for one in curves]),
        "curve_time": np.concatenate([one.time for one in curves] or [empty]),
        "curve_value": np.concatenate([one.value for one in curves] or [empty]),
    }


def _with_baskets(columns: Columns, baskets: Sequence[Basket]) -> Columns:
    used = _in_order(columns["basket"])
    if not used:
        return {name: column for name, column in columns.items() if name != "basket"}
    picked = [baskets[number] for number in used]
    return {
        **columns,
        "basket": np.ascontiguousarray(_places(used, len(baskets))[columns["basket"]]),
        "basket_offset": _offsets([len(one.weight) for one in picked]),
        "basket_weight": np.concatenate([one.weight for one in picked]),
        "basket_spot": np.concatenate([one.spot for one in picked]),
        "basket_dividend_yield": np.concatenate([one.dividend_yield for one in picked]),
        "basket_volatility": np.concatenate([one.volatility for one in picked]),
        **{
            f"basket_{name}": np.concatenate([one.numbers[name] for one in picked])
            for name in BASKET_NUMBER_COLUMNS
        },
        "basket_surface": np.concatenate([one.surface for one in picked]),
        "basket_correlation": np.concatenate([one.correlation.ravel() for one in picked]),
    }


def _with_surfaces(columns: Columns, surfaces: Sequence[Surface]) -> Columns:
    names = [name for name in ("surface", "basket_surface") if name in columns]
    used = _in_order(np.concatenate([columns[name] for name in names]))
    place = _places(used, len(surfaces))
    columns = {**columns, **{name: np.ascontiguousarray(place[columns[name]]) for name in names}}
    if not used:
        return {name: column for name, column in columns.items() if name != "surface"}
    picked = [surfaces[number] for number in used]
    return {
        **columns,
        "surface_time_offset": _offsets([len(one.time) for one in picked]),
        "surface_moneyness_offset": _offsets([len(one.log_moneyness) for one in picked]),
        "surface_time": np.concatenate([one.time for one in picked]),
        "surface_log_moneyness": np.concatenate([one.log_moneyness for one in picked]),
        "surface_volatility": np.concatenate([one.volatility.ravel() for one in picked]),
    }
