# SPDX-License-Identifier: Apache-2.0
"""`makespan diffuse`: diffusion of one field on every core and host."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from makespan.command.spec import CommandSpec
from makespan.grids.command import GridCommand
from makespan.grids.diffusion.input import COMMAND_SETTINGS, DIFFUSE_FILE, FLAGS
from makespan.grids.input import INPUT
from makespan.grids.table import DIFFUSE_TABLE
from makespan.settings.shared import EXAMPLE, JSON, PROGRESS, QUIET

if TYPE_CHECKING:
    from makespan.base.engine import Engine
    from makespan.base.errors import ExitCode
    from makespan.grids.input import GridOrder
    from makespan.grids.outcome import Callbacks, GridOutcome
    from makespan.settings.input_file import InputValues


def _start(
    _engine: Engine, team: Any, values: InputValues, order: GridOrder, callbacks: Callbacks
) -> GridOutcome:
    from makespan.grids.diffusion.run import run_diffusion

    return run_diffusion(team, values, order, callbacks)


_NEEDS = {
    "centre": ("start", ("gaussian", "point")),
    "width": ("start", ("gaussian",)),
    "half_waves": ("start", ("mode",)),
    **dict.fromkeys(("height", "background"), ("start", ("gaussian", "mode", "point", "uniform"))),
}


def _diffuse(given: Mapping[str, Any]) -> ExitCode:
    return GridCommand(
        given=given,
        file=DIFFUSE_FILE,
        flags=FLAGS,
        needs=_NEEDS,
        table=DIFFUSE_TABLE,
        start=_start,
    ).run()


COMMAND = CommandSpec(
    name="diffuse",
    text=(
        "Diffuse one field on a regular grid, forward in time with seven points. The grid is cut "
        "among devices and processes, and halos travel while they compute; the result has the "
        "same bits however it is cut."
    ),
    settings=(INPUT, *COMMAND_SETTINGS, JSON, PROGRESS, QUIET, EXAMPLE),
    run=_diffuse,
    examples=(
        "makespan diffuse --example > field.toml",
        "makespan diffuse field.toml --steps 5000 --output results",
        "mpiexec.mpich -n 4 makespan diffuse field.toml --checkpoint saved",
    ),
    example_input=DIFFUSE_FILE.example,
    without={"seed": "nothing is drawn by chance"},
)
