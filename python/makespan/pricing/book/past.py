# SPDX-License-Identifier: Apache-2.0
"""What a row says of its known fixings: there if needed, of the right mean, and near the spot."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.book.draft import Draft
from makespan.pricing.book.problems import Mask, number_text

_SUMS = {"arithmetic": "past_fixings_sum", "geometric": "past_fixings_log_sum"}
_FAR = 4.0
"""A mean of known prices beyond the spot times or by this is likely no mean of such prices."""


def check_past(draft: Draft) -> None:
    """Applies every rule of this file to the whole book; NaN passes every comparison."""
    known = draft.given("past_fixings_count") & (draft.values("past_fixings_count") > 0)
    for kind in _SUMS:
        _check_given(draft, kind, known)
    _check_positive(draft, known)
    _warn_of_far(draft, known)


def _check_given(draft: Draft, kind: str, known: Mask) -> None:
    name, other = _SUMS[kind], next(word for word in _SUMS if word != kind)
    values = draft.values(name)
    filled_in = draft.given(name) & (values != 0) & ~np.isnan(values)
    lacking = known & draft.means("average_type", kind) & ~draft.given(name)
    wrong = known & draft.means("average_type", other) & filled_in
    add = draft.problems.add_rows
    add(lacking, name, lambda _: f"average_type='{kind}' needs {name}")
    text = f"{name} is used only for average_type='{kind}'; leave it empty"
    add(wrong, name, lambda _: text)
    alone = f"{name} is given but past_fixings_count is 0; give both or none"
    add(~known & filled_in, name, lambda _: alone)


def _check_positive(draft: Draft, known: Mask) -> None:
    """Known prices are above 0; the value of a basket need not be. Below 0 is out of bounds."""
    name = "past_fixings_sum"
    nothing = known & draft.given(name) & (draft.values(name) == 0)
    rows = nothing & draft.means("average_type", "arithmetic") & ~draft.given("basket")
    text = f"{name} must be > 0 where past_fixings_count is, got 0.0"
    draft.problems.add_rows(rows, name, lambda _: text)


def _warn_of_far(draft: Draft, known: Mask) -> None:
    """A mean in place of the sum, a sum in another unit, a wrong count."""
    count = np.maximum(draft.filled("past_fixings_count", 0), 1)
    spot = draft.values("spot")
    known = known & ~draft.given("basket") & (spot > 0)
    means = {
        "arithmetic": draft.values("past_fixings_sum") / count,
        "geometric": np.exp(draft.values("past_fixings_log_sum") / count),
    }
    for kind, mean in means.items():
        name = _SUMS[kind]
        rows = known & draft.given(name) & draft.means("average_type", kind) & (mean > 0)
        far = rows & ((mean < spot / _FAR) | (mean > spot * _FAR))
        draft.warnings.add_rows(far, name, lambda row, k=kind, m=mean: _far(draft, k, m, row))  # type: ignore[misc]


def _far(draft: Draft, kind: str, mean: NDArray[np.float64], row: int) -> str:
    name = _SUMS[kind]
    count = int(draft.values("past_fixings_count")[row])
    value, spot = (number_text(float(draft.values(n)[row])) for n in (name, "spot"))
    what = "logarithms" if kind == "geometric" else "prices"
    return (
        f"{name}={value} of {count} known fixings makes their mean {float(mean[row]):.6g}, far "
        f"from the spot {spot}; give the sum of all {count} {what}"
    )
