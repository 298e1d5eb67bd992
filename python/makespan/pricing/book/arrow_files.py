# SPDX-License-Identifier: Apache-2.0
"""Reads Parquet and Arrow IPC books.

pyarrow reads them, not polars: its readers are fuzzed upstream against damaged files, and turn
them into exceptions where others abort the process (docs/decisions/0021). Without it Parquet is
read by `parquet_file`, and Arrow IPC not at all.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from makespan.base.extras import EXTRAS, require
from makespan.pricing.book.source import RawBook, check_names_unique, unreadable

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

PARQUET_MAGIC = b"PAR1"
ARROW_MAGIC = b"ARROW1"
STREAM_MAGIC = b"\xff\xff\xff\xff"
"""A stream of Arrow IPC begins so."""


def read_parquet(path: Path) -> RawBook:
    """All columns of a Parquet file; raises `BookError`."""
    if EXTRAS["arrow"].missing():
        from makespan.pricing.book.parquet_file import read_parquet_by_polars

        return read_parquet_by_polars(path)
    import pyarrow.parquet as pq

    return _read(path, "Parquet", lambda source: pq.ParquetFile(source).read())


def read_ipc(path: Path) -> RawBook:
    """All columns of an Arrow IPC file (Feather version 2); raises `BookError`."""
    require("arrow", for_=str(path))
    import pyarrow as pa

    return _read(path, "Arrow IPC", lambda source: pa.ipc.open_file(source).read_all())


def _read(path: Path, kind: str, read: Callable[[pa.NativeFile], pa.Table]) -> RawBook:
    import pyarrow as pa

    try:
        with pa.OSFile(str(path), "rb") as source:
            table = _bare(read(source))
            table.validate(full=True)
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError, MemoryError) as error:
        text = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise unreadable(path.name, f"not a whole {kind} file ({text}); write it again") from None
    return RawBook(path.name, frame_of_arrow(path.name, table))


def _bare(table: pa.Table) -> pa.Table:
    """The same columns without metadata, which a damaged file may have filled with anything."""
    import pyarrow as pa

    return pa.Table.from_arrays(table.columns, names=table.column_names)


def frame_of_arrow(name: str, table: pa.Table) -> pl.DataFrame:
    """The same columns in polars; raises `BookError` for types that a book cannot have."""
    import polars as pl

    check_names_unique(name, table.column_names)
    try:
        frame = pl.from_arrow(table)
    except BaseException as error:
        # polars panics on some damage, and a panic is no Exception.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        text = f"a column has a type no book can have, or is damaged ({error})"
        raise unreadable(name, text.replace("\n", " ")) from None
    if not isinstance(frame, pl.DataFrame):
        raise unreadable(name, "it is a single column; a book is a table")
    return frame
