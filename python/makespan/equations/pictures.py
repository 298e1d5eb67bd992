# SPDX-License-Identifier: Apache-2.0
"""Pictures of a plane of the user's points: all of them, or a slice of three axes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from makespan.equations.problem import Problem
from makespan.files.atomic import make_output_folder
from makespan.grids.slice_picture import FieldSlice, SliceLook, write_slice

_ENGINE_NAMES = "xyz"


class PlanePictures:
    """Of one plane at many times, all in one folder; on image 0."""

    def __init__(self, team: Any, problem: Problem, across: str, folder: Path) -> None:
        """`across`: the axis that a slice is cut across, in the middle; of three axes."""
        space = problem.space
        self._team = team
        self._folder = folder
        self._across = across if len(space.shape) == len(_ENGINE_NAMES) else ""
        begins = [before for before, _ in problem.layers]
        ends = [begin + size for begin, size in zip(begins, space.shape, strict=True)]
        self._position = 0.0
        if self._across:
            axis = space.names.index(across)
            middle = space.shape[axis] // 2
            self._position = (middle + 0.5) * space.spacing[axis]
            begins[axis] += middle
            ends[axis] = begins[axis] + 1
        self._begin = space.engine_triple(begins, 0)
        self._end = space.engine_triple(ends, 1)
        # The engine's axis that the plane has only one point of.
        self._flat = 2 - _ENGINE_NAMES.index(self._across or "y")
        up, right = (name for name in space.names if name != self._across)
        sides = dict(zip(space.names, space.spacing, strict=True))
        self._plane, self._sides = (right, up), (sides[right], sides[up])

    def write(self, name: str, number: int, step: int, time: float) -> Path | None:
        """Draws a field; returns the file, None if it cannot be drawn.

        Raises `InputError` for the disk.
        """
        shown = FieldSlice(
            values=self._team.gather(number, self._begin, self._end).squeeze(self._flat),
            sides=self._sides,
            plane=self._plane,
            across=self._across,
            position=self._position,
            time=time,
        )
        make_output_folder(self._folder)
        path = self._folder / f"{name}-{step:08d}.png"
        is_drawn = write_slice(path, shown, SliceLook(name, length_unit="", time_unit=""))
        return path if is_drawn else None
