# SPDX-License-Identifier: Apache-2.0
"""What there is of a book whose run was interrupted: the rows that have prices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.book import Book
from makespan.pricing.book.normal import rows_of
from makespan.pricing.outcome import Outcome

NOT_PRICED = "it was not priced: the run was interrupted"


def priced_part(book: Book, outcome: Outcome, has_price: NDArray[np.bool_]) -> tuple[Book, Outcome]:
    """The same book and results, but that valid rows without a price have an error instead.

    `has_price`, of shape (valid rows), says which have one.
    """
    rows = np.flatnonzero(has_price)
    errors = {int(row): NOT_PRICED for row in book.valid_rows[~has_price]}
    part = replace(
        book,
        valid_rows=book.valid_rows[rows],
        columns=rows_of(book.columns, rows),
        numbered=rows_of(book.numbered, rows),
        errors={**book.errors, **errors},
    )
    columns = {name: values[rows] for name, values in outcome.columns.items()}
    return part, replace(outcome, columns=columns)
