# SPDX-License-Identifier: Apache-2.0
"""Surfaces of volatilities that rows of a book name: read, checked, and what prices make of them.

That the engine prices them right is tested there (tests/apps/asian/run/surface_pricing_test.cpp);
here against closed forms, from end to end.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from counted import Counted
from makespan.base.errors import BookError
from makespan.pricing.book import Book, Defaults, MarketTables, checked_book, raw_book, read_market
from makespan.pricing.book.dupire import local_volatilities
from makespan.pricing.book.surface import Surfaces
from makespan.pricing.book.surface_table import read_surfaces
from scipy.stats import ncx2, norm
from small_books import plain_row

import makespan

Row = dict[str, Any]

X = np.linspace(-1.0, 1.0, 41)
T = np.array([0.1, 0.25, 0.5, 1.0, 2.0])
SURFACES: dict[str, dict[str, Any]] = {
    "flat": {"time": [1.0], "log_moneyness": [0.0], "volatility": [[0.2]]},
    "skew": {
        "kind": "local_volatility",
        "time": T,
        "log_moneyness": X,
        "volatility": [0.22 - 0.1 * np.tanh(X) + 0.05 * X**2 for _ in T],
    },
}


def surface_row(**changes: Any) -> Row:
    return plain_row(**{"volatility": None, "volatility_surface": "skew", **changes})


def book_of(*rows: Row, surfaces: Any = SURFACES, **tables: Any) -> Book:
    names = dict.fromkeys(name for row in rows for name in row)
    table = pl.DataFrame([{name: row.get(name) for name in names} for row in rows])
    market = read_market(MarketTables(surfaces=surfaces, **tables))
    return checked_book(raw_book(table), Defaults(), market=market)


def messages(*rows: Row, surfaces: Any = SURFACES, **tables: Any) -> list[str]:
    try:
        book_of(*rows, surfaces=surfaces, **tables)
    except BookError as error:
        return [problem.text for problem in error.problems]
    return []


def price_of(row: Row, surfaces: Any = SURFACES, **keywords: Any) -> pl.DataFrame:
    table = makespan.price(pl.DataFrame([row]), surfaces=surfaces, memory=False, **keywords).table
    assert isinstance(table, pl.DataFrame)
    return table


def flat_table(surfaces: dict[str, dict[str, Any]]) -> list[Row]:
    return [
        {"surface": name, "time": t, "log_moneyness": x, "volatility": value}
        for name, one in surfaces.items()
        for t, row in zip(one["time"], one["volatility"], strict=True)
        for x, value in zip(one["log_moneyness"], row, strict=True)
    ]


# --- reading


def test_files_tables_and_dicts_say_the_same(tmp_path: Path) -> None:
    rows = flat_table(SURFACES)
    pl.DataFrame(rows[::-1]).write_csv(tmp_path / "surfaces.csv")  # in any order
    books = [
        book_of(surface_row(), surfaces=surfaces)
        for surfaces in (SURFACES, pl.DataFrame(rows), tmp_path / "surfaces.csv")
    ]
    assert len({book.input_hash for book in books}) == 1
    assert books[0].columns["surface_time"].tolist() == T.tolist()
    assert books[0].columns["surface_volatility"].shape == (len(T) * len(X),)
    assert "surface" not in book_of(plain_row()).columns


def test_an_underlying_of_a_basket_may_have_one() -> None:
    baskets = {
        "two": {
            "underlying": ["a", "b"],
            "weight": [0.5, 0.5],
            "spot": [100.0, 100.0],
            "volatility": [0.2, None],
            "volatility_surface": [None, "skew"],
        }
    }
    row = plain_row(spot=None, volatility=None, basket="two")
    book = book_of(row, baskets=baskets, correlations={("a", "b"): 0.5})
    assert book.columns["basket_surface"].tolist() == [-1, 0]
    table = price_of(row, baskets=baskets, correlations={("a", "b"): 0.5})
    assert table["status"][0] == "ok"


def test_a_name_is_found_without_a_look_at_all_surfaces() -> None:
    """Goal: books may have surfaces of their own for each row."""
    counted = Counted(read_surfaces(SURFACES).surfaces)
    surfaces = Surfaces("surfaces", counted)

    assert [surfaces.problem_of("volatility_surface", name) for name in SURFACES] == [None, None]
    assert surfaces.numbers == {"flat": 0, "skew": 1}
    assert counted.looks == 1


# --- what is refused


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (
            surface_row(volatility_surface="skewed"),
            "volatility_surface 'skewed' is not in surfaces, which has flat, skew",
        ),
        (
            surface_row(volatility=0.2),
            "volatility cannot stand beside volatility_surface; leave one empty",
        ),
        (
            surface_row(average_type="geometric"),
            "average_type must be 'arithmetic' with a volatility_surface",
        ),
        (surface_row(steps_per_year=0), "steps_per_year must be 1..100 000, got 0"),
        (
            plain_row(steps_per_year=64),
            "steps_per_year is only for volatility_surface and Heston's variance; leave it empty",
        ),
    ],
)
def test_rows_are_refused(row: Row, text: str) -> None:
    assert text in messages(row), messages(row)


def test_steps_are_for_baskets_with_a_surface() -> None:
    two = {"underlying": ["a"], "weight": [1.0], "spot": [100.0]}
    row = plain_row(spot=None, volatility=None, basket="two", steps_per_year=100)
    text = "steps_per_year is only for volatility_surface and Heston's variance; leave it empty"
    assert messages(row, baskets={"two": {**two, "volatility": [0.2]}}) == [text]
    assert messages(row, baskets={"two": {**two, "volatility_surface": ["skew"]}}) == []


def test_surfaces_have_to_be_given() -> None:
    assert messages(surface_row(), surfaces=None) == [
        "volatility_surface names 'skew', but no surfaces were given; give them with surfaces"
    ]


def test_dividends_are_shares_of_the_price() -> None:
    curves = {
        "cash": {"kind": "cash_dividend", "time": [0.5], "value": [1.0]},
        "share": {"kind": "proportional_dividend", "time": [0.5], "value": [0.01]},
    }
    assert messages(surface_row(dividends="share"), curves=curves) == []
    assert messages(surface_row(dividends="cash"), curves=curves) == [
        "dividends 'cash' are cash; with a volatility_surface they must be proportional"
    ]


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([(0.5, 0.0, -0.2)], "volatility must be > 0, got -0.2"),
        (
            [(0.5, 0.0, 20.0)],
            "volatility must be at most 10 in size, got 20.0; it looks like percent",
        ),
        (
            [(0.5, 0.8, 0.2), (0.5, 1.0, 0.2), (0.5, 1.2, 0.2)],
            "surface 's' begins at 0.8, above 0: give ln(price / forward)",
        ),
        ([(-0.5, 0.0, 0.2)], "time must be >= 0, got -0.5"),
        ([(0.5, 30.0, 0.2)], "log_moneyness must be at most 20 in size, got 30.0"),
        (
            [(0.5, 0.0, 0.2), (0.5, 0.0, 0.2)],
            "surface 's' has time 0.5, log_moneyness 0 already",
        ),
        (
            [(0.5, 0.0, 0.2), (0.5, 0.1, 0.2), (1.0, 0.1, 0.2)],
            "surface 's' lacks time 1, log_moneyness 0: it is no grid",
        ),
    ],
)
def test_surfaces_are_refused(rows: list[tuple[float, float, float]], text: str) -> None:
    names = ("time", "log_moneyness", "volatility")
    table = pl.DataFrame([{"surface": "s", **dict(zip(names, row, strict=True))} for row in rows])
    assert text in messages(surface_row(), surfaces=table)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"time": 1.0}, "surface 'flat': time must be a list, got 1.0"),
        ({"volatility": [0.2]}, "surface 'flat': each of volatility must be a list, got 0.2"),
        (
            {"volatility": [[0.2], 0.2]},
            "surface 'flat': each of volatility must be a list, got 0.2",
        ),
        ({"volatility": [[0.2, 0.2]]}, "surface 'flat': volatility must have shape (1, 1)"),
        ({"extra": 1}, "surface 'flat' must be a dict of kind, time, log_moneyness and volatility"),
    ],
)
def test_dicts_are_refused(changes: Row, text: str) -> None:
    assert messages(surface_row(), surfaces={"flat": {**SURFACES["flat"], **changes}}) == [text]


def test_arbitrage_is_named_by_its_point() -> None:
    falls = [0.3 + 0 * X, 0.3 + 0 * X, 0.3 + 0 * X, 0.2 + 0 * X, 0.3 + 0 * X]
    bent = [0.2 + 0 * X for _ in T]
    bent[2] = bent[2].copy()
    bent[2][20] = 0.15
    point = {"kind": "implied_volatility", "time": T, "log_moneyness": X}
    found = messages(surface_row(), surfaces={"skew": {**point, "volatility": falls}})
    assert any(
        text == "surface 'skew': volatility 0.2 at time 1, log_moneyness -1: the total variance "
        "falls from 0.045 at time 0.5 to 0.04 (calendar arbitrage)"
        for text in found
    ), found[:3]
    found = messages(surface_row(), surfaces={"skew": {**point, "volatility": bent}})
    assert found
    assert all("at time 0.5" in text and "butterfly arbitrage" in text for text in found)


# --- local volatilities of implied ones


def test_implied_volatilities_without_a_smile_are_forward_ones() -> None:
    implied = np.array([[0.2], [0.22], [0.24], [0.25]])
    time = np.array([0.25, 0.5, 1.0, 2.0])
    local, found = local_volatilities(time, np.array([0.0]), implied)
    assert not found
    flat, found = local_volatilities(time, X, np.full((4, len(X)), 0.3))
    assert not found
    np.testing.assert_allclose(flat, 0.3, rtol=1e-12)
    # Of a total variance that is a parabola in time, exactly its slope.
    total = 0.04 * time + 0.01 * time**2
    local, found = local_volatilities(time, np.array([0.0]), np.sqrt(total / time)[:, None])
    np.testing.assert_allclose(local[:, 0] ** 2, 0.04 + 0.02 * time, rtol=1e-12)


def cev_call(spot: float, strike: float, sigma: float, beta: float, expiry: float) -> float:
    """dS = sigma S^beta dW: J. Cox (1975); M. Schroder, J. Finance 44 (1989) 211-219."""
    v = sigma**2 * (1 - beta) ** 2 * expiry
    a = strike ** (2 * (1 - beta)) / v
    b = 1 / (1 - beta)
    c = spot ** (2 * (1 - beta)) / v
    return float(spot * (1 - ncx2.cdf(a, b + 2, c)) - strike * ncx2.cdf(c, b, a))


def implied_volatility(price: float, spot: float, strike: float, expiry: float) -> float:
    low, high = 1e-4, 3.0
    for _ in range(80):
        middle = 0.5 * (low + high)
        d = np.log(spot / strike) / (middle * np.sqrt(expiry)) + 0.5 * middle * np.sqrt(expiry)
        value = spot * norm.cdf(d) - strike * norm.cdf(d - middle * np.sqrt(expiry))
        low, high = (middle, high) if value < price else (low, middle)
    return 0.5 * (low + high)


BETA, SIGMA0 = 0.5, 0.25
CEV_SIGMA = SIGMA0 * 100 ** (1 - BETA)


def cev_surface() -> dict[str, Any]:
    x = np.linspace(-2.0, 1.2, 129)
    value = SIGMA0 * np.exp((BETA - 1) * x)
    return {"time": [1.0], "log_moneyness": x, "volatility": [value]}


@pytest.mark.parametrize("strike", [80.0, 100.0, 120.0])
@pytest.mark.parametrize("steps", [16, 64])
def test_a_price_under_constant_elasticity_of_variance_is_the_closed_form(
    strike: float, steps: int
) -> None:
    row = surface_row(fixings=1, fixing_grid="exclude_start", strike=strike, rate=0.0)
    row |= {"spot": 100.0, "expiry": 1.0, "std_error": None, "dividend_yield": None}
    row["steps_per_year"] = steps
    table = price_of(row, {"skew": cev_surface()}, paths=1 << 17)
    exact = cev_call(100, strike, CEV_SIGMA, BETA, 1.0)
    assert table["price"][0] == pytest.approx(exact, abs=4 * table["std_error"][0] + 2e-4)


def test_local_volatilities_of_an_implied_surface_are_those_of_its_model() -> None:
    time = np.array([0.25, 0.5, 0.75, 1.0, 1.25, 1.5])
    x = np.linspace(-0.6, 0.6, 25)
    implied = np.array(
        [
            [
                implied_volatility(
                    cev_call(100, 100 * np.exp(k), CEV_SIGMA, BETA, t), 100, 100 * np.exp(k), t
                )
                for k in x
            ]
            for t in time
        ]
    )
    local, found = local_volatilities(time, x, implied)
    assert not found
    inner = slice(4, -4)
    exact = SIGMA0 * np.exp((BETA - 1) * x)
    np.testing.assert_allclose(
        local[:, inner], np.broadcast_to(exact[inner], local[:, inner].shape), rtol=3e-3
    )
    # And a price from the implied surface is the option that it was made of.
    row = surface_row(fixings=1, fixing_grid="exclude_start", strike=105.0, rate=0.0)
    row |= {"spot": 100.0, "expiry": 1.0, "std_error": None, "dividend_yield": None}
    surface = {
        "kind": "implied_volatility",
        "time": time,
        "log_moneyness": x,
        "volatility": implied,
    }
    table = price_of(row, {"skew": surface}, paths=1 << 16)
    exact_price = cev_call(100, 105, CEV_SIGMA, BETA, 1.0)
    assert table["price"][0] == pytest.approx(exact_price, abs=4 * table["std_error"][0] + 2e-3)


# --- prices


def test_a_flat_surface_is_black_scholes() -> None:
    row = surface_row(volatility_surface="flat", std_error=None)
    table = price_of(row, paths=1 << 15, greeks=True)
    exact = makespan.price(
        pl.DataFrame([plain_row(volatility=0.2, std_error=None)]),
        method="exact",
        greeks=True,
        memory=False,
    ).table
    for name in ("price", "delta", "vega", "rho", "dividend_rho", "theta"):
        error = table["std_error" if name == "price" else f"{name}_std_error"][0]
        assert table[name][0] == pytest.approx(exact[name][0], abs=4.5 * error + 1e-9), name
    assert table["gamma"][0] is None


def test_finer_steps_cost_more_and_change_little() -> None:
    usual = price_of(surface_row(std_error=None), paths=1 << 16)
    fine = price_of(surface_row(std_error=None, steps_per_year=512), paths=1 << 16)
    error = np.hypot(usual["std_error"][0], fine["std_error"][0])
    assert usual["price"][0] != fine["price"][0]
    assert usual["price"][0] == pytest.approx(fine["price"][0], abs=4 * error + 2e-4)


def test_a_journal_is_of_one_surface(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    first = price_of(surface_row(), checkpoint=journal)
    assert price_of(surface_row(), restart_from=journal)["price"][0] == first["price"][0]
    changed = {**SURFACES, "skew": {**SURFACES["skew"], "volatility": [0.2 + 0 * X for _ in T]}}
    with pytest.raises(makespan.JournalError):
        price_of(surface_row(), changed, restart_from=journal)
