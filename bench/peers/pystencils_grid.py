# SPDX-License-Identifier: Apache-2.0
"""PyStencils on the problems of bench/grid, as a bench worker; threads by OMP_NUM_THREADS.

Request: ``run PROBLEM X Y Z STEPS`` for points a second, or ``run check PROBLEM X Y Z STEPS`` for
the sum after the steps. Double precision, values 0 beyond all ends (ghost layers). The first
request of a size compiles the kernel by each of SETTINGS and keeps the fastest; the reply has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pystencils as ps
import sympy as sp

from bench.line_worker import Reply
from bench.peers import grid_problems
from bench.peers.grid_problems import FEED, KILL

LINE_BYTES = 64
WAVE_WEIGHTS = (-205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560)
Shape = tuple[int, int, int]


@dataclass(frozen=True)
class Settings:
    """How a kernel is made: by intrinsics or by the compiler alone, storing how, in what blocks."""

    is_vectorized: bool
    is_streaming: bool
    block_rows: int  # along y; 0: no blocks

    @property
    def reply(self) -> Reply:
        """Itself in numbers."""
        return {
            "vectorized": float(self.is_vectorized),
            "streaming": float(self.is_streaming),
            "block_rows": float(self.block_rows),
        }


SETTINGS = [
    Settings(is_vectorized=True, is_streaming=True, block_rows=0),
    Settings(is_vectorized=True, is_streaming=True, block_rows=16),
    Settings(is_vectorized=True, is_streaming=False, block_rows=16),
    Settings(is_vectorized=False, is_streaming=False, block_rows=0),
    Settings(is_vectorized=False, is_streaming=False, block_rows=16),
]


def laplacian(field: Any, weights: tuple[float, ...]) -> Any:
    """Return the sum over all axes of a field's weighted neighbours."""
    total = 3 * weights[0] * field[0, 0, 0]
    for reach, weight in enumerate(weights[1:], start=1):
        sides = [
            field[tuple(sign * reach if axis == along else 0 for axis in range(3))]
            for along in range(3)
            for sign in (-1, 1)
        ]
        total += weight * sp.Add(*sides)
    return total


def assignments(problem: str, now: list[Any], after: list[Any]) -> list[Any]:
    """Return what a step sets; `after` of a wave holds the step before."""
    weights = WAVE_WEIGHTS if problem == "wave" else (-2.0, 1.0)
    u = now[0]
    if problem == "diffusion":
        return [ps.Assignment(after[0][0, 0, 0], u[0, 0, 0] + 0.1 * laplacian(u, weights))]
    if problem == "wave":
        before = after[0][0, 0, 0]
        return [ps.Assignment(before, 2 * u[0, 0, 0] - before + 0.1 * laplacian(u, weights))]
    if problem == "gray_scott":
        v = now[1]
        here_u, here_v = u[0, 0, 0], v[0, 0, 0]
        reaction = sp.Symbol("reaction")
        change_u = 0.16 * laplacian(u, weights) - reaction + FEED * (1 - here_u)
        change_v = 0.08 * laplacian(v, weights) + reaction - (FEED + KILL) * here_v
        return [
            ps.Assignment(reaction, here_u * here_v * here_v),
            ps.Assignment(after[0][0, 0, 0], here_u + change_u),
            ps.Assignment(after[1][0, 0, 0], here_v + change_v),
        ]
    msg = f"problem {problem!r} is unknown"
    raise ValueError(msg)


