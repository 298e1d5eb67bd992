# SPDX-License-Identifier: Apache-2.0
"""Collects what is wrong with a book while it is being checked, without stopping at the first.

Checks work on whole columns; only rows that fail cost anything here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import wraps
from typing import ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from makespan.base.errors import Problem
from makespan.pricing.columns.book import INPUT_COLUMNS

Mask = NDArray[np.bool_]
P = ParamSpec("P")
Result = TypeVar("Result")

_VALUE_CHARACTERS_MAX = 40
_ORDER = {column.name: place for place, column in enumerate(INPUT_COLUMNS)}


def with_any_numbers(function: Callable[P, Result]) -> Callable[P, Result]:
    """Decorates what computes with numbers that are not yet known to be in bounds.

    Rules see whole columns, rows that have problems among them: what they compute of such rows may
    be infinite or NaN, and the row's own problem is what the user hears, not a warning of numpy.
    """

    @wraps(function)
    def quiet(*arguments: P.args, **keywords: P.kwargs) -> Result:
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            return function(*arguments, **keywords)

    return quiet


class Problems:
    """The problems of one book of `rows` rows; `bad` marks the rows that have one."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.bad: Mask = np.zeros(rows, dtype=np.bool_)
        self.of_file: list[tuple[str | None, str]] = []
        self.of_rows: list[tuple[int, str, str, bool]] = []

    def add_file(self, text: str, column: str | None = None) -> None:
        """A problem of the book as a whole."""
        self.of_file.append((column, text))

    def add_rows(
        self, mask: Mask, column: str, text: Callable[[int], str], *, names_id: bool = False
    ) -> None:
        """The same kind of problem in every row of `mask`; `text(i)` words that of row i (from 0).

        `names_id`: the text names the id itself, so the message's head leaves it out.
        """
        for row in np.flatnonzero(mask).tolist():
            self.of_rows.append((row, column, text(row), names_id))
        self.bad |= mask

    def refuse_beside(
        self, both: Mask, column: str, beside: str, why: str = "; leave one empty"
    ) -> None:
        """Rows of `both` give two columns of which only one may be there."""
        text = f"{column} cannot stand beside {beside}{why}"
        self.add_rows(both, column, lambda _: text)

    def add_row(self, row: int, column: str, text: str) -> None:
        """A problem of one row (from 0)."""
        self.of_rows.append((row, column, text, False))
        self.bad[row] = True

    def listed(
        self, id_of: Callable[[int], str | None], lines: Sequence[int] | None
    ) -> list[Problem]:
        """All problems: those of the file first, then row by row in column order."""
        found = [Problem(text, column=column) for column, text in self.of_file]
        ordered = sorted(self.of_rows, key=lambda entry: (entry[0], _ORDER.get(entry[1], 0)))
        for row, column, text, names_id in ordered:
            line = None if lines is None or lines[row] == row + 2 else int(lines[row])
            id_shown = None if names_id else id_of(row)
            found.append(Problem(text, row + 1, id_shown, column, line))
        return found


def shown(value: object) -> str:
    """A cell as a message quotes it: short, on one line, 'quoted' when it is text."""
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, str):
        cut = value if len(value) <= _VALUE_CHARACTERS_MAX else value[:_VALUE_CHARACTERS_MAX] + "…"
        return repr(cut)
    return str(value)


def id_text(value: str) -> str:
    """An id as a message names it: control characters cannot break the line."""
    return shown(value)[1:-1]


def number_text(value: float) -> str:
    """Shortest text of a number to 15 digits: 1.25, 1.0, 1e-300; never 0.050000000000000003."""
    if not math.isfinite(value):
        return str(float(value))
    return repr(float(f"{value:.15g}"))
