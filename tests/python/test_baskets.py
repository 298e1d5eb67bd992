# SPDX-License-Identifier: Apache-2.0
"""Baskets that rows of a book name: read, checked, lowered, and what prices make of them.

That the engine prices them right is tested there (tests/apps/asian/run/basket_pricing_test.cpp);
here against closed forms and quadrature, from end to end.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from makespan.base.errors import BookError
from makespan.pricing.book import Book, Defaults, MarketTables, checked_book, raw_book, read_market
from makespan.pricing.book.correlation import nearest
from makespan.pricing.book.digest import contract_hashes
from scipy.integrate import trapezoid
from scipy.stats import norm
from small_books import plain_row

import makespan

Row = dict[str, Any]

BASKETS: dict[str, dict[str, Any]] = {
    "three": {
        "underlying": ["a", "b", "c"],
        "weight": [0.5, 0.25, 1.0],
        "spot": [100.0, 120.0, 20.0],
        "volatility": [0.2, 0.3, 0.25],
    },
    "spread": {
        "underlying": ["a", "b"],
        "weight": [1.0, -1.0],
        "spot": [100.0, 95.0],
        "volatility": [0.2, 0.3],
        "dividend_yield": [0.01, 0.02],
    },
}
PAIRS = {("a", "b"): 0.5, ("a", "c"): 0.3, ("b", "c"): 0.4}


def basket_row(**changes: Any) -> Row:
    return plain_row(**{"spot": None, "volatility": None, "basket": "three", **changes})


def tables(**changes: Any) -> dict[str, Any]:
    return {"baskets": BASKETS, "correlations": PAIRS, **changes}


def book_of(*rows: Row, **changes: Any) -> Book:
    names = dict.fromkeys(name for row in rows for name in row)
    table = pl.DataFrame([{name: row.get(name) for name in names} for row in rows])
    market = read_market(MarketTables(**tables(**changes)))
    return checked_book(raw_book(table), Defaults(), market=market)


def messages(*rows: Row, **changes: Any) -> list[str]:
    try:
        book_of(*rows, **changes)
    except BookError as error:
        return [problem.text for problem in error.problems]
    return []


def price_of(row: Row, *, market: dict[str, Any] | None = None, **keywords: Any) -> pl.DataFrame:
    table = makespan.price(
        pl.DataFrame([row]), memory=False, **(market or tables()), **keywords
    ).table
    assert isinstance(table, pl.DataFrame)
    return table


# --- reading


def test_files_tables_and_dicts_say_the_same(tmp_path: Path) -> None:
    flat = [
        {"basket": name, **{key: cells[i] for key, cells in one.items()}}
        for name, one in BASKETS.items()
        for i in range(len(one["underlying"]))
    ]
    pairs = [
        {"underlying_1": one, "underlying_2": other, "correlation": value}
        for (one, other), value in PAIRS.items()
    ]
    pl.DataFrame(flat).write_csv(tmp_path / "baskets.csv")
    pl.DataFrame(pairs).write_parquet(tmp_path / "pairs.parquet")
    books = [
        book_of(basket_row(), baskets=baskets, correlations=correlations)
        for baskets, correlations in (
            (BASKETS, PAIRS),
            (pl.DataFrame(flat), pl.DataFrame(pairs)),
            (tmp_path / "baskets.csv", tmp_path / "pairs.parquet"),
        )
    ]

    assert len({book.input_hash for book in books}) == 1
    assert books[0].columns["basket_correlation"].reshape(3, 3)[2].tolist() == [0.3, 0.4, 1.0]
    assert books[0].columns["spot"].tolist() == [50 + 30 + 20]


def test_only_baskets_that_are_used_count() -> None:
    one = book_of(basket_row())
    both = book_of(basket_row(), basket_row(id="B", basket="spread"))
    alone = book_of(basket_row(), baskets={"three": BASKETS["three"]})

    assert one.input_hash == alone.input_hash
    assert both.columns["basket"].tolist() == [0, 1]
    assert both.columns["basket_offset"].tolist() == [0, 3, 5]
    assert "basket" not in book_of(plain_row()).columns


def test_a_row_is_known_by_what_its_basket_holds() -> None:
    columns = {"option_key": np.zeros(1, dtype=np.uint64)}
    hashes = set()
    for weight, pairs in ((0.5, PAIRS), (0.6, PAIRS), (0.5, {**PAIRS, ("a", "b"): 0.4})):
        changed = {"three": {**BASKETS["three"], "weight": [weight, 0.25, 1.0]}}
        book = book_of(basket_row(spot=None), baskets=changed, correlations=pairs)
        hashes.add(contract_hashes({**book.columns, **columns}, "")[0])
    renamed = {"other": BASKETS["three"]}
    book = book_of(basket_row(basket="other"), baskets=renamed)
    hashes.add(contract_hashes({**book.columns, **columns}, "")[0])
    assert len(hashes) == 3


# --- what is refused


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (basket_row(basket="tree"), "basket 'tree' is not in baskets, which has three, spread"),
        (basket_row(spot=100.0), "spot cannot stand beside basket, whose underlyings have their"),
        (basket_row(volatility=0.2), "volatility cannot stand beside basket"),
        (basket_row(average_type="geometric"), "average_type must be 'arithmetic' with a basket"),
        (basket_row(heston_v0=0.04), "heston_v0 cannot stand beside basket"),
    ],
)
def test_rows_are_refused(row: Row, text: str) -> None:
    assert any(found.startswith(text) for found in messages(row)), messages(row)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"weight": [0.5, 0.0, 1.0]}, "weight must not be 0"),
        ({"weight": [-0.5, -0.2, -1.0]}, "basket 'three': all of its weights are negative"),
        ({"spot": [100.0, -1.0, 20.0]}, "spot must be > 0, got -1"),
        ({"volatility": [0.2, None, 0.25]}, "volatility is missing"),
        ({"volatility": 0.2}, "basket 'three': volatility must be a list, got 0.2"),
        ({"weight": [0.5, 1.0]}, "basket 'three' has 3 underlyings and 2 of weight; make them"),
        ({"weights": [0.5]}, "basket 'three' has an unknown column 'weights'; the columns are"),
        ({"underlying": ["a", "b", "a"]}, "underlying 'a' is in basket 'three' already"),
        ({"underlying": ["a", "b", "d"]}, "basket 'three': the correlation of 'a' and 'd', and 1"),
        ({"volatility_curve": ["v", None, None]}, "volatility_curve names 'v', but no curves"),
    ],
)
def test_baskets_are_refused(changes: Row, text: str) -> None:
    baskets = {"three": {**BASKETS["three"], **changes}}
    found = messages(basket_row(), baskets=baskets)
    assert any(one.startswith(text) for one in found), found


@pytest.mark.parametrize(
    ("pairs", "text"),
    [
        (None, "basket 'three': it needs correlations; give them with correlations"),
        ({**PAIRS, ("a", "b"): 1.2}, "correlation must be in -1..1, got 1.2"),
        ({**PAIRS, ("b", "a"): 0.4}, "'b' and 'a' have the correlation 0.5 already; keep one"),
        ({**PAIRS, ("a", "a"): 1.0}, "underlying_1 and underlying_2 are both 'a'; name two"),
    ],
)
def test_correlations_are_refused(pairs: Any, text: str) -> None:
    found = messages(basket_row(), correlations=pairs)
    assert text in found, found


@pytest.mark.parametrize(
    ("tables_given", "text"),
    [
        ({"baskets": {"three": pl.DataFrame({"underlying": ["a"]})}}, "'three' is a table itself"),
        ({"correlations": {"a-b": 0.5}}, "'a-b' is not a pair of names; write {('a', 'b'): 0.5}"),
        (
            {"baskets": {"three": {**BASKETS["three"], "volatility": [20.0, 30.0, 25.0]}}},
            "volatility must be at most 10 in size, got 20.0; it looks like percent",
        ),
    ],
)
def test_tables_of_other_shapes_are_told(tables_given: Any, text: str) -> None:
    found = messages(basket_row(), **tables_given)
    assert any(one.startswith(text) for one in found), found


def test_correlations_may_be_nested() -> None:
    nested = {"a": {"b": 0.5, "c": 0.3}, "b": {"c": 0.4}}
    assert book_of(basket_row(), correlations=nested).input_hash == (
        book_of(basket_row()).input_hash
    )


def test_the_nearest_correlations_are_offered_and_never_taken() -> None:
    wrong = {("a", "b"): 0.9, ("a", "c"): 0.9, ("b", "c"): -0.4}
    (text,) = messages(basket_row(), correlations=wrong)
    assert text.startswith(
        "basket 'three': the correlations are not positive semidefinite (least eigenvalue -0.488); "
        "the nearest that are: a-b 0.6356 for 0.9, a-c 0.6356 for 0.9, b-c -0.192 for -0.4"
    )
    matrix = np.array([[1, 0.9, 0.9], [0.9, 1, -0.4], [0.9, -0.4, 1]])
    offered = nearest(matrix)
    pairs = {("a", "b"): offered[0, 1], ("a", "c"): offered[0, 2], ("b", "c"): offered[1, 2]}
    assert messages(basket_row(), correlations=pairs) == []
    assert np.linalg.eigvalsh(offered)[0] >= -1e-9
    # No matrix nearby that is one is nearer.
    rng = np.random.default_rng(1)
    best = np.linalg.norm(offered - matrix)
    for _ in range(2000):
        other = offered + 0.05 * np.triu(rng.standard_normal((3, 3)), 1)
        other = np.triu(other, 1) + np.triu(other, 1).T + np.eye(3)
        if np.linalg.eigvalsh(other)[0] >= 0:
            assert np.linalg.norm(other - matrix) > best - 2e-4


def test_a_curve_of_an_underlying_has_to_reach_expiry() -> None:
    baskets = {"three": {**BASKETS["three"], "volatility": [None, 0.3, 0.25]}}
    baskets["three"]["volatility_curve"] = ["short", None, None]
    curves = {"short": {"kind": "volatility", "time": [0.5], "value": [0.2]}}
    (text,) = messages(basket_row(), baskets=baskets, curves=curves)
    assert text == (
        "expiry 1.0 is after the end of curve 'short', 0.5, in basket 'three'; add a point"
    )


# --- prices


def test_a_spread_of_two_prices_is_that_of_the_quadrature() -> None:
    row = basket_row(basket="spread", strike=4.0, fixings=1, fixing_grid="exclude_start")
    row |= {"rate": 0.05, "std_error": None}
    table = price_of(row, paths=1 << 14)
    r, t, k = 0.05, float(row["expiry"]), 4.0
    s, w = np.array([100.0, 95.0]), np.array([0.2, 0.3])
    forward = s * np.exp((r - np.array([0.01, 0.02])) * t)
    z = np.linspace(-10, 10, 20001)
    second = forward[1] * np.exp(w[1] * np.sqrt(t) * z - 0.5 * w[1] ** 2 * t)
    rho = 0.5
    first = forward[0] * np.exp(w[0] * np.sqrt(t) * rho * z - 0.5 * (w[0] * rho) ** 2 * t)
    deviation = w[0] * np.sqrt((1 - rho**2) * t)
    d = np.log(first / (second + k)) / deviation + 0.5 * deviation
    value = first * norm.cdf(d) - (second + k) * norm.cdf(d - deviation)
    exact = np.exp(-r * t) * trapezoid(value * norm.pdf(z), z)
    # The control is the payoff itself.
    assert table["price"][0] == pytest.approx(exact, abs=1e-9)


def test_moments_of_three_prices_bound_an_average() -> None:
    """Between the value of no randomness, and what the variance of the average allows."""
    row = basket_row(strike=100.0, fixings=12, fixing_grid="exclude_start", rate=0.03)
    table = price_of(row, greeks=True)
    weight, spot = np.array([0.5, 0.25, 1.0]), np.array([100.0, 120.0, 20.0])
    sigma = np.array([0.2, 0.3, 0.25])
    rho = np.array([[1, 0.5, 0.3], [0.5, 1, 0.4], [0.3, 0.4, 1]])
    times = np.arange(1, 13) / 12
    mean = (weight * spot).sum() * np.exp(0.03 * times).mean()
    both = np.minimum.outer(times, times)
    cross = np.exp(0.03 * np.add.outer(times, times))
    square = sum(
        weight[i] * spot[i] * weight[j] * spot[j]
        * (cross * np.exp(rho[i, j] * sigma[i] * sigma[j] * both)).mean()
        for i in range(3)
        for j in range(3)
    )  # fmt: skip
    discount = np.exp(-0.03)
    high = 0.5 * (np.sqrt(square - 200 * mean + 100**2) + mean - 100)
    price = table["price"][0]
    assert discount * (mean - 100) < price < discount * high
    # Levy's lognormal of the same two moments is within 1 % of it.
    deviation = np.sqrt(np.log(square / mean**2))
    d = np.log(mean / 100) / deviation + 0.5 * deviation
    levy = discount * (mean * norm.cdf(d) - 100 * norm.cdf(d - deviation))
    assert price == pytest.approx(levy, rel=0.01)
    assert table["theta"][0] < 0


def test_an_average_strike_and_a_past_of_a_spread() -> None:
    row = basket_row(basket="spread", averaging="strike", strike=None)
    plain = price_of(row, paths=1 << 16, method="mc_plain")
    ours = price_of(row, paths=1 << 13)
    error = np.hypot(plain["std_error"][0], ours["std_error"][0])
    assert ours["price"][0] == pytest.approx(plain["price"][0], abs=4.5 * error)
    known = {"past_fixings_count": 3, "past_fixings_sum": -2.0, "first_fixing": 0.05}
    past = basket_row(basket="spread", strike=4.0, **known)
    assert price_of(past)["price"][0] > 0


def test_a_journal_is_of_one_basket(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    first = price_of(basket_row(), checkpoint=journal)
    again = price_of(basket_row(), restart_from=journal)
    assert again["price"][0] == first["price"][0]
    changed = {"three": {**BASKETS["three"], "weight": [0.6, 0.25, 1.0]}}
    with pytest.raises(makespan.JournalError):
        price_of(basket_row(), market=tables(baskets=changed), restart_from=journal)
