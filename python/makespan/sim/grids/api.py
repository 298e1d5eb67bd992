# SPDX-License-Identifier: Apache-2.0
"""`makespan.simulate_grid`: grids in virtual time from Python."""

from __future__ import annotations

from collections.abc import Mapping
from os import fspath
from pathlib import Path
from typing import Any

from makespan.base.engine import load_engine
from makespan.base.errors import Interrupted
from makespan.files.kept_result import kept_result
from makespan.job.gather import gathered
from makespan.job.hold_mpi import hold_mpi_in_job
from makespan.job.launcher import is_later_image
from makespan.job.progress import OnProgress
from makespan.settings.keywords import takes
from makespan.sim.files.description import Description, described
from makespan.sim.grids.input import PYTHON_SETTINGS
from makespan.sim.grids.outcome import SimulatedGrid, result_of
from makespan.sim.grids.outputs import planned_files, write_grid_files
from makespan.sim.grids.record import grid_record
from makespan.sim.grids.run import cases_of, run_grids


@takes(PYTHON_SETTINGS)
def simulate_grid(
    description: Description, *, on_progress: OnProgress | None = None, **given: Any
) -> SimulatedGrid | None:
    """Steps of a grid in virtual time on a machine that one need not have.

    `description` is the path of one, or its tables as TOML has them: `{"grid": {"points": [64, 64,
    256]}, "kind": {"cpu": {"points_per_s": 1e8}}, "node": [{"devices": ["cpu"]}]}`
    (docs/how-to/simulate.md). A file may be of any machine; several values of a `sweep` are cases.
    Files are written where they are named.

    The cut, the exchange plan and the rebalancing are those of running grids
    (docs/explanation/grids.md). Repeats to the last bit. Blocks. In a program that mpiexec started:
    collective, by all its processes, of which the first simulates and gets the result, the others
    None; with `gather="all"` all get it.

    Returns a `SimulatedGrid`. Raises `InputError`, which has the `result` where only a file cannot
    be written at the end; `Interrupted` after Ctrl-C, when the case under
    way has ended, or at once after a second one; its `result` has the cases that were done, and is
    None if there is none.
    """
    engine = load_engine()
    hold_mpi_in_job(engine)

    def work() -> SimulatedGrid | None:
        if is_later_image():
            return None
        known = described(description)
        read = [] if isinstance(known, Mapping) else [Path(fspath(known))]
        files = planned_files(given, read)
        cases, sweep = cases_of(known, given)
        try:
            simulation = run_grids(engine, cases, sweep, on_progress)
        except Interrupted as stop:
            if stop.result is not None:
                stop.result = result_of(stop.result, grid_record(engine, stop.result, given))
            raise
        record = grid_record(engine, simulation, given)
        result = result_of(simulation, record)
        with kept_result(lambda: result):
            write_grid_files(engine, simulation, files, record)
        return result

    return gathered(work, given["gather"])
