# SPDX-License-Identifier: Apache-2.0
"""Curves read from a file or a table, or from a dict of curves, each point checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from makespan.pricing.book.cells import Cells
from makespan.pricing.book.curve import NO_CURVES, Curve, Curves
from makespan.pricing.book.curve_points import check_points, percent_warnings
from makespan.pricing.book.side_table import listed, read_side_table
from makespan.pricing.book.source import unreadable
from makespan.pricing.columns.curves import CURVE_COLUMNS, KINDS

NAME_IN_MEMORY = "curves"
_COLUMN_NAMES = [column.name for column in CURVE_COLUMNS]
_KEYS = ("kind", "time", "value")
_KIND_OF_CODE = {kind.code: name for name, kind in KINDS.items()}


def read_curves(curves: object) -> Curves:
    """Of a path, a table with the columns of `CURVE_COLUMNS`, or `{name: {kind, time, value}}`.

    Raises `InputError`, or `BookError` with everything that is wrong.
    """
    if curves is None:
        return NO_CURVES
    table = read_side_table(curves, NAME_IN_MEMORY, CURVE_COLUMNS, _flat)
    found = _by_name_and_kind(table.cells)
    check_points(found, table.problems)
    table.refuse()
    return Curves(table.name, tuple(found), percent_warnings(found, table.name))


def _flat(curves: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """`{name: {kind, time, value}}` as the columns of a table."""
    if not any(isinstance(one, Mapping) for one in curves.values()):
        return curves
    columns: dict[str, list[Any]] = {name: [] for name in _COLUMN_NAMES}
    for name, one in curves.items():
        if not isinstance(one, Mapping) or set(one) != set(_KEYS):
            text = f"curve '{name}' must be a dict of kind, time and value"
            raise unreadable(NAME_IN_MEMORY, text)
        time, value = (
            listed(one[key], NAME_IN_MEMORY, f"curve '{name}': {key}") for key in ("time", "value")
        )
        kind = one["kind"]
        kinds = (
            [kind] * len(time)
            if isinstance(kind, str)
            else listed(kind, NAME_IN_MEMORY, f"curve '{name}': kind")
        )
        if not len(kinds) == len(time) == len(value):
            text = f"curve '{name}' has {len(time)} times and {len(value)} values; make them equal"
            raise unreadable(NAME_IN_MEMORY, text)
        columns["curve"] += [str(name)] * len(time)
        columns["kind"] += kinds
        columns["time"] += time
        columns["value"] += value
    return columns


def _by_name_and_kind(cells: Mapping[str, Cells]) -> list[Curve]:
    names = pl.Series("name", cells["curve"].values.tolist(), dtype=pl.String)
    kinds = pl.Series("kind", cells["kind"].values)
    frame = pl.DataFrame([names, kinds]).with_row_index("row")
    found = []
    for (name, code), rows in frame.group_by(["name", "kind"], maintain_order=True):
        places = rows["row"].to_numpy().astype(np.int64)
        time, value = cells["time"].values[places], cells["value"].values[places]
        found.append(Curve(str(name), _KIND_OF_CODE[int(str(code))], time, value, places))
    return found
