# SPDX-License-Identifier: Apache-2.0
"""When the future fixings are: listed, or equally spaced. The grid is never guessed.

Averaging S(0) or not moves the price by 8 % for 12 fixings, so a row must say `fixing_grid`, or
`first_fixing`, or list its times, or the run must set a default.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from makespan.base.setting_names import called
from makespan.pricing.book.draft import Draft
from makespan.pricing.book.problems import Mask, id_text, number_text
from makespan.pricing.book.times import check_order
from makespan.pricing.columns.book import COLUMNS_BY_NAME, FIXINGS_MAX, TIME_MIN

GRID_MISSING = (
    "fixing_grid missing: 'include_start' averages S(0) too (t_i=T*i/(N-1)); 'exclude_start' does "
    "not (t_i=T*i/N). These differ by 8 % for N=12"
)
_GRIDS = COLUMNS_BY_NAME["fixing_grid"].choices


@dataclass(frozen=True, slots=True)
class Schedule:
    """Future fixings of each row: how many, and first and last time [years] where not listed."""

    count: NDArray[np.int64]
    first: NDArray[np.float64]
    last: NDArray[np.float64]


def schedule_of(draft: Draft, run_grid: str | None) -> Schedule:
    """Fixing times of every row; rows whose times are unclear get problems."""
    check_order(draft.times, draft.values("expiry"), draft.problems)
    listed = draft.times.given
    count = np.where(listed, draft.times.counts, draft.filled("fixings", 0))
    _check_listed(draft, listed)
    _check_count(draft, listed, count)
    _check_expiry(draft, count)
    spaced = _Spaced(draft, ~listed & (count > 0), count, run_grid)
    spaced.check()
    spaced.warn_under_way()
    first = np.where(spaced.rows, spaced.first, 0.0)
    return Schedule(count, first, np.where(spaced.rows, spaced.last, 0.0))


def _said(text: str) -> Callable[[int], str]:
    """The same words for every row."""
    return lambda _: text


def _check_listed(draft: Draft, listed: Mask) -> None:
    for name in ("fixings", "first_fixing", "last_fixing"):
        text = f"{name} cannot stand beside fixing_times; leave it empty"
        draft.problems.add_rows(listed & draft.given(name), name, _said(text))
    grid = draft.chosen("fixing_grid", "exclude_start") | draft.chosen(
        "fixing_grid", "include_start"
    )
    text = "fixing_grid must be 'explicit' or empty beside fixing_times"
    draft.problems.add_rows(listed & grid, "fixing_grid", _said(text))


def _check_count(draft: Draft, listed: Mask, count: NDArray[np.int64]) -> None:
    explicit = draft.chosen("fixing_grid", "explicit")
    all_past = draft.given("fixings") & (count == 0)
    text = "fixing_grid='explicit' needs fixing_times"
    draft.problems.add_rows(explicit & ~listed & ~all_past, "fixing_times", _said(text))
    text = "fixings is missing; give fixings or fixing_times (fixings 0: every fixing is past)"
    needed = ~listed & ~explicit
    if "fixing_times" in draft.present:
        draft.problems.add_rows(needed & ~draft.given("fixings"), "fixings", _said(text))
    else:
        whole = "column 'fixings' is missing; every option needs fixings or fixing_times"
        draft.require(needed, "fixings", _said(text), whole)

    def outside(row: int) -> str:
        hint = " (0 only when past_fixings_count > 0)" if count[row] == 0 else ""
        return f"fixings must be 1..1 000 000, got {count[row]}{hint}"

    low = np.where(draft.filled("past_fixings_count", 0) > 0, 0, 1)
    wrong = draft.given("fixings") & ((count < low) | (count > FIXINGS_MAX))
    draft.problems.add_rows(wrong & ~listed, "fixings", outside)


def _check_expiry(draft: Draft, count: NDArray[np.int64]) -> None:
    """Above 0 unless no fixing is left, or only one that is said to be now."""
    now = draft.given("expiry") & (draft.values("expiry") == 0) & (count > 0)
    # A listed one is at 0 or has its own problem, that it is after expiry.
    said = draft.times.given | (draft.given("first_fixing") & (draft.values("first_fixing") == 0))

    def text(row: int) -> str:
        or_now = ", or the only one left is now: fixing_times 0" if count[row] == 1 else ""
        return f"expiry must be > 0, got 0.0 (0 is allowed when every fixing is past{or_now})"

    draft.problems.add_rows(now & ~(said & (count == 1)), "expiry", text)


class _Spaced:
    """Rows whose future fixings are equally spaced from `first` to `last` [years]."""

    def __init__(
        self, draft: Draft, rows: Mask, count: NDArray[np.int64], run_grid: str | None
    ) -> None:
        self.draft = draft
        self.rows = rows
        self.count = count
        self.run_grid = run_grid
        self.own_first = rows & draft.given("first_fixing")
        self.grid = draft.filled("fixing_grid", -1 if run_grid is None else _GRIDS[run_grid])
        self.expiry = draft.values("expiry")
        self.last = np.where(draft.given("last_fixing"), draft.values("last_fixing"), self.expiry)
        by_grid = np.where(
            self.grid == _GRIDS["include_start"], 0.0, self.last / np.maximum(count, 1)
        )
        self.first = np.where(draft.given("first_fixing"), draft.values("first_fixing"), by_grid)

    def check(self) -> None:
        """Reports rows without a grid, with times out of order, or with a contradiction."""
        self._check_grid_given()
        self._check_grid_fits()
        self._check_order()

    def warn_under_way(self) -> None:
        """Rows whose next fixing is taken to be a whole interval away: one line for all of them."""
        draft = self.draft
        under_way = draft.filled("past_fixings_count", 0) > 0
        assumed = self.rows & ~self.own_first & (self.grid == _GRIDS["exclude_start"])
        several = self.count > 1  # a single one is at last_fixing, whatever the interval
        rows = np.flatnonzero(under_way & assumed & several & ~draft.problems.bad)
        if not len(rows):
            return
        first = int(rows[0])
        away = f"{float(self.first[first]):.6g}"
        state = "under way (past_fixings_count > 0) with fixing_grid='exclude_start'"
        taken = (
            f"its next fixing is taken to be last_fixing/fixings = {away} years from now, as just "
            "after a fixing; if it is not, give first_fixing or fixing_times"
        )
        if len(rows) == 1:
            draft.warnings.add_row(first, "fixing_grid", f"{state}: {taken}")
            return
        named = f" ({id_text(draft.ids[first])})" if "id" in draft.present else ""
        text = f"{len(rows)} rows are {state}, row {first + 1}{named} the first: {taken}"
        draft.warnings.add_file(text, "fixing_grid")

    def _check_grid_given(self) -> None:
        if self.run_grid is None:
            needed = self.rows & ~self.own_first
            whole = f"{GRID_MISSING}; add the column or give {called('fixing_grid')}"
            self.draft.require(needed, "fixing_grid", _said(GRID_MISSING), whole)

    def _check_grid_fits(self) -> None:
        """A row's own grid against its first_fixing, and any grid against the number."""
        chosen, add = self.draft.chosen, self.draft.problems.add_rows

        def included(row: int) -> str:
            start = number_text(float(self.first[row]))
            return f"fixing_grid='include_start' contradicts first_fixing {start}; leave one empty"

        exclude = self.own_first & chosen("fixing_grid", "exclude_start") & (self.first == 0)
        text = "fixing_grid='exclude_start' contradicts first_fixing 0.0; use 'include_start'"
        add(exclude, "fixing_grid", _said(text))
        include = self.own_first & chosen("fixing_grid", "include_start") & (self.first > 0)
        add(include, "fixing_grid", included)
        single = self.rows & ~self.own_first & (self.grid == _GRIDS["include_start"])
        text = "fixing_grid='include_start' needs fixings >= 2, got 1"
        add(single & (self.count == 1), "fixings", _said(text))

    def _check_order(self) -> None:
        """0 <= first <= last <= expiry, and no two fixings at one time."""
        add, first, last, count = self.draft.problems.add_rows, self.first, self.last, self.count

        def late(row: int) -> str:
            return f"last_fixing {_text(last, row)} is after expiry {_text(self.expiry, row)}"

        def backwards(row: int) -> str:
            return f"first_fixing {_text(first, row)} is after last_fixing {_text(last, row)}"

        def apart(row: int) -> str:
            times = f"first_fixing {_text(first, row)} is not last_fixing {_text(last, row)}"
            return f"fixings is 1, but {times}; make them equal"

        def together(row: int) -> str:
            if first[row] == last[row]:
                return f"{count[row]} fixings, but first and last are both at {_text(first, row)}"
            ends = f"first_fixing {_text(first, row)} and last_fixing {_text(last, row)}"
            return f"{count[row]} fixings between {ends} are closer than {TIME_MIN} years"

        add(self.draft.given("last_fixing") & (last > self.expiry), "last_fixing", late)
        add(self.own_first & (first > last), "first_fixing", backwards)
        add(self.own_first & (count == 1) & (first < last), "first_fixing", apart)
        gap = (last - first) / np.maximum(count - 1, 1)
        same = self.rows & (count > 1) & (first <= last) & (gap < TIME_MIN) & (self.expiry > 0)
        add(same, "last_fixing", together)


def _text(times: NDArray[np.float64], row: int) -> str:
    return number_text(float(times[row]))
