# SPDX-License-Identifier: Apache-2.0
"""What comes of a run: results of the engine, prices with their record, what Python gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from makespan.base.errors import Interrupted
from makespan.pricing.book import Book
from makespan.pricing.columns.outputs import STATUSES
from makespan.pricing.timeline import Timeline, empty_timeline

if TYPE_CHECKING:
    import polars as pl

Columns = dict[str, NDArray[Any]]


@dataclass(slots=True)
class Outcome:
    """Results of a run: output columns of the book's valid rows, and the engine's summary."""

    columns: Columns
    summary: Mapping[str, Any]
    from_journal: int
    wall_s: float
    timeline: Timeline | None = None
    journal_problem: str | None = None
    """What was wrong with the journal, and is mended; no result depends on it."""
    overdue: tuple[str, ...] = ()
    """Of devices of other images that took far too long; no result depends on it."""
    asked_to_end: bool = False
    """Whether Ctrl-C came when nothing was left to price."""

    @property
    def status(self) -> NDArray[np.int8]:
        """Code of each row's status; `error` where numbers overflowed and there is no price."""
        status = self.columns.get("status", np.zeros(0, dtype=np.int8)).copy()
        for name in ("price", "std_error"):
            status[~np.isfinite(self.columns.get(name, np.zeros(0)))] = STATUSES.index("error")
        return status


@dataclass(frozen=True, slots=True)
class Priced:
    """All of a run: `table` in the units asked for, in the book's row order."""

    book: Book
    outcome: Outcome
    table: pl.DataFrame
    record: dict[str, Any]
    sensitivities: pl.DataFrame | None = None
    memory_problem: str | None = None
    """Why speeds were not remembered, or a file of them not used; no result depends on it."""
    is_whole: bool = True
    """Whether no row was left unpriced by an interruption."""

    def problems(self) -> list[str]:
        """What went wrong and changed no result."""
        told = (self.outcome.journal_problem, self.memory_problem, *self.outcome.overdue)
        return [one for one in told if one]

    def expect_unasked(self, result: Any = None) -> None:
        """Raises `Interrupted` if Ctrl-C came; `result` is what would be returned otherwise."""
        if self.outcome.asked_to_end:
            options = len(self.book.valid_rows)
            raise Interrupted(options, options, "options", result=result)

    def timeline(self) -> Timeline:
        """Who did what, when; empty where an earlier run's journal had everything."""
        return self.outcome.timeline or empty_timeline()


@dataclass(frozen=True, slots=True, eq=False)
class PriceResult:
    """Prices, and the record of the run that made them."""

    table: Any
    """Of the kind of table that the book was (polars for a path), in its row order."""
    record: dict[str, Any]
    """docs/reference/record.md"""
    sensitivities: Any = None
    """With keyword `sensitivities`: a table of that kind (docs/reference/book-format.md)."""

    @property
    def hash(self) -> str:
        """SHA-256 of the prices in the order of their ids: the same wherever they were computed."""
        return str(self.record["result_hash"])

    def _repr_html_(self) -> str:
        from makespan.pricing.table import result_html

        return result_html(self.table, self.record)
