# SPDX-License-Identifier: Apache-2.0
"""Correlations of underlyings, pair by pair, and the matrices of baskets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from makespan.base.setting_names import called
from makespan.pricing.book.problems import number_text
from makespan.pricing.book.side_table import read_side_table
from makespan.pricing.book.source import unreadable
from makespan.pricing.columns.baskets import CORRELATION_COLUMNS

Matrix = NDArray[np.float64]
Correlations = Mapping[frozenset[str], float]
"""Of two names, in any order."""

NAME_IN_MEMORY = "correlations"
_NEGATIVE_MAX = 1e-9
"""Correlations that are written with few digits may make an eigenvalue so negative (the engine's
own limit)."""
_PAIR = 2
_SHOWN = 4


def read_correlations(source: object) -> Correlations | None:
    """Of a path, a table with the columns of `CORRELATION_COLUMNS`, or `{(name, name): number}`.

    `{name: {name: number}}` will do, too. None if there is none.

    Raises `InputError`, or `BookError` with everything that is wrong.
    """
    if source is None:
        return None
    table = read_side_table(source, NAME_IN_MEMORY, CORRELATION_COLUMNS, _flat)
    first, second = (table.cells[f"underlying_{i}"].values.tolist() for i in (1, 2))
    values = table.cells["correlation"].values.tolist()
    found: dict[frozenset[str], float] = {}
    for row, (one, other, value) in enumerate(zip(first, second, values, strict=True)):
        if one == other:
            text = f"underlying_1 and underlying_2 are both '{one}'; name two"
            table.problems.add_row(row, "underlying_2", text)
        elif not -1 <= value <= 1:
            text = f"correlation must be in -1..1, got {number_text(value)}"
            table.problems.add_row(row, "correlation", text)
        elif found.setdefault(frozenset((one, other)), value) != value:
            before = number_text(found[frozenset((one, other))])
            text = f"'{one}' and '{other}' have the correlation {before} already; keep one"
            table.problems.add_row(row, "correlation", text)
    table.refuse()
    return found


def _flat(source: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """`{(name, name): number}` as the columns of a table."""
    if any(column.name in source for column in CORRELATION_COLUMNS):
        return source
    source = {
        pair: value
        for key, cell in source.items()
        for pair, value in (
            {(key, other): each for other, each in cell.items()}
            if isinstance(cell, Mapping)
            else {key: cell}
        ).items()
    }
    columns: dict[str, list[Any]] = {column.name: [] for column in CORRELATION_COLUMNS}
    for key, value in source.items():
        if not isinstance(key, tuple) or len(key) != _PAIR:
            text = f"{key!r} is not a pair of names; write {{('a', 'b'): 0.5}}"
            raise unreadable(NAME_IN_MEMORY, text)
        for name, cell in zip(columns, (str(key[0]), str(key[1]), value), strict=True):
            columns[name].append(cell)
    return columns


def matrix_of(names: Sequence[str], correlations: Correlations | None) -> tuple[Matrix, str]:
    """The matrix of a basket's underlyings, and what is wrong with it, or nothing."""
    matrix = np.eye(len(names))
    lacking = []
    for i, one in enumerate(names):
        for k, other in enumerate(names[:i]):
            value = None if correlations is None else correlations.get(frozenset((one, other)))
            if value is None:
                lacking.append(f"'{other}' and '{one}'")
            else:
                matrix[i, k] = matrix[k, i] = value
    if lacking and correlations is None:
        return matrix, f"it needs correlations; give them with {called('correlations')}"
    if lacking:
        more = f", and {len(lacking) - 1} more" if len(lacking) > 1 else ""
        return matrix, f"the correlation of {lacking[0]}{more} is missing; add it"
    if is_positive(matrix):
        return matrix, ""
    return matrix, _not_positive(names, matrix, float(np.linalg.eigvalsh(matrix)[0]))


def is_positive(matrix: Matrix) -> bool:
    """Whether it is positive semidefinite, but for rounding."""
    return bool(np.linalg.eigvalsh(matrix)[0] >= -_NEGATIVE_MAX)


def _not_positive(names: Sequence[str], matrix: Matrix, least: float) -> str:
    near = nearest(matrix)
    pairs = [(i, k) for i in range(len(names)) for k in range(i)]
    pairs.sort(key=lambda pair: -abs(near[pair] - matrix[pair]))
    moved = ", ".join(
        f"{names[k]}-{names[i]} {number_text(near[i, k])} for {number_text(matrix[i, k])}"
        for i, k in pairs[:_SHOWN]
    )
    more = ", ..." if len(pairs) > _SHOWN else ""
    return (
        f"the correlations are not positive semidefinite (least eigenvalue {least:.3g}); the "
        f"nearest that are: {moved}{more}"
    )


def nearest(matrix: Matrix) -> Matrix:
    """The nearest correlation matrix in the Frobenius norm, with four decimals.

    Alternating projections with Dykstra's correction (N. Higham, IMA J. Numerical Analysis 22
    (2002) 329-343); it is drawn towards the identity as far as rounding makes it necessary.
    """
    correction = np.zeros_like(matrix)
    found = matrix.copy()
    for _ in range(300):
        moved = found - correction
        values, vectors = np.linalg.eigh(moved)
        positive = (vectors * np.maximum(values, 0.0)) @ vectors.T
        correction = positive - moved
        before, found = found, positive
        np.fill_diagonal(found, 1.0)
        if np.max(np.abs(found - before)) < 1e-9:
            break
    share = 0.0
    while True:
        rounded: Matrix = np.round((1 - share) * found + share * np.eye(len(matrix)), 4)
        if is_positive(rounded):
            return rounded
        share = 2 * share + 1e-4
