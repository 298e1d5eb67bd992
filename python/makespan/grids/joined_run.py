# SPDX-License-Identifier: Apache-2.0
"""A run from its order to its files, by this process or by all images of a job."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from makespan.base.engine import Engine, load_engine
from makespan.base.errors import InputError
from makespan.files.kept_result import kept_result
from makespan.grids.input import GridOrder
from makespan.grids.outcome import GridOutcome
from makespan.grids.outputs import make_record, write_outputs
from makespan.job.gather import gathered
from makespan.job.hold_mpi import hold_mpi_in_job
from makespan.job.interrupts import Interrupts
from makespan.job.teams import joined, on_first_image

Result = TypeVar("Result")


def joined_team(engine: Engine, threads: int | None) -> AbstractContextManager[Any]:
    """This process, or all images of the job that it was launched as a part of.

    Collective over its images, both ways. Without `threads` each takes its share of the cores; with
    more than these, cores are given twice.
    """

    def made() -> Any:
        cores = engine.own_cores()
        if threads is not None:
            cores = [cores[at % len(cores)] for at in range(threads)]
        return engine.GridTeam(cores)

    return joined(made)


def run_joined(
    engine: Engine,
    order: GridOrder,
    work: Callable[[Any], GridOutcome],
    result_of: Callable[[GridOutcome], Any] = lambda outcome: outcome,
) -> GridOutcome | None:
    """What `work` makes of the team on image 0, its files written; None on the others.

    Collective. Raises what `on_first_image` raises, and `InputError` for the disk, whose `result`
    is then what `result_of` makes of the outcome.
    """
    try:
        outcome = on_first_image(joined_team(engine, order.options.threads), work)
    except InputError as error:
        if isinstance(error.result, GridOutcome):
            make_record(engine, error.result)
            error.result = result_of(error.result)
        raise
    if outcome is not None:
        with Interrupts() as interrupts:  # the run is over
            make_record(engine, outcome)
            with kept_result(lambda: result_of(outcome)):
                write_outputs(outcome)
            outcome.asked_to_end |= interrupts.take()
    return outcome


def python_run(
    given: Mapping[str, Any],
    order: GridOrder,
    work: Callable[[Engine, Any], GridOutcome],
    result_of: Callable[[GridOutcome], Result],
) -> Result | None:
    """What a function of Python returns, on the images that `gather` names; None on the others.

    Collective. Raises as `run_joined`; `Interrupted` where Ctrl-C came during the run.
    """
    engine = load_engine()
    hold_mpi_in_job(engine)

    def whole() -> Result | None:
        outcome = run_joined(engine, order, lambda team: work(engine, team), result_of)
        if outcome is None:
            return None
        result = result_of(outcome)
        outcome.expect_unasked(result)
        return result

    return gathered(whole, given["gather"])
