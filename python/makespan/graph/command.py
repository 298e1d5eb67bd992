# SPDX-License-Identifier: Apache-2.0
"""`makespan balance`: what balancers would make of a graph on a machine, without running it.

Example: `makespan balance graph.json --machine node.xml --strategy all -o mapping.json`.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Annotated

import typer

from makespan.graph.balance_command import BalanceCommand
from makespan.graph.phase_flags import PhaseFlags
from makespan.graph.phases import PHASES_MAX
from makespan.graph.place_source import PlaceSource
from makespan.pricing.flags import names_of

EXAMPLES = (
    "makespan balance graph.json --machine node.xml -o mapping.json",
    "makespan balance graph.json --synthetic 'package:2 core:4 pu:1' --speeds 4*1,4*0.5",
    "makespan balance data.0.json data.1.json --phase 3 --places 2 --report balance.html",
    "makespan balance graph.json --places 8 --phases 200 --change 3@50:0.25 --strategy all",
)
EPILOG = "\n\n".join(("Examples:", *EXAMPLES))
HELP = (
    "Place the objects of a graph on a machine, by one balancer or several, and say what each is "
    "predicted to bring: length of a phase, traffic, migration. Graphs are files of makespan's "
    "format, or what vt dumps, a file for each rank. Exit codes: 0 done, 2 bad input, "
    "3 not configured, 4 failure, 130 interrupted."
)

_BALANCERS = names_of(lambda engine: engine.balancers())

Graph = Annotated[
    list[Path] | None,
    typer.Argument(help="The graph; of vt the files of all ranks.", show_default=False),
]
Machine = Annotated[
    Path | None,
    typer.Option(help="The machine, of `makespan machine -o`; this machine by default."),
]
Synthetic = Annotated[
    str | None,
    typer.Option(help="A machine made up, in hwloc's words: 'package:2 numa:2 core:8 pu:1'."),
]
Nodes = Annotated[int | None, typer.Option(min=1, help="So many of that machine, as one.")]
NetworkLatencyUs = Annotated[
    float | None, typer.Option(help="Of a message from node to node, in microseconds.")
]
NetworkBandwidthGb = Annotated[
    float | None, typer.Option(help="From node to node, in 10^9 bytes per second.")
]
Places = Annotated[
    str, typer.Option(help="What a place is: core, numa, package; or so many equal ones.")
]
Gpus = Annotated[bool, typer.Option("--gpus", help="Each GPU is a place, of kind gpu.")]
Speeds = Annotated[
    str | None, typer.Option(help="Of places, as in 1,1,0.25 or 4*1,4*0.25; 1 by default.")
]
Phase = Annotated[int | None, typer.Option(help="Of a dump of vt; the last by default.")]
Strategy = Annotated[
    str | None,
    typer.Option(help=f"Balancers with commas between, or all: {_BALANCERS}."),
]
Option = Annotated[
    list[str] | None,
    typer.Option(help="name=value, for balancers that know it; more than once for more."),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", help="Write the mapping with the shortest predicted phase here."
    ),
]
Report = Annotated[
    Path | None, typer.Option(help="Write a page: times by place and traffic, before and after.")
]
Json = Annotated[
    bool, typer.Option("--json", help="One JSON document on stdout instead of the table.")
]
List = Annotated[bool, typer.Option("--list", help="Show the balancers and their options.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No table and no progress bar.")]
Phases = Annotated[
    int | None,
    typer.Option(min=1, max=PHASES_MAX, help="Play so many phases in virtual time, balanced."),
]
When = Annotated[
    str, typer.Option(help="Of --phases, when to look: auto, or after so many phases.")
]
Growth = Annotated[
    str | None,
    typer.Option(help="Of --phases: 0.01:0.1, a tenth of the objects grow by 1 % a phase."),
]
Noise = Annotated[
    float | None,
    typer.Option(min=0.0, max=10.0, help="Of --phases, of loads: deviation over mean."),
]
Change = Annotated[
    list[str] | None,
    typer.Option(help="Of --phases: 3@20:0.25, from phase 20 on place 3 has a quarter core."),
]
Seed = Annotated[int | None, typer.Option(min=0, help="Of --phases: of growth and noise.")]


def balance(
    graph: Graph = None,
    *,
    machine: Machine = None,
    synthetic: Synthetic = None,
    nodes: Nodes = None,
    network_latency_us: NetworkLatencyUs = None,
    network_bandwidth_gb: NetworkBandwidthGb = None,
    places: Places = "core",
    gpus: Gpus = False,
    speeds: Speeds = None,
    phase: Phase = None,
    strategy: Strategy = None,
    option: Option = None,
    output: Output = None,
    report: Report = None,
    json: Json = False,
    list: List = False,  # noqa: A002 - the flag's name
    quiet: Quiet = False,
    phases: Phases = None,
    when: When = "auto",
    growth: Growth = None,
    noise: Noise = None,
    change: Change = None,
    seed: Seed = None,
) -> None:
    """Sorts the flags: those of the machine, those of phases, and those of this command."""
    given = dict(locals())
    source = {field.name: given.pop(field.name) for field in fields(PlaceSource)}
    asked = {field.name: given.pop(field.name) for field in fields(PhaseFlags)}
    command = BalanceCommand(source=PlaceSource(**source), asked=PhaseFlags(**asked), **given)
    raise typer.Exit(command.run())
