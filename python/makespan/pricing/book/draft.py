# SPDX-License-Identifier: Apache-2.0
"""A book while it is being checked: one array per known column, and what was found wrong so far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from makespan.pricing.book.cells import Cells, missing, read_cells
from makespan.pricing.book.header import known_columns
from makespan.pricing.book.ids import read_ids
from makespan.pricing.book.names import no_names, read_names
from makespan.pricing.book.problems import Mask, Problems
from makespan.pricing.book.source import RawBook
from makespan.pricing.book.times import FixingTimes, no_times, read_times
from makespan.pricing.columns.book import COLUMNS_BY_NAME
from makespan.pricing.columns.column import Kind


@dataclass(slots=True)
class Draft:
    """All columns of the schema, present or not, each of length `rows`."""

    rows: int
    ids: pl.Series
    id_type: pl.DataType
    cells: dict[str, Cells]
    times: FixingTimes
    present: frozenset[str]
    problems: Problems
    warnings: Problems = field(init=False)

    def __post_init__(self) -> None:
        self.warnings = Problems(self.rows)

    def values(self, name: str) -> NDArray[Any]:
        """Values of a column; where it was not given they mean nothing."""
        return self.cells[name].values

    def given(self, name: str) -> Mask:
        """Where the book gives a value."""
        return self.cells[name].given

    def chosen(self, name: str, word: str) -> Mask:
        """Where a column of words was given this one."""
        return self.given(name) & self.means(name, word)

    def means(self, name: str, word: str) -> Mask:
        """Where a column of words has this one, given or by default; not where it is unreadable."""
        return np.asarray(self.values(name) == COLUMNS_BY_NAME[name].choices[word])

    def filled(self, name: str, default: float | NDArray[Any]) -> NDArray[Any]:
        """Values with `default` where none was given."""
        cells = self.cells[name]
        return np.where(cells.given, cells.values, default).astype(cells.values.dtype, copy=False)

    def require(self, needed: Mask, name: str, text: Callable[[int], str], whole: str) -> None:
        """Reports rows that need column `name` and have none.

        When the book has no such column and every row needs it, that is one problem of the file,
        worded `whole`, not one for each row.
        """
        lacking = needed & ~self.given(name)
        if name not in self.present and self.rows and needed.all():
            self.problems.add_file(whole, name)
        else:
            self.problems.add_rows(lacking, name, text)


def draft_of(raw: RawBook) -> Draft:
    """Reads every cell; what cannot be read is in `problems`."""
    frame = raw.frame
    problems = Problems(frame.height)
    found = known_columns(frame.columns, problems)
    cells = {}
    for name, column in COLUMNS_BY_NAME.items():
        if column.kind in (Kind.IDENTIFIER, Kind.TIMES):
            continue
        if column.kind is Kind.NAME:
            is_there = name in found
            cells[name] = (
                read_names(frame[found[name]], column, problems)
                if is_there
                else no_names(frame.height)
            )
        elif name in found:
            cells[name] = read_cells(
                frame[found[name]], column, problems, nan_missing=raw.nan_is_missing
            )
        else:
            cells[name] = missing(column, frame.height)
    id_column = frame[found["id"]] if "id" in found else None
    times = no_times(frame.height)
    if "fixing_times" in found:
        times = read_times(frame[found["fixing_times"]], problems)
    return Draft(
        rows=frame.height,
        ids=read_ids(id_column, frame.height, problems),
        id_type=pl.String() if id_column is None else id_column.dtype,
        cells=cells,
        times=times,
        present=frozenset(found),
        problems=problems,
    )
