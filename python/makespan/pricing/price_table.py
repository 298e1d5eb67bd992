# SPDX-License-Identifier: Apache-2.0
"""The table of prices: the output schema filled from a run's columns, in the book's row order."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from makespan.pricing.book import Book
from makespan.pricing.columns.outputs import OUTPUT_COLUMNS, STATUSES
from makespan.pricing.input import Settings
from makespan.pricing.outcome import Outcome
from makespan.settings.registries import METHODS

_ERROR = STATUSES.index("error")
NO_PRICE = "the price is not a finite number; are rate, drift, volatility and expiry right?"
TOO_WIDE = (
    "the recursion (method exact, or the choice of auto) cannot follow a price that moves so far "
    "between fixings so uneven; use method mc, which simulates it"
)
_DESK = {
    "vega": ("vega_per_1pct", 100.0),
    "rho": ("rho_per_1pct", 100.0),
    "dividend_rho": ("dividend_rho_per_1pct", 100.0),
    "theta": ("theta_per_day", 365.0),
}
"""Desk units: the new name says the unit, so that no number changes its meaning silently."""


def price_table(book: Book, outcome: Outcome, settings: Settings) -> pl.DataFrame:
    """One row for each row of the book; null where a number does not exist."""
    columns = {"id": _ids(book), **_texts(book, outcome)}
    for column in OUTPUT_COLUMNS:
        if column.name in columns or (column.greek and not settings.greeks):
            continue
        values = outcome.columns.get(column.name, np.zeros(0, dtype=column.type))
        finite = np.where(np.isinf(values), np.nan, values) if values.dtype.kind == "f" else values
        columns[column.name] = _placed(book, pl.Series(finite, nan_to_null=True))
    present = [column.name for column in OUTPUT_COLUMNS if column.name in columns]
    return pl.DataFrame({name: columns[name] for name in present})


def unpriced_rows(book: Book, outcome: Outcome) -> list[int]:
    """Rows of the book (from 0) that were valid and have no finite price all the same."""
    rows: list[int] = book.valid_rows[outcome.status == _ERROR].tolist()
    return rows


def _unpriced_errors(book: Book, outcome: Outcome) -> dict[int, str]:
    """By row of the book, from 0."""
    solved = np.array(METHODS)[outcome.columns.get("method", np.zeros(0, dtype=np.int8))] == "exact"
    rows = book.valid_rows[(outcome.status == _ERROR) & solved].tolist()
    return {
        **dict.fromkeys(unpriced_rows(book, outcome), NO_PRICE),
        **dict.fromkeys(rows, TOO_WIDE),
    }


def desk_units(table: pl.DataFrame) -> pl.DataFrame:
    """The same table with vega and rho per 1 %, theta per day, and names that say so."""
    changes = [
        (greek + suffix, name + suffix, divisor)
        for greek, (name, divisor) in _DESK.items()
        for suffix in ("", "_std_error", "_error_bound")
        if greek + suffix in table.columns
    ]
    scaled = table.with_columns(pl.col(old) / divisor for old, _, divisor in changes)
    return scaled.rename({old: new for old, new, _ in changes})


def _ids(book: Book) -> pl.Series:
    if book.id_type.is_integer():
        return book.ids.cast(book.id_type, strict=False).fill_null(0)
    return book.ids


def _texts(book: Book, outcome: Outcome) -> dict[str, pl.Series]:
    """Columns of words: status, error, method, measure."""
    status = outcome.status
    method = outcome.columns.get("method", np.zeros(0, dtype=np.int8))
    user_drift = book.columns["drift_given"] != 0
    errors = {**book.errors, **_unpriced_errors(book, outcome)}
    error = pl.Series([errors.get(row) for row in range(book.rows)], dtype=pl.String)
    words = {
        "status": np.array(STATUSES)[status],
        "method": np.array(METHODS)[method],
        "measure": np.where(user_drift, "user_drift", "risk_neutral"),
    }
    texts = {
        name: _placed(book, pl.Series(_text_list(w), dtype=pl.String)) for name, w in words.items()
    }
    texts["status"] = texts["status"].fill_null("error")
    texts["error"] = error
    return texts


def _text_list(words: NDArray[Any]) -> list[str]:
    listed: list[str] = words.tolist()
    return listed


def _placed(book: Book, valid: pl.Series) -> pl.Series:
    """A column of the valid rows spread over all rows, null elsewhere."""
    if len(valid) == book.rows:
        return valid
    place = np.full(book.rows, -1, dtype=np.int64)
    place[book.valid_rows] = np.arange(len(book.valid_rows))
    index = pl.Series(place)
    return valid.gather(index.set(index < 0, None))
