# SPDX-License-Identifier: Apache-2.0
"""Tables beside a book, which its rows refer to: every cell read, what is wrong collected."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from makespan.base.errors import BookError, Problem
from makespan.pricing.book.cells import Cells, missing, read_cells
from makespan.pricing.book.files import read_book_file
from makespan.pricing.book.names import no_names, read_names
from makespan.pricing.book.problems import Mask, Problems, id_text, number_text
from makespan.pricing.book.source import RawBook, unreadable
from makespan.pricing.book.tables import raw_of_table
from makespan.pricing.columns.column import Column, Kind

REQUIRED = "required"
"""The `default` of a column that every row needs."""


@dataclass(frozen=True, slots=True)
class SideTable:
    """One table of `what`; rows are named by the cells of `name_column` in messages."""

    raw: RawBook
    cells: Mapping[str, Cells]
    problems: Problems
    name_column: str

    @property
    def name(self) -> str:
        """Of the file, or what the table is."""
        return self.raw.name

    @property
    def rows(self) -> int:
        """Of the table."""
        return self.raw.frame.height

    def rows_by_name(self) -> dict[str, list[int]]:
        """Rows of each name, in the order of the table."""
        found: dict[str, list[int]] = {}
        for row, name in enumerate(self.cells[self.name_column].values.tolist()):
            found.setdefault(str(name), []).append(row)
        return found

    def refuse(self) -> None:
        """Raises `BookError` with what was found so far, if anything was."""

        def name_of(row: int) -> str | None:
            name = self.cells[self.name_column]
            return id_text(name.values[row]) if name.given[row] else None

        found = self.problems.listed(name_of, self.raw.lines)
        if found:
            raise BookError(self.raw.name, found, first_line=self.raw.is_csv)


def read_side_table(
    source: object,
    what: str,
    columns: Sequence[Column],
    flat: Callable[[Mapping[Any, Any]], Mapping[Any, Any]] | None = None,
) -> SideTable:
    """Of a path or a table; `flat` makes columns of a dict of dicts.

    Raises `InputError`, or `BookError` with every cell that cannot be read.
    """
    raw = _raw(source, what, flat)
    if raw.frame.height == 0:
        raise unreadable(raw.name, "it has no rows")
    _check_columns(raw, what, columns)
    problems = Problems(raw.frame.height)
    cells = {column.name: _read(raw, column, problems) for column in columns}
    table = SideTable(raw, cells, problems, columns[0].name)
    table.refuse()
    return table


def listed(cells: object, what: str, column: str) -> list[Any]:
    """The cells of a column in a dict of dicts; `BookError` where it is no list of them."""
    is_single = isinstance(cells, np.ndarray) and cells.ndim == 0
    if isinstance(cells, str) or not isinstance(cells, Iterable) or is_single:
        raise unreadable(what, f"{column} must be a list, got {cells!r}")
    return list(cells)


def check_numbers(table: SideTable, columns: Sequence[Column]) -> None:
    """Ranges of the columns of numbers; what is outside is told in the table's problems."""
    for column in columns:
        if column.kind is not Kind.NUMBER:
            continue
        cells = table.cells[column.name]
        values, size = cells.values, np.abs(cells.values)
        bound = column.bound
        if bound is not None:
            low = -np.inf if bound.low is None else bound.low
            outside = (values < low) if bound.low_allowed else (values <= low)
            if bound.high is not None:
                outside |= values > bound.high
            _refuse_numbers(table, column, cells.given & outside, f"must be {bound.text()}")
        tiny = cells.given & (size > 0) & (size < column.smallest)
        _refuse_numbers(table, column, tiny, f"must be at least {column.smallest:g}")
        large = cells.given & (size > column.largest)
        percent = "; it looks like percent" if column.percent_above is not None else ""
        _refuse_numbers(
            table, column, large, f"must be at most {column.largest:g} in size", percent
        )


def _refuse_numbers(
    table: SideTable, column: Column, mask: Mask, text: str, hint: str = ""
) -> None:
    values = table.cells[column.name].values

    def said(row: int) -> str:
        return f"{column.name} {text}, got {number_text(float(values[row]))}{hint}"

    table.problems.add_rows(mask, column.name, said)


def _raw(
    source: object, what: str, flat: Callable[[Mapping[Any, Any]], Mapping[Any, Any]] | None
) -> RawBook:
    if isinstance(source, str | os.PathLike):
        return read_book_file(Path(os.fspath(source)))
    if flat is not None and isinstance(source, Mapping):
        source = flat(source)
    return raw_of_table(source, what)


def _check_columns(raw: RawBook, what: str, columns: Sequence[Column]) -> None:
    given = raw.frame.columns
    names = [column.name for column in columns]
    found = [
        Problem(f"column '{column.name}' is missing; every row needs one")
        for column in columns
        if column.name not in given and column.default == REQUIRED
    ]
    known = ", ".join(names)
    found += [
        Problem(f"unknown column {name!r}; the columns of {what} are {known}")
        for name in given
        if name not in names
    ]
    if found:
        raise BookError(raw.name, found, first_line=raw.is_csv)


def _read(raw: RawBook, column: Column, problems: Problems) -> Cells:
    if column.name not in raw.frame.columns:
        rows = raw.frame.height
        return no_names(rows) if column.kind is Kind.NAME else missing(column, rows)
    series = raw.frame[column.name]
    if column.kind is Kind.NAME:
        cells = read_names(series, column, problems)
    else:
        cells = read_cells(series, column, problems, nan_missing=raw.nan_is_missing)
    if column.default == REQUIRED:
        problems.add_rows(~cells.given, column.name, lambda _: f"{column.name} is missing")
    return cells
