# SPDX-License-Identifier: Apache-2.0
"""What Python gets of a diffusion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class DiffuseResult:
    """A field after its steps."""

    values: NDArray[np.float64]
    """At the end, of shape (z, y, x)."""
    table: pl.DataFrame
    """A row for each line: step, time, least, most, mean."""
    hash: str | None
    """Of all bits of the field: the same however the grid was cut; None of an interrupted run."""
    steps: int
    """Done, those before a checkpoint included."""
    seconds: float
    """Of this run's steps, with what was written in between."""
    record: Mapping[str, Any]
    """The run record, as --record writes it: docs/reference/record.md."""

    def _repr_html_(self) -> str:
        from makespan.grids.table import result_html

        return result_html(self.table, self.hash, self.steps, self.seconds)
