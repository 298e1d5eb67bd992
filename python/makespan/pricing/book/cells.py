# SPDX-License-Identifier: Apache-2.0
"""Turns columns of any type into arrays, marking missing cells and reporting unreadable ones.

A cell that cannot be read gets its problem here and then counts as given, with a placeholder that
passes every rule (NaN, or the column's smallest whole number), so that one mistake is one message.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from makespan.pricing.book.problems import Mask, Problems, shown
from makespan.pricing.columns.column import Column, Kind

_EXACT_WHOLE_MAX = 2.0**53
_UNREAD_WORD = -128
_SHORT = 64
"""Columns up to this length are looked up faster one by one than by polars' expressions."""
_TEXT_TYPES = (pl.String, pl.Categorical, pl.Enum)
_WHOLE_TYPES = {Kind.WHOLE: pl.Int64, Kind.NATURAL: pl.UInt64}
_MUST_HOLD = {
    Kind.CHOICE: "text",
    Kind.NUMBER: "numbers",
    Kind.WHOLE: "whole numbers",
    Kind.NATURAL: "whole numbers",
    Kind.TIMES: "lists of numbers",
    Kind.IDENTIFIER: "text or whole numbers",
    Kind.NAME: "text",
}


@dataclass(frozen=True, slots=True)
class Cells:
    """One column: `values` (n), and where the user gave one. Values elsewhere mean nothing."""

    values: NDArray[Any]
    given: Mask


def wrong_type(column: Column, dtype: pl.DataType, problems: Problems) -> None:
    """Reports a column whose cells can be of no use, whatever they are."""
    text = f"column '{column.name}' must hold {_MUST_HOLD[column.kind]}, got {dtype}"
    if dtype.is_temporal():
        text += "; makespan.year_fraction turns dates into years"
    problems.add_file(text, column.name)


def read_cells(
    series: pl.Series, column: Column, problems: Problems, *, nan_missing: bool
) -> Cells:
    """The cells of one column of kind CHOICE, NUMBER, WHOLE or NATURAL."""
    if series.dtype == pl.Null:
        return missing(column, len(series))
    plain = _plain(series, column, nan_missing=nan_missing)
    if plain is not None:
        return plain
    series = text_or_number(series)
    if series.dtype != pl.String and (column.kind is Kind.CHOICE or not series.dtype.is_numeric()):
        wrong_type(column, series.dtype, problems)
        return _unread(column, len(series))
    if nan_missing and series.dtype.is_float():
        series = series.fill_nan(None)
    read = {Kind.CHOICE: _choices, Kind.NUMBER: _numbers}.get(column.kind, _wholes)
    return read(series, column, problems)


def _plain(series: pl.Series, column: Column, *, nan_missing: bool) -> Cells | None:
    """Numbers of the type that is wanted, if all are there; None for anything else.

    Without polars' expressions, which cost a small book more than its prices do.
    """
    wanted = {Kind.NUMBER: pl.Float64, **_WHOLE_TYPES}.get(column.kind)
    if series.dtype != wanted or series.null_count() > 0:
        return None
    values = series.to_numpy(writable=True)
    given = np.ones(len(values), dtype=np.bool_)
    if column.kind is Kind.NUMBER:
        finite = np.isfinite(values)
        if nan_missing:
            given = ~np.isnan(values)
        if not (finite | ~given).all():
            return None
        values += 0.0  # as in _numbers
    return Cells(values, given)


def missing(column: Column, rows: int) -> Cells:
    """A column that is not there."""
    dtype = {Kind.CHOICE: np.int8, Kind.WHOLE: np.int64, Kind.NATURAL: np.uint64}
    fill = np.nan if column.kind is Kind.NUMBER else _placeholder(column)
    values = np.full(rows, fill, dtype=dtype.get(column.kind, np.float64))
    return Cells(values, np.zeros(rows, dtype=np.bool_))


