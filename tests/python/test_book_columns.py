# SPDX-License-Identifier: Apache-2.0
"""What the engine is given for a valid book: grids, times, drift, accuracy, ids."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from makespan.pricing.book.normal import rows_of
from makespan.pricing.columns.book import INPUT_COLUMNS, MAX_PATHS_DEFAULT
from small_books import checked, engine_row, messages, plain_book, plain_row


@pytest.mark.parametrize(
    ("changes", "first", "last"),
    [
        ({}, 1.0 / 12, 1.0),
        ({"fixing_grid": "include_start"}, 0.0, 1.0),
        ({"last_fixing": 0.6}, 0.6 / 12, 0.6),
        ({"fixing_grid": "include_start", "last_fixing": 0.6}, 0.0, 0.6),
        ({"fixing_grid": None, "first_fixing": 0.5}, 0.5, 1.0),
        ({"fixing_grid": None, "first_fixing": 0.0}, 0.0, 1.0),
        ({"fixing_grid": "include_start", "first_fixing": 0.0}, 0.0, 1.0),
        ({"fixings": 1}, 1.0, 1.0),
        ({"fixings": 1, "fixing_grid": None, "first_fixing": 0.0, "last_fixing": 0.0}, 0.0, 0.0),
    ],
)
def test_a_grid_becomes_first_and_last_time(
    changes: dict[str, Any], first: float, last: float
) -> None:
    row = engine_row(**changes)

    assert (row["first_fixing"], row["last_fixing"]) == ([first], [last])
    assert row["times"] == []


@pytest.mark.parametrize("times", [[0.25, 0.5, 1.0], [0.0], [1.0], [0.0, 1e-9, 1.0]], ids=str)
@pytest.mark.parametrize("grid", [None, "explicit"])
def test_explicit_times_are_handed_on_as_they_are(times: list[float], grid: str | None) -> None:
    row = engine_row(fixings=None, fixing_grid=grid, fixing_times=times)

    assert row["times"] == times
    assert row["times_offset"] == [0, len(times)]
    assert row["fixings"] == [len(times)]


def test_times_in_csv_text_are_the_same_as_a_list() -> None:
    text = engine_row(fixings=None, fixing_grid=None, fixing_times=" 0.25; 0.5;1 ")

    assert text == engine_row(fixings=None, fixing_grid=None, fixing_times=[0.25, 0.5, 1.0])


def test_every_row_past_needs_no_grid_and_no_time() -> None:
    row = engine_row(
        fixings=0, fixing_grid=None, past_fixings_count=12, past_fixings_sum=1200.0, expiry=0.0
    )

    assert (row["fixings"], row["past_count"], row["past_sum"]) == ([0], [12], [1200.0])


@pytest.mark.parametrize(
    "changes",
    [
        {"fixing_grid": None, "fixings": None, "fixing_times": [0.0]},
        {"fixing_grid": None, "fixings": 1, "first_fixing": 0.0},
        {"fixing_grid": "include_start", "fixings": 1, "first_fixing": 0.0},
    ],
    ids=["listed", "first", "grid"],
)
def test_the_day_of_the_last_fixing_can_be_booked(changes: dict[str, Any]) -> None:
    row = engine_row(past_fixings_count=11, past_fixings_sum=1100.0, expiry=0.0, **changes)

    assert (row["fixings"], row["past_count"], row["expiry"]) == ([1], [11], [0.0])
    assert (row["times"] or row["first_fixing"]) == [0.0]


@pytest.mark.parametrize(
    ("changes", "drift", "is_given"),
    [
        ({}, 0.05, 0),
        ({"dividend_yield": 0.02}, 0.05 - 0.02, 0),
        ({"drift": 0.12}, 0.12, 1),
        ({"drift": 0.03, "dividend_yield": 0.02}, 0.03, 1),
    ],
)
def test_drift_is_given_or_follows(changes: dict[str, float], drift: float, is_given: int) -> None:
    row = engine_row(**changes)

    assert (row["drift"], row["drift_given"]) == ([drift], [is_given])


def test_an_average_strike_has_no_strike_and_its_multiplier() -> None:
    row = engine_row(averaging="strike", strike=None, strike_multiplier=1.1)

    assert math.isnan(row["strike"][0])
    assert (row["averaging"], row["strike_multiplier"]) == ([1], [1.1])


@pytest.mark.parametrize("word", ["put", "p", "P", "Put"])
def test_option_type_has_short_forms(word: str) -> None:
    assert engine_row(option_type=word)["option_type"] == [-1]


@pytest.mark.parametrize(
    ("own", "run", "paths", "std_error"),
    [
        ({}, {}, 0, 0.01),
        ({}, {"paths": 64}, 64, 0.0),
        ({}, {"std_error": 0.5}, 0, 0.5),
        ({"paths": 32}, {}, 32, 0.0),
        ({"paths": 32}, {"std_error": 0.5}, 32, 0.0),
        ({"std_error": 0.25}, {"paths": 64}, 0, 0.25),
        ({"std_error": 0.25}, {"std_error": 0.5}, 0, 0.25),
    ],
)
def test_accuracy_is_the_rows_own_or_the_runs_or_one_basis_point(
    own: dict[str, Any], run: dict[str, Any], paths: int, std_error: float
) -> None:
    columns = checked(pl.DataFrame([plain_row(**own)]), **run).columns

    assert columns["paths"].tolist() == [paths]
    assert columns["std_error"].tolist() == [std_error]
    assert columns["max_paths"].tolist() == [MAX_PATHS_DEFAULT]


def test_the_largest_seed_survives() -> None:
    for text in (2**64 - 1, str(2**64 - 1)):
        table = pl.DataFrame([plain_row(seed=None)]).with_columns(seed=pl.lit(text))
        assert checked(table).columns["seed"].tolist() == [2**64 - 1]
    assert checked(plain_book(1), seed=2**64 - 1).columns["seed"].tolist() == [2**64 - 1]


@pytest.mark.parametrize(
    ("ids", "texts"),
    [
        (pl.Series([7, 8]), ["7", "8"]),
        (pl.Series([7.0, 8.0]), ["7", "8"]),
        (pl.Series([Decimal(7), Decimal(8)]), ["7", "8"]),
        (pl.Series([Decimal(2**53 + 1), Decimal(2**53)]), ["9007199254740993", "9007199254740992"]),
        (pl.Series([Decimal("-7.00"), Decimal(10**20)]), ["-7", "100000000000000000000"]),
        (pl.Series([Decimal(700), None]), ["700", "2"]),
        (pl.Series(["x", None]), ["x", "2"]),
        (pl.Series([None, None]), ["1", "2"]),
        (pl.Series(["é", "日本"]), ["é", "日本"]),
    ],
)
def test_ids_are_text_whatever_they_came_as(ids: pl.Series, texts: list[str]) -> None:
    assert checked(plain_book(2).with_columns(id=ids)).ids.to_list() == texts


def test_a_decimal_seed_keeps_all_digits() -> None:
    table = pl.DataFrame([plain_row(seed=None)])
    whole, broken = pl.Series([Decimal(2**64 - 1)]), pl.Series([Decimal("7.5")])

    assert checked(table.with_columns(seed=whole)).columns["seed"].tolist() == [2**64 - 1]
    assert "seed must be a whole number" in messages(table.with_columns(seed=broken))[0]


@pytest.mark.parametrize("ids", [[1.5, 2.0], [Decimal("1.5"), Decimal(2)]])
def test_an_id_that_is_no_whole_number_is_refused(ids: list[Any]) -> None:
    table = plain_book(2).with_columns(id=pl.Series(ids))

    assert messages(table) == ["row 1: id must be text or a whole number, got 1.5"]


def test_aliases_stand_for_their_columns() -> None:
    names = {column.name: column.aliases[0] for column in INPUT_COLUMNS if column.aliases}
    table = pl.DataFrame([plain_row(std_error=0.01, dividend_yield=0.02)])
    renamed = table.rename({name: names[name] for name in table.columns if name in names})

    assert set(names.values()) == {"S", "K", "r", "q", "mu", "sigma", "T", "N", "tolerance"}
    assert checked(renamed).input_hash == checked(table).input_hash


@pytest.mark.parametrize("dtype", [pl.Float32, pl.Int64, pl.UInt8, pl.Decimal(10, 2), pl.String])
def test_numbers_come_in_any_type(dtype: Any) -> None:
    table = plain_book(3).with_columns(pl.col("spot", "strike", "fixings").cast(dtype))

    assert checked(table).columns["spot"].tolist() == [100.0, 101.0, 102.0]
    assert checked(table).columns["fixings"].tolist() == [12, 12, 12]


def test_categories_are_text() -> None:
    table = plain_book(2).with_columns(pl.col("option_type", "id").cast(pl.Categorical))

    assert checked(table).input_hash == checked(plain_book(2)).input_hash


@given(st.lists(st.lists(st.floats(0, 9), max_size=4), min_size=1, max_size=8), st.data())
def test_picked_rows_keep_their_times(lists: list[list[float]], data: st.DataObject) -> None:
    """Goal: slicing ragged lists. Method: against plain Python lists."""
    offsets = np.cumsum([0, *map(len, lists)])
    columns = {
        "spot": np.arange(len(lists), dtype=np.float64),
        "times_offset": offsets.astype(np.int64),
        "times": np.array([time for times in lists for time in times], dtype=np.float64),
    }
    rows = data.draw(st.lists(st.integers(0, len(lists) - 1), unique=True, min_size=1))

    picked = rows_of(columns, np.array(rows, dtype=np.int64))

    begin, end = picked["times_offset"][:-1], picked["times_offset"][1:]
    found = [picked["times"][b:e].tolist() for b, e in zip(begin, end, strict=True)]
    assert found == [lists[row] for row in rows]
    assert picked["spot"].tolist() == rows


def test_all_columns_are_contiguous_and_typed_as_the_engine_wants() -> None:
    columns = checked(plain_book(3)).columns
    wanted = {
        "int8": {"option_type", "average_type", "averaging"},
        "uint8": {"drift_given"},
        "uint64": {"seed"},
        "int64": {"fixings", "times_offset", "past_count", "paths", "max_paths"},
    }
    types = {name: kind for kind, names in wanted.items() for name in names}

    assert all(column.flags["C_CONTIGUOUS"] for column in columns.values())
    assert {n: str(c.dtype) for n, c in columns.items()} == {
        n: types.get(n, "float64") for n in columns
    }
