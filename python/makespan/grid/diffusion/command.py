# SPDX-License-Identifier: Apache-2.0
"""`makespan diffuse`: diffusion of one field on every core and host.

Example: `makespan diffuse field.toml --out results`.
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
    "makespan diffuse --example > field.toml",
    "makespan diffuse field.toml --steps 5000 --out results",
    "mpiexec.mpich -n 4 makespan diffuse field.toml --checkpoint saved",
)
EPILOG = "\n\n".join(("Examples:", *EXAMPLES))
HELP = (
    "Diffuse one field on a regular grid, forward in time with seven points. The grid is cut among "
    "devices and processes, and halos travel while they compute; the result has the same bits "
    "however it is cut. Exit codes: 0 done, 2 bad input, 3 not configured, 4 failure, "
    "130 interrupted."
)

Steps = Annotated[int | None, typer.Option(help="In all; instead of the file's.")]
StepsAtOnce = Annotated[
    int | None, typer.Option(help="For one exchange of halos; instead of the file's.")
]


class DiffuseKind:
    """A `grid_command.GridKind`."""

    def input_file(self) -> KeyFile:
        """What its input files may say."""
        from makespan.grid.diffusion.input import DIFFUSE_FILE

        return DIFFUSE_FILE

    def example(self) -> str:
        """An input file with all keys."""
        from makespan.grid.diffusion.keys import diffuse_example

        return diffuse_example()

    def table(self) -> GridTable:
        """What it prints as it goes."""
        from makespan.grid.table import DIFFUSE_TABLE

        return DIFFUSE_TABLE

    def run(
        self, _engine: Engine, team: Any, given: KeyValues, order: GridOrder, callbacks: Callbacks
    ) -> GridOutcome:
        """Runs it; on image 0."""
        from makespan.grid.diffusion.run import run_diffusion

        return run_diffusion(team, given, order, callbacks)


def diffuse(
    input: Input = None,  # noqa: A002 - the argument's name
    *,
    example: Example = False,
    steps: Steps = None,
    steps_at_once: StepsAtOnce = None,
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
    keys = {word: given.pop(word) for word in ("steps", "steps_at_once")}
    raise typer.Exit(GridCommand(kind=DiffuseKind(), keys=keys, **given).run())