def _unread(column: Column, rows: int) -> Cells:
    """A column that is there and of no use: the problem is the column's, not each row's."""
    values = missing(column, rows).values
    if column.kind is Kind.CHOICE:
        values[:] = _UNREAD_WORD
    return Cells(values, np.ones(rows, dtype=np.bool_))


def _placeholder(column: Column) -> int:
    """A whole number that breaks no rule of the column; for words, the code of the default."""
    if column.kind is Kind.CHOICE:
        return 0
    return 1 if column.bound is None or not column.bound.low else int(column.bound.low)


def text_or_number(series: pl.Series) -> pl.Series:
    """Text without blanks around it, null where empty; other types as they are."""
    if isinstance(series.dtype, _TEXT_TYPES):
        text = series.cast(pl.String).str.strip_chars()
        return text.set(text == "", None)
    return series


def _mask(series: pl.Series) -> Mask:
    return np.asarray(series.to_numpy(), dtype=np.bool_)


def _wording(series: pl.Series, column: Column, must_be: str) -> Callable[[int], str]:
    return lambda row: f"{column.name} must be {must_be}, got {shown(series[row])}"


def _choices(series: pl.Series, column: Column, problems: Problems) -> Cells:
    if len(series) <= _SHORT:
        found = [column.choices.get(word) for word in series.to_list()]
        if None not in found:
            return Cells(np.array(found, dtype=np.int8), np.ones(len(found), dtype=np.bool_))
    given = _mask(series.is_not_null())
    words = series.str.to_lowercase() if column.name == "option_type" else series
    codes = words.replace_strict(column.choices, default=None, return_dtype=pl.Int8)
    bad = given & _mask(codes.is_null())
    problems.add_rows(bad, column.name, _wording(series, column, column.choice_words))
    values = codes.fill_null(0).to_numpy(writable=True)
    values[bad] = _UNREAD_WORD
    return Cells(values, given)


def _numbers(series: pl.Series, column: Column, problems: Problems) -> Cells:
    given = _mask(series.is_not_null())
    numbers = series.cast(pl.Float64, strict=False)
    unread = given & _mask(numbers.is_null())
    problems.add_rows(unread, column.name, _wording(series, column, "a number"))
    values = numbers.fill_null(np.nan).to_numpy(writable=True)
    infinite = given & ~unread & ~np.isfinite(values)
    problems.add_rows(infinite, column.name, _wording(series, column, "a finite number"))
    values[infinite] = np.nan
    values += 0.0  # -0.0 becomes 0.0: equal numbers must have equal bits in the input hash
    return Cells(values, given)


def _wholes(series: pl.Series, column: Column, problems: Problems) -> Cells:
    given = _mask(series.is_not_null())
    whole = _WHOLE_TYPES[column.kind]
    numbers = _whole_or_null(series, whole)
    unread = given & _mask(numbers.is_null())
    if unread.any() and series.dtype == pl.String:
        # Text such as 12.0 or 1e6: a whole number written as a decimal one.
        rest = _whole_or_null(series.cast(pl.Float64, strict=False), whole)
        numbers = numbers.fill_null(rest)
        unread = given & _mask(numbers.is_null())
    low = "a whole number from 0 to 2^64-1" if column.kind is Kind.NATURAL else "a whole number"
    problems.add_rows(unread, column.name, _wording(series, column, low))
    return Cells(numbers.fill_null(_placeholder(column)).to_numpy(), given)


def whole_text(decimals: pl.Series) -> pl.Series:
    """All digits, which a float would not hold; of whole numbers without a point."""
    return decimals.cast(pl.String).str.replace(r"\.0*$", "")


def _whole_or_null(series: pl.Series, whole: type[pl.DataType]) -> pl.Series:
    """Whole numbers of the wanted type; null for anything else."""
    if series.dtype.is_decimal():
        series = whole_text(series)
    if series.dtype.is_float():
        numbers = series.cast(pl.Float64)
        is_whole = (numbers == numbers.floor()) & (numbers.abs() <= _EXACT_WHOLE_MAX)
        series = numbers.set(~is_whole.fill_null(value=False), None)
    return series.cast(whole, strict=False)
