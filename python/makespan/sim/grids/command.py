# SPDX-License-Identifier: Apache-2.0
"""`makespan simulate` of a grid: which of its flags are of grids, and what is shown."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from makespan.base.errors import ExitCode, InputError
from makespan.base.setting_names import called
from makespan.command.exit import stdout_width

if TYPE_CHECKING:
    from makespan.sim.files.description import DescriptionFile
    from makespan.sim.grids.outcome import GridSimulation

FALLBACK_WIDTH = 110
OF_GRIDS = frozenset(
    (
        *("description", "output", "record", "trace", "perturb", "sweep"),
        *("json", "progress", "quiet", "list", "example", "example_grid"),
    )
)
WITHOUT = {
    "report": "its table and its trace show all that a case has",
    "seed": "nothing is drawn by chance",
    "threads": "its cases run one after the other",
}
"""What bags have and grids have not, of what commands have in common, with the reason."""


def simulate_grid_file(
    description: DescriptionFile, given: Mapping[str, Any], usual: Mapping[str, Any]
) -> ExitCode:
    """Simulates, writes and shows; `usual` are the flags' defaults. Raises `InputError`."""
    from makespan.base.engine import load_engine
    from makespan.report.progress_bar import progress_bar
    from makespan.sim.grids.outputs import planned_files, write_grid_files
    from makespan.sim.grids.record import grid_record
    from makespan.sim.grids.run import cases_of, run_grids

    for name, value in given.items():
        if name not in OF_GRIDS and value != usual[name]:
            why = WITHOUT.get(name, "this is of bags")
            raise InputError(
                f"{called(name)}: {description.path} describes a grid, and {why}: leave it out"
            )
    engine = load_engine()
    files = planned_files(given, [description.path])
    cases, sweep = cases_of(description, given)
    with progress_bar(given) as bar:
        simulation = run_grids(engine, cases, sweep, bar)
    record = grid_record(engine, simulation, given, ("makespan", *sys.argv[1:]))
    write_grid_files(engine, simulation, files, record)
    _show(simulation, [str(path) for path in files.values()], given)
    return ExitCode.OK


def _show(simulation: GridSimulation, written: list[str], given: Mapping[str, Any]) -> None:
    if given["json"]:
        from makespan.sim.grids.document import grid_document

        sys.stdout.write(grid_document(simulation))
        return
    if given["quiet"]:
        return
    from makespan.sim.grids.table import grid_text

    width = max(FALLBACK_WIDTH, stdout_width(FALLBACK_WIDTH))
    sys.stdout.write(grid_text(simulation, width=width))
    if written:
        sys.stdout.write("\n" + "\n".join(f"wrote {path}" for path in written) + "\n")
