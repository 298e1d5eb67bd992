# SPDX-License-Identifier: Apache-2.0
"""Explicit fixing times: a list in each row, or text such as 0.25;0.5;1 in CSV."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from makespan.pricing.book.cells import text_or_number, wrong_type
from makespan.pricing.book.problems import Mask, Problems, number_text, shown
from makespan.pricing.columns.book import COLUMNS_BY_NAME, FIXINGS_MAX

_TIMES = COLUMNS_BY_NAME["fixing_times"]


@dataclass(frozen=True, slots=True)
class FixingTimes:
    """Times of all rows end to end [years]; those of row i are values[offsets[i]:offsets[i+1]]."""

    values: NDArray[np.float64]
    offsets: NDArray[np.int64]

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many times each row lists; 0 where it lists none."""
        return np.diff(self.offsets)

    @property
    def given(self) -> Mask:
        """Rows that list at least one time."""
        return np.asarray(self.counts > 0)


def no_times(rows: int) -> FixingTimes:
    """What a book without explicit times has."""
    return FixingTimes(np.zeros(0), np.zeros(rows + 1, dtype=np.int64))


def read_times(series: pl.Series, problems: Problems) -> FixingTimes:
    """The lists of one column; entries that are no finite number are reported and become NaN."""
    lists = _as_lists(series)
    if lists is None:
        if series.dtype != pl.Null:
            wrong_type(_TIMES, series.dtype, problems)
        return no_times(len(series))
    counts = lists.list.len().fill_null(0).to_numpy().astype(np.int64)
    offsets = np.concatenate(([0], np.cumsum(counts)))
    entries = lists.filter(pl.Series(counts > 0)).explode()
    numbers = text_or_number(entries).cast(pl.Float64, strict=False).fill_null(np.nan)
    values = numbers.to_numpy(writable=True) + 0.0
    times = FixingTimes(values, offsets)
    _check_entries(times, entries, problems)
    _check_counts(times, problems)
    return times


def _as_lists(series: pl.Series) -> pl.Series | None:
    """One list per row; None when the column's type has no such meaning."""
    if isinstance(series.dtype, pl.Array):
        series = series.arr.to_list()
    if isinstance(series.dtype, pl.List):
        inner = series.dtype.inner
        return series if inner == pl.String or inner.is_numeric() or inner == pl.Null else None
    series = text_or_number(series)
    if series.dtype == pl.String:
        return series.str.strip_chars().str.split(";")
    if series.dtype.is_numeric():
        single = series.cast(pl.Float64).reshape((-1, 1)).arr.to_list()
        return single.set(series.is_null(), None)
    return None


def _check_entries(times: FixingTimes, entries: pl.Series, problems: Problems) -> None:
    places = np.flatnonzero(~np.isfinite(times.values))
    times.values[places] = np.nan
    rows = np.searchsorted(times.offsets, places, side="right") - 1
    for place, row in zip(places.tolist(), rows.tolist(), strict=True):
        text = f"fixing_times must be finite numbers, got {shown(entries[place])}"
        problems.add_row(row, "fixing_times", text)


def _check_counts(times: FixingTimes, problems: Problems) -> None:
    def text(row: int) -> str:
        return f"fixing_times lists {times.counts[row]} times; at most {FIXINGS_MAX} are allowed"

    problems.add_rows(times.counts > FIXINGS_MAX, "fixing_times", text)


def check_order(times: FixingTimes, expiry: NDArray[np.float64], problems: Problems) -> None:
    """Times must increase strictly, from 0 at the earliest to expiry at the latest."""
    values, offsets = times.values, times.offsets
    if not values.size:
        return
    steps = np.diff(values)
    same_row = np.ones(values.size - 1, dtype=np.bool_)
    starts = offsets[1:-1]
    same_row[starts[(starts > 0) & (starts < values.size)] - 1] = False
    for place in np.flatnonzero((steps <= 0) & same_row).tolist():
        first, second = map(number_text, (float(values[place]), float(values[place + 1])))
        text = f"fixing_times must increase: {second} comes after {first}"
        if steps[place] == 0:
            text = f"duplicate fixing time {first}"
        row = int(np.searchsorted(offsets, place, side="right")) - 1
        problems.add_row(row, "fixing_times", text)
    _check_range(times, expiry, problems)


def _check_range(times: FixingTimes, expiry: NDArray[np.float64], problems: Problems) -> None:
    given = times.given
    first = np.full(len(given), np.nan)
    last = np.full(len(given), np.nan)
    first[given] = times.values[times.offsets[:-1][given]]
    last[given] = times.values[times.offsets[1:][given] - 1]

    def too_early(row: int) -> str:
        early = number_text(float(first[row]))
        return f"fixing time {early} is before 0; known fixings go into past_fixings_count and sum"

    def too_late(row: int) -> str:
        late, end = number_text(float(last[row])), number_text(float(expiry[row]))
        return f"fixing time {late} is after expiry {end}"

    problems.add_rows(first < 0, "fixing_times", too_early)
    problems.add_rows(last > expiry, "fixing_times", too_late)
