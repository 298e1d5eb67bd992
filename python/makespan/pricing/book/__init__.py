# SPDX-License-Identifier: Apache-2.0
"""Books of options: read from a file or a table, checked as a whole, normalised for the engine.

`raw_book` reads the cells as they are; `checked_book` makes a `Book` of them, or raises a
`BookError` with everything that is wrong.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from makespan.base.errors import BookError, Problem
from makespan.pricing.book.accuracy import Defaults
from makespan.pricing.book.basket_rules import named_baskets
from makespan.pricing.book.curve_rules import named_curves
from makespan.pricing.book.digest import input_hash
from makespan.pricing.book.draft import Draft, draft_of
from makespan.pricing.book.engine_limits import check_engine_limits
from makespan.pricing.book.files import read_book_file
from makespan.pricing.book.fixings import schedule_of
from makespan.pricing.book.ids import id_bytes
from makespan.pricing.book.market import Market, MarketTables, read_market
from makespan.pricing.book.market_columns import with_market
from makespan.pricing.book.normal import EngineColumns, Named, engine_columns, rows_of
from makespan.pricing.book.problems import Problems, id_text, with_any_numbers
from makespan.pricing.book.rules import check_values
from makespan.pricing.book.sizes import check_sizes
from makespan.pricing.book.source import RawBook, unreadable
from makespan.pricing.book.surface_rules import named_surfaces
from makespan.pricing.book.tables import raw_of_table

__all__ = [
    "Book",
    "Defaults",
    "Market",
    "MarketTables",
    "RawBook",
    "checked_book",
    "raw_book",
    "read_market",
]

NO_MARKET = Market()


@dataclass(frozen=True, slots=True)
class Book:
    """A checked book. `columns` belong to the valid rows only, `valid_rows[i]` says which."""

    name: str
    ids: pl.Series
    id_type: pl.DataType
    valid_rows: NDArray[np.int64]
    columns: EngineColumns
    input_hash: str
    errors: Mapping[int, str]
    """What is wrong with each invalid row (from 0); empty unless invalid rows are skipped.

    `input_hash` covers the valid rows with everything that the book itself says; the run's own
    accuracy and seed are not in it.
    """
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    market: Market
    numbered: EngineColumns
    """`columns` before the points of the market were placed among them: its numbers are those of
    `market`."""
    streams: pl.Series | None = None
    """Text that names the random numbers of each valid row; None: its id."""

    @property
    def rows(self) -> int:
        """All rows, invalid ones too."""
        return len(self.ids)

    @property
    def valid_ids(self) -> pl.Series:
        """Text of the ids of the valid rows."""
        return self.ids.gather(self.valid_rows)


def raw_book(book: object) -> RawBook:
    """Reads a path or a table in memory; raises `InputError` or `BookError`."""
    if isinstance(book, str | os.PathLike):
        raw = read_book_file(Path(os.fspath(book)))
    else:
        raw = raw_of_table(book)
    if raw.frame.height == 0:
        raise unreadable(raw.name, "it has no options; add one row per option")
    return raw


@with_any_numbers
def checked_book(
    raw: RawBook, defaults: Defaults, *, skip_invalid: bool = False, market: Market = NO_MARKET
) -> Book:
    """Checks every cell and rule; raises `BookError` with all problems at once.

    Rows may name what is in the `market`.
    With `skip_invalid` only problems of the book as a whole are raised; rows with problems are
    left out of `columns` and explained in `errors`.
    """
    draft = draft_of(raw)
    named = Named(
        named_curves(draft, market.curves),
        named_baskets(draft, market),
        named_surfaces(draft, market),
    )
    check_values(draft)
    check_sizes(draft)
    schedule = schedule_of(draft, defaults.fixing_grid)
    columns = engine_columns(draft, schedule, defaults, named)
    check_engine_limits(draft.problems, columns, market, defaults.method)
    problems = _listed(draft, draft.problems, raw)
    fatal = [p for p in problems if p.row is None] if skip_invalid else problems
    if fatal:
        raise BookError(raw.name, fatal, first_line=raw.is_csv)
    valid = np.flatnonzero(~draft.problems.bad)
    numbered = rows_of(columns, valid)
    by_book = rows_of(engine_columns(draft, schedule, Defaults(), named), valid)
    return Book(
        name=raw.name,
        ids=draft.ids,
        id_type=draft.id_type,
        valid_rows=valid,
        columns=with_market(numbered, market),
        input_hash=input_hash(id_bytes(draft.ids.gather(valid)), with_market(by_book, market)),
        errors=_errors_by_row(problems),
        problems=tuple(problems),
        warnings=(*market.curves.warnings, *_listed(draft, draft.warnings, raw)),
        market=market,
        numbered=numbered,
    )


def _listed(draft: Draft, problems: Problems, raw: RawBook) -> list[Problem]:
    named = "id" in draft.present

    def id_of(row: int) -> str | None:
        return id_text(draft.ids[row]) if named else None

    return problems.listed(id_of, raw.lines)


def _errors_by_row(problems: list[Problem]) -> dict[int, str]:
    errors: dict[int, str] = {}
    for problem in problems:
        if problem.row is not None:
            row = problem.row - 1
            errors[row] = f"{errors[row]}; {problem.text}" if row in errors else problem.text
    return errors
