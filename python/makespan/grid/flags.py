# SPDX-License-Identifier: Apache-2.0
"""The flags that commands which run grids have in common."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from makespan.pricing.input import THREADS_MAX


class ScheduleName(StrEnum):
    """When halos travel."""

    OVERLAP = "overlap"
    NONE = "none"


class CutName(StrEnum):
    """How processes divide the grid."""

    AUTO = "auto"
    SLABS = "slabs"
    BOXES = "boxes"


Input = Annotated[
    Path | None,
    typer.Argument(help="The input file; --example shows one.", show_default=False),
]
Example = Annotated[bool, typer.Option("--example", help="Print an input file with all keys.")]
Threads = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=THREADS_MAX,
        help="Of each process; all its cores by default, under mpiexec its share of them.",
    ),
]
Devices = Annotated[
    int,
    typer.Option(
        min=0,
        max=THREADS_MAX,
        help="Of each process, which divides its threads among them; each has slabs of its own.",
    ),
]
Gpus = Annotated[
    int,
    typer.Option(
        min=0,
        max=THREADS_MAX,
        help="The first that each process sees are devices besides; each is driven by a thread.",
    ),
]
Schedule = Annotated[
    ScheduleName,
    typer.Option(help="overlap: halos travel while devices compute; none: they wait for them."),
]
Cut = Annotated[CutName, typer.Option(help="Among processes; auto: slabs for up to 5 of them.")]
Rebalance = Annotated[
    int,
    typer.Option(min=0, help="Steps from one look at devices' speeds to the next; 0: never."),
]
Out = Annotated[
    Path | None,
    typer.Option("-o", "--out", help="Folder for the table, pictures, and files for ParaView."),
]
Checkpoint = Annotated[
    Path | None, typer.Option(help="Keep checkpoints in this folder, the last two.")
]
RestartFrom = Annotated[
    Path | None,
    typer.Option(
        "--restart-from", help="Go on from this checkpoint, such as saved/step-2000.vtkhdf."
    ),
]
Trace = Annotated[
    Path | None,
    typer.Option(help="Write the last phases of each device, for ui.perfetto.dev."),
]
Json = Annotated[
    bool, typer.Option("--json", help="One JSON document on stdout instead of the table.")
]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No table and no progress bar.")]
