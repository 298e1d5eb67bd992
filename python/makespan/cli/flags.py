# SPDX-License-Identifier: Apache-2.0
"""The flags of `makespan price`: type, name and one line of help each.

Choices and their summaries come from the engine's registries, so that help cannot go stale.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from makespan.engine import Engine, load_engine
from makespan.errors import NotConfiguredError


def names_of(list_of: Callable[[Engine], list[Any]], more: str = "") -> str:
    """The words that the engine's registry offers, with their summaries where it has some."""
    try:
        entries = list_of(load_engine())
    except NotConfiguredError:
        return "(the engine is not installed)"
    texts = [e if isinstance(e, str) else f"{e['name']} ({e['summary']})" for e in entries]
    return ", ".join([more, *texts] if more else texts)


_METHODS = names_of(lambda engine: engine.methods())
_ISAS = names_of(lambda engine: engine.available_isas(), "auto")
_POLICIES = names_of(lambda engine: engine.policies())
_MODES = names_of(lambda engine: engine.modes())
_DISPATCHERS = names_of(lambda engine: engine.dispatchers())

Book = Annotated[Path, typer.Argument(help="CSV, Parquet or Arrow file.", show_default=False)]
Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", help="Where the prices go; replaced if there already."),
]
StdError = Annotated[
    float | None,
    typer.Option(help="Standard error to reach, in price units, for notional 1."),
]
Paths = Annotated[int | None, typer.Option(help="Simulate this many paths.")]
Method = Annotated[str, typer.Option(help=f"Estimator: {_METHODS}.")]
Greeks = Annotated[bool, typer.Option("--greeks", help="Six Greeks with standard errors as well.")]
FixingGrid = Annotated[
    str | None, typer.Option(help="For rows without their own: exclude_start or include_start.")
]
Seed = Annotated[int, typer.Option(help="Selects the random numbers.")]
Threads = Annotated[
    int | None, typer.Option(help="Threads; all cores allowed to this process by default.")
]
Isa = Annotated[str, typer.Option(help=f"Instruction set: {_ISAS}.")]
Journal = Annotated[
    Path | None, typer.Option(help="Keep finished options in this file as the run goes.")
]
Resume = Annotated[bool, typer.Option("--resume", help="Price only what the journal lacks.")]
SkipInvalid = Annotated[
    bool,
    typer.Option("--skip-invalid", help="Price the good rows; explain bad ones in 'error'."),
]
Json = Annotated[
    bool, typer.Option("--json", help="One JSON document on stdout instead of the table.")
]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No table and no progress bar.")]
Rows = Annotated[int, typer.Option(min=2, help="Rows of the table to show.")]
Units = Annotated[str, typer.Option(help="standard, or desk: vega and rho per 1 %, theta per day.")]
Record = Annotated[
    Path | None, typer.Option(help="Where the run record goes; beside the prices by default.")
]
Policy = Annotated[str, typer.Option(help=f"Chunk policy: {_POLICIES}. Options: name:option=1.")]
Mode = Annotated[str, typer.Option(help=f"How options are laid on threads: {_MODES}.")]
Dispatcher = Annotated[str, typer.Option(help=f"How work comes to devices: {_DISPATCHERS}.")]
Devices = Annotated[
    str | None,
    typer.Option(
        help="What computes, as in 'cpu[cores=0-3,isa=avx2] cpu[cores=4-7]'; the whole CPU by "
        "default. Within brackets: cores, isa, threads, mode."
    ),
]
Trace = Annotated[
    Path | None, typer.Option(help="Write who did what, when; ui.perfetto.dev opens it.")
]
Report = Annotated[
    Path | None,
    typer.Option(help="Write the schedule as a page: bars by thread, idle time, speeds."),
]
DeviceTimeout = Annotated[
    float,
    typer.Option(
        help="Seconds at one piece of work after which a thread is taken as lost.",
        metavar="SECONDS",
    ),
]
Inject = Annotated[
    str | None,
    typer.Option(
        help="For tests: fail:DEVICE@ITEM, slow:DEVICE@ITEM:FACTOR, hang:DEVICE@ITEM:SECONDS.",
        hidden=True,
    ),
]
NoMemory = Annotated[
    bool,
    typer.Option("--no-memory", help="Neither use nor keep the devices' speeds of other runs."),
]
Precision = Annotated[str, typer.Option(help="Of the paths: auto, single, double.")]
Rounds = Annotated[int, typer.Option(help="Rounds of Philox4x32: 10 or 7.")]
Replicates = Annotated[int, typer.Option(help="Scramblings of method rqmc.")]
Confidence = Annotated[float, typer.Option(help="Of ci_low and ci_high.")]
