# SPDX-License-Identifier: Apache-2.0
"""What a row must satisfy apart from its fixing times: ranges, required cells, contradictions.

Each rule looks at whole columns. NaN (not given, or already reported) passes every comparison.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from makespan.pricing.book.draft import Draft
from makespan.pricing.book.heston import check_heston
from makespan.pricing.book.past import check_past
from makespan.pricing.book.problems import number_text, shown
from makespan.pricing.columns.book import INPUT_COLUMNS
from makespan.pricing.columns.column import Column

_REQUIRED = ("option_type", "spot", "rate", "volatility", "expiry")
_IN_PLACE_OF = {
    "spot": ("forward_curve", "basket"),
    "rate": ("rate_curve",),
    "volatility": ("volatility_curve", "volatility_surface", "heston_v0", "basket"),
}
_DRIFT_TOLERANCE = 1e-9
"""Relative: rate - dividend_yield written with 10 digits must not contradict a rounded drift."""


def check_values(draft: Draft) -> None:
    """Applies every rule of this file to the whole book."""
    for name in _REQUIRED:
        _require(draft, name)
    for column in INPUT_COLUMNS:
        if column.bound is not None:
            _check_bound(draft, column)
        if column.percent_above is not None:
            _warn_percent(draft, column)
    check_heston(draft)
    _check_strike(draft)
    _check_drift(draft)
    check_past(draft)
    _check_accuracy(draft)


def _require(draft: Draft, name: str) -> None:
    needed = np.ones(draft.rows, dtype=np.bool_)
    for other in _IN_PLACE_OF.get(name, ()):
        needed &= ~draft.given(other)
    whole = f"column '{name}' is missing; every option needs one"
    draft.require(needed, name, _said(f"{name} is missing"), whole)


def _check_bound(draft: Draft, column: Column) -> None:
    bound, values = column.bound, draft.values(column.name)
    if bound is None:
        return
    outside = np.zeros(draft.rows, dtype=np.bool_)
    if bound.low is not None:
        outside |= (values < bound.low) if bound.low_allowed else (values <= bound.low)
    if bound.high is not None:
        outside |= values > bound.high
    if column.name == "past_fixings_sum":  # the value of a basket may be negative
        outside &= ~draft.given("basket")

    def text(row: int) -> str:
        return f"{column.name} must be {bound.text()}, got {shown(values[row].item())}"

    draft.problems.add_rows(outside & draft.given(column.name), column.name, text)


def _warn_percent(draft: Draft, column: Column) -> None:
    values = draft.values(column.name)

    def text(row: int) -> str:
        value = float(values[row])
        share = number_text(value / 100)
        return f"{column.name}={number_text(value)} looks like percent; write {share}"

    large = draft.given(column.name) & (np.abs(values) > column.percent_above)
    draft.warnings.add_rows(large, column.name, text)


def _check_strike(draft: Draft) -> None:
    on_strike = draft.means("averaging", "strike")
    on_price = draft.means("averaging", "price")
    whole = "column 'strike' is missing; every option with averaging='price' needs one"
    draft.require(on_price, "strike", _said("strike is missing"), whole)
    draft.problems.add_rows(
        on_strike & draft.given("strike"),
        "strike",
        _said("strike is not used for averaging='strike'; use strike_multiplier"),
    )
    draft.problems.add_rows(
        on_price & draft.given("strike_multiplier") & (draft.values("strike_multiplier") != 1),
        "strike_multiplier",
        _said("strike_multiplier is not used for averaging='price'; leave it empty"),
    )


def _check_drift(draft: Draft) -> None:
    drift, rate = draft.values("drift"), draft.values("rate")
    dividend_yield = draft.values("dividend_yield")
    implied = rate - dividend_yield
    scale = np.maximum(np.abs(drift), np.maximum(np.abs(rate), np.abs(dividend_yield)))
    both = draft.given("drift") & draft.given("dividend_yield") & draft.given("rate")

    def text(row: int) -> str:
        ours, theirs = number_text(float(drift[row])), number_text(float(implied[row]))
        return f"drift ({ours}) contradicts rate - dividend_yield ({theirs}); give one"

    contradicts = both & (np.abs(drift - implied) > _DRIFT_TOLERANCE * scale)
    draft.problems.add_rows(contradicts, "drift", text)


def _said(text: str) -> Callable[[int], str]:
    """The same words for every row."""
    return lambda _: text


def _check_accuracy(draft: Draft) -> None:
    both = draft.given("paths") & draft.given("std_error")
    draft.problems.add_rows(both, "paths", _said("give paths or std_error, not both"))
