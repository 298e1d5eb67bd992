# SPDX-License-Identifier: Apache-2.0
"""Line scans as CSV: F/F0, a column for each position, a row for each time.

The head of the first column is `time_ms`, of each other its position in um. Numbers have as many
digits as it takes to read the same ones again.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

from makespan.base.errors import InputError
from makespan.files.atomic import write_files
from makespan.files.resolved_path import resolved
from makespan.grids.calcium.line_scan import ScanImage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TIME = "time_ms"

_HINT = "name another folder, or remove it"


def write_line_scan(path: Path, image: ScanImage) -> None:
    """Whole or not at all. Raises `InputError` if the disk refuses."""

    def write(temporary: Path) -> None:
        with temporary.open("w", encoding="ascii", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(_head(image.positions))
            for time, line in zip(image.times.tolist(), image.light.tolist(), strict=True):
                writer.writerow([time, *line])

    write_files({path: write})


def read_line_scan(path: Path, positions: NDArray[np.float64], time_end: float) -> ScanImage | None:
    """Lines before that time; None without a file. Raises `InputError` for one of other lines."""
    import numpy as np

    if not resolved(path).exists():
        return None
    try:
        with path.open(encoding="ascii", newline="") as file:
            head, *rows = csv.reader(file)
        table = np.array(rows, dtype=float).reshape(len(rows), 1 + len(positions))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: it cannot be read as a line scan ({error}): {_HINT}") from error
    if head != _head(positions):
        raise InputError(f"{path}: it is a line scan of other positions: {_HINT}")
    kept = table[table[:, 0] < time_end]
    return ScanImage(kept[:, 0].copy(), positions, kept[:, 1:].copy())


def _head(positions: NDArray[np.float64]) -> list[str]:
    return [TIME, *map(repr, positions.tolist())]
