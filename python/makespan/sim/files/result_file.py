# SPDX-License-Identifier: Apache-2.0
"""The file of what was simulated: a table, or a document of JSON, as its extension says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from makespan.base.errors import InputError
from makespan.files.atomic import Writer, text_writer

if TYPE_CHECKING:
    import polars as pl

SUFFIXES = (".csv", ".parquet", ".json")


def check_result_file(path: Path | None) -> None:
    """Raises `InputError` for another extension."""
    if path is not None and path.suffix.lower() not in SUFFIXES:
        raise InputError(
            f"{path}: its extension says how it is written: use one of {', '.join(SUFFIXES)}"
        )


def result_writer(
    path: Path, table: Callable[[], pl.DataFrame], document: Callable[[], str]
) -> Writer:
    """Writes one of the two."""
    suffix = path.suffix.lower()
    if suffix == ".json":
        return text_writer(document())
    from makespan.files.frame_file import write_frame

    rows = table()
    return lambda path: write_frame(rows, path, suffix)
