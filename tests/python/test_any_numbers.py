# SPDX-License-Identifier: Apache-2.0
"""Whatever numbers a book and its curves hold, they are accepted or refused in our own words.

A warning of numpy beside a message, or in place of one, fails: the configuration of these tests
makes errors of them.
"""

from __future__ import annotations

import warnings
from typing import Any

import polars as pl
from hypothesis import example, given, settings
from hypothesis import strategies as st
from makespan.base.errors import BookError, BookWarning
from makespan.pricing.book import Defaults, MarketTables, checked_book, raw_book, read_market
from makespan.pricing.columns.book import INPUT_COLUMNS
from makespan.pricing.columns.column import Kind
from small_books import plain_row

NUMBERS = [column.name for column in INPUT_COLUMNS if column.kind is Kind.NUMBER]
HESTON = {
    "volatility": None,
    "heston_v0": 0.04,
    "heston_kappa": 2.0,
    "heston_theta": 0.04,
    "heston_sigma": 0.3,
    "heston_rho": -0.7,
}
COLUMNS = {
    "volatility": "volatility",
    "forward_volatility": "volatility",
    "zero_rate": "rate",
    "forward_rate": "rate",
    "forward_price": "spot",
}
"""The column that a curve of each kind stands for."""
ANY_NUMBER = st.one_of(
    st.floats(),
    st.sampled_from([0.0, 1e-310, 1e-160, 1e154, 1e200, 4.5e307, 1.7e308]),
    st.sampled_from([-1e200, -1.7e308]),
)


def accepted(row: dict[str, Any], curves: object = None) -> bool:
    """Whether the book of this row is; else it is refused in our words: raises all but those."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", BookWarning)
        try:
            market = read_market(MarketTables(curves=curves))
            checked_book(raw_book(pl.DataFrame([row])), Defaults(), market=market)
        except BookError:
            return False
    return True


@settings(max_examples=50)
@given(changes=st.dictionaries(st.sampled_from(NUMBERS), ANY_NUMBER, max_size=4))
@example({"spot": 4.5e307, "past_fixings_count": 3, "past_fixings_sum": 300.0})
@example({"spot": 4.5e307})
@example({"rate": 1.7e308, "dividend_yield": -1.7e308})
def test_numbers_of_a_row(changes: dict[str, Any]) -> None:
    accepted(plain_row(**changes))


@settings(max_examples=50)
@given(changes=st.dictionaries(st.sampled_from(sorted({*HESTON} - {"volatility"})), ANY_NUMBER))
@example({"heston_sigma": 1e200})
@example({"heston_kappa": 1e200, "heston_theta": 1e200})
def test_numbers_of_hestons_model(changes: dict[str, Any]) -> None:
    accepted(plain_row(**HESTON) | changes)


@settings(max_examples=50)
@given(
    kind=st.sampled_from(sorted(COLUMNS)),
    times=st.lists(ANY_NUMBER, min_size=2, max_size=2),
    values=st.lists(ANY_NUMBER, min_size=2, max_size=2),
)
@example("volatility", [0.5, 2.0], [1e200, 0.2])
@example("zero_rate", [1e200, 1.7e308], [1e200, 1e200])
def test_numbers_of_a_curve(kind: str, times: list[float], values: list[float]) -> None:
    column = COLUMNS[kind]
    name = "forward_curve" if column == "spot" else f"{column}_curve"
    curves = {"one": {"kind": kind, "time": times, "value": values}}
    accepted(plain_row(**{column: None, name: "one"}), curves)


def test_plain_rows_are_accepted() -> None:
    """So that the properties above are not of books that nothing could make right."""
    assert accepted(plain_row())
    assert accepted(plain_row(**HESTON))
    one = {"kind": "volatility", "time": [0.5, 2.0], "value": [0.3, 0.2]}
    assert accepted(plain_row(volatility=None, volatility_curve="one"), {"one": one})
