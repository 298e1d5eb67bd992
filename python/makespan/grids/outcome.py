# SPDX-License-Identifier: Apache-2.0
"""What came of a run of a grid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.base.errors import Interrupted
from makespan.grids.checkpoints import CHECKPOINTS
from makespan.grids.input import GridOrder
from makespan.grids.tuning import Tuning
from makespan.job.progress import OnProgress, ignored
from makespan.settings.input_file import InputValues

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Line = Mapping[str, Any]
"""Of a run's table: step, time, and what the application tells."""


@dataclass(frozen=True, slots=True)
class Callbacks:
    """Who is told: each line of the table, and how far the run is."""

    line: Callable[[Line], None] = ignored
    progress: OnProgress = ignored


@dataclass(slots=True)
class GridOutcome:
    """What came of it."""

    name: str
    """Of the command."""
    given: InputValues
    order: GridOrder
    images: int
    threads: int
    points: tuple[int, int, int]
    steps: int
    """In all, those before a checkpoint included."""
    first_step: int = 0
    last_step: int = 0
    seconds: float = 0.0
    """Of this run's steps, with what was written in between."""
    is_complete: bool = False
    """False if Ctrl-C ended the run early."""
    asked_to_end: bool = False
    """Whether Ctrl-C came, be it that nothing was left to do then."""
    hash: str | None = None
    """Of all bits of all fields at the end; none if the run was stopped."""
    tuning: Tuning | None = None
    """What was tried before the run, and won; None: nothing was."""
    report: Mapping[str, Any] = field(default_factory=dict)
    """By device: where its time went [s], and its planes."""
    lines: list[Line] = field(default_factory=list)
    written: list[Path] = field(default_factory=list)
    measures: Mapping[str, Any] = field(default_factory=dict)
    """What the application measured of all of it."""
    stated: Mapping[str, Any] | None = None
    """What the record says of the problem besides the input; None: the input says all."""
    first_hash: str | None = None
    """Of the first values, where the input does not make them."""
    record: Mapping[str, Any] = field(default_factory=dict)
    """As it is written; made when the run is over."""
    fields: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    """As they are at the end, of (z, y, x), if the order says so."""

    def add_written(self, path: Path | None) -> None:
        """One more file that came of it, if one did."""
        if path is not None and path not in self.written:
            self.written.append(path)

    @property
    def points_per_s(self) -> float | None:
        """Points times steps, by the time of this run; None if it made none."""
        x, y, z = self.points
        done = self.last_step - self.first_step
        return x * y * z * done / self.seconds if done and self.seconds else None

    def expect_unasked(self, result: Any = None) -> None:
        """Raises `Interrupted` if Ctrl-C came; `result` is what would be returned otherwise."""
        if not self.asked_to_end:
            return
        folder = self.order.files.checkpoint
        saved = None if folder is None else CHECKPOINTS.path(folder, self.last_step)
        raise Interrupted(self.last_step, self.steps, "steps", result=result, restart_from=saved)
