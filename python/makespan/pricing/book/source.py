# SPDX-License-Identifier: Apache-2.0
"""A book as it was found, before any of it is checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from makespan.base.errors import BookError, Problem

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class RawBook:
    """Cells as read. Column names are unique; they may still be aliases or unknown.

    `nan_is_missing`: numpy's arrays without a mask, and many columns of pandas, have no other way
    to leave a number out.
    `lines`: line of the file of each row (CSV only), None elsewhere.
    """

    name: str
    frame: pl.DataFrame
    nan_is_missing: bool = False
    is_csv: bool = False
    lines: Sequence[int] | None = None


def unreadable(name: str, text: str) -> BookError:
    """The error of a source that cannot be read at all."""
    return BookError(name, [Problem(text)])


def check_names_unique(name: str, columns: Sequence[str]) -> None:
    """Raises `BookError` when two columns have the same name."""
    twice = [column for column, count in Counter(columns).items() if count > 1]
    if twice:
        texts = [f"column '{column}' is there more than once; keep one" for column in twice]
        raise BookError(name, [Problem(text) for text in texts])
