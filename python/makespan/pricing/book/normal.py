# SPDX-License-Identifier: Apache-2.0
"""From checked cells to the engine's columns: every default filled in, no cell missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.book.accuracy import Defaults, accuracy_columns
from makespan.pricing.book.curve_rules import NamedCurves
from makespan.pricing.book.draft import Draft
from makespan.pricing.book.fixings import Schedule
from makespan.pricing.book.heston import has_heston, heston_columns
from makespan.pricing.book.market_columns import POINT_COLUMNS
from makespan.pricing.book.surface_rules import STEPS_DEFAULT

EngineColumns = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Named:
    """What the rows refer to, by its number in the market."""

    curves: NamedCurves
    baskets: NDArray[np.int32]
    surfaces: NDArray[np.int32]
    """-1 for none."""


TIMES_COLUMNS = ("times_offset", "times")
"""With `POINT_COLUMNS` the only columns whose length is not the number of rows."""


def engine_columns(
    draft: Draft, schedule: Schedule, defaults: Defaults, named: Named
) -> EngineColumns:
    """All columns that `PricingRun` takes except option_key; rows with problems hold anything.

    Numbers of curves and baskets are those of `named`, whose points are not among the columns yet
    (`market_columns.with_market`).
    """
    curves = named.curves
    has_basket = named.baskets >= 0
    has_other = has_basket | (named.surfaces >= 0) | has_heston(draft)
    drift_given = draft.given("drift")
    rate = np.where(curves.used("rate_curve"), 0.0, draft.values("rate"))
    implied = rate - draft.filled("dividend_yield", 0.0)
    implied = np.where(curves.used("forward_curve"), 0.0, implied)
    on_strike = draft.means("averaging", "strike")
    columns: EngineColumns = {
        "option_type": draft.values("option_type"),
        "average_type": draft.values("average_type"),
        "averaging": draft.values("averaging"),
        "spot": draft.values("spot"),
        "strike": np.where(on_strike, np.nan, draft.values("strike")),
        "strike_multiplier": draft.filled("strike_multiplier", 1.0),
        "rate": rate,
        "drift": np.where(has_basket, 0.0, np.where(drift_given, draft.values("drift"), implied)),
        "drift_given": drift_given.astype(np.uint8),
        "volatility": np.where(
            curves.used("volatility_curve") | has_other,
            0.0,
            draft.values("volatility"),
        ),
        "expiry": draft.values("expiry"),
        "fixings": schedule.count,
        "first_fixing": schedule.first,
        "last_fixing": schedule.last,
        "times_offset": draft.times.offsets,
        "times": draft.times.values,
        "past_count": draft.filled("past_fixings_count", 0),
        "past_sum": draft.filled("past_fixings_sum", 0.0),
        "past_log_sum": draft.filled("past_fixings_log_sum", 0.0),
        "notional": draft.filled("notional", 1.0),
    }
    columns.update(accuracy_columns(draft, defaults))
    columns.update(heston_columns(draft))
    columns.update(curves.numbers)
    columns["basket"] = named.baskets
    columns["surface"] = named.surfaces
    if draft.given("steps_per_year").any():
        columns["steps_per_year"] = draft.filled("steps_per_year", STEPS_DEFAULT)
    columns["payment_lag"] = draft.filled("payment_lag", 0.0)
    return {name: np.ascontiguousarray(column) for name, column in columns.items()}


def rows_of(columns: EngineColumns, rows: NDArray[np.int64]) -> EngineColumns:
    """The same columns for some of the rows, in the order of `rows`."""
    whole = {name: columns[name] for name in POINT_COLUMNS if name in columns}
    apart = (*TIMES_COLUMNS, *whole)
    picked = {name: column[rows] for name, column in columns.items() if name not in apart}
    picked.update(whole)
    offsets, times = columns["times_offset"], columns["times"]
    counts = np.diff(offsets)[rows]
    new_offsets = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(counts)))
    places = np.arange(new_offsets[-1]) + np.repeat(offsets[rows] - new_offsets[:-1], counts)
    picked["times_offset"] = new_offsets
    picked["times"] = times[places]
    return picked
