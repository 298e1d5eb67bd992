# SPDX-License-Identifier: Apache-2.0
"""Rows that the engine would refuse are told with all others, by its own rules."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import polars as pl
import pytest
from makespan.base.errors import BookError, BookWarning
from makespan.pricing import book
from moved_books import PAIRS, SURFACES, Row, on_basket, on_surface, under_heston
from small_books import plain_row

import makespan

HESTON_METHODS = "its variance is random; use auto, mc or mc_plain"
OTHER_METHODS = "use auto, mc, mc_plain, rqmc or rqmc_smooth"
CURVES = {
    "cash": {"kind": "cash_dividend", "time": [0.25, 0.75], "value": [30.0, 40.0]},
    "shares": {
        "kind": ["cash_dividend", "cash_dividend", "proportional_dividend"],
        "time": [0.25, 0.75, 0.5],
        "value": [30.0, 40.0, 0.1],
    },
    "usd": {"kind": "zero_rate", "time": [0.5, 2.0], "value": [0.01, 0.05]},
    "low": {"kind": "volatility", "time": [1.0], "value": [1e-9]},
}
BASKETS = {
    "pair": {
        "underlying": ["a", "b"],
        "weight": [1.0, 1.0],
        "spot": [50.0, 60.0],
        "volatility": [0.2, 0.3],
    },
    "spread": {
        "underlying": ["a", "b"],
        "weight": [1.0, -1.0],
        "spot": [60.0, 50.0],
        "volatility": [0.2, 0.3],
    },
    "still": {"underlying": ["a"], "weight": [1.0], "spot": [100.0], "volatility": [0.0]},
    "curve": {"underlying": ["a"], "weight": [1.0], "spot": [100.0], "volatility_curve": ["low"]},
    "local": {
        "underlying": ["a", "b"],
        "weight": [1.0, 1.0],
        "spot": [50.0, 60.0],
        "volatility_surface": ["local", "local"],
    },
}
TABLES: dict[str, Any] = {
    "curves": CURVES,
    "baskets": BASKETS,
    "correlations": PAIRS,
    "surfaces": SURFACES,
}
ON_STRIKE = {"averaging": "strike", "strike": None}
PAST = {"past_fixings_count": 3, "past_fixings_sum": 300.0}
LONG = {"expiry": 999.0, "rate": 0.0, "strike": 0.0, "steps_per_year": 1000, "fixings": 1000}


def prices(*rows: Row, **keywords: Any) -> pl.DataFrame:
    names = dict.fromkeys(name for row in rows for name in row)
    frame = pl.DataFrame([{name: row.get(name) for name in names} for row in rows])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BookWarning)
        table = makespan.price(frame, **{**TABLES, "memory": False, "paths": 64, **keywords}).table
    assert isinstance(table, pl.DataFrame)
    return table


def is_told(row: Row, **keywords: Any) -> bool:
    """Whether the check of the book refuses it."""
    try:
        prices(row, **keywords)
    except BookError:
        return True
    return False


def is_refused(row: Row, monkeypatch: pytest.MonkeyPatch, **keywords: Any) -> bool:
    """Whether the engine does, which sees it without that check."""
    with monkeypatch.context() as patched:
        patched.setattr(book, "check_engine_limits", lambda *_: None)
        try:
            prices(row, **keywords)
        except makespan.InputError as error:
            return not isinstance(error, BookError)
    return False


def test_all_such_rows_are_told_at_once() -> None:
    rows = (
        under_heston(id="A"),
        plain_row(id="B"),
        on_surface("local", id="C", steps_per_year=100_000),
        plain_row(id="D", spot=-1.0),
        on_basket(id="E"),
        under_heston(id="F", average_type="geometric"),
        on_surface("local", id="G"),
        on_basket(id="H", basket="local", steps_per_year=20_000),
    )
    steps = "paths have {} steps, and {} are the most; lower steps_per_year, or give fewer fixings"

    with pytest.raises(BookError) as caught:
        prices(*rows, method="exact", paths=None)
    table = prices(*rows, method="exact", paths=None, skip_invalid=True)

    said = [f"method exact cannot price it: {HESTON_METHODS}"]
    local = f"method exact cannot price it: its volatility is local; {OTHER_METHODS}"
    several = f"method exact cannot price it: it has several underlyings; {OTHER_METHODS}"
    assert [str(problem) for problem in caught.value.problems] == [
        f"row 1 (A): {said[0]}",
        f"row 3 (C): {local}",
        f"row 3 (C): {steps.format(100012, 25000)}",
        "row 4 (D): spot must be > 0, got -1.0",
        f"row 5 (E): {several}",
        f"row 7 (G): {local}",
        f"row 8 (H): {several}",
        f"row 8 (H): {steps.format(20012, 12500)}",
    ]
    priced = table.filter(pl.col("price").is_not_null())["id"].to_list()
    assert priced == ["B", "F"]
    assert table.filter(pl.col("id") == "A")["error"].to_list() == said


@pytest.mark.parametrize("missing", ["fixings", "spot", "expiry"])
def test_rows_without_a_whole_column_are_not_judged(missing: str) -> None:
    """Method: warnings of numpy, of divisions by nothing, are errors here."""
    rows = [under_heston(id="A", **ON_STRIKE), on_surface("local", id="B")]
    if missing != "spot":  # which a basket has not
        rows.append(on_basket(id="C"))
    names = [name for name in dict.fromkeys(n for row in rows for n in row) if name != missing]
    frame = pl.DataFrame([{name: row.get(name) for name in names} for row in rows])

    with pytest.raises(BookError) as caught:
        makespan.price(frame, **TABLES, method="exact")

    assert not [one for one in caught.value.problems if "method exact" in one.text]
    assert any(missing in problem.text for problem in caught.value.problems)


@pytest.mark.parametrize("more", [0, 1])
@pytest.mark.parametrize(
    "row",
    [
        under_heston(**LONG),
        on_surface("local", **{**LONG, "expiry": 24.0}),
        on_basket(basket="local", **{**LONG, "expiry": 12.0, "fixings": 500}),
        on_surface("local", **{**LONG, "expiry": 30.0, "last_fixing": 24.0}),
        under_heston(**{**LONG, "fixings": None, "fixing_grid": None, "steps_per_year": 100_000})
        | {"fixing_times": [1.0, 9.99998], "expiry": 20.0},
    ],
    ids=["heston", "surface", "basket", "lag", "listed"],
)
def test_as_many_steps_as_the_engine_can_take(
    row: Row, more: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "fixing_times" in row:
        row = {**row, "fixing_times": [*row["fixing_times"], *([9.99999] * more)]}
    else:
        row = {**row, "fixings": row["fixings"] + more}

    assert is_told(row) == (more > 0)
    assert is_refused(row, monkeypatch) == (more > 0)


MODELS = {
    "heston": under_heston(),
    "heston, geometric": under_heston(average_type="geometric"),
    "heston, strike 0": under_heston(strike=0.0),
    "heston, past above the strike": under_heston(
        strike=20.0, fixings=2, **{**PAST, "past_fixings_sum": 100.0}
    ),
    "heston, past at the strike": under_heston(
        strike=20.0, fixings=2, **{**PAST, "past_fixings_sum": 99.9}
    ),
    "heston, now": under_heston(fixings=None, fixing_grid=None, fixing_times=[0.0]),
    "heston, now above": under_heston(
        fixings=None, fixing_grid=None, fixing_times=[0.0, 1.0], strike=50.0
    ),
    "heston, now below": under_heston(
        fixings=None, fixing_grid=None, fixing_times=[0.0, 1.0], strike=50.1
    ),
    "heston, all past": under_heston(fixings=0, **PAST),
    "heston, cash below the strike": under_heston(dividends="cash", strike=39.1, fixings=2),
    "heston, cash above the strike": under_heston(dividends="cash", strike=18.0, fixings=2),
    "heston, shares": under_heston(
        dividends="shares", strike=19.0, fixings=2, rate=None, rate_curve="usd"
    ),
    "heston, shares below": under_heston(
        dividends="shares", strike=17.0, fixings=2, rate=None, rate_curve="usd"
    ),
    "heston on strike": under_heston(**ON_STRIKE),
    "heston on strike, geometric": under_heston(average_type="geometric", **ON_STRIKE),
    "heston on strike, one": under_heston(fixings=1, **ON_STRIKE),
    "heston on strike, one before": under_heston(
        fixings=None, fixing_grid=None, fixing_times=[0.5], **ON_STRIKE
    ),
    "heston on strike, past": under_heston(fixings=1, **PAST, **ON_STRIKE),
    "heston on strike, times 4": under_heston(
        fixings=1, strike_multiplier=4.0, **PAST, **ON_STRIKE
    ),
    "heston on strike, times 3.9": under_heston(
        fixings=1, strike_multiplier=3.9, **PAST, **ON_STRIKE
    ),
    "heston on strike, all past": under_heston(fixings=0, **PAST, **ON_STRIKE),
    "heston, still": under_heston(
        heston_v0=0.0, heston_theta=1e-12, heston_kappa=1e-9, expiry=1e-4, heston_sigma=0.001
    ),
    "surface": on_surface("local"),
    "surface, strike 0": on_surface("local", strike=0.0),
    "surface, all past": on_surface("local", fixings=0, **PAST),
    "surface, past": on_surface("local", fixings=3, strike=50.0, **PAST),
    "surface on strike": on_surface("local", **ON_STRIKE),
    "surface on strike, one": on_surface("local", fixings=1, **ON_STRIKE),
    "surface on strike, times 4": on_surface(
        "local", fixings=1, strike_multiplier=4.0, **PAST, **ON_STRIKE
    ),
    "basket": on_basket(),
    "basket, strike 0": on_basket(strike=0.0),
    "basket, still": on_basket(basket="still", strike=100.0),
    "basket, low": on_basket(basket="curve", strike=100.0, expiry=1e-9, fixings=1),
    "basket, all past": on_basket(fixings=0, **PAST),
    "spread": on_basket(basket="spread", strike=0.0),
    "spread, now": on_basket(
        basket="spread", strike=10.0, fixings=None, fixing_grid=None, fixing_times=[0.0]
    ),
    "basket on strike": on_basket(**ON_STRIKE),
    "basket on strike, now": on_basket(
        fixings=None, fixing_grid=None, fixing_times=[0.0], **ON_STRIKE
    ),
    "basket on strike, all past": on_basket(fixings=0, expiry=0.0, **PAST, **ON_STRIKE),
}


@pytest.mark.parametrize("row", MODELS.values(), ids=MODELS)
def test_methods_as_the_engine_has_them(row: Row, monkeypatch: pytest.MonkeyPatch) -> None:
    for method in ("exact", "mc_plain", "rqmc", "rqmc_smooth"):
        asked = {"method": method, "paths": None if method == "exact" else 64}
        by_engine = is_refused(row, monkeypatch, **asked)

        assert is_told(row, **asked) == by_engine, method


TODAY = {"fixings": None, "fixing_grid": None, "fixing_times": [0.0], "expiry": 0.0}


@pytest.mark.parametrize(
    "row",
    [
        plain_row(**PAST, **TODAY),
        plain_row(**PAST, **TODAY, dividends="shares"),
        plain_row(**PAST, **TODAY, rate=None, rate_curve="usd", payment_lag=0.5),
        plain_row(**TODAY, average_type="geometric", past_fixings_count=3)
        | {"past_fixings_log_sum": 3 * np.log(100.0)},
        plain_row(**PAST, **TODAY, **ON_STRIKE, strike_multiplier=0.9),
        under_heston(**PAST, **TODAY),
        on_surface("local", **PAST, **TODAY),
        on_basket(basket="still", **PAST, **TODAY),
        on_basket(**PAST, **TODAY, **ON_STRIKE, strike_multiplier=0.9),
    ],
)
@pytest.mark.parametrize("method", ["auto", "mc_plain", "rqmc"])
def test_a_last_fixing_that_is_now_is_priced(row: Row, method: str) -> None:
    is_strike = row.get("averaging") == "strike"
    row = row if is_strike else {**row, "strike": 90.0}
    spot = 110.0 if row.get("basket") == "pair" else 100.0
    mean = (300.0 + spot) / 4

    table = prices(row, method=method, greeks=True)

    payoff = spot - 0.9 * mean if is_strike else mean - 90.0
    discount = np.exp(-0.01 * 0.5) if "payment_lag" in row else 1.0
    assert table["price"][0] == pytest.approx(discount * payoff, 1e-12)
    assert table["delta"][0] is not None
