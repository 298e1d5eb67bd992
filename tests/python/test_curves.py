# SPDX-License-Identifier: Apache-2.0
"""Curves that rows of a book name: read, checked, lowered, and what prices make of them.

That the engine prices them right is tested there (tests/apps/asian/run/curve_pricing_test.cpp);
here against closed forms, from end to end.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from counted import Counted
from makespan.base.errors import BookError
from makespan.pricing.book import Book, Defaults, Market, checked_book, raw_book
from makespan.pricing.book.curve import Curves
from makespan.pricing.book.curve_table import read_curves
from makespan.pricing.book.digest import contract_hashes
from makespan.pricing.book.market_columns import CURVE_POINTS
from scipy.stats import norm
from small_books import plain_row

import makespan

Row = dict[str, Any]

CURVES: dict[str, dict[str, Any]] = {
    "usd": {"kind": "zero_rate", "time": [0.5, 2.0], "value": [0.043, 0.039]},
    "yield": {"kind": "forward_rate", "time": [1.0, 2.0], "value": [0.01, 0.02]},
    "wti": {"kind": "forward_price", "time": [0.0, 1.0, 2.0], "value": [71.2, 69.8, 68.8]},
    "vol": {"kind": "volatility", "time": [0.25, 1.0, 2.0], "value": [0.38, 0.33, 0.3]},
    "cash": {"kind": "cash_dividend", "time": [0.3, 0.8], "value": [1.2, 1.3]},
    "share": {"kind": "proportional_dividend", "time": [0.5], "value": [0.02]},
}


def curved_row(**changes: Any) -> Row:
    named = {"rate": None, "volatility": None, "rate_curve": "usd", "volatility_curve": "vol"}
    return plain_row(**{**named, **changes})


def book_of(*rows: Row, curves: object = CURVES) -> Book:
    names = dict.fromkeys(name for row in rows for name in row)
    table = pl.DataFrame([{name: row.get(name) for name in names} for row in rows])
    return checked_book(raw_book(table), Defaults(), market=Market(read_curves(curves)))


def messages(*rows: Row, curves: object = CURVES) -> list[str]:
    try:
        book_of(*rows, curves=curves)
    except BookError as error:
        return [problem.text for problem in error.problems]
    return []


def price_of(row: Row, curves: object = CURVES, **keywords: Any) -> pl.DataFrame:
    table = makespan.price(pl.DataFrame([row]), curves=curves, memory=False, **keywords).table
    assert isinstance(table, pl.DataFrame)
    return table


def test_a_dict_of_nothing_is_no_table() -> None:
    """A program collects what its rows need, which may be none."""
    none: dict[str, Any] = {name: {} for name in ("baskets", "correlations", "surfaces")}

    found = price_of(plain_row(), curves={}, **none)

    assert found["price"].equals(price_of(plain_row(), curves=None)["price"])


# --- reading


def test_a_file_a_table_and_a_dict_say_the_same(tmp_path: Path) -> None:
    flat = [
        {"curve": name, "kind": one["kind"], "time": time, "value": value}
        for name, one in CURVES.items()
        for time, value in zip(one["time"], one["value"], strict=True)
    ]
    table = pl.DataFrame(flat)
    table.write_csv(tmp_path / "curves.csv")
    table.write_parquet(tmp_path / "curves.parquet")

    books = [
        book_of(curved_row(), curves=curves)
        for curves in (
            CURVES,
            table,
            table.to_dict(as_series=False),
            table.to_pandas() if hasattr(table, "to_pandas") else table,
            str(tmp_path / "curves.csv"),
            tmp_path / "curves.parquet",
        )
    ]

    assert len({book.input_hash for book in books}) == 1


def test_a_book_that_names_no_curve_is_as_without_any() -> None:
    with_them, without = book_of(plain_row()), book_of(plain_row(), curves=None)

    assert with_them.input_hash == without.input_hash
    assert set(with_them.columns) == set(without.columns)
    assert not set(with_them.columns) & set(CURVE_POINTS)


def test_names_order_and_other_curves_of_the_table_do_not_matter() -> None:
    row = curved_row()
    other = {"v": CURVES["vol"], "more": CURVES["share"], "r": CURVES["usd"]}
    renamed = curved_row(rate_curve="r", volatility_curve="v")

    ours, theirs = book_of(row), book_of(renamed, curves=other)

    assert ours.input_hash == theirs.input_hash
    for name in (*CURVE_POINTS, "rate_curve", "volatility_curve"):
        np.testing.assert_array_equal(ours.columns[name], theirs.columns[name])


def test_a_name_is_found_without_a_look_at_all_curves() -> None:
    """Goal: books may have curves of their own for each row."""
    counted = Counted(read_curves(CURVES).curves)
    curves = Curves("curves", counted)

    found = [curves.named(name) for name in CURVES for _ in range(10)]

    assert all(found)
    assert curves.named("none") == {}
    assert curves.names == list(CURVES)
    assert counted.looks == 1


def test_dividends_of_both_kinds_may_be_one_curve() -> None:
    mixed = {
        **CURVES,
        "mixed": {
            "kind": ["cash_dividend", "proportional_dividend", "cash_dividend"],
            "time": [0.3, 0.5, 0.8],
            "value": [1.2, 0.02, 1.3],
        },
    }
    columns = book_of(curved_row(dividends="mixed"), curves=mixed).columns
    kinds = columns["curve_kind"][
        [columns["cash_dividends"][0], columns["proportional_dividends"][0]]
    ]

    assert kinds.tolist() == [5, 6]
    assert columns["curve_time"][-3:].tolist() == [0.5, 0.3, 0.8]


def test_a_row_takes_its_spot_from_its_forwards() -> None:
    columns = book_of(curved_row(spot=None, forward_curve="wti")).columns

    assert columns["spot"].tolist() == [71.2]
    assert columns["std_error"][0] == pytest.approx(71.2e-4)
    assert columns["drift"].tolist() == [0.0]


# --- what is wrong


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"rate_curve": "eur"}, "rate_curve 'eur' is not in curves, which has usd, yield, wti"),
        (
            {"rate_curve": "vol"},
            "'vol' is of kind volatility; it must be zero_rate or forward_rate",
        ),
        ({"dividends": "usd"}, "it must be cash_dividend or proportional_dividend"),
        ({"rate": 0.05}, "rate cannot stand beside rate_curve; leave one empty"),
        ({"volatility": 0.2}, "volatility cannot stand beside volatility_curve"),
        (
            {"forward_curve": "wti", "spot": 71.0},
            "spot (71.0) contradicts the first forward (71.2)",
        ),
        ({"forward_curve": "wti", "spot": None, "drift": 0.1}, "drift cannot stand beside"),
        ({"forward_curve": "wti", "spot": None, "dividends": "cash"}, "dividends cannot stand"),
        ({"dividend_yield_curve": "yield", "drift": 0.1}, "drift cannot stand beside"),
        ({"expiry": 3.0}, "payment 3.0 is after the end of rate_curve, 2.0; add a point"),
        ({"payment_lag": 1.5}, "payment 2.5 is after the end of rate_curve, 2.0; add a point"),
        ({"payment_lag": -1.0}, "payment_lag must be >= 0, got -1.0"),
        ({"dividends": "cash", "average_type": "geometric"}, "give them as proportional"),
        ({"dividends": "cash", "spot": 2.0}, "not less than the spot 2.0"),
        ({"rate_curve": None}, "rate is missing"),
        ({"volatility_curve": None}, "volatility is missing"),
    ],
)
def test_a_row_that_does_not_go_with_its_curves_is_told(changes: Row, text: str) -> None:
    found = messages(curved_row(**changes))

    assert any(text in one for one in found), found


def test_curves_that_were_not_given_are_asked_for() -> None:
    found = messages(curved_row(), curves=None)

    assert "rate_curve names 'usd', but no curves were given; give them with curves" in found


def point(kind: str, *points: tuple[float, float]) -> dict[str, Any]:
    return {"kind": kind, "time": [time for time, _ in points], "value": [x for _, x in points]}


@pytest.mark.parametrize(
    ("curve", "text"),
    [
        (point("zero_rate", (1, 0.1), (0.5, 0.1)), "time 0.5 comes after 1.0; order a curve's"),
        (point("zero_rate", (1, 0.1), (1, 0.1)), "time 1.0 comes after 1.0"),
        (point("zero_rate", (0, 0.1)), "time must be > 0, at least 1e-09, got 0.0"),
        (point("zero_rate", (1000, 1)), "rate x time is 1000.0, too large to compute with"),
        (point("volatility", (1, 0.3), (2, 0.2)), "it must be above 0.212132034355964"),
        (point("volatility", (1, 0)), "volatility must be > 0, got 0.0"),
        (point("forward_volatility", (1, -0.1)), "volatility must be > 0, got -0.1"),
        (point("volatility", (1, 40)), "volatility x sqrt(time) is 40.0, too large"),
        (point("forward_price", (1, 100), (2, 100)), "begin at time 0, with the spot"),
        (point("forward_price", (0, 100)), "forward prices need a point after time 0"),
        (point("forward_price", (0, 100), (1, 0)), "forward_price must be > 0, got 0.0"),
        (point("cash_dividend", (1, -1)), "cash_dividend must be >= 0, got -1.0"),
        (point("proportional_dividend", (1, 1)), "proportional_dividend must be a share from 0"),
        (point("zero_rat", (1, 1)), "kind must be 'zero_rate', 'forward_rate', "),
        (point("zero_rate", (1, float("nan"))), "value is missing"),
        (point("zero_rate", (1, float("inf"))), "value must be a finite number, got inf"),
        ({"kind": "zero_rate", "time": [1.0]}, "must be a dict of kind, time and value"),
        ({"kind": "zero_rate", "time": 1.0, "value": [0.04]}, "time must be a list, got 1.0"),
        ({"kind": 1, "time": [1.0], "value": [0.04]}, "kind must be a list, got 1"),
        ({"kind": None, "time": [1.0], "value": [0.04]}, "kind must be a list, got None"),
        ({"kind": "zero_rate", "time": [1.0, [2.0]], "value": [0.04, 0.04]}, "'time'"),
        ({"kind": "zero_rate", "time": np.array(1.0), "value": [0.04]}, "time must be a list"),
        ({"kind": "zero_rate", "time": [1.0], "value": []}, "has 1 times and 0 values"),
    ],
)
def test_a_curve_that_cannot_be_used_is_told(curve: dict[str, Any], text: str) -> None:
    with pytest.raises(BookError) as caught:
        read_curves({"c": curve})

    assert text in str(caught.value)


def test_percent_is_warned_of_and_accepted() -> None:
    curves = {
        **CURVES,
        "usd": point("zero_rate", (0.5, 0.043), (1, 4.3), (2, -3.9)),
        "yield": point("forward_rate", (1, 1.0), (2, -1.01)),
        "vol": point("volatility", (1, 20), (2, 20)),
        "low": point("forward_volatility", (1, 5.0), (2, 5.01)),
        "cash": point("cash_dividend", (0.3, 20.0)),
    }

    found = [str(one) for one in book_of(curved_row(), curves=curves).warnings]

    says = "looks like percent"
    assert found == [
        f"curves: curve 'usd': zero_rate=4.3 at 1.0 {says} (2 of 3 points); write 0.043",
        f"curves: curve 'yield': forward_rate=-1.01 at 2.0 {says} (1 of 2 points); write -0.0101",
        f"curves: curve 'vol': volatility=20.0 at 1.0 {says} (2 of 2 points); write 0.2",
        f"curves: curve 'low': forward_volatility=5.01 at 2.0 {says} (1 of 2 points); write 0.0501",
    ]


def test_two_kinds_under_one_name_are_told() -> None:
    table = {
        "curve": ["a", "a"],
        "kind": ["zero_rate", "volatility"],
        "time": [1, 2],
        "value": [1, 1],
    }

    with pytest.raises(BookError, match=r"kind volatility, but curve 'a' begins with zero_rate"):
        read_curves(table)


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ({"curve": ["a"], "kind": ["zero_rate"], "time": [1.0]}, "column 'value' is missing"),
        (
            {"curve": ["a"], "kind": ["zero_rate"], "time": [1], "value": [1], "tenor": ["1y"]},
            "unknown column 'tenor'; the columns of curves are curve, kind, time, value",
        ),
        ({"curve": [], "kind": [], "time": [], "value": []}, "it has no rows"),
    ],
)
def test_a_table_of_other_columns_is_told(table: dict[str, Any], text: str) -> None:
    with pytest.raises(BookError) as caught:
        read_curves(table)

    assert text in str(caught.value)


# --- prices


def test_a_row_keeps_its_digest_in_the_journal_for_equal_curves_only() -> None:
    def digest(**curves: Any) -> bytes:
        columns = book_of(curved_row(), curves={**CURVES, **curves}).columns
        return contract_hashes({"option_key": np.zeros(1, dtype=np.uint64), **columns}, "")[0]

    moved = {"kind": "zero_rate", "time": [0.5, 2.0], "value": [0.043, 0.04]}

    assert digest() == digest(other=CURVES["usd"])
    assert digest() != digest(usd=moved)


def test_a_journal_belongs_to_a_book_with_its_curves(tmp_path: Path) -> None:
    journal = tmp_path / "run.db"
    first = price_of(curved_row(), checkpoint=journal)
    again = makespan.price(
        pl.DataFrame([curved_row()]), curves=CURVES, memory=False, restart_from=journal
    )

    assert again.record["options"]["from_journal"] == 1
    assert again.table["price"][0] == first["price"][0]
    moved = {**CURVES, "usd": point("zero_rate", (0.5, 0.043), (2.0, 0.04))}
    with pytest.raises(makespan.JournalError, match="belongs to another book"):
        price_of(curved_row(), curves=moved, restart_from=journal)


@pytest.mark.parametrize("method", ["exact", "mc", "mc_plain", "rqmc"])
def test_a_geometric_average_is_its_closed_form(method: str) -> None:
    row = curved_row(average_type="geometric", dividend_yield_curve="yield", payment_lag=0.25)
    table = price_of(row, method=method, paths=1 << 16)
    times = np.arange(1, 13) / 12
    rate = np.interp(times, [0, 0.5, 2], [0, 0.0215, 0.078])
    dividends = np.interp(times, [0, 1, 2], [0, 0.01, 0.03])
    variance = np.interp(times, [0, 0.25, 1, 2], [0, 0.25 * 0.38**2, 0.33**2, 2 * 0.3**2])
    mean = np.log(100) + np.mean(rate - dividends - 0.5 * variance)
    deviation = np.sqrt(np.mean(np.minimum.outer(variance, variance)))
    upper = (mean + deviation**2 - np.log(100)) / deviation
    value = np.exp(mean + deviation**2 / 2) * norm.cdf(upper) - 100 * norm.cdf(upper - deviation)
    discount = np.exp(-np.interp(1.25, [0, 0.5, 2], [0, 0.0215, 0.078]))

    error = table["std_error"][0] * 4.5 if method == "mc_plain" else 1e-8
    assert table["price"][0] == pytest.approx(discount * value, abs=error)


def test_a_strike_of_nothing_costs_the_forwards() -> None:
    table = price_of(curved_row(spot=None, forward_curve="wti", strike=0.0))
    forwards = np.exp(np.interp(np.arange(1, 13) / 12, [0, 1], np.log([71.2, 69.8])))

    assert table["price"][0] == pytest.approx(np.exp(-(0.0215 + 0.0565 / 3)) * forwards.mean())
    assert table["measure"][0] == "risk_neutral"


def test_dividends_of_shares_are_a_lower_forward_after_them() -> None:
    row = curved_row(strike=0.0, rate_curve=None, rate=0.0, dividends="share")
    paid = np.arange(1, 13) / 12 >= 0.5

    assert price_of(row)["price"][0] == pytest.approx(100 * np.mean(np.where(paid, 0.98, 1.0)))


def test_the_command_reads_curves_from_a_file(tmp_path: Path, capfd: Any) -> None:
    from makespan.cli import main

    (tmp_path / "c.csv").write_text("curve,kind,time,value\nusd,zero_rate,2,0.05\n")
    (tmp_path / "b.csv").write_text(
        "option_type,spot,strike,rate_curve,volatility,expiry,fixings,fixing_grid\n"
        "call,100,100,usd,0.2,1,12,exclude_start\n"
    )
    code = main(["price", str(tmp_path / "b.csv"), "--curves", str(tmp_path / "c.csv"), "--json"])
    shown = capfd.readouterr().out

    document = json.loads(shown)
    constant = price_of(plain_row(), curves=None)["price"][0]
    assert code == 0
    assert document["options"][0]["price"] == pytest.approx(constant, abs=1e-7)
    assert document["record"]["curves"] == str(tmp_path / "c.csv")


@pytest.mark.parametrize(
    ("changes", "last"),
    [
        ({"fixing_times": [0.2, 0.4]}, None),
        ({"fixings": 4, "fixing_grid": "exclude_start", "last_fixing": 0.8}, None),
        ({"fixings": 4, "fixing_grid": "exclude_start"}, "the last fixing"),
        ({"fixing_times": [0.2, 0.95]}, "the last fixing"),
        ({"fixing_times": [0.2, 0.4], "averaging": "strike", "strike": None}, "expiry"),
    ],
)
def test_dividends_count_up_to_the_last_price_that_the_payoff_looks_at(
    changes: Row, last: str | None
) -> None:
    curves = {"cash": {"kind": "cash_dividend", "time": [0.5, 0.9], "value": [3.0, 200.0]}}
    plain = {"rate": 0.05, "dividends": "cash", "fixings": None, "fixing_grid": None}

    told = messages(plain_row(**{**plain, **changes}), curves=curves)

    worth = "194.125426102705 now, not less than the spot 100.0"
    assert told == ([] if last is None else [f"dividends up to {last} are worth {worth}"])
