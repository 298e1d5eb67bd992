# SPDX-License-Identifier: Apache-2.0
"""What is priced and looks like a mistake all the same, word for word."""

from __future__ import annotations

from typing import Any

import polars as pl
from small_books import checked, plain_book, plain_row


def test_percent_is_warned_of_and_accepted() -> None:
    table = pl.DataFrame([plain_row(rate=5.0, volatility=20.0, dividend_yield=2.0)])

    warnings = [str(problem) for problem in checked(table).warnings]

    assert warnings == [
        "row 1 (A1): rate=5.0 looks like percent; write 0.05",
        "row 1 (A1): dividend_yield=2.0 looks like percent; write 0.02",
        "row 1 (A1): volatility=20.0 looks like percent; write 0.2",
    ]


def test_known_fixings_far_from_the_spot_are_warned_of_and_accepted() -> None:
    geometric = {"average_type": "geometric", "past_fixings_count": 6}
    ends: list[dict[str, Any]] = [
        {"past_fixings_count": 6, "past_fixings_sum": 101.0},  # the mean in place of the sum
        {"past_fixings_count": 6, "past_fixings_sum": 6 * 401.0},
        {"past_fixings_count": 6, "past_fixings_sum": 6 * 26.0},
        {"past_fixings_count": 6, "past_fixings_sum": 6 * 399.0},
        {**geometric, "past_fixings_log_sum": 4.6},
        {**geometric, "past_fixings_log_sum": 6 * 4.6},
    ]
    names = dict.fromkeys(name for row in ends for name in row)
    rows = [
        plain_row(id=f"A{i}", first_fixing=0.01, **{**dict.fromkeys(names), **row})
        for i, row in enumerate(ends)
    ]

    warnings = [str(problem) for problem in checked(pl.DataFrame(rows)).warnings]

    far = "far from the spot 100.0; give the sum of all 6"
    assert warnings == [
        "row 1 (A0): past_fixings_sum=101.0 of 6 known fixings makes their mean 16.8333, "
        f"{far} prices",
        "row 2 (A1): past_fixings_sum=2406.0 of 6 known fixings makes their mean 401, "
        f"{far} prices",
        "row 5 (A4): past_fixings_log_sum=4.6 of 6 known fixings makes their mean 2.15258, "
        f"{far} logarithms",
    ]


def test_a_grid_that_is_stretched_is_warned_of_in_one_line() -> None:
    known = {"past_fixings_count": 6, "past_fixings_sum": 600.0, "expiry": 0.375, "fixings": 6}
    rows = [
        plain_row(id="new"),
        plain_row(id="A", **known),
        plain_row(id="told", **known, first_fixing=0.02),
        plain_row(id="now", **{**known, "fixing_grid": "include_start"}),
        plain_row(id="last", **{**known, "fixings": 1}),
    ]
    names = dict.fromkeys(name for row in rows for name in row)
    table = pl.DataFrame([{name: row.get(name) for name in names} for row in rows])
    state = "under way (past_fixings_count > 0) with fixing_grid='exclude_start'"
    taken = (
        "its next fixing is taken to be last_fixing/fixings = 0.0625 years from now, as just after "
        "a fixing; if it is not, give first_fixing or fixing_times"
    )

    def said(table: pl.DataFrame, **defaults: Any) -> list[str]:
        return [str(problem) for problem in checked(table, **defaults).warnings]

    assert said(table) == [f"row 2 (A): {state}: {taken}"]
    many = plain_book(5000, **known).with_columns(spot=pl.lit(100.0))
    assert said(many) == [f"5000 rows are {state}, row 1 (A1) the first: {taken}"]
    without = many.drop("fixing_grid")
    assert said(without, fixing_grid="exclude_start") == said(many)
    assert said(without, fixing_grid="include_start") == []
