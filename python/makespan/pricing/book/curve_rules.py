# SPDX-License-Identifier: Apache-2.0
"""Rows that name curves: the names are there, of a kind that fits, and long enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.book.cells import Cells
from makespan.pricing.book.curve import Curve, Curves
from makespan.pricing.book.draft import Draft
from makespan.pricing.book.names import unknown_name
from makespan.pricing.book.problems import Mask, number_text
from makespan.pricing.columns.curves import KINDS_OF_COLUMN

Numbers = NDArray[np.int32]

ENGINE_COLUMN = {
    "zero_rate": {"rate_curve": "rate_curve", "dividend_yield_curve": "yield_curve"},
    "forward_rate": {"rate_curve": "rate_curve", "dividend_yield_curve": "yield_curve"},
    "forward_price": {"forward_curve": "forward_curve"},
    "volatility": {"volatility_curve": "volatility_curve"},
    "forward_volatility": {"volatility_curve": "volatility_curve"},
    "cash_dividend": {"dividends": "cash_dividends"},
    "proportional_dividend": {"dividends": "proportional_dividends"},
}
"""Where the engine wants the number of a curve of a kind that a column names."""
NUMBER_COLUMNS = (
    "rate_curve",
    "yield_curve",
    "forward_curve",
    "volatility_curve",
    "proportional_dividends",
    "cash_dividends",
)

_EXCLUDE = (
    ("rate_curve", "rate"),
    ("dividend_yield_curve", "dividend_yield"),
    ("dividend_yield_curve", "drift"),
    ("volatility_curve", "volatility"),
    ("forward_curve", "dividend_yield"),
    ("forward_curve", "dividend_yield_curve"),
    ("forward_curve", "drift"),
    ("forward_curve", "dividends"),
)
_SPOT_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class NamedCurves:
    """The number of the curve that each row has in each of `NUMBER_COLUMNS`; -1 for none."""

    curves: Curves
    numbers: Mapping[str, Numbers]

    def used(self, column: str) -> Mask:
        """Rows that have one."""
        return self.numbers[column] >= 0


def named_curves(draft: Draft, curves: Curves) -> NamedCurves:
    """Looks up all names, and takes spots from forward curves; problems go to the draft's."""
    numbers = {name: np.full(draft.rows, -1, dtype=np.int32) for name in NUMBER_COLUMNS}
    for column in KINDS_OF_COLUMN:
        _look_up(draft, column, curves, numbers)
    named = NamedCurves(curves, numbers)
    for curve, other in _EXCLUDE:
        draft.problems.refuse_beside(draft.given(curve) & draft.given(other), other, curve)
    _take_spots(draft, named)
    _check_lengths(draft, named)
    _check_cash(draft, named)
    return named


def _look_up(draft: Draft, column: str, curves: Curves, numbers: Mapping[str, Numbers]) -> None:
    names, given = draft.values(column), draft.given(column)
    if not given.any():
        return
    places = np.flatnonzero(given)
    unique, which = np.unique(names[given].astype(str), return_inverse=True)
    by_name = np.split(places[np.argsort(which, kind="stable")], np.cumsum(np.bincount(which))[:-1])
    for name, rows in zip(unique.tolist(), by_name, strict=True):
        found = curves.named(name)
        problem = name_problem(column, name, found, curves)
        if problem is not None:
            for row in rows.tolist():
                draft.problems.add_row(row, column, problem)
            continue
        for kind, number in found.items():
            numbers[ENGINE_COLUMN[kind][column]][rows] = number


def name_problem(column: str, name: str, found: Mapping[str, int], curves: Curves) -> str | None:
    """What is wrong with a name in a column; None: nothing. `found`: its curves, by kind."""
    if not found:
        return unknown_name(column, name, "curves", curves.source, curves.names)
    kinds = KINDS_OF_COLUMN[column]
    wrong = [kind for kind in found if kind not in kinds]
    if wrong:
        return f"{column} '{name}' is of kind {wrong[0]}; it must be {' or '.join(kinds)}"
    return None


