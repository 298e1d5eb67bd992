# SPDX-License-Identifier: Apache-2.0
"""Rows of a random variance, from end to end: what is refused; prices against other programs."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import polars as pl
import pytest
from makespan.base.errors import BookError, BookWarning
from oracle.heston import HestonModel, geometric_call
from small_books import checked, messages, plain_row

import makespan

Row = dict[str, Any]
NAMES = ("heston_v0", "heston_kappa", "heston_theta", "heston_sigma", "heston_rho")
MILD = (0.04, 2.0, 0.04, 0.3, -0.7)
MODELS = {
    "mild": MILD,
    "zero": (0.04, 1.0, 0.06, 1.0, -0.7),
    "positive": (0.09, 1.5, 0.06, 0.6, 0.5),
}


def heston_row(model: tuple[float, ...] = MILD, **changes: Any) -> Row:
    row = plain_row(volatility=None, **dict(zip(NAMES, model, strict=True)))
    return {**row, **changes}


def price_of(row: Row, **keywords: Any) -> pl.DataFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BookWarning)
        table = makespan.price(pl.DataFrame([row]), memory=False, **keywords).table
    assert isinstance(table, pl.DataFrame)
    return table


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        (
            {"heston_kappa": None},
            "heston_kappa is missing; Heston's model needs heston_v0, heston_k",
        ),
        ({"heston_v0": None}, "heston_v0 is missing"),
        ({"volatility": 0.2}, "volatility cannot stand beside heston_v0; leave one empty"),
        ({"heston_v0": -0.01}, "heston_v0 must be >= 0, got -0.01"),
        ({"heston_kappa": 0.0}, "heston_kappa must be > 0, got 0.0"),
        ({"heston_theta": 0.0}, "heston_theta must be > 0, got 0.0"),
        (
            {"heston_sigma": 1e-4},
            "heston_sigma 0.0001 is too small to compute with; the least is 0.001",
        ),
        ({"heston_rho": -1.5}, "heston_rho must be -1..1, got -1.5"),
        ({"heston_sigma": 2000.0}, "heston_sigma 2000.0 is too large to compute with"),
    ],
)
def test_parameters_that_are_none_are_told(changes: Row, text: str) -> None:
    found = messages(pl.DataFrame([heston_row(**changes)]))

    assert any(text in one for one in found), found


def test_a_variance_that_reaches_0_is_told_and_priced() -> None:
    book = checked(pl.DataFrame([heston_row(MODELS["zero"])]))

    assert [one.text for one in book.warnings] == [
        "2 heston_kappa heston_theta = 0.12 is below heston_sigma^2 = 1.0: the variance reaches 0 "
        "(Feller's condition)"
    ]


def test_variances_in_percent_are_told_and_accepted() -> None:
    rows = [heston_row((400.0, 2.0, 25.1, 0.3, -0.7)), heston_row((25.0, 2.0, 24.9, 0.3, 0.0))]
    rows = [{**row, "id": f"A{place}"} for place, row in enumerate(rows)]

    assert [str(one) for one in checked(pl.DataFrame(rows)).warnings] == [
        "row 1 (A0): heston_v0=400.0 is the variance of a volatility of 20, which looks like "
        "percent; write 0.04",
        "row 1 (A0): heston_theta=25.1 is the variance of a volatility of 5.01, which "
        "looks like percent; write 0.00251",
    ]


def test_rows_without_it_stand_beside_rows_with_it() -> None:
    columns = checked(
        pl.DataFrame([heston_row(), plain_row(id="B")], infer_schema_length=None)
    ).columns

    assert columns["variance_now"].tolist() == [0.04, 0.0]
    assert columns["variance_volatility"].tolist() == [0.3, 0.0]
    assert columns["volatility"].tolist() == [0.0, 0.2]


def test_a_book_without_it_is_as_before() -> None:
    empty = dict.fromkeys(NAMES)

    assert (
        checked(pl.DataFrame([{**plain_row(), **empty}])).input_hash
        == checked(pl.DataFrame([plain_row()])).input_hash
    )


@pytest.mark.parametrize("method", ["exact", "rqmc"])
def test_methods_that_cannot_say_so(method: str) -> None:
    with pytest.raises(BookError, match=rf"row 1 \(A1\): method {method} cannot price it: its"):
        price_of(heston_row(), method=method)


@pytest.mark.parametrize(
    ("name", "fixings"),
    [
        ("zero", 3),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in itertools.product(MODELS, (1, 3))
            if case != ("zero", 3)
        ),
    ],
)
def test_a_geometric_average_is_that_of_numerical_integration(name: str, fixings: int) -> None:
    model = MODELS[name]
    row = heston_row(model, average_type="geometric", fixings=fixings, strike=103.0)
    table = price_of(row)
    times = np.arange(1, fixings + 1) / fixings
    truth = np.exp(-0.05) * geometric_call(
        HestonModel(*model), times, 100 * np.exp(0.05 * times), 103.0
    )

    assert table["method"][0] == "exact"
    assert table["price"][0] == pytest.approx(truth, abs=2e-6)


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_an_arithmetic_average_is_quantlibs(model: tuple[float, ...]) -> None:
    ql = pytest.importorskip("QuantLib")
    today = ql.Date(25, 11, 2026)
    ql.Settings.instance().evaluationDate = today
    count = ql.Actual365Fixed()
    flat = [ql.YieldTermStructureHandle(ql.FlatForward(today, r, count)) for r in (0.05, 0.01)]
    process = ql.HestonProcess(*flat, ql.QuoteHandle(ql.SimpleQuote(100.0)), *model)
    dates = [today + 73 * i for i in range(1, 6)]
    option = ql.DiscreteAveragingAsianOption(
        ql.Average.Arithmetic,
        0.0,
        0,
        dates,
        ql.PlainVanillaPayoff(ql.Option.Call, 101.0),
        ql.EuropeanExercise(dates[-1]),
    )
    option.setPricingEngine(
        ql.MCPRDiscreteArithmeticAPHestonEngine(
            process, antitheticVariate=True, requiredSamples=1 << 15, seed=7, timeStepsPerYear=100
        )
    )
    with pytest.raises(makespan.InputError, match="HestonProcess is of no model that makespan has"):
        makespan.from_quantlib(option, process, fixing_dates=dates)
    model_of_it = ql.HestonModel(process)
    row, curves = makespan.from_quantlib(option, model_of_it, fixing_dates=dates)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BookWarning)
        table = makespan.price(pl.DataFrame([row]), curves=curves, memory=False).table
    error = np.hypot(option.errorEstimate(), table["std_error"][0])

    assert table["price"][0] == pytest.approx(option.NPV(), abs=4 * error + 0.01)  # its own bias
    assert table["variance_reduction"][0] > 50


def test_greeks_of_a_variance_that_hardly_moves_are_black_scholes() -> None:
    still = price_of(heston_row((0.04, 1.0, 0.04, 1e-3, 0.0)), greeks=True, std_error=1e-3)
    known = price_of(plain_row(), greeks=True)

    for name in ("price", "delta", "gamma", "vega", "rho", "dividend_rho", "theta"):
        column = "std_error" if name == "price" else f"{name}_std_error"
        slack = 4.5 * still[column][0] + 1e-5 * abs(known[name][0])
        assert still[name][0] == pytest.approx(known[name][0], abs=slack), name


def test_cash_dividends_rates_and_yields_by_time_go_with_it() -> None:
    curves = {
        "r": {"kind": "forward_rate", "time": [0.5, 2.0], "value": [0.02, 0.06]},
        "d": {"kind": "cash_dividend", "time": [0.4], "value": [3.0]},
    }
    row = heston_row(rate=None, rate_curve="r", dividends="d", strike=0.0)
    at = np.arange(1, 13) / 12
    growth = np.interp(at, [0, 0.5, 2], [0, 0.01, 0.1])
    forwards = 100 * np.exp(growth) - np.where(at >= 0.4, 3 * np.exp(growth - 0.008), 0)

    price = price_of(row, curves=curves)["price"][0]

    assert price == pytest.approx(np.exp(-0.04) * forwards.mean(), abs=1e-9)
    with pytest.raises(BookError):
        price_of({**row, "average_type": "geometric"}, curves=curves)
