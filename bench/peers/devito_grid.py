# SPDX-License-Identifier: Apache-2.0
"""Devito on the problems of bench/grid, as a bench worker; threads by OMP_NUM_THREADS.

Request: ``run PROBLEM X Y Z STEPS`` for points a second, or ``run check PROBLEM X Y Z STEPS`` for
the sum after the steps. Double precision, values 0 beyond all ends. The first request of a size
tries SETTINGS, each with Devito's own search for the fastest blocks (autotuning), and keeps the
fastest; the reply has it: its number from 0 on, and the sides of its blocks.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.line_worker import Reply
from bench.peers import grid_problems
from bench.peers.grid_problems import FEED, KILL

os.environ.setdefault("DEVITO_LANGUAGE", "openmp")
os.environ.setdefault("DEVITO_LOGGING", "ERROR")
from devito import Eq, Grid, Operator, TimeFunction
from devito.core import autotuning

autotuning.options["squeezer"] = 2  # steps of one trial: fields are far larger than the caches


@dataclass(frozen=True)
class Settings:
    """How an operator is made, and how blocks are searched for."""

    level: str
    options: dict[str, Any]
    search: str


# There are some 60 shapes of blocks in the aggressive search; blocks within blocks have three times
# as many, of which the basic one tries those with equal sides.
SETTINGS = [
    Settings("advanced", {}, "aggressive"),
    Settings("advanced", {"blocklevels": 2}, "basic"),
    Settings("advanced", {"blockinner": True}, "basic"),
]


@dataclass
class Problem:
    """Fields and what a step makes of them."""

    fields: list[Any]
    equations: list[Any]
    spacing: dict[Any, Any]
    first_step: int


def made(problem: str, shape: tuple[int, int, int]) -> Problem:
    """State the problem as Devito's users do."""
    grid = Grid(shape=shape, extent=tuple(float(n - 1) for n in shape), dtype=np.float64)
    spacing = grid.spacing_map
    if problem == "diffusion":
        u = TimeFunction(name="u", grid=grid, space_order=2, dtype=np.float64)
        return Problem([u], [Eq(u.forward, u + 0.1 * u.laplace)], spacing, 0)
    if problem == "wave":
        u = TimeFunction(name="u", grid=grid, time_order=2, space_order=8, dtype=np.float64)
        after = Eq(u.forward, 2 * u - u.backward + 0.1 * u.laplace)
        return Problem([u], [after], spacing, 1)
    if problem == "gray_scott":
        u = TimeFunction(name="u", grid=grid, space_order=2, dtype=np.float64)
        v = TimeFunction(name="v", grid=grid, space_order=2, dtype=np.float64)
        reaction = u * v * v
        after_u = Eq(u.forward, u + 0.16 * u.laplace - reaction + FEED * (1 - u))
        after_v = Eq(v.forward, v + 0.08 * v.laplace + reaction - (FEED + KILL) * v)
        return Problem([u, v], [after_u, after_v], spacing, 0)
    msg = f"problem {problem!r} is unknown"
    raise ValueError(msg)


def operator(problem: Problem, settings: Settings) -> Any:
    """Compile a step, with the spacing as numbers, as its own examples do."""
    opt = (settings.level, settings.options)
    return Operator(problem.equations, subs=problem.spacing, opt=opt)


class Tuned:
    """A problem of one size, by its fastest settings."""

    def __init__(self, name: str, shape: tuple[int, int, int], steps: int) -> None:
        self._problem = made(name, shape)
        self._points = steps * shape[0] * shape[1] * shape[2]
        self._steps = steps
        least = float("inf")
        for number, settings in enumerate(SETTINGS):
            step = operator(self._problem, settings)
            blocks = self._blocks(step, settings.search)
            seconds = self._seconds(step, blocks)
            if seconds < least:
                least, self.number, self._step, self.blocks = seconds, number, step, blocks

    def _blocks(self, step: Any, search: str) -> dict[str, int]:
        self._run(step, {"autotune": (search, "preemptive")})
        tuned = step._state["autotuning"][-1]["tuned"]
        return {str(name): int(size) for name, size in tuned.items()}

    def _run(self, step: Any, more: dict[str, Any]) -> float:
        first = self._problem.first_step
        summary = step.apply(time_m=first, time_M=first + self._steps - 1, **more)
        return float(sum(entry.time for entry in summary.values()))

    def _seconds(self, step: Any, blocks: dict[str, int]) -> float:
        return grid_problems.best_seconds(lambda: self._run(step, blocks))

    def measure(self) -> Reply:
        """Return points a second, and the settings."""
        seconds = self._seconds(self._step, self.blocks)
        return {"points_per_s": self._points / seconds, "settings": self.number, **self.blocks}


def checked(name: str, shape: tuple[int, int, int], steps: int) -> Reply:
    """Return the sum after so many steps; of all settings, if they agree."""
    sums = []
    for settings in SETTINGS:
        problem = made(name, shape)
        first = grid_problems.first_values(name, shape)
        for field, values in zip(problem.fields, first, strict=False):
            field.data[0] = values
            if name == "wave":
                field.data[1] = values
        step = operator(problem, settings)
        step.apply(time_m=problem.first_step, time_M=problem.first_step + steps - 1)
        last = problem.first_step + steps
        fields = [field.data[last % field.data.shape[0]] for field in problem.fields]
        if name == "wave":
            fields.append(problem.fields[0].data[(last - 1) % 3])
        sums.append(grid_problems.weighted_sum([np.asarray(field) for field in fields]))
    return {"sum": grid_problems.farthest(sums)}


if __name__ == "__main__":
    grid_problems.serve_problems(Tuned, checked)
