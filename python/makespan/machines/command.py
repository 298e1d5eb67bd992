# SPDX-License-Identifier: Apache-2.0
"""`makespan machine`: shows what a machine consists of, and measures how far apart its places are.

Example: `makespan machine --measure -o node.xml`.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Annotated

import typer

from makespan.machines.machine_command import MachineCommand
from makespan.machines.weight_flags import WeightFlags
from makespan.machines.weights.formats import FORMAT_NAMES
from makespan.machines.weights.machine_parts import LEVELS

EXAMPLES = (
    "makespan machine",
    "makespan machine --measure -o node.xml --report machine.html",
    "makespan machine --synthetic 'package:4 numa:1 core:8 pu:1'",
    "makespan machine node.xml --weights metis --places numa -o tpwgts.txt",
)
EPILOG = "\n\n".join(("Examples:", *EXAMPLES))
HELP = (
    "Show what a machine consists of: packages, NUMA nodes, caches, cores, GPUs; this one, or that "
    "of a file (hwloc's XML). With --measure find out how far apart they are. Under mpiexec "
    "--measure looks at what lies between images, too. With --weights write what was measured for "
    "another program: a partitioner, a solver, a scheduler. Exit codes: 0 done, 2 bad input, "
    "3 not configured, 4 failure, 130 interrupted."
)

File = Annotated[
    list[Path] | None,
    typer.Argument(
        help="A machine file; this machine by default. For --weights one or more.",
        show_default=False,
    ),
]
Synthetic = Annotated[
    str | None,
    typer.Option(help="A machine made up, in hwloc's words: 'package:2 numa:2 core:8 pu:1'."),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", help="Write the machine here, as hwloc's XML; of --weights the weights."
    ),
]
Measure = Annotated[
    bool, typer.Option("--measure", help="Measure latencies and bandwidths of this machine.")
]
Seconds = Annotated[
    float, typer.Option(min=0.01, max=3600, help="Time for --measure; as long for images.")
]
Report = Annotated[
    Path | None, typer.Option(help="Write a page: the tree, and heat maps of what was measured.")
]
Json = Annotated[
    bool, typer.Option("--json", help="One JSON document on stdout instead of the tree.")
]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No tree and no progress bar.")]
Weights = Annotated[
    str | None,
    typer.Option(
        help=f"Weights for another program, instead of the tree: {FORMAT_NAMES}. list shows them."
    ),
]
Places = Annotated[
    str | None,
    typer.Option(help=f"Of --weights, what gets a weight: {', '.join(LEVELS)}; core by default."),
]
Gpus = Annotated[
    bool, typer.Option("--gpus", help="Of --weights: each GPU gets one, too; needs --speeds.")
]
Speeds = Annotated[
    str | None,
    typer.Option(help="Of --weights, instead of what was measured: 1,1,0.25 or 4*1,4*0.25."),
]


def machine(
    file: File = None,
    *,
    synthetic: Synthetic = None,
    output: Output = None,
    measure: Measure = False,
    seconds: Seconds = 9.0,
    report: Report = None,
    json: Json = False,
    quiet: Quiet = False,
    weights: Weights = None,
    places: Places = None,
    gpus: Gpus = False,
    speeds: Speeds = None,
) -> None:
    """Hands the flags on: those of weights together."""
    given = dict(locals())
    asked = WeightFlags(**{field.name: given.pop(field.name) for field in fields(WeightFlags)})
    raise typer.Exit(MachineCommand(asked=asked, **given).run())
