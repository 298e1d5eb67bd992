# SPDX-License-Identifier: Apache-2.0
"""Books of a few rows for tests of the layer around the engine."""

from __future__ import annotations

from typing import Any

import polars as pl
from makespan.base.errors import BookError
from makespan.pricing.book import Book, Defaults, checked_book, raw_book

Row = dict[str, Any]


def plain_row(**changes: Any) -> Row:
    """A valid row; a change to None leaves the cell empty."""
    row: Row = {
        "id": "A1",
        "option_type": "call",
        "spot": 100.0,
        "strike": 100.0,
        "rate": 0.05,
        "volatility": 0.2,
        "expiry": 1.0,
        "fixings": 12,
        "fixing_grid": "exclude_start",
    }
    return {**row, **changes}


def plain_book(rows: int, **changes: Any) -> pl.DataFrame:
    """Valid rows that differ in id and spot."""
    return pl.DataFrame([plain_row(id=f"A{i + 1}", spot=100.0 + i, **changes) for i in range(rows)])


def checked(table: object, *, skip_invalid: bool = False, **defaults: Any) -> Book:
    """The checked book of anything that can be read."""
    return checked_book(raw_book(table), Defaults(**defaults), skip_invalid=skip_invalid)


def messages(table: object, **defaults: Any) -> list[str]:
    """What is wrong with a book, each problem as a user reads it; nothing when it is right."""
    try:
        checked(table, **defaults)
    except BookError as error:
        return [str(problem) for problem in error.problems]
    return []


def row_messages(**changes: Any) -> list[str]:
    """What is wrong with a one-row book: the plain row with these cells changed."""
    return messages(pl.DataFrame([plain_row(**changes)]))


def engine_row(**changes: Any) -> Row:
    """The engine's columns of a one-row book, as plain values."""
    table = pl.DataFrame([plain_row(**changes)])
    return {name: column.tolist() for name, column in checked(table).columns.items()}
