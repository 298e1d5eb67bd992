# SPDX-License-Identifier: Apache-2.0
"""Year fractions against values counted by hand."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from makespan.base.errors import InputError

import makespan

DATES = np.array(["2026-01-01", "2027-01-31"], dtype="datetime64[D]")


@pytest.mark.parametrize(
    ("start", "end", "day_count", "years"),
    [
        ("2026-01-01", "2027-01-01", "ACT/365F", 365 / 365),
        ("2024-01-01", "2025-01-01", "ACT/365F", 366 / 365),
        ("2026-01-01", "2026-07-01", "ACT/360", 181 / 360),
        ("2026-01-31", "2026-02-28", "30E/360", 28 / 360),
        ("2026-01-30", "2026-03-31", "30E/360", 60 / 360),
        ("2026-06-15", "2026-03-15", "30E/360", -90 / 360),
    ],
)
def test_year_fractions_are_those_counted_by_hand(
    start: str, end: str, day_count: str, years: float
) -> None:
    found = makespan.year_fraction([end], day_count, start=start)

    assert found.tolist() == [years]


@pytest.mark.parametrize(
    "dates",
    [
        ["2026-12-31", "2027-12-31"],
        [date(2026, 12, 31), date(2027, 12, 31)],
        np.array(["2026-12-31", "2027-12-31"], dtype="datetime64[s]"),
        pl.Series([date(2026, 12, 31), date(2027, 12, 31)]),
    ],
    ids=["text", "date", "datetime64", "polars"],
)
def test_dates_come_in_many_kinds(dates: Any) -> None:
    assert makespan.year_fraction(dates, start=date(2025, 12, 31)).tolist() == [1.0, 2.0]


NEW_YORK = ZoneInfo("America/New_York")


@pytest.mark.parametrize(
    "dates",
    [
        [datetime(2025, 3, 1, 22, tzinfo=NEW_YORK)],
        pd.Series([pd.Timestamp("2025-03-01 22:00", tz="America/New_York")]),
        pd.DatetimeIndex(["2025-03-01 22:00"], tz="America/New_York"),
        pl.Series([datetime(2025, 3, 1, 22)]).dt.replace_time_zone("America/New_York"),
        pd.Series([pd.Timestamp("2025-03-01 03:00", tz="Asia/Tokyo")]),
        pa.array([datetime(2025, 3, 1, 22, tzinfo=NEW_YORK)]),
        pa.chunked_array([[datetime(2025, 3, 1, 22, tzinfo=NEW_YORK)]]),
    ],
    ids=["datetime", "pandas", "index", "polars", "east of Greenwich", "arrow", "chunks"],
)
def test_the_day_is_that_of_the_zone(dates: Any) -> None:
    start = datetime(2025, 2, 28, 23, tzinfo=NEW_YORK)

    assert makespan.year_fraction(dates, start=start).tolist() == [1 / 365]


@pytest.mark.parametrize(
    ("dates", "day_count", "text"),
    [
        (["2026-01-01"], "ACT/ACT", "day_count must be one of ACT/365F, ACT/360, 30E/360"),
        (["soon"], "ACT/365F", "not a date"),
        ([None], "ACT/365F", "a date is missing"),
        (np.ma.masked_array(DATES, mask=[False, True]), "ACT/365F", "a date is masked; give one"),
        ([20270131], "ACT/365F", "not a date .of type int64.; write dates as 2026-01-31"),
        ([date(2026, 1, 1), 20270131], "ACT/365F", "not a date .of type int.; write"),
        ([True], "ACT/365F", "not a date .of type bool"),
        (DATES - DATES[0], "ACT/365F", "not a date .of type timedelta64"),
        (["2025-03-01T22:00-05:00"], "ACT/365F", "'2025-03-01T22:00-05:00' is of a time zone"),
        (np.array(["2025-03-01T22:00Z"]), "ACT/365F", "is of a time zone"),
        (np.array([b"2025-03-01T22:00-0500"]), "ACT/365F", "is of a time zone"),
        (["2025-03-01T22-05"], "ACT/365F", "is of a time zone"),
        (["20270131"], "ACT/365F", "not a date of the years 1 to 9999 .20270131-01-01.; write"),
        (["2026-01-01"], ["x"], "day_count must be one of .*; got \\['x'\\]"),
    ],
)
def test_what_is_no_date_is_refused(dates: Any, day_count: Any, text: str) -> None:
    with pytest.raises(InputError, match=text):
        makespan.year_fraction(dates, day_count, start="2026-01-01")


@pytest.mark.parametrize("start", [20260101, np.ma.masked, np.timedelta64(5, "D")])
def test_the_first_day_is_a_date_too(start: Any) -> None:
    with pytest.raises(InputError, match="a date"):
        makespan.year_fraction(["2026-01-01"], start=start)


def test_no_dates_have_no_years() -> None:
    assert makespan.year_fraction([], start="2026-01-01").tolist() == []


def test_each_date_can_have_its_first_day() -> None:
    grid = np.array([["2027-01-01", "2028-01-01"]] * 2)
    first = np.array([["2026-01-01", "2027-01-01"]] * 2)

    assert makespan.year_fraction(grid, start=first).tolist() == [[1.0, 1.0]] * 2
    assert makespan.year_fraction(grid, start=["2026-01-01"]).shape == (2, 2)

    of_rows = [["2026-01-01"], ["2027-01-01"]]
    assert makespan.year_fraction(grid, start=of_rows).tolist() == [[1.0, 2.0], [0.0, 1.0]]
    assert makespan.year_fraction("2027-01-01", start=["2026-01-01", "2027-01-01"]).shape == (2,)


def test_other_counts_of_first_days_are_refused() -> None:
    with pytest.raises(InputError, match=r"start has the shape \(2,\) .*; give one date, or one"):
        makespan.year_fraction(["2027-01-01"] * 3, start=["2026-01-01", "2026-01-02"])
