# SPDX-License-Identifier: Apache-2.0
"""Rows whose sensitivities tests look at, with what they refer to, and sums of the table."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import polars as pl
import pytest
from makespan.base.errors import BookWarning
from makespan.pricing.outcome import PriceResult
from small_books import Row, plain_row

import makespan

CURVES = {
    "usd": {"kind": "zero_rate", "time": [0.25, 0.5, 1.0, 2.0], "value": [0.03, 0.035, 0.04, 0.04]},
    "vol": {"kind": "forward_volatility", "time": [0.5, 1.0], "value": [0.2, 0.25]},
    "steep": {"kind": "volatility", "time": [0.5, 1.0], "value": [0.3, 0.21214]},
}
X = np.linspace(-0.5, 0.5, 5)
SURFACES = {
    "local": {
        "kind": "local_volatility",
        "time": [0.25, 0.5, 1.0],
        "log_moneyness": X,
        "volatility": [0.22 - 0.1 * X, 0.21 - 0.08 * X, 0.2 - 0.06 * X],
    },
    "implied": {
        "kind": "implied_volatility",
        "time": [0.5, 1.0],
        "log_moneyness": X,
        "volatility": [0.2 - 0.05 * X, 0.21 - 0.04 * X],
    },
}
BASKETS = {
    "pair": {
        "underlying": ["a", "b"],
        "weight": [0.6, 0.4],
        "spot": [100.0, 150.0],
        "volatility": [0.2, 0.3],
        "dividend_yield": [0.01, 0.02],
    }
}
PAIRS = {("a", "b"): 0.5}
HESTON = {
    "heston_v0": 0.04,
    "heston_kappa": 2.0,
    "heston_theta": 0.05,
    "heston_sigma": 0.3,
    "heston_rho": -0.7,
}
TABLES: dict[str, Any] = {
    "curves": CURVES,
    "surfaces": SURFACES,
    "baskets": BASKETS,
    "correlations": PAIRS,
}


def curved(**changes: Any) -> Row:
    row = {"rate": None, "volatility": None, "rate_curve": "usd", "volatility_curve": "vol"}
    return plain_row(**{**row, **changes})


def on_surface(name: str, **changes: Any) -> Row:
    return plain_row(**{"volatility": None, "volatility_surface": name, **changes})


def on_basket(**changes: Any) -> Row:
    nothing = dict.fromkeys(("spot", "volatility"))
    return plain_row(**{**nothing, "basket": "pair", "strike": 120.0, **changes})


def under_heston(**changes: Any) -> Row:
    return plain_row(**{"volatility": None, **HESTON, **changes})


def result_of(*rows: Row, by: str = "times", **keywords: Any) -> PriceResult:
    names = dict.fromkeys(name for row in rows for name in row)
    book = pl.DataFrame([{name: row.get(name) for name in names} for row in rows])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BookWarning)
        result = makespan.price(
            book, **{**TABLES, "sensitivities": by, "greeks": True, "memory": False, **keywords}
        )
    assert result is not None
    return result


def values_of(result: PriceResult, **asked: Any) -> pl.DataFrame:
    table = result.sensitivities
    assert isinstance(table, pl.DataFrame)
    return table.filter(*(pl.col(name) == value for name, value in asked.items()))


def near(result: PriceResult, total: float, error: float, greek: str, *, row: int = 0) -> None:
    """Within the errors of both."""
    own = result.table[f"{greek}_std_error"][row] or 0.0
    slack = 4.5 * np.hypot(error, own) + 1e-4 * abs(total)
    assert total == pytest.approx(result.table[greek][row], abs=slack)


def total_of(table: pl.DataFrame, weights: Any = 1.0) -> tuple[float, float]:
    """A sum of derivatives, and its error as if all were off together."""
    value = float((table["value"] * weights).sum())
    return value, float((table["std_error"] * weights).abs().sum())
