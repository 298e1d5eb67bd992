# SPDX-License-Identifier: Apache-2.0
"""Runs equations, with what is due in between."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.base.errors import InputError, NotConfiguredError
from makespan.equations.outcome import Frame
from makespan.equations.pictures import PlanePictures
from makespan.equations.problem import Problem
from makespan.grids.field_summary import field_summary
from makespan.grids.grid_run import BadValue
from makespan.grids.input import CPU, GridOrder
from makespan.grids.opening import told_by
from makespan.grids.outcome import GridOutcome
from makespan.grids.plain_fields import PlainFields
from makespan.grids.saving import GridOfFields
from makespan.grids.steps import Recurrent, StepClock
from makespan.settings.input_file import InputValues

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Equations(PlainFields):
    """A `field_run.Application`."""

    def __init__(self, problem: Problem, given: InputValues, order: GridOrder) -> None:
        self.given = given
        self.frames: list[Frame] = []
        self.kernel = ""
        self._problem = problem
        self._options = order.options
        self._names = problem.traced.fields
        self._changing = [
            (number, name)
            for number, name in enumerate(self._names)
            if name in problem.traced.updated
        ]
        self.columns = (
            "step",
            "time",
            *(f"{name}_{what}" for _, name in self._changing for what in ("least", "most", "mean")),
        )
        time_step = problem.time_step
        spacing = [1.0, 1.0, 1.0]
        for axis, side in zip(problem.space.engine_axes, problem.space.spacing, strict=True):
            spacing[axis] = side
        self.grid = GridOfFields(
            application="grid",
            points=problem.points,
            spacing=(spacing[0], spacing[1], spacing[2]),
            fields=self._names,
            clock=StepClock(time_step, given["steps"] * time_step),
            time_unit="",
            settings=problem.identity(),
            inner=problem.inner,
        )

    @property
    def stated(self) -> dict[str, Any]:
        """The problem, to be stated again."""
        return self._problem.stated()

    @property
    def has_own_values(self) -> bool:
        """Always: they are arrays."""
        return True

    @property
    def start_file(self) -> Path | None:
        """First values are arrays."""
        return None

    @property
    def costs(self) -> dict[str, Any]:
        """What the time of a step depends on besides the points."""
        return {"update": self._problem.update_hash, "kernel": self.given["kernel"]}

    def open(self, team: Any) -> None:
        """Makes the team's grid, compiled if it can be.

        Raises `InputError`, and `NotConfiguredError`.
        """
        from makespan import _core

        settings = {
            **self._problem.settings(self.given["kernel"]),
            "steps_at_once": self.given["steps_at_once"],
        }
        try:
            with told_by(self._problem.name):
                self.kernel = _core.equation_kernel(settings)["kernel"]
                given = self.given.with_keywords({"plane_weights": self._plane_weights()})
                team.open_equations(settings, self._options.of_team(given))
        except NotImplementedError as error:
            raise NotConfiguredError(f"{self._problem.name}: {error}") from error
        if CPU not in (self._options.devices or CPU).split():
            self.kernel = "compiled"  # for GPUs, which alone compute
        elif self.kernel == "interpreted" and self.given["kernel"] == "auto":
            warnings.warn(
                "there is no C++ compiler (c++, g++ or clang++ in PATH, or MAKESPAN_CXX): the "
                "update is interpreted, with the same bits, 12 to 25 times slower",
                stacklevel=2,
            )

    def _plane_weights(self) -> list[float]:
        """Of the engine's planes, which the layers of given ends are of, too: as the next ones."""
        weights, space = list(self.given["plane_weights"]), self._problem.space
        if not weights:
            return weights
        if len(space.shape) == 1:
            raise InputError("plane_weights (arrays of one axis are not cut): leave them out")
        if len(weights) != space.shape[0]:
            raise InputError(
                f"{len(weights)} plane_weights (arrays have {space.shape[0]} along "
                f"{space.names[0]}, their first axis): give one for each"
            )
        before, behind = self._problem.layers[0]
        return [weights[0]] * before + weights + [weights[-1]] * behind

    def start(self, team: Any) -> None:
        """Gives it its first values."""
        for number, name in enumerate(self._names):
            values = self._problem.engine_array(name)
            for begin, end in self.turns():
                team.scatter(number, (0, 0, begin), values[begin:end])

    def line(self, team: Any, step: int) -> dict[str, Any]:
        """Least, most and mean of each field that changes, of the user's points."""
        line: dict[str, Any] = {"step": step, "time": self.grid.clock.time(step)}
        for number, name in self._changing:
            found = field_summary(team, number, *self.grid.shown)
            for what, value in found._asdict().items():
                line[f"{name}_{what}"] = value
        return line

    def recurrents(self, team: Any, out: Path | None, outcome: GridOutcome) -> list[Recurrent]:
        """Frames, and pictures of a slice of each field that changes."""
        found = []
        every = self.given["frames_steps"]
        if every:
            found.append(Recurrent(every, lambda step: self._keep(team, step), at_end=True))
        every = self.given["slice_steps"]
        if out is None or not every or len(self._problem.space.shape) == 1:
            return found
        pictures = PlanePictures(team, self._problem, self.given["slice_axis"], out / "slices")

        def draw(step: int) -> None:
            for number, name in self._changing:
                time = self.grid.clock.time(step)
                outcome.add_written(pictures.write(name, number, step, time))

        return [*found, Recurrent(every, draw)]

    def bad_text(self, bad: BadValue) -> str:
        """By its place in the user's array."""
        place = self._problem.users_place(bad.voxel)
        return f"{bad.field}[{', '.join(map(str, place))}] = {bad.value}"

    def measures(self) -> dict[str, Any]:
        """How it was computed."""
        return {"kernel": self.kernel}

    def draw(self, out: Path, outcome: GridOutcome) -> None:
        """Nothing besides its slices."""

    def _keep(self, team: Any, step: int) -> None:
        fields = {name: self._values(team, number) for number, name in self._changing}
        self.frames.append(Frame(step, fields))

    def _values(self, team: Any, number: int) -> NDArray[np.float64]:
        return self._problem.users_array(team.gather(number, (0, 0, 0), self.grid.points))
