# SPDX-License-Identifier: Apache-2.0
"""Curves read from a file or a table, or from a dict of curves, each point checked."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from makespan.base.errors import BookError, Problem
from makespan.pricing.book.cells import Cells, read_cells
from makespan.pricing.book.curve import NO_CURVES, Curve, Curves
from makespan.pricing.book.curve_points import check_points
from makespan.pricing.book.files import read_book_file
from makespan.pricing.book.names import read_names
from makespan.pricing.book.problems import Problems, id_text
from makespan.pricing.book.source import RawBook, unreadable
from makespan.pricing.book.tables import raw_of_table
from makespan.pricing.column import Column, Kind
from makespan.pricing.curve_schema import CURVE_COLUMNS, KINDS

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
    raw = _raw(curves)
    if raw.frame.height == 0:
        raise unreadable(raw.name, "it has no points; add one row per point")
    _check_columns(raw)
    problems = Problems(raw.frame.height)
    cells = {column.name: _read(raw, column, problems) for column in CURVE_COLUMNS}
    _refuse(raw, problems, cells)
    found = _by_name_and_kind(cells)
    check_points(found, problems)
    _refuse(raw, problems, cells)
    return Curves(raw.name, tuple(found))


def _raw(curves: object) -> RawBook:
    if isinstance(curves, str | os.PathLike):
        return read_book_file(Path(os.fspath(curves)))
    if isinstance(curves, Mapping) and any(isinstance(one, Mapping) for one in curves.values()):
        curves = _flat(curves)
    return raw_of_table(curves, NAME_IN_MEMORY)


def _flat(curves: Mapping[Any, Any]) -> dict[str, list[Any]]:
    """`{name: {kind, time, value}}` as the columns of a table."""
    columns: dict[str, list[Any]] = {name: [] for name in _COLUMN_NAMES}
    for name, one in curves.items():
        if not isinstance(one, Mapping) or set(one) != set(_KEYS):
            text = f"curve '{name}' must be a dict of kind, time and value"
            raise unreadable(NAME_IN_MEMORY, text)
        time, value = list(one["time"]), list(one["value"])
        kind = one["kind"]
        kinds = [kind] * len(time) if isinstance(kind, str) else list(kind)
        if not len(kinds) == len(time) == len(value):
            text = f"curve '{name}' has {len(time)} times and {len(value)} values; make them equal"
            raise unreadable(NAME_IN_MEMORY, text)
        columns["curve"] += [str(name)] * len(time)
        columns["kind"] += kinds
        columns["time"] += time
        columns["value"] += value
    return columns


def _check_columns(raw: RawBook) -> None:
    given = raw.frame.columns
    found = [
        Problem(f"column '{name}' is missing; every point needs one")
        for name in _COLUMN_NAMES
        if name not in given
    ]
    known = ", ".join(_COLUMN_NAMES)
    found += [
        Problem(f"unknown column {name!r}; the columns of curves are {known}")
        for name in given
        if name not in _COLUMN_NAMES
    ]
    if found:
        raise BookError(raw.name, found, first_line=raw.is_csv)


def _read(raw: RawBook, column: Column, problems: Problems) -> Cells:
    series = raw.frame[column.name]
    if column.kind is Kind.NAME:
        cells = read_names(series, column, problems)
    else:
        cells = read_cells(series, column, problems, nan_missing=raw.nan_is_missing)
    problems.add_rows(~cells.given, column.name, lambda _: f"{column.name} is missing")
    return cells


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


def _refuse(raw: RawBook, problems: Problems, cells: Mapping[str, Cells]) -> None:
    """Raises with what was found so far, if anything was; rows are named by their curve."""

    def name_of(row: int) -> str | None:
        name = cells["curve"]
        return id_text(name.values[row]) if name.given[row] else None

    found = problems.listed(name_of, raw.lines)
    if found:
        raise BookError(raw.name, found, first_line=raw.is_csv)
