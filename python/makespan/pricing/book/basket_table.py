# SPDX-License-Identifier: Apache-2.0
"""Baskets read from a file or a table, or from a dict of baskets, each underlying checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.book.basket import BASKET_NUMBER_COLUMNS, NO_BASKETS, Basket, Baskets
from makespan.pricing.book.cells import Cells
from makespan.pricing.book.correlation import Correlations, matrix_of, read_correlations
from makespan.pricing.book.curve import Curves
from makespan.pricing.book.curve_rules import ENGINE_COLUMN, name_problem, spot_problem
from makespan.pricing.book.side_table import SideTable, check_numbers, listed, read_side_table
from makespan.pricing.book.source import unreadable
from makespan.pricing.book.surface import Surfaces
from makespan.pricing.columns.baskets import BASKET_COLUMNS, UNDERLYINGS_MAX

NAME_IN_MEMORY = "baskets"
_NAMES = tuple(column.name for column in BASKET_COLUMNS)
_CURVE_COLUMNS = ("dividend_yield_curve", "forward_curve", "volatility_curve", "dividends")
_EXCLUDE = (
    ("dividend_yield_curve", "dividend_yield"),
    ("volatility_curve", "volatility"),
    ("forward_curve", "dividend_yield"),
    ("forward_curve", "dividend_yield_curve"),
    ("forward_curve", "dividends"),
    ("volatility_surface", "volatility"),
    ("volatility_surface", "volatility_curve"),
)


def read_baskets(
    baskets: object, correlations: object, curves: Curves, surfaces: Surfaces
) -> Baskets:
    """Of a path, a table with the columns of `BASKET_COLUMNS`, or `{name: {underlying, ...}}`.

    `correlations` as `read_correlations` takes them; underlyings may name the `curves` and
    `surfaces`.
    Raises `InputError`, or `BookError` with everything that is wrong.
    """
    pairs = read_correlations(correlations)
    if baskets is None:
        return NO_BASKETS
    table = read_side_table(baskets, NAME_IN_MEMORY, BASKET_COLUMNS, _flat)
    numbers = _curve_numbers(table, curves)
    surface = _surface_numbers(table, surfaces)
    check_numbers(table, BASKET_COLUMNS)
    weight = table.cells["weight"]
    nothing = weight.given & (weight.values == 0)
    table.problems.add_rows(nothing, "weight", lambda _: "weight must not be 0")
    _check_together(table)
    spot = _spots(table, numbers, curves)
    table.refuse()
    known: dict[str, NDArray[Any]] = {**numbers, "spot": spot, "surface": surface}
    found = [
        _basket(table, name, rows, known, pairs) for name, rows in table.rows_by_name().items()
    ]
    table.refuse()
    return Baskets(table.name, tuple(found))


def _flat(baskets: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """`{name: {underlying: [...], weight: [...], ...}}` as the columns of a table."""
    if not any(isinstance(one, Mapping) for one in baskets.values()):
        return baskets
    used = [n for n in _NAMES[1:] if any(n in one for one in baskets.values())]
    columns: dict[str, list[Any]] = {name: [] for name in (_NAMES[0], *used)}
    for name, one in baskets.items():
        if not isinstance(one, Mapping) or "underlying" not in one:
            text = f"basket '{name}' must be a dict of underlying, weight, spot, volatility, ..."
            raise unreadable(NAME_IN_MEMORY, text)
        unknown = [key for key in one if key not in _NAMES]
        if unknown:
            text = f"basket '{name}' has an unknown column {unknown[0]!r}"
            raise unreadable(NAME_IN_MEMORY, f"{text}; the columns are {', '.join(_NAMES[1:])}")
        given = {k: listed(one[k], NAME_IN_MEMORY, f"basket '{name}': {k}") for k in one}
        count = len(given["underlying"])
        columns["basket"] += [str(name)] * count
        for key in used:
            cells = given.get(key, [None] * count)
            if len(cells) != count:
                text = f"basket '{name}' has {count} underlyings and {len(cells)} of {key}"
                raise unreadable(NAME_IN_MEMORY, f"{text}; make them equal")
            columns[key] += cells
    return columns


def _curve_numbers(table: SideTable, curves: Curves) -> dict[str, NDArray[np.int32]]:
    numbers = {name: np.full(table.rows, -1, dtype=np.int32) for name in BASKET_NUMBER_COLUMNS}
    for column in _CURVE_COLUMNS:
        cells = table.cells[column]
        for row in np.flatnonzero(cells.given).tolist():
            name = str(cells.values[row])
            found = curves.named(name)
            problem = name_problem(column, name, found, curves)
            if problem is None and "cash_dividend" in found:
                problem = f"dividends '{name}' are cash; those of a basket must be proportional"
            if problem is not None:
                table.problems.add_row(row, column, problem)
                continue
            for kind, number in found.items():
                numbers[ENGINE_COLUMN[kind][column]][row] = number
    return numbers


def _surface_numbers(table: SideTable, surfaces: Surfaces) -> NDArray[np.int32]:
    numbers = np.full(table.rows, -1, dtype=np.int32)
    cells = table.cells["volatility_surface"]
    for row in np.flatnonzero(cells.given).tolist():
        name = str(cells.values[row])
        problem = surfaces.problem_of("volatility_surface", name)
        if problem is None:
            numbers[row] = surfaces.numbers[name]
        else:
            table.problems.add_row(row, "volatility_surface", problem)
    return numbers


def _check_together(table: SideTable) -> None:
    cells = table.cells
    for curve, other in _EXCLUDE:
        table.problems.refuse_beside(cells[curve].given & cells[other].given, other, curve)
    for name, places in (
        ("spot", ("forward_curve",)),
        ("volatility", ("volatility_curve", "volatility_surface")),
    ):
        lacking = ~cells[name].given
        for place in places:
            lacking &= ~cells[place].given
        text = f"{name} is missing"
        table.problems.add_rows(lacking, name, lambda _, text=text: text)  # type: ignore[misc]


def _spots(
    table: SideTable, numbers: Mapping[str, NDArray[np.int32]], curves: Curves
) -> NDArray[np.float64]:
    """As given, or the first of the forwards."""
    cells = table.cells["spot"]
    spot = np.where(cells.given, cells.values, np.nan)
    for row in np.flatnonzero(numbers["forward_curve"] >= 0).tolist():
        first = float(curves.curves[numbers["forward_curve"][row]].value[0])
        problem = spot_problem(float(spot[row]), first) if cells.given[row] else None
        if problem is not None:
            table.problems.add_row(row, "spot", problem)
        spot[row] = first
    return spot


def _basket(
    table: SideTable,
    name: str,
    rows: list[int],
    known: Mapping[str, NDArray[Any]],
    correlations: Correlations | None,
) -> Basket:
    """Checked as a whole; what is wrong is told at its first row, or at the row."""
    cells: Mapping[str, Cells] = table.cells
    names = [str(cells["underlying"].values[row]) for row in rows]
    for place, row in enumerate(rows):
        if names[place] in names[:place]:
            text = f"underlying '{names[place]}' is in basket '{name}' already"
            table.problems.add_row(row, "underlying", text)
    matrix, wrong = np.eye(len(names)), ""
    if len(names) > UNDERLYINGS_MAX:
        wrong = f"it has {len(names)} underlyings; the most is {UNDERLYINGS_MAX}"
    elif not (cells["weight"].values[rows] > 0).any():
        wrong = "all of its weights are negative; turn them and option_type around"
    elif len({bool(known["forward_curve"][row] >= 0) for row in rows}) > 1:
        wrong = "some of its underlyings have a forward_curve and some have none"
    elif len(set(names)) == len(names):
        matrix, wrong = matrix_of(names, correlations)
    if wrong:
        table.problems.add_row(rows[0], "basket", f"basket '{name}': {wrong}")
    filled = {
        key: np.where(cells[key].given[rows], cells[key].values[rows], 0.0)
        for key in ("weight", "dividend_yield", "volatility")
    }
    return Basket(
        name=name,
        underlyings=tuple(names),
        weight=filled["weight"],
        spot=known["spot"][rows],
        dividend_yield=filled["dividend_yield"],
        volatility=filled["volatility"],
        numbers={key: known[key][rows] for key in BASKET_NUMBER_COLUMNS},
        surface=known["surface"][rows],
        correlation=matrix,
    )
