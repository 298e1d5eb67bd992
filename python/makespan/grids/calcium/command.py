# SPDX-License-Identifier: Apache-2.0
"""`makespan calcium`: a calcium spark in a release unit of a heart cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from makespan.command.spec import CommandSpec
from makespan.grids.calcium.input import CALCIUM_FILE, COMMAND_SETTINGS, FLAGS
from makespan.grids.command import GridCommand
from makespan.grids.input import INPUT
from makespan.grids.table import CALCIUM_TABLE
from makespan.settings.shared import EXAMPLE, JSON, PROGRESS, QUIET

if TYPE_CHECKING:
    from makespan.base.engine import Engine
    from makespan.base.errors import ExitCode
    from makespan.grids.input import GridOrder
    from makespan.grids.outcome import Callbacks, GridOutcome
    from makespan.settings.input_file import InputValues


def _start(
    engine: Engine, team: Any, values: InputValues, order: GridOrder, callbacks: Callbacks
) -> GridOutcome:
    from makespan.grids.calcium.run import Told, run_calcium

    return run_calcium(engine, team, Told(values), order, callbacks)


_NEEDS = {
    "seed": ("gating_ms", ()),
    "serca_total": ("serca", ()),
    "membrane_pump_max": ("membrane_pump", ()),
    **dict.fromkeys(("exchanger_max", "membrane_voltage"), ("exchanger", ())),
    **dict.fromkeys(("network_sr_share", "network_sr_ms"), ("network_sr", ())),
}


def _calcium(given: Mapping[str, Any]) -> ExitCode:
    return GridCommand(
        given=given,
        file=CALCIUM_FILE,
        flags=FLAGS,
        needs=_NEEDS,
        table=CALCIUM_TABLE,
        start=_start,
    ).run()


COMMAND = CommandSpec(
    name="calcium",
    text=(
        "Compute a calcium spark: channels of the sarcoplasmic reticulum open beside a T-tubule, "
        "and calcium spreads and binds to buffers and dye (five fields on a regular grid, forward "
        "in time). Writes a line scan, slices and the spark's measures; the result has the same "
        "bits however the grid is cut among devices and processes."
    ),
    settings=(INPUT, *COMMAND_SETTINGS, JSON, PROGRESS, QUIET, EXAMPLE),
    run=_calcium,
    examples=(
        "makespan calcium --example > spark.toml",
        "makespan calcium spark.toml --duration 20 --output spark",
        "mpiexec.mpich -n 4 makespan calcium spark.toml --checkpoint saved",
    ),
    example_input=CALCIUM_FILE.example,
)
