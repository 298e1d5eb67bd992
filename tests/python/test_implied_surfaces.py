# SPDX-License-Identifier: Apache-2.0
"""Options of an implied surface are priced at the volatilities that it was made of.

Method: Black's formula, at the ends of the example's surface, where much of what an option is worth
comes from beyond the grid.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import norm
from small_books import plain_row

import makespan

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "surfaces.csv"


def implied_rows(name: str) -> tuple[dict[str, Any], dict[tuple[float, float], float]]:
    """One of the example's surfaces, and its volatilities by point."""
    table = pl.read_csv(EXAMPLE).filter(pl.col("surface") == name).sort("time", "log_moneyness")
    times, x = (table[column].unique().sort().to_list() for column in ("time", "log_moneyness"))
    volatility = table["volatility"].to_numpy().reshape(len(times), len(x))
    by_point = {(t, k): volatility[i, j] for i, t in enumerate(times) for j, k in enumerate(x)}
    kind = table["kind"][0]
    surface = {"kind": kind, "time": times, "log_moneyness": x, "volatility": volatility}
    return surface, by_point


def black(forward: float, strike: float, deviation: float) -> float:
    """Undiscounted, of the side out of the money."""
    side = 1.0 if strike >= forward else -1.0
    upper = np.log(forward / strike) / deviation + deviation / 2
    called = forward * norm.cdf(side * upper) - strike * norm.cdf(side * (upper - deviation))
    return float(side * called)


def test_options_of_an_implied_surface_come_back_at_its_ends_too() -> None:
    surface, by_point = implied_rows("index")
    points = [(1.0, -0.4), (1.0, 0.2), (2.0, -0.4), (2.0, -0.3), (2.0, 0.15), (2.0, 0.2)]
    plain = {"spot": 100.0, "rate": 0.0, "dividend_yield": None, "fixings": 1, "std_error": None}
    rows = [
        plain_row(
            id=f"at {t} {k}",
            **plain,
            volatility=None,
            volatility_surface="index",
            fixing_grid="exclude_start",
            strike=100.0 * np.exp(k),
            option_type="call" if k > 0 else "put",
            expiry=t,
        )
        for t, k in points
    ]
    table = makespan.price(
        pl.DataFrame(rows), surfaces={"index": surface}, paths=1 << 18, memory=False
    ).table

    for (t, k), price, error in zip(points, table["price"], table["std_error"], strict=True):
        strike, root = 100.0 * np.exp(k), np.sqrt(t)
        vega = (
            black(100, strike, (by_point[t, k] + 1e-4) * root)
            - (right := black(100, strike, by_point[t, k] * root))
        ) / 1e-4
        assert price == pytest.approx(right, abs=0.0004 * vega + 3 * error), (t, k)
        assert 3 * error < 0.0009 * vega, "or flat wings pass, too"
