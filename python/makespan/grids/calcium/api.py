# SPDX-License-Identifier: Apache-2.0
"""`makespan.calcium`: a calcium spark from Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from makespan.base.engine import Engine
from makespan.grids.calcium.input import CALCIUM_FILE, PYTHON_KEYS
from makespan.grids.calcium.outcome import CalciumResult
from makespan.grids.calcium.run import run_calcium
from makespan.grids.input import order_of
from makespan.grids.joined_run import python_run
from makespan.grids.outcome import Callbacks, GridOutcome, Line
from makespan.grids.table import table_frame
from makespan.job.progress import OnProgress, ignored
from makespan.settings.from_python import INPUT_FILE, values_given
from makespan.settings.keywords import takes


@takes(PYTHON_KEYS)
def calcium(
    source: str | PathLike[str] | None = None,
    *,
    on_line: Callable[[Line], None] | None = None,
    on_progress: OnProgress | None = None,
    **given: Any,
) -> CalciumResult | None:
    """Computes a calcium spark.

    `source` is an input file (docs/how-to/calcium.md). Its keys are keywords, which take lists and
    arrays and come before what the file says: `calcium(duration=2.0, ryr_open=[[24, 0, 1]])`.
    `on_line` is called with each line of the table, `on_progress` some times a second. Files are
    written where they are named; a folder of `output` gets what the command writes there.

    Blocks. In a program that mpiexec started: collective, by all its processes, which all take
    part and give the same keywords. The first gets the result, the others None; with
    `gather="all"` all get it.

    Raises `InputError`, `NotConfiguredError`; `Interrupted` within a second of Ctrl-C, with what
    was done as its `result`, and a checkpoint in `restart_from` if the run keeps some.
    """
    INPUT_FILE.check_kind(source)
    file = None if source is None else Path(source)
    order = replace(order_of(given, file), keeps_fields=given["fields"])
    keys = {name: given[name] for name in CALCIUM_FILE.settings}

    def work(engine: Engine, team: Any) -> GridOutcome:
        values = values_given(CALCIUM_FILE, file, keys)
        callbacks = Callbacks(on_line or ignored, on_progress or ignored)
        return run_calcium(engine, team, values, order, callbacks)

    return python_run(given, order, work, _result_of)


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
