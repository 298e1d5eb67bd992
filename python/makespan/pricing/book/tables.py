# SPDX-License-Identifier: Apache-2.0
"""Tables in memory: any of polars, pandas, pyarrow or a dict of arrays, in and out alike."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from makespan.base.errors import InputError
from makespan.pricing.book.source import RawBook, check_names_unique, unreadable
from makespan.settings.table_columns import library_of

if TYPE_CHECKING:
    import polars as pl

NAME_IN_MEMORY = "book"
_UNREADABLE = (AttributeError, ImportError, TypeError, ValueError)
"""What polars raises beside its own."""
_SCALARS = {int, float, str, bool, type(None)}
"""What polars takes as it is."""
_WITH_ARTICLE = {NAME_IN_MEMORY: "a book"}


def raw_of_table(table: object, name: str = NAME_IN_MEMORY) -> RawBook:
    """The cells of a table in memory; raises `BookError`, or `InputError` for other types.

    `name`: of the table, for messages.
    """
    library = library_of(table)
    if library == "polars":
        return RawBook(name, _polars_frame(table))
    if library == "pyarrow":
        from makespan.pricing.book.arrow_files import frame_of_arrow

        return RawBook(name, frame_of_arrow(name, _arrow_table(table)))
    if library == "pandas":
        return RawBook(name, _frame_of_pandas(name, table), nan_is_missing=True)
    if isinstance(table, Mapping):
        return RawBook(name, _frame_of_columns(name, table), nan_is_missing=True)
    raise InputError(
        f"cannot read {_WITH_ARTICLE.get(name, name)} from {type(table).__name__}; give a path, a "
        "polars or pandas DataFrame, a pyarrow Table, or a dict of arrays"
    )


def like(
    given: object, table: pl.DataFrame, record: Callable[[], str], *, has_its_rows: bool
) -> Any:
    """`table` as the kind of table that `given` is; paths and LazyFrames get polars.

    Where the library has a place for it, the run record's text travels along: pandas `attrs`,
    pyarrow schema metadata. `has_its_rows`: one for each row of `given`, whose pandas index they
    then have.
    """
    library = library_of(given)
    if library == "pandas":
        frame = _pandas_frame(table)
        if has_its_rows:
            frame.index = given.index  # type: ignore[attr-defined]
        frame.attrs["makespan.record"] = record()
        return frame
    if library == "pyarrow":
        return table.to_arrow().replace_schema_metadata({"makespan.record": record()})
    if isinstance(given, Mapping):
        return {column.name: _array(column) for column in table}
    return table


def _array(column: pl.Series) -> Any:
    """Of objects where numpy has no such number: ids of more than 64 bits."""
    import numpy as np
    import polars as pl

    if column.dtype == pl.Int128:
        return np.array(column.to_list(), dtype=object)
    return column.to_numpy()


def _polars_frame(table: Any) -> pl.DataFrame:
    frame: pl.DataFrame = table.collect() if hasattr(table, "collect") else table
    return frame


def _arrow_table(table: Any) -> Any:
    import pyarrow as pa

    return pa.Table.from_batches([table]) if isinstance(table, pa.RecordBatch) else table


def _frame_of_pandas(source: str, table: Any) -> pl.DataFrame:
    names = [str(name) for name in table.columns]
    check_names_unique(source, names)
    return _frame_of_columns(source, {name: table.iloc[:, i] for i, name in enumerate(names)})


def _pandas_frame(table: pl.DataFrame) -> Any:
    """Column by column: polars' own way needs pyarrow, which only an extra brings."""
    import pandas as pd

    return pd.DataFrame({column.name: _array(column) for column in table})


def _frame_of_columns(source: str, columns: Mapping[Any, Any]) -> pl.DataFrame:
    import polars as pl

    series = []
    for name, values in columns.items():
        if hasattr(values, "columns"):
            raise unreadable(
                source, f"'{name}' is a table itself; give a dict of lists, or one table"
            )
        try:
            column = pl.Series(str(name), _plain(values))
        except OverflowError:
            text = f"column '{name}' is no column (a whole number has too many digits)"
            raise unreadable(source, text) from None
        except (*_UNREADABLE, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            text = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise unreadable(source, f"column '{name}' is no column ({text})") from None
        series.append(column)
    lengths = {column.name: len(column) for column in series}
    if len(set(lengths.values())) > 1:
        counts = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise unreadable(source, f"columns differ in length ({counts}); make them equal")
    return pl.DataFrame(series)


def _plain(values: Any) -> Any:
    """What polars takes as a column: arrays as they are, anything else as a list."""
    import numpy as np

    if isinstance(values, set | frozenset):
        raise TypeError("a set has no order; give a list")
    dtype = getattr(values, "dtype", None)
    if isinstance(values, np.ma.MaskedArray):
        values = values.tolist()  # None where it is masked; np.asarray would forget the mask
    elif isinstance(dtype, np.dtype) and dtype.kind not in "OSU":
        return np.asarray(values)  # of pandas, too: polars would want pyarrow for its columns
    if isinstance(values, str | bytes) or not hasattr(values, "__iter__"):
        raise TypeError("a single value; give one per option")
    items = values.tolist() if isinstance(values, np.ndarray) else list(values)
    kinds = set(map(type, items))
    if not kinds <= _SCALARS:
        items = [_plain_cell(item, (np.generic, np.ndarray)) for item in items]
    elif float in kinds:
        items = [None if item != item else item for item in items]  # noqa: PLR0124 - NaN
    return _of_one_kind(items)


def _plain_cell(item: Any, of_numpy: tuple[Any, ...]) -> Any:
    """With Python's own numbers and lists in the place of numpy's, and None for what is missing."""
    if isinstance(item, of_numpy) and item.dtype.kind not in "mM":  # whose days would be numbers
        item = item.tolist()
    if isinstance(item, list | tuple | range):
        if set(map(type, item)) <= _SCALARS:
            return item if isinstance(item, list) else list(item)
        return [_plain_cell(one, of_numpy) for one in item]
    return None if _is_missing(item) else item


def _of_one_kind(items: list[Any]) -> list[Any]:
    """Floats in the place of whole numbers beside floats, in lists, too.

    polars would cut the floats behind a whole number to whole ones, or refuse them.
    """
    lists = [item for item in items if type(item) is list]
    if lists:
        inner = set(map(type, itertools.chain.from_iterable(lists)))
        is_mixed = float in inner and int in inner
        return (
            [_as_floats(one) if type(one) is list else one for one in items] if is_mixed else items
        )
    kinds = set(map(type, items))
    return _as_floats(items) if float in kinds and int in kinds else items


def _as_floats(items: list[Any]) -> list[Any]:
    return [float(one) if type(one) is int else one for one in items]


def _is_missing(item: Any) -> bool:
    """None, NaN, pandas.NA and pandas.NaT: values that do not equal themselves."""
    if item is None:
        return True
    if hasattr(item, "__len__"):
        return False
    try:
        return bool(item != item)  # noqa: PLR0124 - what NaN, and nothing else, does
    except TypeError:
        return True  # pandas.NA will not say
