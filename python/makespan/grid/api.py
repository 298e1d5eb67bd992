# SPDX-License-Identifier: Apache-2.0
"""`makespan.diffuse` and `makespan.calcium`: grids from Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

from makespan.base.engine import Engine
from makespan.base.errors import InputError
from makespan.grid.calcium.input import CALCIUM_FILE
from makespan.grid.calcium.run import run_calcium
from makespan.grid.diffusion.input import DIFFUSE_FILE
from makespan.grid.diffusion.run import run_diffusion
from makespan.grid.grid_run import joined_team
from makespan.grid.outcome import (
    Callbacks,
    GridFiles,
    GridOrder,
    GridOutcome,
    Line,
    RunOptions,
    ignored,
)
from makespan.job.teams import on_first_image
from makespan.settings.from_python import engine_for, values_given
from makespan.settings.key_file import KeyFile, KeyValues

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import ArrayLike, NDArray

Run = Callable[[Engine, Any, KeyValues], Any]


@dataclass(frozen=True, slots=True)
class CalciumResult:
    """What came of a calcium spark."""

    table: pl.DataFrame
    """A row for each line: step, time_ms, open_ryr, cleft_ca, sr_ca [uM], brightness (F/F0)."""
    measures: Mapping[str, str]
    """Of the spark, as `makespan calcium` prints them."""
    steps: int
    """Done, those before a checkpoint included."""
    seconds: float
    complete: bool
    """False if Ctrl-C ended the run early."""
    hash: str | None
    """Of all bits of all fields at the end: the same however the grid was cut."""


def diffuse(
    values: ArrayLike,
    *,
    steps: int,
    threads: int | None = None,
    devices: int = 1,
    gpus: int = 0,
    **keys: Any,
) -> NDArray[np.float64] | None:
    """Diffuses a field: `values` of shape (z, y, x), as they are after so many steps.

    `keys` are keys of an input file (docs/how-to/diffuse.md): `diffusion`, `time_step`, `spacing`,
    `x_boundary`, `y_boundary`, `z_boundary`, `steps_at_once`. Each process deals its `threads`, one
    for each core by default, out to its `devices`; the first `gpus` that it sees are devices
    besides.

    In a program that mpiexec started: collective, by all its processes, which all take part; the
    result is that of the first, which gives the values, the others get None.

    Raises `InputError`, `NotConfiguredError`. Ctrl-C raises KeyboardInterrupt.
    """
    import numpy as np

    def run(_: Engine, team: Any, given: KeyValues) -> NDArray[np.float64]:
        start = np.ascontiguousarray(values, dtype=np.float64)
        if start.ndim != 3 or not start.size:
            raise InputError(f"values of shape {start.shape}: give an array of (z, y, x)")
        if not np.isfinite(start).all():
            z, y, x = np.argwhere(~np.isfinite(start))[0]
            raise InputError(f"values[{z}, {y}, {x}] = {start[z, y, x]}: give finite numbers")
        z, y, x = start.shape
        told = given.with_values({"points": [x, y, z], "steps": steps}, {})
        order = GridOrder(options=RunOptions(threads, devices, gpus))
        outcome = run_diffusion(team, told, order, Callbacks(), start)
        if not outcome.is_complete:
            raise KeyboardInterrupt
        after: NDArray[np.float64] = team.gather(0, (0, 0, 0), (x, y, z))
        return after

    after: NDArray[np.float64] | None = _run(DIFFUSE_FILE, None, threads, keys, run)
    return after


def calcium(
    source: str | PathLike[str] | None = None,
    *,
    threads: int | None = None,
    devices: int = 1,
    gpus: int = 0,
    files: GridFiles | None = None,
    on_line: Callable[[Line], None] = ignored,
    **keys: Any,
) -> CalciumResult | None:
    """Computes a calcium spark.

    `source` is an input file (docs/how-to/calcium.md); `keys` are keys of it, and come before what
    it says: `calcium(duration=2.0, ryr_open=[[24, 0, 1]])`. `files` are those of the command line:
    a folder of results, a folder for checkpoints, one of them to go on from. `on_line` is called
    with each line of the table.

    In a program that mpiexec started: collective, by all its processes, which all take part; the
    result is that of the first, the others get None.

    Raises `InputError`, `NotConfiguredError`. Ctrl-C ends the run, and what was done is returned.
    """

    def run(engine: Engine, team: Any, given: KeyValues) -> CalciumResult:
        order = GridOrder(files or GridFiles(), RunOptions(threads, devices, gpus))
        return _result_of(run_calcium(engine, team, given, order, Callbacks(on_line)))

    result: CalciumResult | None = _run(CALCIUM_FILE, source, threads, keys, run)
    return result


def _run(
    file: KeyFile,
    source: str | PathLike[str] | None,
    threads: int | None,
    keys: Mapping[str, Any],
    run: Run,
) -> Any:
    """On image 0 what `run` returns; None on the others, which serve."""
    engine = engine_for(threads)
    return on_first_image(
        joined_team(engine, threads),
        lambda team: run(engine, team, values_given(file, source, keys)),
    )


def _result_of(outcome: GridOutcome) -> CalciumResult:
    import polars as pl

    return CalciumResult(
        table=pl.DataFrame([dict(line) for line in outcome.lines]),
        measures=outcome.measures,
        steps=outcome.last_step,
        seconds=outcome.seconds,
        complete=outcome.is_complete,
        hash=outcome.hash_text,
    )
