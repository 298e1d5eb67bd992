# SPDX-License-Identifier: Apache-2.0
"""`makespan simulate`: read the machine and the bag, simulate, write, show.

Example: `makespan simulate machine.toml --tasks 20000:lognormal --policy all`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from makespan.base.errors import ExitCode
from makespan.command.exit import stdout_width
from makespan.command.spec import CommandSpec
from makespan.job.launcher import is_later_image
from makespan.settings.shared import EXAMPLE, JSON, LIST, PROGRESS, QUIET
from makespan.sim.example import MACHINE_EXAMPLE
from makespan.sim.files.description import DescriptionFile, opened
from makespan.sim.grids.command import WITHOUT
from makespan.sim.grids.description import is_grid
from makespan.sim.input import DESCRIPTION, EXAMPLE_GRID, SIMULATE_SETTINGS, TASKS

if TYPE_CHECKING:
    from makespan.sim.outcome import Simulation
    from makespan.sim.outputs import Outputs

FALLBACK_WIDTH = 110


def _simulate(given: Mapping[str, Any]) -> ExitCode:
    """On image 0 alone: the processes of a job would all simulate the same."""
    if is_later_image():
        return ExitCode.OK
    if given["example_grid"]:
        from makespan.sim.grids.example import GRID_EXAMPLE

        sys.stdout.write(GRID_EXAMPLE)
        return ExitCode.OK
    description = None if given["description"] is None else opened(given["description"])
    if isinstance(description, DescriptionFile) and is_grid(description):
        from makespan.sim.grids.command import simulate_grid_file

        usual = {one.name: one.default for one in COMMAND.settings}
        return simulate_grid_file(description, given, usual)
    from makespan.base.engine import load_engine
    from makespan.report.progress_bar import progress_bar
    from makespan.sim.outputs import planned_outputs, write_outputs
    from makespan.sim.record import simulation_record
    from makespan.sim.run import Asked, planned, run

    engine = load_engine()
    asked = Asked(description, given["tasks"], given)
    asked.check()
    outputs = planned_outputs(given, asked.files())
    plan = planned(engine, asked)
    with progress_bar(given) as bar:
        simulation = run(plan, bar, given["threads"])
    record = {}
    if outputs.record is not None:  # of long lists its hashes take their time
        record = simulation_record(engine, simulation, given, ("makespan", *sys.argv[1:]))
    write_outputs(simulation, outputs, record, given["threads"])
    _show(simulation, outputs, given)
    return ExitCode.OK


COMMAND = CommandSpec(
    name="simulate",
    text=(
        "Run a bag, or steps of a grid, in virtual time on a machine that is described, by what "
        "runs real ones: how long it takes, against what could not be beaten. Under mpiexec "
        "the first process simulates, and the others end at once."
    ),
    settings=(
        *(DESCRIPTION, TASKS, *SIMULATE_SETTINGS),
        *(JSON, PROGRESS, QUIET, LIST, EXAMPLE, EXAMPLE_GRID),
    ),
    run=_simulate,
    examples=(
        "makespan simulate --example > machine.toml",
        "makespan simulate machine.toml --tasks 200000:lognormal:0.5 --dispatcher all",
        "makespan simulate machine.toml --bag book.csv --dispatcher all --json",
        "makespan simulate machine.toml --tasks 20000 --sweep devices=gpu:0,1,2,4 --report p.html",
        "makespan simulate machine.toml --policy self:chunk_items=8 --perturb slow:1@0.1:4",
        "makespan simulate --machine node.xml --nodes 4 --tasks 20000:lognormal",
        "makespan simulate --replay trace.json --policy all",
        "makespan simulate --example-grid > grid.toml",
        "makespan simulate grid.toml",
    ),
    example_input=lambda: MACHINE_EXAMPLE,
    without={
        "devices": "the devices are those of the machine that is described",
        "checkpoint": "a simulation repeats to the last bit, and a case takes seconds",
        "restart_from": "there are no checkpoints",
    },
    without_for={"a grid": WITHOUT},
)


def _show(simulation: Simulation, outputs: Outputs, given: Mapping[str, Any]) -> None:
    if given["json"]:
        from makespan.sim.document import simulation_document

        sys.stdout.write(simulation_document(simulation))
        return
    if given["quiet"]:
        return
    from makespan.sim.table import last_lines, simulation_text

    width = max(FALLBACK_WIDTH, stdout_width(FALLBACK_WIDTH))
    sys.stdout.write(simulation_text(simulation, color=sys.stdout.isatty(), width=width))
    lines = [*last_lines(simulation), *(f"wrote {path}" for path in outputs.files())]
    if lines:
        sys.stdout.write("\n" + "\n".join(lines) + "\n")
