# SPDX-License-Identifier: Apache-2.0
"""`makespan calcium`: a calcium spark in a release unit of a heart cell.

Example: `makespan calcium spark.toml --out spark`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from makespan.grid.command import GridCommand
from makespan.grid.flags import (
    Checkpoint,
    Cut,
    CutName,
    Devices,
    Example,
    Gpus,
    Input,
    Json,
    Out,
    Quiet,
    Rebalance,
    RestartFrom,
    Schedule,
    ScheduleName,
    Threads,
    Trace,
)

if TYPE_CHECKING:
    from makespan.base.engine import Engine
    from makespan.grid.outcome import Callbacks, GridOrder, GridOutcome
    from makespan.grid.table import GridTable
    from makespan.settings.key_file import KeyFile, KeyValues

EXAMPLES = (
    "makespan calcium --example > spark.toml",
    "makespan calcium spark.toml --duration 20 --out spark",
    "mpiexec.mpich -n 4 makespan calcium spark.toml --checkpoint saved",
)
EPILOG = "\n\n".join(("Examples:", *EXAMPLES))
HELP = (
    "Compute a calcium spark: channels of the sarcoplasmic reticulum open beside a T-tubule, and "
    "calcium spreads and binds to buffers and dye (five fields on a regular grid, forward in "
    "time). Writes a line scan, slices and the spark's measures; the result has the same bits "
    "however the grid is cut among devices and processes. Exit codes: 0 done, 2 bad input, 3 not "
    "configured, 4 failure, 130 interrupted."
)

Duration = Annotated[float | None, typer.Option(help="In ms, in all; instead of the file's.")]


class CalciumKind:
    """A `grid_command.GridKind`."""

    def input_file(self) -> KeyFile:
        """What its input files may say."""
        from makespan.grid.calcium.input import CALCIUM_FILE

        return CALCIUM_FILE

    def example(self) -> str:
        """An input file with all keys."""
        from makespan.grid.calcium.keys import calcium_example

        return calcium_example()

    def table(self) -> GridTable:
        """What it prints as it goes."""
        from makespan.grid.table import CALCIUM_TABLE

        return CALCIUM_TABLE

    def run(
        self, engine: Engine, team: Any, given: KeyValues, order: GridOrder, callbacks: Callbacks
    ) -> GridOutcome:
        """Runs it; on image 0."""
        from makespan.grid.calcium.run import run_calcium

        return run_calcium(engine, team, given, order, callbacks)


def calcium(
    input: Input = None,  # noqa: A002 - the argument's name
    *,
    example: Example = False,
    duration: Duration = None,
    threads: Threads = None,
    devices: Devices = 1,
    gpus: Gpus = 0,
    schedule: Schedule = ScheduleName.OVERLAP,
    cut: Cut = CutName.AUTO,
    rebalance: Rebalance = 0,
    out: Out = None,
    checkpoint: Checkpoint = None,
    restart_from: RestartFrom = None,
    trace: Trace = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Sorts the flags: keys of the input file, and those of this command."""
    given = dict(locals())
    keys = {"duration": given.pop("duration")}
    raise typer.Exit(GridCommand(kind=CalciumKind(), keys=keys, **given).run())
