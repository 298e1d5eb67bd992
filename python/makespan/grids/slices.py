# SPDX-License-Identifier: Apache-2.0
"""Slices of a running grid, as pictures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.files.atomic import make_output_folder
from makespan.grids.saving import GridOfFields
from makespan.grids.slice_picture import FieldSlice, SliceLook, SliceRegions, write_slice

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

AXES = "xyz"


@dataclass(frozen=True, slots=True)
class Slice:
    """Points of one index along an axis."""

    axis: int
    """0 for x, 1 for y, 2 for z."""
    index: int
    begin: tuple[int, int, int]
    end: tuple[int, int, int]

    @property
    def plane(self) -> tuple[str, str]:
        """Names of the axes that go right and up."""
        right, up = (name for number, name in enumerate(AXES) if number != self.axis)
        return right, up


def middle_slice(axis: str, middle: tuple[int, ...], grid: GridOfFields) -> Slice:
    """Across the axis, through the point `middle`."""
    number = AXES.index(axis)
    begin, end = [0, 0, 0], list(grid.points)
    begin[number], end[number] = middle[number], middle[number] + 1
    return Slice(number, middle[number], (begin[0], begin[1], begin[2]), (end[0], end[1], end[2]))


def slice_values(team: Any, field: int, where: Slice) -> NDArray[np.float64]:
    """Of shape (up, right)."""
    box: NDArray[np.float64] = team.gather(field, where.begin, where.end)
    return box.squeeze(2 - where.axis)


@dataclass(frozen=True, slots=True)
class PicturedField:
    """A field as its pictures show it."""

    name: str
    number: int
    look: SliceLook
    over: float = 1.0
    """What its values are divided by."""


class SlicePictures:
    """Pictures of one slice at many times, all in one folder; on image 0."""

    def __init__(
        self,
        team: Any,
        grid: GridOfFields,
        where: Slice,
        folder: Path,
        regions: SliceRegions | None = None,
    ) -> None:
        self._team = team
        self._grid = grid
        self._where = where
        self._folder = folder
        self.regions = regions

    def shown(self, field: PicturedField, step: int) -> FieldSlice:
        """The slice as it is now."""
        where, spacing = self._where, self._grid.spacing
        right, up = where.plane
        return FieldSlice(
            values=slice_values(self._team, field.number, where) / field.over,
            sides=(spacing[AXES.index(right)], spacing[AXES.index(up)]),
            plane=where.plane,
            across=AXES[where.axis],
            position=(where.index + 0.5) * spacing[where.axis],
            time=self._grid.clock.time(step),
        )

    def write(self, field: PicturedField, step: int) -> Path | None:
        """Draws it; returns the file, None if it cannot be drawn.

        Raises `InputError` for the disk.
        """
        make_output_folder(self._folder)
        path = self._folder / f"{field.name}-{step:08d}.png"
        is_drawn = write_slice(path, self.shown(field, step), field.look, self.regions)
        return path if is_drawn else None
