# SPDX-License-Identifier: Apache-2.0
"""Prices hold where single precision does not, and single precision is left in time.

Each contract is one that single-precision paths priced wrongly with a small stated error, or that
stopped the engine; `auto` is held against double precision of the same contract.
"""

from __future__ import annotations

import math
from typing import Any

import polars as pl
import pytest

import makespan

CONTRACT: dict[str, Any] = {
    "id": "A",
    "option_type": "call",
    "spot": 100.0,
    "strike": 100.0,
    "rate": 0.0,
    "volatility": 0.2,
    "expiry": 1.0,
    "fixings": 365,
    "fixing_grid": "exclude_start",
}


def price_of(changes: dict[str, Any], **settings: Any) -> dict[str, Any]:
    out = makespan.price(pl.DataFrame([CONTRACT | changes]), **settings).table
    assert isinstance(out, pl.DataFrame)
    return out.row(0, named=True)


@pytest.mark.parametrize("volatility", [1e-8, 1e-5, 1e-4, 4e-3, 6e-3])
def test_quiet_contracts_agree_with_the_normal_limit(volatility: float) -> None:
    """At small volatility the average is normal: variance sigma^2 (N + 1)(2 N + 1) / (6 N^2)."""
    n = CONTRACT["fixings"]
    deviation = 100 * volatility * math.sqrt((n + 1) * (2 * n + 1) / (6 * n * n))
    limit = deviation / math.sqrt(2 * math.pi)

    row = price_of({"volatility": volatility}, paths=65_536)

    assert row["std_error"] < 0.01 * limit
    # The limit itself is off by about volatility, relative.
    assert abs(row["price"] - limit) < 4 * row["std_error"] + 2 * volatility * limit


@pytest.mark.parametrize(
    "changes",
    [
        {"fixings": 50_000, "volatility": 0.02},
        {"drift": 1.0, "expiry": 100.0, "volatility": 0.02, "fixings": 12, "strike": 1e40},
        {"drift": -1.0, "expiry": 90.0, "volatility": 0.02, "fixings": 12, "option_type": "put"},
    ],
    ids=["many fixings", "growth", "decay"],
)
def test_auto_is_double_where_single_would_show(changes: dict[str, Any]) -> None:
    auto = price_of(changes, paths=2_048)
    double = price_of(changes, paths=2_048, precision="double")

    assert auto["status"] == "ok"
    assert auto["price"] == double["price"]


@pytest.mark.filterwarnings("ignore::makespan.BookWarning")  # the past is far from some spots
def test_exercise_at_the_edge_of_certainty_is_one_decision() -> None:
    """Strikes within a few last places of the past fixings' share."""
    edge = 1256.32 / 44
    strikes = [edge]
    for _ in range(3):
        strikes = [math.nextafter(strikes[0], 0), *strikes, math.nextafter(strikes[-1], 1e9)]
    rows = [
        CONTRACT
        | {"id": str(i), "spot": spot, "strike": strike, "fixings": 27}
        | {"past_fixings_count": 17, "past_fixings_sum": 1256.32}
        for i, (spot, strike) in enumerate((s, k) for s in (79.82, 22.88, 3.1) for k in strikes)
    ]

    out = makespan.price(pl.DataFrame(rows), paths=2_048).table

    assert isinstance(out, pl.DataFrame)
    assert out["price"].is_finite().all()
