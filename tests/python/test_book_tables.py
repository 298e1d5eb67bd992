# SPDX-License-Identifier: Apache-2.0
"""Tables in memory: every kind means the same book, and prices come back as the same kind."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from makespan.base.errors import BookError, InputError
from small_books import checked, messages, plain_book, plain_row

import makespan

MIXED = pl.DataFrame(
    [
        plain_row(id="A", fixing_times=None),
        plain_row(id="B", averaging="strike", strike=None, strike_multiplier=1.05),
        plain_row(id="C", fixings=None, fixing_grid="explicit", fixing_times=[0.25, 1.0]),
        plain_row(id="D", paths=4096, seed=2**63 + 5),
    ],
    infer_schema_length=None,
).with_columns(pl.col("seed").cast(pl.UInt64))


def as_pandas(frame: pl.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({name: frame[name].to_list() for name in frame.columns})


def as_arrays(frame: pl.DataFrame) -> dict[str, Any]:
    return {
        c.name: np.array(c.to_list(), dtype=object)
        if c.dtype in (pl.String, pl.List) or c.name == "seed"
        else c.to_numpy()
        for c in frame
    }


KINDS = {
    "polars": lambda frame: frame,
    "lazy": lambda frame: frame.lazy(),
    "pandas": as_pandas,
    "pandas with Arrow types": lambda frame: frame.to_pandas(use_pyarrow_extension_array=True),
    "pyarrow": lambda frame: frame.to_arrow(),
    "record batch": lambda frame: frame.to_arrow().combine_chunks().to_batches()[0],
    "arrays": as_arrays,
    "lists": lambda frame: frame.to_dict(as_series=False),
}


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "pandas"])
def test_every_kind_of_table_is_the_same_book(kind: str) -> None:
    assert checked(KINDS[kind](MIXED)).input_hash == checked(MIXED).input_hash


def test_pandas_is_the_same_book_as_far_as_its_numbers_go() -> None:
    """pandas turns whole numbers with gaps into float64, which has no room for a 64-bit seed."""
    narrow = MIXED.with_columns(seed=pl.Series([None, None, None, 5], dtype=pl.UInt64))

    assert checked(as_pandas(narrow)).input_hash == checked(narrow).input_hash


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("polars", pl.DataFrame),
        ("lazy", pl.DataFrame),
        ("pandas", pd.DataFrame),
        ("pyarrow", pa.Table),
        ("arrays", dict),
    ],
)
@pytest.mark.usefixtures("fake_engine")
def test_prices_come_back_as_the_same_kind(kind: str, expected: type) -> None:
    out = makespan.price(KINDS[kind](plain_book(3))).table

    assert type(out) is expected
    ids = out["id"].to_pylist() if kind == "pyarrow" else list(out["id"])
    assert ids == ["A1", "A2", "A3"]


@pytest.mark.usefixtures("fake_engine")
def test_a_pandas_index_stays_with_its_rows() -> None:
    table = as_pandas(plain_book(3)).set_index(pd.Index([7, 3, 5]))

    out = makespan.price(table).table

    assert out.index.tolist() == [7, 3, 5]
    assert json.loads(out.attrs["makespan.record"])["options"]["total"] == 3


@pytest.mark.usefixtures("fake_engine")
def test_an_arrow_table_carries_the_record() -> None:
    out = makespan.price(plain_book(2).to_arrow()).table

    assert json.loads(out.schema.metadata[b"makespan.record"])["options"]["total"] == 2


def test_the_record_is_returned_beside_any_table(fake_engine: ModuleType) -> None:
    made = makespan.price(plain_book(2), seed=9)
    table, record = made.table, made.record

    assert table.height == 2
    assert (record["seed"], record["makespan"]) == (9, fake_engine.version())


def test_nan_means_missing_only_where_nothing_else_can() -> None:
    changed = plain_book(2).with_columns(dividend_yield=pl.Series([float("nan"), 0.01]))

    assert len(messages(changed)) == 1
    assert messages(as_arrays(changed)) == []
    assert messages(as_pandas(changed)) == []


def test_what_a_mask_hides_is_missing() -> None:
    shown = {**as_arrays(plain_book(2)), "dividend_yield": [0.01, None]}
    masked = {**shown, "dividend_yield": np.ma.array([0.01, 0.9], mask=[False, True])}

    assert checked(masked).input_hash == checked(shown).input_hash


@pytest.mark.parametrize(
    "times",
    [
        [[1], [0.5, 1]],
        [range(1, 2), (0.5, 1)],
        [np.array([1]), np.array([0.5, 1.0])],
        [(np.int64(1),), [np.float32(0.5), 1]],
    ],
    ids=["lists", "sequences", "arrays", "numpy's numbers"],
)
@pytest.mark.parametrize("kind", [dict, pd.DataFrame])
def test_lists_of_times_are_floats(times: Any, kind: Any) -> None:
    """Whole numbers in the first row had cut the times of the others to whole ones."""
    plain = as_arrays(plain_book(2).drop("fixings", "fixing_grid"))

    given = checked(kind({**plain, "fixing_times": times}))

    right = checked({**plain, "fixing_times": [[1.0], [0.5, 1.0]]})
    assert given.input_hash == right.input_hash


@pytest.mark.parametrize("first", [100, np.int64(100), np.float32(100), 100.0])
def test_numbers_of_any_kind_beside_others_keep_their_digits(first: Any) -> None:
    table = as_arrays(plain_book(2))

    mixed = checked({**table, "spot": [first, 100.7]})

    assert mixed.input_hash == checked({**table, "spot": [100.0, 100.7]}).input_hash


@pytest.mark.parametrize("kind", [dict, pd.DataFrame])
def test_ids_of_many_digits_come_back(kind: Any, fake_engine: ModuleType) -> None:
    ids = [2**64, 2**70]

    result = makespan.price(kind({**as_arrays(plain_book(2)), "id": ids}))

    assert result is not None
    assert list(result.table["id"]) == ids


def test_columns_of_unequal_length_are_refused() -> None:
    table = {**as_arrays(plain_book(2)), "rate": np.array([0.05])}

    with pytest.raises(BookError, match=r"columns differ in length .*rate 1"):
        checked(table)


@pytest.mark.parametrize(
    ("name", "values", "text"),
    [
        ("spot", 5.0, "column 'spot' is no column"),
        ("spot", [1, "a"], "column 'spot' is no column"),
        ("spot", [object(), object()], "column 'spot'"),
        ("spot", np.ones((2, 2)), "column 'spot' must hold numbers"),
        ("spot", np.array([1j, 2j]), "column 'spot'"),
        ("spot", [10**400, 1.0], "column 'spot' is no column (a whole number has too many"),
        ("spot", [10**400, 1], "column 'spot' is no column (a whole number has too many digits)"),
        ("spot", [[1], [2]], "column 'spot' must hold numbers"),
        ("spot", [np.datetime64("2026-01-01", "ns")] * 2, "makespan.year_fraction turns dates"),
        ("expiry", [np.timedelta64(1, "ns")] * 2, "column 'expiry' must hold numbers"),
        ("spot", {90.0, 100.0}, "column 'spot' is no column (a set has no order; give a list)"),
    ],
)
def test_odd_columns_are_refused_by_name(name: str, values: object, text: str) -> None:
    table = {**as_arrays(plain_book(2)), name: values}

    with pytest.raises(BookError) as caught:
        checked(table)

    assert text in str(caught.value)


@pytest.mark.parametrize("table", [[{"spot": 1.0}], 5, None, plain_book(1)["spot"]])
def test_other_things_are_no_book(table: object) -> None:
    with pytest.raises(InputError, match="cannot read a book from"):
        checked(table)


def test_a_book_without_rows_is_refused() -> None:
    with pytest.raises(BookError, match="it has no options"):
        checked(plain_book(1).clear())


NUMBER = st.floats(1e-3, 1e6)
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Z")), min_size=1)


@st.composite
def random_books(draw: st.DrawFn) -> pl.DataFrame:
    count = draw(st.integers(1, 6))
    ids = draw(st.lists(TEXT, min_size=count, max_size=count, unique=True))
    rows = []
    for name in ids:
        row = plain_row(id=name, spot=draw(NUMBER), strike=draw(NUMBER), fixing_times=None)
        if draw(st.booleans()):
            times = sorted(draw(st.sets(st.floats(1e-9, 1), min_size=1, max_size=4)))
            row |= {"fixings": None, "fixing_grid": None, "fixing_times": times}
        rows.append(row)
    types = {"fixings": pl.Int64, "fixing_times": pl.List(pl.Float64)}
    return pl.DataFrame(rows, schema_overrides=types, infer_schema_length=None)


@settings(max_examples=40)
@given(random_books())
def test_csv_parquet_and_arrow_hold_the_same_book(frame: pl.DataFrame) -> None:
    """Goal: equal bits from every format. Method: the hash over all normalised columns."""
    import tempfile
    from pathlib import Path

    times = [";".join(map(repr, t)) if t is not None else None for t in frame["fixing_times"]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        flat = frame.with_columns(fixing_times=pl.Series(times, dtype=pl.String))
        flat.write_csv(folder / "b.csv")
        frame.write_parquet(folder / "b.parquet")
        frame.write_ipc(folder / "b.arrow")

        hashes = {checked(folder / f"b.{kind}").input_hash for kind in ("csv", "parquet", "arrow")}

    assert hashes == {checked(frame).input_hash}
