# SPDX-License-Identifier: Apache-2.0
"""Runs a diffusion: with the cores of this process, or of all images of a job."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.grids.diffusion.input import (
    FIELD,
    clock_of,
    diffusion_settings,
    points_of,
    spacing_of,
)
from makespan.grids.diffusion.start_values import planes_of, start_planes
from makespan.grids.field_run import FieldRun
from makespan.grids.field_summary import field_summary
from makespan.grids.input import GridOrder, RunOptions
from makespan.grids.opening import told_by
from makespan.grids.outcome import Callbacks, GridOutcome
from makespan.grids.plain_fields import PlainFields
from makespan.grids.saving import GridOfFields
from makespan.grids.slice_picture import SliceLook
from makespan.grids.slices import PicturedField, SlicePictures, middle_slice
from makespan.grids.steps import Recurrent
from makespan.settings.input_file import InputValues

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Diffusion(PlainFields):
    """A `field_run.Application`."""

    columns = ("step", "time", "least", "most", "mean")

    def __init__(
        self, given: InputValues, options: RunOptions, start: NDArray[np.float64] | None = None
    ) -> None:
        """`start`, of (z, y, x), comes before what the input says of first values."""
        self.given = given
        self._options = options
        settings = diffusion_settings(given)
        self._settings = settings
        self._planes = start_planes(given) if start is None else planes_of(start)
        self.grid = GridOfFields(
            application="diffuse",
            points=points_of(given),
            spacing=spacing_of(given),
            fields=(FIELD,),
            clock=clock_of(given),
            time_unit="",
            # How many steps are made at once does not change the values.
            settings={name: value for name, value in settings.items() if name != "steps_at_once"},
        )

    @property
    def has_own_values(self) -> bool:
        """Whether they come from an array or a file."""
        return self.given["start"] in ("array", "file")

    @property
    def start_file(self) -> Path | None:
        """A file of first values."""
        return Path(self.given["file"]) if self.given["start"] == "file" else None

    def open(self, team: Any) -> None:
        """Makes the team's grid."""
        options = self._options.of_team(self.given)
        # What is given may have changed since, by the tuner.
        settings = {**self._settings, "steps_at_once": self.given["steps_at_once"]}
        with told_by(self.given.blamed):
            team.open_diffusion(settings, options)

    def start(self, team: Any) -> None:
        """Gives it its first values."""
        for begin, end in self.turns():
            team.scatter(0, (0, 0, begin), self._planes(begin, end))

    def line(self, team: Any, step: int) -> dict[str, Any]:
        """Least, most and mean of all values."""
        found = field_summary(team, 0, *self.grid.shown)
        return {"step": step, "time": self.grid.clock.time(step), **found._asdict()}

    def recurrents(self, team: Any, out: Path | None, outcome: GridOutcome) -> list[Recurrent]:
        """Pictures of a slice."""
        every = self.given["slice_steps"]
        if out is None or not every:
            return []
        x, y, z = (count // 2 for count in self.grid.points)
        where = middle_slice(self.given["slice_axis"], (x, y, z), self.grid)
        pictures = SlicePictures(team, self.grid, where, out / "slices")
        shown = PicturedField(FIELD, 0, SliceLook(FIELD, length_unit="", time_unit=""))
        return [Recurrent(every, lambda step: outcome.add_written(pictures.write(shown, step)))]

    def measures(self) -> dict[str, Any]:
        """Nothing that the table does not tell."""
        return {}

    def draw(self, out: Path, outcome: GridOutcome) -> None:
        """Nothing besides its slices."""


def run_diffusion(
    team: Any,
    given: InputValues,
    order: GridOrder,
    callbacks: Callbacks,
    start: NDArray[np.float64] | None = None,
) -> GridOutcome:
    """On image 0. Blocks until all steps are done, or Ctrl-C ends the run.

    `start`, of (z, y, x), comes before what the input says of first values.

    Raises `InputError`, or what the engine raises.
    """
    application = Diffusion(given, order.options, start)
    return FieldRun(team, application, order, callbacks).go()
