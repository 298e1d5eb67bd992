# SPDX-License-Identifier: Apache-2.0
"""Bags of tasks from a table: a row for each, with its cost."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.base.errors import InputError
from makespan.base.forked import expect_polars
from makespan.sim.tasks import COST_MAX, TASKS_MAX, Tasks

if TYPE_CHECKING:
    import polars as pl

SUFFIXES = (".csv", ".parquet")
COLUMNS = ("cost", "items", "factor")
ITEMS_MAX = 2**33
"""The simulator has a bit for each, of those that are finished."""
_RIGHT = "columns are cost (of an item), and if wanted items (1) and factor (real over predicted)"


def is_task_file(text: str) -> bool:
    """Whether `--tasks` names a file, and not a distribution."""
    return text.endswith(SUFFIXES)


def read_tasks(path: Path) -> Tasks:
    """Raises `InputError` that names file, row and column; rows count from 1, below the header."""
    try:
        table = _csv(path) if path.suffix == ".csv" else _parquet(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}): {_RIGHT}") from error
    return _tasks_of(str(path), table)


def _parquet(path: Path) -> pl.DataFrame:
    """As books are read: a damaged file makes polars panic, or end the process."""
    from makespan.base.errors import BookError
    from makespan.pricing.book.arrow_files import read_parquet

    path.open("rb").close()  # what the system says of it comes first
    try:
        return read_parquet(path).frame
    except BookError as error:
        raise InputError(f"{path}: {error.problems[0].text}: {_RIGHT}") from error


def _csv(path: Path) -> pl.DataFrame:
    import polars as pl

    expect_polars(str(path))
    data = path.read_bytes()  # not by polars, to which [1], * and ? in a path are a pattern
    try:
        # As text: polars infers a type from the first hundred rows, and refuses others behind them.
        table = pl.read_csv(io.BytesIO(data), infer_schema=False)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        why = str(error).partition("\n")[0]
        raise InputError(f"{path}: cannot be read ({why}): {_RIGHT}") from error
    return table.with_columns(pl.all().str.strip_chars())


def tasks_of_columns(source: str, columns: Mapping[str, Sequence[float]]) -> Tasks:
    """The same of columns at hand; `source` is what messages call them."""
    import polars as pl

    from makespan.settings.float_array import is_masked  # loads numpy

    for name, values in columns.items():
        if is_masked(values):
            raise InputError(f"{source}: {name} is masked in part: {_RIGHT}")
    try:
        table = pl.DataFrame({name: _alike(values) for name, values in columns.items()})
    except OverflowError:
        raise InputError(f"{source}: a whole number has too many digits: {_RIGHT}") from None
    except (TypeError, ValueError, pl.exceptions.PolarsError) as error:
        raise InputError(f"{source}: no columns of one length ({error}): {_RIGHT}") from error
    return _tasks_of(source, table)


def _alike(values: Sequence[float]) -> list[Any]:
    """Of floats alone where there are whole numbers and floats, of which polars makes no column."""
    if isinstance(values, bytes | bytearray | str):  # whose bytes and digits would be costs
        raise TypeError(f"{type(values).__name__} is no list of numbers")
    listed = list(values)
    types = set(map(type, listed))
    is_mixed = len(types) > 1 and bool not in types and all(issubclass(one, Real) for one in types)
    return list(map(float, listed)) if is_mixed else listed


def _tasks_of(source: str, table: pl.DataFrame) -> Tasks:
    for name in table.columns:
        if name not in COLUMNS:
            raise InputError(f"{source}: column '{name}' is not known: {_RIGHT}")
    if "cost" not in table.columns or not 1 <= table.height <= TASKS_MAX:
        raise InputError(f"{source}: no column cost, or no rows, or over {TASKS_MAX}: {_RIGHT}")
    columns = {name: _numbers(source, table, name) for name in table.columns}
    counts = columns.get("items", ())
    for row, count in enumerate(counts, start=1):
        if not count.is_integer():
            raise InputError(f"{source}: row {row}: items = {count} is no whole number: {_RIGHT}")
    if sum(counts) > ITEMS_MAX:
        raise InputError(f"{source}: {sum(counts):g} items, over 2^33: give fewer; {_RIGHT}")
    return Tasks(
        source, columns["cost"], columns.get("factor", ()), items=tuple(int(n) for n in counts)
    )


def _numbers(source: str, table: pl.DataFrame, name: str) -> tuple[float, ...]:
    import polars as pl

    column = table[name]
    if column.dtype.is_temporal():  # which would be cast to counts of days or nanoseconds
        raise InputError(f"{source}: {name} holds {column.dtype}, and no numbers: {_RIGHT}")
    try:
        numbers = column.cast(pl.Float64, strict=False).to_list()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise InputError(
            f"{source}: {name} holds {column.dtype}, and no numbers: {_RIGHT}"
        ) from error
    for row, number in enumerate(numbers, start=1):
        if number is None or not 0.0 < number <= COST_MAX:
            raise InputError(
                f"{source}: row {row}: {name} = {column[row - 1]} is no finite number above 0, and "
                f"up to {COST_MAX:g}: {_RIGHT}"
            )
    return tuple(numbers)
