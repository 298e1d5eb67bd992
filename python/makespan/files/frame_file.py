# SPDX-License-Identifier: Apache-2.0
"""Tables of polars as files: CSV, Parquet, Arrow."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import polars as pl

from makespan.base.extras import require
from makespan.base.forked import expect_polars

METADATA_KEY = "makespan.record"

CSV_ROWS = 100_000
"""Of so many rows the text is in memory at a time."""


def write_frame(table: pl.DataFrame, path: Path, suffix: str, record: str | None = None) -> None:
    """Writes one file in the format of `suffix`; Parquet and Arrow carry the record inside.

    Raises `OSError` if the disk refuses, `EngineError` where polars would wait for ever.
    """
    expect_polars(str(path))
    metadata = {} if record is None else {METADATA_KEY: record}
    try:
        with path.open("wb") as file:  # a path need not be text, which polars and pyarrow want
            if suffix == ".csv":
                _write_csv(table, file)
            elif suffix in (".parquet", ".pq"):
                table.write_parquet(file, metadata=metadata)
            else:
                _write_ipc(table, file, metadata, path)
    except pl.exceptions.ComputeError as error:  # what Parquet's writer makes of a full disk
        raise OSError(str(error)) from error


def _write_csv(table: pl.DataFrame, file: BinaryIO) -> None:
    """By Python's own file: until 1.30 at least polars' buffer does not tell of a full disk."""
    for begin in range(0, max(table.height, 1), CSV_ROWS):
        rows = table.slice(begin, CSV_ROWS)
        file.write(rows.write_csv(include_header=begin == 0).encode())


def _write_ipc(table: pl.DataFrame, file: BinaryIO, metadata: dict[str, str], path: Path) -> None:
    require("arrow", for_=str(path))
    import pyarrow as pa

    arrow = table.to_arrow().replace_schema_metadata(metadata)
    with pa.ipc.new_file(file, arrow.schema) as writer:
        writer.write_table(arrow)
