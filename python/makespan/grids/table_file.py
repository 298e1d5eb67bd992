# SPDX-License-Identifier: Apache-2.0
"""The table of a run as CSV: a line for each time at which it was told."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from makespan.base.errors import InputError
from makespan.files.atomic import write_files
from makespan.files.resolved_path import resolved

Line = Mapping[str, Any]


def write_table(path: Path, columns: Sequence[str], lines: Sequence[Line]) -> None:
    """Whole or not at all; numbers with all their digits, and nothing where there is none."""

    def write(temporary: Path) -> None:
        with temporary.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows([line.get(name) for name in columns] for line in lines)

    write_files({path: write})


def read_table(path: Path, columns: Sequence[str], step_end: int) -> list[dict[str, Any]]:
    """Lines of steps before `step_end`, of which the first column tells; none without a file.

    Raises `InputError` for a file that is not of these columns and numbers.
    """
    if not resolved(path).exists():
        return []
    try:
        with path.open(encoding="utf-8", newline="") as file:
            lines = _lines_of(columns, list(csv.reader(file)))
    except (OSError, ValueError, csv.Error) as error:
        raise InputError(f"{path}: it is no table of this run ({error}); move it away") from error
    return [line for line in lines if line[columns[0]] < step_end]


def _lines_of(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    if not rows or rows[0] != list(columns):
        raise ValueError(f"its columns are not {', '.join(columns)}")
    return [_line_of(columns, row) for row in rows[1:]]


def _line_of(columns: Sequence[str], row: Sequence[str]) -> dict[str, Any]:
    line = dict(zip(columns, map(_number, row), strict=True))
    if type(line[columns[0]]) is not int:
        raise ValueError(f"'{row[0]}' is no {columns[0]}")
    return line


def _number(cell: str) -> int | float | None:
    if not cell:
        return None
    try:
        return int(cell)
    except ValueError:
        return float(cell)
