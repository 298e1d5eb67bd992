# SPDX-License-Identifier: Apache-2.0
"""Cells that hold names: text, or whole numbers as their decimal text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from makespan.base.setting_names import called
from makespan.pricing.book.cells import Cells, text_or_number, wrong_type
from makespan.pricing.book.problems import Problems
from makespan.pricing.columns.column import Column

_SHOWN = 8


def read_names(series: pl.Series, column: Column, problems: Problems) -> Cells:
    """Text of each cell; a column of another type is reported and counts as not given."""
    series = text_or_number(series)
    if series.dtype.is_integer():
        series = series.cast(pl.String)
    if series.dtype != pl.String:
        if series.dtype != pl.Null:
            wrong_type(column, series.dtype, problems)
        return no_names(len(series))
    given = np.asarray(series.is_not_null().to_numpy(), dtype=np.bool_)
    return Cells(np.array(series.fill_null("").to_list(), dtype=object), given)


def no_names(rows: int) -> Cells:
    """A column that is not there."""
    return Cells(np.full(rows, "", dtype=object), np.zeros(rows, dtype=np.bool_))


def unknown_name(column: str, name: str, what: str, source: str, known: Sequence[str]) -> str:
    """That a cell names what is not there; `what`: of curves, baskets or surfaces."""
    if not known:
        return f"{column} names '{name}', but no {what} were given; give them with {called(what)}"
    shown = ", ".join(known[:_SHOWN]) + (", ..." if len(known) > _SHOWN else "")
    return f"{column} '{name}' is not in {source}, which has {shown}"
