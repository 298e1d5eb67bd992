# SPDX-License-Identifier: Apache-2.0
"""Goal: where hardly any path is exercised, no Greek is told as certain, and errors hold.

Method: many seeds beside a run of two million paths, or beside the exact price.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import makespan

SEEDS = 40
ROW = {
    "option_type": "call",
    "spot": 100.0,
    "rate": 0.03,
    "expiry": 1.0,
    "fixings": 12,
    "fixing_grid": "exclude_start",
}
HESTON = {
    "heston_v0": 0.04,
    "heston_kappa": 2.0,
    "heston_theta": 0.04,
    "heston_sigma": 0.3,
    "heston_rho": -0.7,
}
SPREAD = {"fixings": 12, "rate": 0.05, "basket": "s", "spot": None}


def of_seeds(row: dict[str, Any], **keywords: Any) -> pl.DataFrame:
    present = {name: value for name, value in row.items() if value is not None}
    book = pl.DataFrame([{**present, "seed": seed} for seed in range(SEEDS)])
    return makespan.price(book, greeks=True, threads=1, memory=False, **keywords).table


def check(table: pl.DataFrame, right: dict[str, float]) -> None:
    """Each has an error, and lies within four of them."""
    for name, value in right.items():
        error = table["std_error" if name == "price" else f"{name}_std_error"]
        assert error.min() > 0, name  # type: ignore[operator]
        assert ((table[name] - value).abs() > 4 * error).sum() == 0, name


@pytest.mark.parametrize(
    ("spots", "volatility", "strike", "right"),
    [
        (
            [100.0, 60.0],
            0.3,
            90.0,
            {"price": 0.000719, "delta": 7.81e-5, "vega": 0.0353, "rho": 0.00716, "theta": -0.0116},
        ),
        (
            [100.0, 100.0],
            0.2,
            25.0,
            {"price": 2.4e-7, "gamma": 2.2e-9, "vega": 1.5e-4, "rho": 1.5e-5, "theta": -3.3e-5},
        ),
    ],
)
def test_a_spread(
    spots: list[float], volatility: float, strike: float, right: dict[str, float]
) -> None:
    basket = {
        "underlying": ["a", "b"],
        "weight": [1.0, -1.0],
        "spot": spots,
        "volatility": [volatility] * 2,
    }
    row = {**ROW, **SPREAD, "strike": strike}

    check(of_seeds(row, baskets={"s": basket}, correlations={("a", "b"): 0.95}), right)


@pytest.mark.parametrize(
    ("strike", "right"),
    [
        (140.0, {"price": 0.000761, "delta": 0.000336, "gamma": 1.54e-4}),
        (150.0, {"price": 3.15e-5, "delta": 1.47e-5, "gamma": 6.8e-6}),
    ],
)
def test_hestons_gamma(strike: float, right: dict[str, float]) -> None:
    check(of_seeds({**ROW, **HESTON, "strike": strike}), right)


@pytest.mark.parametrize("method", ["mc", "mc_plain", "rqmc_smooth"])
def test_rho_is_the_discounts_alone_where_the_drift_is_given(method: str) -> None:
    row = {
        **{name: ROW[name] for name in ("option_type", "spot")},
        "strike": 177.0,
        "rate": 0.05,
        "drift": 0.0,
        "volatility": 0.68,
        "expiry": 2.0,
        "fixing_times": [0.0, 0.04, 0.2],
        "past_fixings_count": 1,
        "past_fixings_sum": 100.0,
    }
    exact = makespan.price(pl.DataFrame([row]), greeks=True, threads=1).table.row(0, named=True)

    table = of_seeds(row, method=method)

    if method != "rqmc_smooth":  # whose price has no more to miss than others
        check(table, {name: exact[name] for name in ("price", "rho", "theta")})
    for name in ("", "_std_error"):
        rho, price = table[f"rho{name}"], table["std_error" if name else "price"]
        assert rho.abs().to_list() == pytest.approx((2.0 * price).to_list(), rel=1e-14)
    assert exact["rho"] == pytest.approx(-2.0 * exact["price"])


def test_no_exact_price_is_below_0() -> None:
    """The last digits of what is next to nothing had a sign of their own."""
    draw = np.random.default_rng(7)
    rows = []
    for number in range(300):
        volatility, expiry = draw.uniform(0.05, 0.8), draw.uniform(0.1, 5.0)
        is_call = number % 2 == 0
        far = draw.uniform(3.0, 9.0) * volatility * math.sqrt(expiry / 3.0)
        strike = 100.0 * math.exp(far if is_call else -far)
        row = {
            "id": f"x{number}", "option_type": "call" if is_call else "put", "spot": 100.0,
            "rate": 0.03, "volatility": volatility, "expiry": expiry, "fixings": 12,
            "fixing_grid": "exclude_start", "strike": strike, "notional": (-1.0) ** number,
        }  # fmt: skip
        rows.append(row)
    book = pl.DataFrame(rows)

    table = makespan.price(book, method="exact").table

    owned = table["price"].to_numpy() * book["notional"].to_numpy()
    assert (owned >= 0.0).all()
    assert (owned == 0.0).any()  # as they are rounded
    assert (owned > 0.0).any()
