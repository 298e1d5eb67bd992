# SPDX-License-Identifier: Apache-2.0
"""`makespan melt`: Lennard-Jones atoms as objects that move between threads and images.

Example: `makespan melt in.toml --trajectory melt.dcd --report melt.html`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from makespan.melting.melt_command import MeltCommand
from makespan.pricing.flags import names_of
from makespan.pricing.input import THREADS_MAX

EXAMPLES = (
    "makespan melt --example > in.toml",
    "makespan melt in.toml --steps 1000 --trajectory melt.dcd --report melt.html",
    "mpiexec.mpich -n 4 makespan melt in.toml --threads 2 --checkpoint saved",
)
EPILOG = "\n\n".join(("Examples:", *EXAMPLES))
HELP = (
    "Run a melt of Lennard-Jones atoms: LAMMPS's bench in.lj, cut into objects that move where "
    "they are needed. Prints LAMMPS's table of temperature, energies and pressure; the result has "
    "the same bits wherever objects are. Exit codes: 0 done, 2 bad input, 3 not configured, "
    "4 failure, 130 interrupted."
)

_BALANCERS = names_of(lambda engine: [entry["name"] for entry in engine.balancers()])

Input = Annotated[
    Path | None,
    typer.Argument(help="The input file; --example shows one.", show_default=False),
]
Example = Annotated[bool, typer.Option("--example", help="Print an input file with all keys.")]
Steps = Annotated[int | None, typer.Option(help="In all; instead of the file's.")]
Threads = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=THREADS_MAX,
        help="Places of each process; all its cores by default, under mpiexec its share of them.",
    ),
]
Trajectory = Annotated[
    Path | None, typer.Option(help="Write frames here: .xyz (extended) or .dcd (CHARMM's).")
]
Every = Annotated[
    int | None, typer.Option(help="Steps from frame to frame; instead of the file's.")
]
Report = Annotated[
    Path | None, typer.Option(help="Write a page: loads of objects and places, phases.")
]
Balance = Annotated[
    str | None,
    typer.Option(help="When objects move: auto, never, or after so many phases."),
]
Balancer = Annotated[str | None, typer.Option(help=f"Who says where to: {_BALANCERS}.")]
FirstMap = Annotated[
    str | None, typer.Option(help="Where objects are at first: block or round-robin.")
]
Checkpoint = Annotated[
    Path | None, typer.Option(help="Keep checkpoints in this folder, the last two.")
]
RestartFrom = Annotated[
    Path | None,
    typer.Option("--restart-from", help="Go on from this checkpoint, such as saved/phase-20."),
]
Json = Annotated[
    bool, typer.Option("--json", help="One JSON document on stdout instead of the table.")
]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No table and no progress bar.")]


def melt(
    input: Input = None,  # noqa: A002 - the argument's name
    *,
    example: Example = False,
    steps: Steps = None,
    threads: Threads = None,
    trajectory: Trajectory = None,
    every: Every = None,
    report: Report = None,
    balance: Balance = None,
    balancer: Balancer = None,
    first_map: FirstMap = None,
    checkpoint: Checkpoint = None,
    restart_from: RestartFrom = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Sorts the flags: keys of the input file, and those of this command."""
    given = dict(locals())
    words = ("steps", "every", "balance", "balancer", "first_map")
    keys = {word: given.pop(word) for word in words}
    raise typer.Exit(MeltCommand(keys=keys, **given).run())
