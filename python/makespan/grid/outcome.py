# SPDX-License-Identifier: Apache-2.0
"""What came of a run of a grid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from makespan.grid.grid_run import Progress
from makespan.settings.key_file import KeyValues

Line = Mapping[str, Any]
"""Of a run's table: step, time, and what the application tells."""


def ignored(*_: Any) -> None:
    """The callback that does nothing."""


@dataclass(frozen=True, slots=True)
class GridFiles:
    """What a run reads and writes besides its input."""

    out: Path | None = None
    """A folder for pictures, scans and files for ParaView."""
    checkpoint: Path | None = None
    restart_from: Path | None = None


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a grid is run; the result does not depend on it."""

    threads: int | None = None
    devices: int = 1
    gpus: int = 0
    schedule: str = "overlap"
    cut: str = "auto"
    rebalance_steps: int = 0
    phases_kept: int = 0
    """Of each device, for a trace."""

    def of_team(self, steps_at_once: int = 1) -> dict[str, Any]:
        """As the engine's team takes them."""
        return {
            "devices": self.devices,
            "gpus": self.gpus,
            "schedule": self.schedule,
            "cut": self.cut,
            "rebalance_steps": self.rebalance_steps,
            "phases_kept": self.phases_kept,
            "steps_at_once": steps_at_once,
        }


@dataclass(frozen=True, slots=True)
class GridOrder:
    """What a run is given besides its input."""

    files: GridFiles = GridFiles()
    options: RunOptions = RunOptions()


@dataclass(frozen=True, slots=True)
class Callbacks:
    """Who is told: each line of the table, and how far the run is."""

    line: Callable[[Line], None] = ignored
    progress: Progress = ignored


@dataclass(slots=True)
class GridOutcome:
    """What came of it."""

    given: KeyValues
    options: RunOptions
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
    hash: int | None = None
    """Of all bits of all fields at the end; none if the run was stopped."""
    report: Mapping[str, Any] = field(default_factory=dict)
    """By device: where its time went [s], and its planes."""
    lines: list[Line] = field(default_factory=list)
    written: list[Path] = field(default_factory=list)
    measures: Mapping[str, Any] = field(default_factory=dict)
    """What the application measured of all of it."""

    def add_written(self, path: Path) -> None:
        """One more file that came of it."""
        if path not in self.written:
            self.written.append(path)

    @property
    def hash_text(self) -> str | None:
        """Sixteen digits."""
        return None if self.hash is None else f"{self.hash:016x}"

    @property
    def points_per_s(self) -> float | None:
        """Points times steps, by the time of this run; None if it made none."""
        x, y, z = self.points
        done = self.last_step - self.first_step
        return x * y * z * done / self.seconds if done and self.seconds else None
