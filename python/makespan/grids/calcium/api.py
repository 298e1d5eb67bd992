# SPDX-License-Identifier: Apache-2.0
"""`makespan.calcium`: a calcium spark from Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.base.engine import Engine
from makespan.grids.array_values import expect_not_told, fields_values
from makespan.grids.calcium.input import CALCIUM_FILE, POINTS_KEY, PYTHON_KEYS
from makespan.grids.calcium.outcome import CalciumResult
from makespan.grids.calcium.run import Told, run_calcium
from makespan.grids.input import order_of
from makespan.grids.joined_run import python_run
from makespan.grids.outcome import Callbacks, GridOutcome, Line
from makespan.grids.table import table_frame
from makespan.job.progress import OnProgress, ignored
from makespan.settings.from_python import INPUT_FILE, values_given
from makespan.settings.keywords import takes
from makespan.settings.kinds import FilePath

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

VALUES = INPUT_FILE.but(
    name="values", kind=FilePath("the path of an input file, or a dict of fields and arrays")
)


@takes(PYTHON_KEYS)
def calcium(
    values: Mapping[str, ArrayLike] | str | PathLike[str] | None = None,
    *,
    on_line: Callable[[Line], None] | None = None,
    on_progress: OnProgress | None = None,
    **given: Any,
) -> CalciumResult | None:
    """Computes a calcium spark.

    `values` is the path of an input file (docs/how-to/calcium.md), or a dict of fields' first
    values [uM], by the names that a result's `fields` have: arrays of shape (z, y, x); fields that
    are not in it begin at rest. Keys of the file are keywords, which take lists and arrays and come
    before what it says: `calcium(duration=2.0, ryr_open=[[24, 0, 1]])`. `on_line` is called with
    each line of the table, `on_progress` some times a second. Files are written where they are
    named; a folder of `output` gets what the command writes there.

    Blocks. In a program that mpiexec started: collective, by all its processes, which all take
    part and give the same keywords; the values are those of the first. It gets the result, the
    others None; with `gather="all"` all get it.

    Raises `InputError`, which has the `result` where only a file cannot be written at the end;
    `NotConfiguredError`; `EngineError` where values are no numbers any more, or an image is lost;
    `Interrupted` within a second of Ctrl-C, with what was done as its `result`, and a checkpoint in
    `restart_from` if the run keeps some.
    """
    arrays = values if isinstance(values, Mapping) else None
    source = None if isinstance(values, Mapping) else values
    VALUES.check_kind(source)
    file = None if source is None else Path(source)
    order = replace(order_of(given, file), keeps_fields=given["fields"])
    keys = {name: given[name] for name in CALCIUM_FILE.settings}

    def work(engine: Engine, team: Any) -> GridOutcome:
        start = {} if arrays is None else fields_values(arrays)
        told = _told_by(start, keys) if start else {}
        read = values_given(CALCIUM_FILE, file, {**keys, **told})
        callbacks = Callbacks(on_line or ignored, on_progress or ignored)
        return run_calcium(engine, team, Told(read, start), order, callbacks)

    return python_run(given, order, work, _result_of)


def _told_by(start: Mapping[str, NDArray[np.float64]], keys: dict[str, Any]) -> dict[str, Any]:
    """The key that arrays stand for. Raises `InputError` where it is given besides."""
    expect_not_told(keys, [POINTS_KEY])
    z, y, x = next(iter(start.values())).shape
    return {POINTS_KEY.name: [x, y, z]}


def _result_of(outcome: GridOutcome) -> CalciumResult:
    return CalciumResult(
        table=table_frame(outcome.lines),
        measures=outcome.measures,
        fields=outcome.fields,
        hash=outcome.hash,
        steps=outcome.last_step,
        seconds=outcome.seconds,
        record=outcome.record,
    )
