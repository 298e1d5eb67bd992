# SPDX-License-Identifier: Apache-2.0
"""What Python gets of a run of equations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Frame:
    """All fields that change, after a step."""

    step: int
    fields: Mapping[str, NDArray[np.float64]]
    """Of the shape of the first values."""


@dataclass(frozen=True, slots=True, eq=False)
class GridResult:
    """Fields after their steps."""

    fields: Mapping[str, NDArray[np.float64]]
    """All of them at the end, of the shape of the first values."""
    frames: tuple[Frame, ...]
    """Every `frames_steps`, the first values and the last ones included; empty without these."""
    table: pl.DataFrame
    """A row for each line: step, time, and least, most and mean of each field that changes."""
    hash: str | None
    """Of all bits of all fields: the same however the grid was cut; None of an interrupted run."""
    steps: int
    """Done, those before a checkpoint included."""
    seconds: float
    """Of this run's steps, with what was written in between."""
    kernel: str
    """"compiled" or "interpreted", on the first image."""
    record: Mapping[str, Any]
    """The run record, as `record=` writes it: docs/reference/record.md."""

    def _repr_html_(self) -> str:
        from makespan.grids.table import result_html

        return result_html(self.table, self.hash, self.steps, self.seconds)
