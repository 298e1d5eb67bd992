# SPDX-License-Identifier: Apache-2.0
"""`makespan.simulate`: bags in virtual time from Python."""

from __future__ import annotations

from collections.abc import Mapping
from os import fspath
from typing import Any

import numpy as np

from makespan.base.engine import Engine, load_engine
from makespan.base.errors import InputError, Interrupted
from makespan.files.kept_result import kept_result
from makespan.job.gather import gathered
from makespan.job.hold_mpi import hold_mpi_in_job
from makespan.job.launcher import is_later_image
from makespan.job.progress import OnProgress
from makespan.settings.keywords import takes
from makespan.settings.setting import check_keywords
from makespan.sim.files.description import Description, opened
from makespan.sim.grids.description import is_grid
from makespan.sim.input import PYTHON_SETTINGS, WAY_SETTINGS
from makespan.sim.outcome import SimulatedBag, result_of
from makespan.sim.outputs import planned_outputs, write_outputs
from makespan.sim.record import simulation_record
from makespan.sim.run import Asked, TasksGiven, planned, run


def _source(description: Any) -> str:
    return "description" if isinstance(description, Mapping) else fspath(description)


@takes(PYTHON_SETTINGS)
def simulate(
    description: Description | None = None,
    tasks: TasksGiven | None = None,
    *,
    on_progress: OnProgress | None = None,
    **given: Any,
) -> SimulatedBag | None:
    """Runs a bag in virtual time on a machine that one need not have.

    `description` is the path of a description or of a SimGrid platform, or the tables of one as
    TOML has them: `{"kind": {"cpu": {"speed": 1e9}}, "node": [{"devices": ["2 cpu"]}]}`
    (docs/how-to/simulate.md). Without it the machine is that of `machine` and the other keywords of
    places, or the one of the trace that `replay` names.

    `tasks` are costs, one for each; or columns (a dict, or a DataFrame of polars or pandas) `cost`
    (of an item), `items` (1) and `factor` (real over predicted), each of shape (tasks,); or as the
    command line has them, `"20000:lognormal:0.5"`, how many equal ones, or the path of a table;
    10000 by default.

    Several policies, dispatchers (with commas between, or "all") or values of a `sweep` are cases.
    Files are written where they are named.

    Blocks; repeats to the last bit. In a program that mpiexec started: collective, by all its
    processes, of which the first simulates and gets the result, the others None; with
    `gather="all"` all get it.

    Returns a `SimulatedBag`: the first case, the best of the first value, with all others as
    `cases` and `table`.

    Raises `InputError`, which has the `result` where only a file cannot be written at the end;
    `NotConfiguredError` in a build without SimGrid, `EngineError` where a simulation ends without a
    result; `Interrupted` within a second of Ctrl-C, whose `result` has
    the cases that were done.
    """
    engine = load_engine()
    hold_mpi_in_job(engine)
    bag = int(tasks) if isinstance(tasks, np.integer) else tasks

    def work() -> SimulatedBag | None:
        if is_later_image():
            return None
        read = None if description is None else opened(description)
        if is_grid(read):
            raise InputError(
                f"{_source(description)}: it describes a grid, and this runs bags: give it to "
                "makespan.simulate_grid"
            )
        check_keywords(WAY_SETTINGS, {one.name: given[one.name] for one in WAY_SETTINGS}, engine)
        asked = Asked(read, bag, given, given["spans"])
        asked.check()
        return _simulated(engine, asked, on_progress)

    return gathered(work, given["gather"])


def _simulated(engine: Engine, asked: Asked, on_progress: OnProgress | None) -> SimulatedBag | None:
    """On image 0: all cases, and files of them. Raises `InputError`, `Interrupted`."""
    given = asked.given
    outputs = planned_outputs(given, asked.files())
    try:
        simulation = run(planned(engine, asked), on_progress, given["threads"])
        record = simulation_record(engine, simulation, given)
        result = result_of(simulation, record)
        with kept_result(lambda: result):
            write_outputs(simulation, outputs, record, given["threads"])
    except Interrupted as stop:
        record = simulation_record(engine, stop.result, given)
        stop.result = result_of(stop.result, record)
        raise
    return result
