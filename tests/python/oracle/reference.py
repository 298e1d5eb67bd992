# SPDX-License-Identifier: Apache-2.0
"""The reference tables of tests/data as contracts; their columns are explained in its README."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from oracle.contract import Contract, FloatArray, equal_steps

DATA = Path(__file__).resolve().parents[2] / "data"


@dataclass(frozen=True)
class ReferencePrice:
    """One row of asian_prices.csv that a discrete equal-weight engine can be held against."""

    id: str
    source: str
    contract: Contract
    exact: float
    exact_error: float
    expected: float  # the printed value, equal to `exact` up to `tolerance` unless suspect
    tolerance: float
    suspect: bool


@dataclass(frozen=True)
class ReferenceGreeks:
    """One row of asian_greeks.csv."""

    label: str
    contract: Contract
    price: float
    greeks: dict[str, float]  # names as in oracle.Greeks


def number(text: str, empty: float = 0.0) -> float:
    """Read a cell; an empty one has its column's neutral value."""
    return float(text) if text else empty


def future_times(row: dict[str, str]) -> tuple[float, ...]:
    """Times of the future fixings.

    N counts all fixings. Where the first time is negative, first..last spans the past ones too;
    otherwise it spans the future ones only.
    """
    count, past = int(row["N"]), int(number(row["past_count"]))
    if count == past:
        return ()
    first, last = float(row["first_fixing_time"]), float(row["last_fixing_time"])
    if first < 0.0:
        return equal_steps(first, last, count)[past:]
    return equal_steps(first, last, count - past)


def price_contract(row: dict[str, str]) -> Contract:
    """Read one row of asian_prices.csv."""
    is_strike = row["averaging"] == "strike"
    rate, dividend_yield = float(row["r"]), float(row["q"])
    return Contract(
        option_type="call" if row["option_type"] == "call" else "put",
        average_type="geometric" if row["average_type"] == "geometric" else "arithmetic",
        averaging="strike" if is_strike else "price",
        spot=float(row["S"]),
        strike=float("nan") if is_strike else float(row["K"]),
        multiplier=number(row["K"], empty=1.0) if is_strike else 1.0,
        rate=rate,
        drift=rate - dividend_yield,
        volatility=float(row["sigma"]),
        expiry=float(row["T"]),
        times=future_times(row),
        past_count=int(number(row["past_count"])),
        past_sum=number(row["past_sum"]),
    )


def rows_of(name: str) -> list[dict[str, str]]:
    """Read a table of tests/data."""
    with (DATA / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def reference_prices() -> list[ReferencePrice]:
    """Return the rows with discrete equal-weight fixings that state a true price."""
    prices = []
    for row in rows_of("asian_prices.csv"):
        suspect = row["kind"] == "suspect"
        if row["style"] != "discrete" or not (suspect or row["compare_with"] == "true_price"):
            continue
        prices.append(
            ReferencePrice(
                id=row["id"],
                source=row["source"],
                contract=price_contract(row),
                exact=float(row["exact_value"]),
                exact_error=float(row["exact_err_est"]),
                expected=float(row["expected"]),
                tolerance=float(row["tolerance"]),
                suspect=suspect,
            )
        )
    return prices


def greeks_contract(row: dict[str, str]) -> Contract:
    """Read one row of asian_greeks.csv: its weight and its past part give the past fixings."""
    count = round(1.0 / float(row["weight_each"]))
    future = int(row["N_future"])
    rate, dividend_yield = float(row["r"]), float(row["q"])
    return Contract(
        option_type="call" if row["option_type"] == "call" else "put",
        spot=float(row["S"]),
        strike=float(row["K"]),
        rate=rate,
        drift=rate - dividend_yield,
        volatility=float(row["sigma"]),
        expiry=float(row["T"]),
        times=equal_steps(float(row["first_time"]), float(row["last_time"]), future),
        past_count=count - future,
        past_sum=float(row["past_average_part"]) * count,
    )


def reference_greeks() -> list[ReferenceGreeks]:
    """Return every row of asian_greeks.csv."""
    columns = {
        "delta": "delta",
        "gamma": "gamma",
        "vega": "vega_per_1.00",
        "rho": "rho_per_1.00",
        "dividend_rho": "div_rho_per_1.00",
        "theta": "theta_per_year_pde",
    }
    return [
        ReferenceGreeks(
            label=row["label"],
            contract=greeks_contract(row),
            price=float(row["price"]),
            greeks={name: float(row[column]) for name, column in columns.items()},
        )
        for row in rows_of("asian_greeks.csv")
    ]


@dataclass(frozen=True)
class ContinuousPrice:
    """A published price of a continuously averaged call, for the limit of many fixings."""

    id: str
    contract: Contract  # without times
    exact: float
    tolerance: float


def continuous_prices(source: str) -> list[ContinuousPrice]:
    """Return the continuous arithmetic rows whose source begins with `source`."""
    return [
        ContinuousPrice(
            id=row["id"],
            contract=price_contract(row | {"N": "0", "past_count": "0"}),
            exact=float(row["expected"]),
            tolerance=float(row["tolerance"]),
        )
        for row in rows_of("asian_prices.csv")
        if row["style"] == "continuous"
        and row["average_type"] == "arithmetic"
        and row["source"].startswith(source)
        and row["kind"] != "suspect"
    ]


def trapezoid(steps: int) -> FloatArray:
    """Weights of the trapezoid rule on `steps` equal steps, shape (steps + 1); they sum to 1."""
    weights = np.full(steps + 1, 1.0 / steps)
    weights[[0, -1]] *= 0.5
    return weights
