# SPDX-License-Identifier: Apache-2.0
"""`makespan.diffuse`: diffusion of a field from Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.base.engine import Engine
from makespan.grids.array_values import array_values, expect_not_told
from makespan.grids.diffusion.input import (
    DIFFUSE_FILE,
    FIELD,
    POINTS_KEY,
    PYTHON_KEYS,
    START_KEYS,
)
from makespan.grids.diffusion.outcome import DiffuseResult
from makespan.grids.diffusion.run import run_diffusion
from makespan.grids.input import order_of
from makespan.grids.joined_run import python_run
from makespan.grids.outcome import Callbacks, GridOutcome, Line
from makespan.grids.table import table_frame
from makespan.job.progress import OnProgress, ignored
from makespan.settings.from_python import values_given
from makespan.settings.keywords import takes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

OF_VALUES = (POINTS_KEY, *START_KEYS)
"""What an array says itself."""


@takes(PYTHON_KEYS)
def diffuse(
    values: ArrayLike | str | PathLike[str] | None = None,
    *,
    on_line: Callable[[Line], None] | None = None,
    on_progress: OnProgress | None = None,
    **given: Any,
) -> DiffuseResult | None:
    """Diffuses a field.

    `values` is an array of first values, of shape (z, y, x), or the path of an input file
    (docs/how-to/diffuse.md), whose keys are keywords, which override what it says:
    `diffuse(field, steps=100, diffusion=0.5)`. `on_line` is called with each line of the table,
    `on_progress` some times a second. Files are written where they are named; a folder of `output`
    gets what the command writes there.

    Blocks. In a program that mpiexec started: collective, by all its processes, which all take
    part and give the same keywords; the values are those of the first. It gets the result, the
    others None; with `gather="all"` all get it.

    Raises `InputError`, which has the `result` where only a file cannot be written at the end;
    `NotConfiguredError`; `EngineError` where values are no numbers any more, or an image is lost;
    `Interrupted` within a second of Ctrl-C, with what was done as its `result`, and a checkpoint in
    `restart_from` if the run keeps some.
    """
    file = Path(values) if isinstance(values, str | PathLike) else None
    start: Any = values if file is None else None
    order = replace(order_of(given, file), keeps_fields=True)
    keys = {name: given[name] for name in DIFFUSE_FILE.settings}
    if isinstance(keys["file"], PathLike):
        keys["file"] = fspath(keys["file"])

    def work(_: Engine, team: Any) -> GridOutcome:
        planes = None if start is None else array_values("values", start)
        told = {} if planes is None else _told_by(planes, keys)
        read = values_given(DIFFUSE_FILE, file, {**keys, **told})
        if planes is not None:
            read = read.without([one.name for one in START_KEYS], {"start": "array"})
        callbacks = Callbacks(on_line or ignored, on_progress or ignored)
        return run_diffusion(team, read, order, callbacks, planes)

    return python_run(given, order, work, _result_of)


def _told_by(start: NDArray[np.float64], keys: dict[str, Any]) -> dict[str, Any]:
    """The keys that the array stands for. Raises `InputError` where they are given besides."""
    expect_not_told(keys, OF_VALUES)
    z, y, x = start.shape
    return {POINTS_KEY.name: [x, y, z]}


def _result_of(outcome: GridOutcome) -> DiffuseResult:
    return DiffuseResult(
        values=outcome.fields[FIELD],
        table=table_frame(outcome.lines),
        hash=outcome.hash,
        steps=outcome.last_step,
        seconds=outcome.seconds,
        record=outcome.record,
    )
