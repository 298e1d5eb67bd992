# SPDX-License-Identifier: Apache-2.0
"""The fields of a running grid into files, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.base.errors import InputError
from makespan.files.atomic import make_output_folder
from makespan.grids.checkpoints import CHECKPOINTS, drop_old
from makespan.grids.series_file import SUFFIX as SERIES
from makespan.grids.series_file import SeriesFile
from makespan.grids.state_file import (
    SUFFIX,
    StateHead,
    open_state,
    planes_in_turn,
    write_state,
    write_view,
)
from makespan.grids.steps import StepClock

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_OTHER = "name a checkpoint that makespan wrote"


@dataclass(frozen=True, slots=True)
class GridOfFields:
    """What all files of a run have in common. Triples are (x, y, z)."""

    application: str
    points: tuple[int, int, int]
    spacing: tuple[float, float, float]
    fields: tuple[str, ...]
    clock: StepClock
    time_unit: str
    settings: Mapping[str, Any]
    """What makes the values what they are: a run goes on only with the same."""
    inner: tuple[tuple[int, int, int], tuple[int, int, int]] | None = None
    """Begin and end of the user's points, where the grid has others around them."""

    @property
    def shown(self) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """Begin and end of what tables and files for ParaView are of."""
        return self.inner or ((0, 0, 0), self.points)

    def head(self, step: int, state: Mapping[str, Any] | None = None) -> StateHead:
        """Of a file of this step."""
        return StateHead(
            application=self.application,
            step=step,
            time=self.clock.time(step),
            time_unit=self.time_unit,
            points=self.points,
            spacing=self.spacing,
            fields=self.fields,
            settings=json.dumps({"settings": self.settings, "state": state or {}}),
        )


class Saving:
    """Files of a team's grid; on image 0, while the others serve."""

    def __init__(self, team: Any, grid: GridOfFields) -> None:
        self._team = team
        self._grid = grid
        self._series: SeriesFile | None = None

    def checkpoint(self, folder: Path, step: int, state: Mapping[str, Any]) -> None:
        """All fields, and what else there is; older ones but the last are dropped.

        Raises `InputError` for the disk.
        """
        make_output_folder(folder)
        write_state(CHECKPOINTS.path(folder, step), self._grid.head(step, state), self._planes)
        drop_old(folder, step)

    def view(self, folder: Path, step: int, fields: Sequence[str]) -> Path:
        """Some fields for ParaView, and the series of all such files; returns the series.

        Of the user's points alone. Raises `InputError` for the disk.
        """
        make_output_folder(folder)
        name, time = self._grid.application, self._grid.clock.time(step)
        series = folder / f"{name}{SUFFIX}{SERIES}"
        if self._series is None:
            self._series = SeriesFile.going_on(series, time)
        path = folder / f"{name}-{step:08d}{SUFFIX}"
        (x, y, z), (x_end, y_end, z_end) = self._grid.shown
        size = (x_end - x, y_end - y, z_end - z)

        def planes(field: int, begin: int, end: int) -> NDArray[np.float64]:
            values: NDArray[np.float64] = self._team.gather(
                field, (x, y, z + begin), (x_end, y_end, z + end)
            )
            return values

        write_view(path, replace(self._grid.head(step), points=size), planes, fields)
        self._series.add(path, time)
        return series

    def restore(self, path: Path) -> Mapping[str, Any]:
        """The grid is as it was when the file was written; returns what else there was.

        Raises `InputError`.
        """
        with open_state(path) as state:
            self._check(path, state.head)
            z = self._grid.points[2]
            turn = planes_in_turn(state.head)
            for field in range(len(self._grid.fields)):
                for begin in range(0, z, turn):
                    planes = state.read(field, begin, min(begin + turn, z))
                    _check_finite(path, self._grid.fields[field], planes, begin)
                    self._team.scatter(field, (0, 0, begin), planes)
            self._team.set_step(state.head.step)
            return _told(path, state.head)["state"]

    def check_source(self, path: Path) -> int:
        """The step of a file from which this run can go on. Raises `InputError`."""
        with open_state(path) as state:
            self._check(path, state.head)
            return state.head.step

    def _check(self, path: Path, head: StateHead) -> None:
        mine = self._grid.head(head.step)
        if head.application != mine.application:
            raise InputError(
                f"{path}: it is of `makespan {head.application}`; name a checkpoint of "
                f"`makespan {mine.application}`"
            )
        theirs, ours = (_told(path, one)["settings"] for one in (head, mine))
        for name in {**ours, **theirs}:
            if theirs.get(name) != ours.get(name):
                raise InputError(
                    f"{path}: {name} = {_said(theirs.get(name))} there, and "
                    f"{_said(ours.get(name))} here; go on with what it was begun with"
                )
        if (head.points, head.fields) != (mine.points, mine.fields):
            raise InputError(
                f"{path}: fields {', '.join(head.fields)} of {head.points} points, not "
                f"{', '.join(mine.fields)} of {mine.points}; name a checkpoint of this run"
            )
        if head.step < 0:
            raise InputError(f"{path}: step {head.step} (steps count from 0): {_OTHER}")
        if head.step > self._grid.clock.steps:
            raise InputError(
                f"{path}: step {head.step} is past the last one, {self._grid.clock.steps}; give "
                "more steps"
            )
        if head.spacing != mine.spacing:
            raise InputError(
                f"{path}: spacing = {_said(list(head.spacing))} there, and "
                f"{_said(list(mine.spacing))} here; go on with what it was begun with"
            )
        if head.time != mine.time:
            there = f"{head.time:g} {head.time_unit}".rstrip()
            raise InputError(
                f"{path}: step {head.step} is at {there} there, and at {mine.time:g} here; go on "
                "with the time step that it was begun with"
            )

    def _planes(self, field: int, z_begin: int, z_end: int) -> NDArray[np.float64]:
        x, y, _ = self._grid.points
        values: NDArray[np.float64] = self._team.gather(field, (0, 0, z_begin), (x, y, z_end))
        return values


def _told(path: Path, head: StateHead) -> dict[str, dict[str, Any]]:
    """Settings and state. Raises `InputError` where a file says anything else."""
    try:
        found = json.loads(head.settings)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not all(
        isinstance(found.get(name), dict) for name in ("settings", "state")
    ):
        raise InputError(f"{path}: what its run was told cannot be read: {_OTHER}")
    return found


def _said(value: Any) -> str:
    return "nothing" if value is None else json.dumps(value)


def _check_finite(path: Path, field: str, planes: NDArray[np.float64], z_begin: int) -> None:
    import numpy as np

    finite = np.isfinite(planes)
    if not finite.all():
        z, y, x = np.argwhere(~finite)[0]
        raise InputError(
            f"{path}: {field} = {planes[z, y, x]} at voxel ({x}, {y}, {z_begin + z}); name an "
            "earlier checkpoint"
        )
