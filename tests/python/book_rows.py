# SPDX-License-Identifier: Apache-2.0
"""Contracts of the oracle written as rows of a book, and a book priced by makespan."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl
from oracle import Contract, equal_steps

import makespan

SCHEMA: dict[str, Any] = {
    "id": pl.String,
    "option_type": pl.String,
    "average_type": pl.String,
    "averaging": pl.String,
    "spot": pl.Float64,
    "strike": pl.Float64,
    "strike_multiplier": pl.Float64,
    "rate": pl.Float64,
    "dividend_yield": pl.Float64,
    "drift": pl.Float64,
    "volatility": pl.Float64,
    "expiry": pl.Float64,
    "fixings": pl.Int32,
    "fixing_grid": pl.String,
    "first_fixing": pl.Float64,
    "last_fixing": pl.Float64,
    "fixing_times": pl.List(pl.Float64),
    "past_fixings_count": pl.Int32,
    "past_fixings_sum": pl.Float64,
    "past_fixings_log_sum": pl.Float64,
    "notional": pl.Float64,
    "paths": pl.Int64,
    "std_error": pl.Float64,
    "max_paths": pl.Int64,
    "seed": pl.UInt64,
}

GREEKS = ("delta", "gamma", "vega", "rho", "dividend_rho", "theta")


def near(left: float, right: float) -> bool:
    """Whether two times are the same but for rounding."""
    return math.isclose(left, right, rel_tol=1e-12, abs_tol=1e-15)


def grid_columns(contract: Contract) -> dict[str, Any]:
    """Write the future fixings the way a user would: a named grid, first and last, or a list."""
    times = contract.times
    if not times:
        return {"fixings": 0}
    count, first, last = len(times), times[0], times[-1]
    if times != equal_steps(first, last, count):
        return {"fixing_grid": "explicit", "fixing_times": list(times)}
    columns: dict[str, Any] = {"fixings": count}
    if not near(last, contract.expiry):
        columns["last_fixing"] = last
    if first == 0.0 and count > 1:
        return columns | {"fixing_grid": "include_start"}
    if first > 0.0 and near(first * count, last):
        # Under way, the first must be said, or a warning says what it is taken to be.
        said = {"first_fixing": first} if contract.past_count > 0 and count > 1 else {}
        return columns | {"fixing_grid": "exclude_start"} | said
    return columns | {"first_fixing": first, "last_fixing": last}


def past_columns(contract: Contract) -> dict[str, Any]:
    """Write the past fixings, if there are any."""
    if contract.past_count == 0:
        return {}
    if contract.average_type == "geometric":
        known = {"past_fixings_log_sum": contract.past_log_sum}
    else:
        known = {"past_fixings_sum": contract.past_sum}
    return {"past_fixings_count": contract.past_count} | known


def book_row(row_id: str, contract: Contract, **extra: Any) -> dict[str, Any]:
    """Write a contract as one row; `extra` adds columns such as paths or seed."""
    is_strike = contract.averaging == "strike"
    growth = (
        {"drift": contract.drift}
        if contract.drift_given
        else {"dividend_yield": contract.rate - contract.drift}
    )
    payoff = (
        {"strike_multiplier": contract.multiplier} if is_strike else {"strike": contract.strike}
    )
    return {
        "id": row_id,
        "option_type": contract.option_type,
        "average_type": contract.average_type,
        "averaging": contract.averaging,
        "spot": contract.spot,
        "rate": contract.rate,
        "volatility": contract.volatility,
        "expiry": contract.expiry,
        **payoff,
        **growth,
        **grid_columns(contract),
        **past_columns(contract),
        **extra,
    }


def book_of(rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Gather rows into a book; what a row does not name is empty."""
    return pl.DataFrame([dict(row) for row in rows], schema=SCHEMA)


def price_book(rows: Iterable[Mapping[str, Any]], **settings: Any) -> dict[str, dict[str, Any]]:
    """Price rows in one run and return the output rows by id."""
    prices = makespan.price(book_of(rows), **settings).table
    return {row["id"]: row for row in prices.iter_rows(named=True)}
