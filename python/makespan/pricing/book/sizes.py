# SPDX-License-Identifier: Apache-2.0
"""Numbers that a contract may hold in principle, and double precision cannot compute with.

A volatility of 1e-320 is surely an error; refusing it here gives a message instead of an underflow.
"""

from __future__ import annotations

import numpy as np

from makespan.pricing.book.draft import Draft
from makespan.pricing.book.problems import number_text
from makespan.pricing.columns.book import (
    GROWTH_MAX,
    INPUT_COLUMNS,
    LOG_DEVIATION_MAX,
    TIME_MIN,
)
from makespan.pricing.columns.column import Column, Kind


def check_sizes(draft: Draft) -> None:
    """Applies every rule of this file to the whole book."""
    for column in INPUT_COLUMNS:
        if column.kind is Kind.NUMBER:
            _check_size(draft, column)
    _check_times(draft)
    for name in ("rate", "drift", "dividend_yield"):
        _check_growth(draft, name)
    _check_deviation(draft)
    _check_past_logs(draft)


def _check_size(draft: Draft, column: Column) -> None:
    values = draft.values(column.name)
    size = np.abs(values)
    given = draft.given(column.name)

    def small(row: int) -> str:
        value, least = number_text(float(values[row])), number_text(column.smallest)
        return f"{column.name} {value} is too small to compute with; the least is {least}"

    def large(row: int) -> str:
        value, most = number_text(float(values[row])), number_text(column.largest)
        return f"{column.name} {value} is too large to compute with; the most is {most}"

    tiny = given & (size > 0) & (size < column.smallest)
    draft.problems.add_rows(tiny, column.name, small)
    draft.problems.add_rows(given & (size > column.largest), column.name, large)


def _check_times(draft: Draft) -> None:
    """A listed time is 0, or long enough after it."""
    times = draft.times
    for place in np.flatnonzero((times.values > 0) & (times.values < TIME_MIN)).tolist():
        row = int(np.searchsorted(times.offsets, place, side="right")) - 1
        value, least = number_text(float(times.values[place])), number_text(TIME_MIN)
        text = f"fixing time {value} is too small to compute with; the least is {least}"
        draft.problems.add_row(row, "fixing_times", text)


def _check_growth(draft: Draft, name: str) -> None:
    growth = draft.values(name) * draft.values("expiry")

    def text(row: int) -> str:
        shown = number_text(float(growth[row]))
        return f"{name} x expiry is {shown}, too large to compute with; the most is {GROWTH_MAX}"

    large = draft.given(name) & draft.given("expiry") & (np.abs(growth) > GROWTH_MAX)
    draft.problems.add_rows(large, name, text)


def _check_deviation(draft: Draft) -> None:
    expiry = np.maximum(draft.values("expiry"), 0.0)
    deviation = draft.values("volatility") * np.sqrt(expiry)

    def text(row: int) -> str:
        shown, most = number_text(float(deviation[row])), LOG_DEVIATION_MAX
        return (
            f"volatility x sqrt(expiry) is {shown}, too large to compute with; the most is {most}"
        )

    given = draft.given("volatility") & draft.given("expiry")
    draft.problems.add_rows(given & (deviation > LOG_DEVIATION_MAX), "volatility", text)


def _check_past_logs(draft: Draft) -> None:
    """The mean of known logarithms is that of a price."""
    count = np.maximum(draft.filled("past_fixings_count", 0), 1)
    mean = draft.values("past_fixings_log_sum") / count

    def text(row: int) -> str:
        shown = number_text(float(mean[row]))
        return f"past_fixings_log_sum / past_fixings_count is {shown}; the most is {GROWTH_MAX}"

    large = draft.given("past_fixings_log_sum") & (np.abs(mean) > GROWTH_MAX)
    draft.problems.add_rows(large, "past_fixings_log_sum", text)
