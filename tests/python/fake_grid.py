# SPDX-License-Identifier: Apache-2.0
"""A grid in a few lines with the interface of the engine's team: each step adds 1 to all values."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
from makespan.grids.saving import GridOfFields
from makespan.grids.state_file import StateHead, write_state
from makespan.grids.steps import StepClock

POINTS = (3, 2, 4)
FIELDS = ("a", "b")
SETTINGS = {"points": list(POINTS), "lambda": 0.1}


def small_grid(steps: int = 100, **settings: object) -> GridOfFields:
    """What its files have in common."""
    return GridOfFields(
        application="diffuse",
        points=POINTS,
        spacing=(1.0, 1.0, 1.0),
        fields=FIELDS,
        clock=StepClock(0.5, steps * 0.5),
        time_unit="",
        settings={**SETTINGS, **settings},
    )


class FakeTeam:
    """Field 0 counts up from 0, field 1 from 1000."""

    images = threads = 1

    def __init__(self, bad_from: int | None = None) -> None:
        self.step = 0
        self.runs: list[int] = []
        x, y, z = POINTS
        self.fields = [np.full((z, y, x), first) for first in (0.0, 1000.0)]
        self._bad_from = bad_from

    def run(self, steps: int, later: int = 0) -> None:
        assert later >= 0
        self.runs.append(steps)
        self.step += steps
        self.fields = [field + steps for field in self.fields]
        if self._bad_from is not None and self.step >= self._bad_from:
            self.fields[1][3, 1, 2] = np.nan

    def find_bad_value(self) -> tuple[int, tuple[int, int, int], float] | None:
        for number, field in enumerate(self.fields):
            for z, y, x in np.argwhere(~np.isfinite(field)):
                return number, (int(x), int(y), int(z)), float(field[z, y, x])
        return None

    def gather(self, field: int, begin: tuple[int, ...], end: tuple[int, ...]) -> np.ndarray:
        x, y, z = (slice(low, high) for low, high in zip(begin, end, strict=True))
        return self.fields[field][z, y, x].copy()

    def scatter(self, field: int, begin: tuple[int, ...], values: np.ndarray) -> None:
        z, y, x = values.shape
        self.fields[field][
            begin[2] : begin[2] + z, begin[1] : begin[1] + y, begin[0] : begin[0] + x
        ] = values

    def set_step(self, step: int) -> None:
        self.step = step


def write_by_hand(path: Path, head: StateHead, values: np.ndarray) -> None:
    """A checkpoint whose digests are right, whatever its values."""
    write_state(path, head, lambda _, begin, end: values[begin:end])


def damage(path: Path, field: str) -> None:
    """One value is another than was written."""
    with h5py.File(path, "r+") as file:
        file[f"VTKHDF/CellData/{field}"][1, 1, 1] = -7.0
