# SPDX-License-Identifier: Apache-2.0
"""Ids: their text is what names an option, in messages, in the journal and for its random numbers.

A whole number and its decimal text are the same id, so that a book has the same bits in CSV (all
text) and in Parquet (perhaps int64).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from makespan.pricing.book.cells import text_or_number, whole_text, wrong_type
from makespan.pricing.book.problems import Problems, id_text, shown
from makespan.pricing.columns.book import COLUMNS_BY_NAME

_ID = COLUMNS_BY_NAME["id"]


def read_ids(series: pl.Series | None, rows: int, problems: Problems) -> pl.Series:
    """The id of each row as text, its row number (from 1) where it has none."""
    row_numbers = pl.int_range(1, rows + 1, eager=True).cast(pl.String)
    if series is None or series.dtype == pl.Null:
        return row_numbers.alias("id")
    text = _id_texts(text_or_number(series), problems)
    if text is None:
        return row_numbers.alias("id")
    ids = text.fill_null(row_numbers).alias("id")
    _check_unique(ids, problems)
    return ids


def _id_texts(series: pl.Series, problems: Problems) -> pl.Series | None:
    """Text of each id; None when the column's type can name nothing."""
    if series.dtype == pl.String:
        return series
    if series.dtype.is_integer():
        return series.cast(pl.String)
    if series.dtype.is_float():
        return _whole_floats(series, problems)
    if series.dtype.is_decimal():
        text = whole_text(series)
        broken = text.str.contains(".", literal=True)
        _refuse_broken(broken, series, problems)
        return text
    wrong_type(_ID, series.dtype, problems)
    return None


def _whole_floats(series: pl.Series, problems: Problems) -> pl.Series:
    """Ids that came as floats, as they do from a table with missing whole numbers."""
    numbers = series.cast(pl.Float64).fill_nan(None)
    whole = numbers.cast(pl.Int64, strict=False)
    broken = numbers.is_not_null() & ((whole.cast(pl.Float64) != numbers) | whole.is_null())
    _refuse_broken(broken, numbers, problems)
    written = numbers.cast(pl.String)
    return pl.select(pl.when(broken).then(written).otherwise(whole.cast(pl.String))).to_series()


def _refuse_broken(broken: pl.Series, numbers: pl.Series, problems: Problems) -> None:
    mask = np.asarray(broken.fill_null(value=False).to_numpy(), dtype=np.bool_)

    def text(row: int) -> str:
        return f"id must be text or a whole number, got {shown(numbers[row])}"

    problems.add_rows(mask, "id", text, names_id=True)


def _check_unique(ids: pl.Series, problems: Problems) -> None:
    if ids.n_unique() == len(ids):
        return
    first: dict[str, int] = {}
    earlier = [first.setdefault(text, row) for row, text in enumerate(ids.to_list())]
    again = np.asarray(earlier) != np.arange(len(ids))

    def text(row: int) -> str:
        return f"id '{id_text(ids[row])}' already used in row {earlier[row] + 1}"

    problems.add_rows(again, "id", text, names_id=True)


def id_bytes(ids: pl.Series) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """All ids' UTF-8 text end to end, and where each begins (n + 1 offsets)."""
    text = ids.str.join("").item() if len(ids) else ""
    offsets: NDArray[Any] = np.zeros(len(ids) + 1, dtype=np.int64)
    np.cumsum(ids.str.len_bytes().to_numpy(), out=offsets[1:])
    return np.frombuffer(text.encode(), dtype=np.uint8), offsets
