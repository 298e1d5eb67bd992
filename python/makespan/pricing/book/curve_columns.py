# SPDX-License-Identifier: Apache-2.0
"""Curves as the engine's columns: those that the rows use, numbered as the rows use them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.book.curve import Curves
from makespan.pricing.book.curve_rules import NUMBER_COLUMNS
from makespan.pricing.curve_schema import KINDS

POINT_COLUMNS = ("curve_kind", "curve_offset", "curve_time", "curve_value")
"""Those whose length is not the number of rows."""
_ROW_COLUMNS = (*NUMBER_COLUMNS, "payment_lag")


def with_curves(columns: dict[str, NDArray[Any]], curves: Curves) -> dict[str, NDArray[Any]]:
    """The same with the points of the curves that are used, in the order of their first use.

    Books that say the same thus have the same columns, whatever else the table of curves has; and
    those that use no curve, nor a payment lag, have no columns of either.
    """
    numbers = np.stack([columns[name] for name in NUMBER_COLUMNS], axis=1)
    used = [number for number in dict.fromkeys(numbers.ravel().tolist()) if number >= 0]
    if not used and not np.any(columns["payment_lag"]):
        return {name: column for name, column in columns.items() if name not in _ROW_COLUMNS}
    place = np.full(len(curves.curves) + 1, -1, dtype=np.int32)  # the last is that of -1
    place[used] = np.arange(len(used), dtype=np.int32)
    picked = [curves.curves[number] for number in used]
    counts = [len(one.time) for one in picked]
    empty = np.zeros(0)
    return {
        **columns,
        **{name: np.ascontiguousarray(place[columns[name]]) for name in NUMBER_COLUMNS},
        "curve_kind": np.array([KINDS[one.kind].code for one in picked], dtype=np.int8),
        "curve_offset": np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        "curve_time": np.concatenate([one.time for one in picked] or [empty]),
        "curve_value": np.concatenate([one.value for one in picked] or [empty]),
    }