def zeros(shape: Shape, ghosts: int) -> Any:
    """Return an array whose first point within the ghosts, as that of every row, begins a line."""
    z, y, x = (n + 2 * ghosts for n in shape)
    row = -(-x * 8 // LINE_BYTES) * LINE_BYTES // 8
    memory = np.zeros(z * y * row + 2 * LINE_BYTES // 8)
    to_line = -(memory.ctypes.data // 8 + ghosts) % (LINE_BYTES // 8)
    rows = memory[to_line : to_line + z * y * row].reshape(z, y, row)
    return rows[:, :, :x]


class Grid:
    """The arrays of a problem, and its kernels."""

    def __init__(self, problem: str, shape: Shape) -> None:
        self.problem = problem
        self.ghosts = 4 if problem == "wave" else 1
        count = 2 if problem == "gray_scott" else 1
        self.now = [zeros(shape, self.ghosts) for _ in range(count)]
        self.after = [zeros(shape, self.ghosts) for _ in range(count)]
        self._inner = tuple(slice(self.ghosts, self.ghosts + n) for n in shape)

    def inner(self, array: Any) -> Any:
        """Return the points without the ghosts."""
        return array[self._inner]

    def kernel(self, settings: Settings) -> Any:
        """Compile the step, for arrays of this size."""
        arrays = zip(self.now, self.after, strict=True)
        fields = [
            (
                ps.Field.create_from_numpy_array(f"now{n}", now),
                ps.Field.create_from_numpy_array(f"after{n}", after),
            )
            for n, (now, after) in enumerate(arrays)
        ]
        config = ps.CreateKernelConfig(
            target=ps.Target.CurrentCPU if settings.is_vectorized else ps.Target.GenericCPU,
            ghost_layers=self.ghosts,
        )
        config.cpu.openmp.enable = True
        if settings.is_vectorized:
            config.cpu.vectorize.enable = True
            config.cpu.vectorize.assume_inner_stride_one = True
            config.cpu.vectorize.assume_aligned = True
            config.cpu.vectorize.use_nontemporal_stores = settings.is_streaming
        if settings.block_rows:
            config.cpu.loop_blocking = (None, settings.block_rows, None)
        step = assignments(self.problem, [now for now, _ in fields], [after for _, after in fields])
        return ps.create_kernel(step, config).compile()

    def run(self, kernel: Any, steps: int) -> None:
        """Make steps."""
        for _ in range(steps):
            kernel(
                **{f"now{n}": array for n, array in enumerate(self.now)},
                **{f"after{n}": array for n, array in enumerate(self.after)},
            )
            self.now, self.after = self.after, self.now


class Tuned:
    """A problem of one size, by its fastest settings."""

    def __init__(self, problem: str, shape: Shape, steps: int) -> None:
        self._grid = Grid(problem, shape)
        self._points = steps * shape[0] * shape[1] * shape[2]
        self._steps = steps
        least = float("inf")
        for settings in SETTINGS:
            kernel = self._grid.kernel(settings)
            self._grid.run(kernel, 2)  # memory is touched
            seconds = self._seconds(kernel)
            if seconds < least:
                least, self._settings, self._kernel = seconds, settings, kernel

    def _seconds(self, kernel: Any) -> float:
        return grid_problems.best_seconds(
            lambda: grid_problems.seconds_of(lambda: self._grid.run(kernel, self._steps))
        )

    def measure(self) -> Reply:
        """Return points a second, and the settings."""
        return {
            "points_per_s": self._points / self._seconds(self._kernel),
            **self._settings.reply,
        }


def checked(problem: str, shape: Shape, steps: int) -> Reply:
    """Return the sum after so many steps: of the settings whose sum is farthest from the first."""
    sums = []
    for settings in SETTINGS:
        grid = Grid(problem, shape)
        first = grid_problems.first_values(problem, shape)
        for number, now in enumerate(grid.now):
            grid.inner(now)[...] = first[number]
        if problem == "wave":
            grid.inner(grid.after[0])[...] = first[1]
        grid.run(grid.kernel(settings), steps)
        fields = grid.now + (grid.after if problem == "wave" else [])
        sums.append(grid_problems.weighted_sum([grid.inner(field) for field in fields]))
    return {"sum": grid_problems.farthest(sums)}


if __name__ == "__main__":
    grid_problems.serve_problems(Tuned, checked)
