# SPDX-License-Identifier: Apache-2.0
"""`makespan.melt`: a melt from Python."""

from __future__ import annotations

from os import PathLike
from typing import Any

from makespan.base.engine import load_engine
from makespan.base.errors import InputError
from makespan.base.forked import expect_polars
from makespan.files.kept_result import kept_result
from makespan.job.gather import gathered
from makespan.job.hold_mpi import hold_mpi_in_job
from makespan.job.interrupts import Interrupts
from makespan.job.progress import OnProgress, ignored
from makespan.job.teams import on_first_image
from makespan.melting.checkpoints import last_checkpoint
from makespan.melting.input import PYTHON_SETTINGS, given_melt
from makespan.melting.outcome import MeltOutcome, MeltResult, result_of
from makespan.melting.outputs import MeltFiles, checked_files, write_outputs
from makespan.melting.record import melt_record
from makespan.melting.run import OnLine, Wishes, joined_team, run_melt
from makespan.melting.virtual import virtual_places
from makespan.settings.keywords import takes


@takes(PYTHON_SETTINGS)
def melt(
    source: str | PathLike[str] | None = None,
    *,
    on_line: OnLine | None = None,
    on_progress: OnProgress | None = None,
    **given: Any,
) -> MeltResult | None:
    """Runs a melt of Lennard-Jones atoms as objects that move between threads.

    `source` is an input file (docs/how-to/melt.md); keywords that are keys of it override what it
    says: `melt(steps=200, lattice_cells=[10, 10, 10], cells=[5, 5, 5])`. `on_line` is
    called with each line of the table, `on_progress` with a `Progress`, as phases end. Files are
    written where they are named. With `virtual=True` it runs in virtual time on the machine that
    `machine`, `synthetic`, `places` and `nodes` describe: the same objects, balanced by the same
    rules, in one thread; seconds are that machine's.

    Blocks. In a program that mpiexec started: collective, by all its processes, which all take
    part. The first gets the result, the others None; with `gather="all"` all get it.

    Raises `InputError`, which has the `result` where only a file cannot be written at the end;
    `NotConfiguredError`; `EngineError` where an image is lost that the run needs, or polars cannot
    be used (a process forked from one that has used it). Ctrl-C ends the run after its phase and
    raises `Interrupted`, with what was done as its `result`, and the checkpoint to go on from; a
    second one raises it at once, without a result.
    """
    expect_polars("melt")
    engine = load_engine()
    hold_mpi_in_job(engine)
    wishes = Wishes(on_line or ignored, on_progress or ignored, keeps_positions=True)

    def melted(team: Any) -> tuple[MeltOutcome, MeltFiles]:
        values = given_melt(source, given)
        files = checked_files(source, values, given)
        places = virtual_places(engine, given, values, team.images)
        try:
            return run_melt(engine, team, values, files, wishes, places=places), files
        except InputError as error:
            if isinstance(error.result, MeltOutcome):
                record = melt_record(engine, error.result, files)
                error.result = result_of(error.result, record)
            raise

    def work() -> MeltResult | None:
        found = on_first_image(joined_team(engine, given["threads"]), melted)
        if found is None:
            return None
        outcome, files = found
        with Interrupts() as interrupts:  # the run is over: in a moment all is written
            record = melt_record(engine, outcome, files)
            result = result_of(outcome, record)
            with kept_result(lambda: result):
                write_outputs(outcome, record, files)
            asked_later = interrupts.take()
        outcome.expect_unasked(last_checkpoint(files.checkpoint), result, asked_later=asked_later)
        return result

    return gathered(work, given["gather"])
