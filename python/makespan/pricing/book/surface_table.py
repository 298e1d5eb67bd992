# SPDX-License-Identifier: Apache-2.0
"""Surfaces read from a file or a table, or from a dict of surfaces, each point checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from makespan.pricing.book.dupire import refined_local_volatilities
from makespan.pricing.book.problems import number_text
from makespan.pricing.book.side_table import SideTable, check_numbers, listed, read_side_table
from makespan.pricing.book.source import unreadable
from makespan.pricing.book.surface import NO_SURFACES, Surface, Surfaces
from makespan.pricing.columns.surfaces import IMPLIED, LOCAL, SURFACE_COLUMNS, SURFACE_KINDS

NAME_IN_MEMORY = "surfaces"
_KEYS = ("time", "log_moneyness", "volatility")


def read_surfaces(surfaces: object) -> Surfaces:
    """Of a path, a table with the columns of `SURFACE_COLUMNS`, or a dict of surfaces.

    Those are `{name: {kind, time, log_moneyness, volatility}}`, with volatilities of shape (times,
    log_moneyness). Raises `InputError`, or `BookError` with everything that is wrong.
    """
    if surfaces is None:
        return NO_SURFACES
    table = read_side_table(surfaces, NAME_IN_MEMORY, SURFACE_COLUMNS, _flat)
    check_numbers(table, SURFACE_COLUMNS)
    table.refuse()
    found = [_surface(table, name, rows) for name, rows in table.rows_by_name().items()]
    table.refuse()
    return Surfaces(table.name, tuple(one for one in found if one is not None))


def _flat(surfaces: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """The dict of surfaces as the columns of a table."""
    if not any(isinstance(one, Mapping) for one in surfaces.values()):
        return surfaces
    columns: dict[str, list[Any]] = {column.name: [] for column in SURFACE_COLUMNS}
    for name, one in surfaces.items():
        if not isinstance(one, Mapping) or set(one) - {"kind"} != set(_KEYS):
            text = f"surface '{name}' must be a dict of kind, time, log_moneyness and volatility"
            raise unreadable(NAME_IN_MEMORY, text)
        time, moneyness, rows = (
            listed(one[key], NAME_IN_MEMORY, f"surface '{name}': {key}") for key in _KEYS
        )
        each = f"surface '{name}': each of volatility"
        values = [listed(row, NAME_IN_MEMORY, each) for row in rows]
        if len(values) != len(time) or any(len(row) != len(moneyness) for row in values):
            text = f"surface '{name}': volatility must have shape ({len(time)}, {len(moneyness)})"
            raise unreadable(NAME_IN_MEMORY, text)
        count = len(time) * len(moneyness)
        columns["surface"] += [str(name)] * count
        columns["kind"] += [one.get("kind", LOCAL)] * count
        columns["time"] += [t for t in time for _ in moneyness]
        columns["log_moneyness"] += moneyness * len(time)
        columns["volatility"] += [value for row in values for value in row]
    return columns


def _surface(table: SideTable, name: str, rows: list[int]) -> Surface | None:
    """Checked as a whole; None, and problems told, where it is no grid or has arbitrage."""
    cells = table.cells
    kinds = np.where(cells["kind"].given, cells["kind"].values, SURFACE_KINDS[LOCAL])[rows]
    for row, kind in zip(rows, kinds.tolist(), strict=True):
        if kind != kinds[0]:
            text = f"surface '{name}' begins with another kind; use one name each"
            table.problems.add_row(row, "kind", text)
            return None
    point_time = cells["time"].values[rows]
    point_x = cells["log_moneyness"].values[rows]
    time, x = np.unique(point_time), np.unique(point_x)
    place_time, place_x = np.searchsorted(time, point_time), np.searchsorted(x, point_x)
    row_of = np.full((len(time), len(x)), -1, dtype=np.int64)
    for row, i, k in zip(rows, place_time.tolist(), place_x.tolist(), strict=True):
        if row_of[i, k] >= 0:
            text = f"surface '{name}' has time {time[i]:g}, log_moneyness {x[k]:g} already"
            table.problems.add_row(row, "time", text)
            return None
        row_of[i, k] = row
    if (row_of < 0).any():
        i, k = (int(place[0]) for place in np.nonzero(row_of < 0))
        text = f"surface '{name}' lacks time {time[i]:g}, log_moneyness {x[k]:g}: it is no grid"
        table.problems.add_row(rows[0], "log_moneyness", text)
        return None
    if len(x) > 1 and x[0] > 0:
        text = f"surface '{name}' begins at {x[0]:g}, above 0: give ln(price / forward)"
        table.problems.add_row(rows[0], "log_moneyness", text)
        return None
    volatility = cells["volatility"].values[row_of]
    if kinds[0] == SURFACE_KINDS[IMPLIED]:
        return _from_implied(table, Surface(name, time, x, volatility), row_of)
    return Surface(name, time, x, volatility)


def _from_implied(table: SideTable, implied: Surface, row_of: Any) -> Surface | None:
    time, x = implied.time, implied.log_moneyness
    if time[0] <= 0:
        text = f"time must be > 0 for {IMPLIED}, got {number_text(float(time[0]))}"
        table.problems.add_row(int(row_of[0, 0]), "time", text)
        return None
    local, found = refined_local_volatilities(time, x, implied.volatility)
    for point in found:
        value = number_text(float(implied.volatility[point.time, point.moneyness]))
        text = (
            f"surface '{implied.name}': volatility {value} at time {time[point.time]:g}, "
            f"log_moneyness {x[point.moneyness]:g}: {point.why}"
        )
        table.problems.add_row(int(row_of[point.time, point.moneyness]), "volatility", text)
    if local is None:
        return None
    return Surface(implied.name, local.time, local.log_moneyness, local.volatility, implied)