def _take_spots(draft: Draft, named: NamedCurves) -> None:
    """The first forward is the spot: a row may leave it out, and may not say another."""
    rows = named.used("forward_curve")
    if not rows.any():
        return
    first = np.array([one.value[0] for one in named.curves.curves])
    forward = np.where(rows, first[named.numbers["forward_curve"]], np.nan)
    cells = draft.cells["spot"]
    given = cells.given & rows
    for row in np.flatnonzero(given).tolist():
        problem = spot_problem(float(cells.values[row]), float(forward[row]))
        if problem is not None:
            draft.problems.add_row(row, "spot", problem)
    draft.cells["spot"] = Cells(np.where(rows, forward, cells.values), cells.given | rows)


def spot_problem(spot: float, first: float) -> str | None:
    """What is wrong with a spot that is given beside the first forward; None: nothing."""
    if abs(spot - first) <= _SPOT_TOLERANCE * first:
        return None
    ours, theirs = number_text(spot), number_text(first)
    return f"spot ({ours}) contradicts the first forward ({theirs}); give one"


def _check_lengths(draft: Draft, named: NamedCurves) -> None:
    expiry = draft.values("expiry")
    payment = expiry + draft.filled("payment_lag", 0.0)
    for column, book_column, end, what in (
        ("rate_curve", "rate_curve", payment, "payment"),
        ("yield_curve", "dividend_yield_curve", expiry, "expiry"),
        ("forward_curve", "forward_curve", expiry, "expiry"),
        ("volatility_curve", "volatility_curve", expiry, "expiry"),
    ):
        rows = named.used(column)
        if not rows.any():
            continue
        lasts = np.array([one.last for one in named.curves.curves])
        last = np.where(rows, lasts[named.numbers[column]], np.inf)

        def text(row: int, end=end, last=last, what=what, name=book_column) -> str:  # type: ignore[no-untyped-def]
            late, curve_end = number_text(float(end[row])), number_text(float(last[row]))
            return f"{what} {late} is after the end of {name}, {curve_end}; add a point"

        draft.problems.add_rows(end > last, book_column, text)


def _check_cash(draft: Draft, named: NamedCurves) -> None:
    rows = named.used("cash_dividends")
    geometric = rows & draft.means("average_type", "geometric")
    text = "cash dividends cannot be used for average_type='geometric'; give them as proportional"
    draft.problems.add_rows(geometric, "dividends", lambda _: text)
    looks_at_expiry = draft.means("averaging", "strike")
    last_looks = np.where(looks_at_expiry, draft.values("expiry"), _last_fixings(draft))
    for row in np.flatnonzero(rows & ~draft.problems.bad).tolist():
        worth = _present_value(draft, named, row, last_looks[row])
        spot = float(draft.values("spot")[row])
        if worth >= spot:
            last = "expiry" if looks_at_expiry[row] else "the last fixing"
            said = f"dividends up to {last} are worth {number_text(worth)} now"
            text_of_row = f"{said}, not less than the spot {number_text(spot)}"
            draft.problems.add_row(row, "dividends", text_of_row)


def _last_fixings(draft: Draft) -> NDArray[np.float64]:
    """By row [years]."""
    last = draft.filled("last_fixing", draft.values("expiry"))
    listed = draft.times.given
    last[listed] = draft.times.values[draft.times.offsets[1:][listed] - 1]
    return last


def _present_value(draft: Draft, named: NamedCurves, row: int, last_look: float) -> float:
    """Of a row's cash dividends up to the last price that counts, near enough for a check."""

    def curve(column: str) -> Curve | None:
        number = named.numbers[column][row]
        return None if number < 0 else named.curves.curves[number]

    cash = curve("cash_dividends")
    if cash is None:
        return 0.0
    due = cash.time <= last_look
    time, amount = cash.time[due], cash.value[due]
    growth = np.zeros(len(time))
    if draft.given("drift")[row]:
        growth = draft.values("drift")[row] * time
    else:
        for column, name, sign in (
            ("rate_curve", "rate", 1.0),
            ("yield_curve", "dividend_yield", -1.0),
        ):
            term = curve(column)
            constant = float(draft.filled(name, 0.0)[row])
            growth = growth + sign * (constant * time if term is None else term.total(time))
    return float(np.sum(amount * np.exp(-growth)))
