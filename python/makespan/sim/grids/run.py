# SPDX-License-Identifier: Apache-2.0
"""The story of a simulated grid: read the description, run each case, nothing printed."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from os import fspath
from pathlib import Path
from typing import Any

from makespan.base.engine import Engine
from makespan.base.errors import InputError, Interrupted
from makespan.job.engine_call import EngineCall
from makespan.job.interrupts import Interrupts
from makespan.job.progress import OnProgress, of_steps
from makespan.sim.files.description import Description, DescriptionFile
from makespan.sim.grids.description import GridCase, grid_case, read_tables
from makespan.sim.grids.outcome import GridCandidate, GridSimulation
from makespan.sim.grids.sweep import GridSweep, read_grid_sweep, swept_tables


def cases_of(
    description: Description | DescriptionFile, given: Mapping[str, Any]
) -> tuple[list[GridCase], GridSweep | None]:
    """The cases, of which none has run. Raises `InputError`."""
    if isinstance(description, Mapping):
        source, text, tables = "grid", "", dict(description)
    elif isinstance(description, DescriptionFile):
        source, text, tables = str(description.path), description.text, description.tables
    else:
        source = fspath(description)
        text, tables = read_tables(Path(source))
    sweep = None if given["sweep"] is None else read_grid_sweep(given["sweep"])
    if sweep is None:
        cases = [grid_case(source, tables, text)]
    else:
        cases = _swept_cases(source, tables, text, sweep)
    if given["perturb"]:
        cases = [one.perturbed(given["perturb"]) for one in cases]
    return cases, sweep


def _swept_cases(
    source: str, tables: Mapping[str, Any], text: str, sweep: GridSweep
) -> list[GridCase]:
    """A case for each value. What the description is not refused for is the value's mistake."""
    cases = []
    for number, one in enumerate(swept_tables(tables, sweep)):
        try:
            cases.append(grid_case(source, one, text))
        except InputError:
            grid_case(source, tables, text)
            grid_case(sweep.said(number), one)
            raise
    return cases


def run_grids(
    engine: Engine,
    cases: Sequence[GridCase],
    sweep: GridSweep | None,
    on_progress: OnProgress | None = None,
) -> GridSimulation:
    """Runs all cases, those with overlap without it, too. Blocks.

    Raises `InputError`; `Interrupted`, whose `result` has the cases that were done, if any was.
    """
    began = time.monotonic()
    found: list[GridCandidate] = []

    def interrupted() -> Interrupted:
        done = GridSimulation(found, sweep) if found else None
        return Interrupted(len(found), len(cases), "cases", result=done)

    with Interrupts() as interrupts:
        for case in cases:
            try:
                found.append(_candidate(engine, case, interrupts))
            except KeyboardInterrupt:  # the second one
                raise interrupted() from None
            except ValueError as error:
                with_value = "" if sweep is None else f", {sweep.said(len(found))}"
                raise InputError(f"{case.source}{with_value}: {error}") from error
            if on_progress is not None:
                elapsed = time.monotonic() - began
                on_progress(of_steps(len(found), len(cases), elapsed, "cases"))
            if interrupts.asked:
                raise interrupted()
    return GridSimulation(found, sweep)


def _candidate(engine: Engine, case: GridCase, interrupts: Interrupts) -> GridCandidate:
    def simulated(job: Mapping[str, Any]) -> Any:
        return EngineCall[Any]().result(lambda: engine.simulate_grid(job), interrupts)

    result = simulated(case.job)
    if case.job["schedule"] != "overlap":
        return GridCandidate(case, result)
    unhidden = simulated({**case.job, "schedule": "none"})
    return GridCandidate(case, result, unhidden)
