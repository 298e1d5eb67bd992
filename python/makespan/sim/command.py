# SPDX-License-Identifier: Apache-2.0
"""`makespan simulate`: a bag on a machine that one does not have.

Example: `makespan simulate machine.toml --tasks 20000:lognormal --policy all`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from makespan.pricing.flags import names_of
from makespan.sim.simulate_command import SimulateCommand

EXAMPLES = (
    "makespan simulate --example > machine.toml",
    "makespan simulate machine.toml --tasks 200000:lognormal:0.5:5e5 --dispatcher all",
    "makespan simulate machine.toml --bag book.csv --dispatcher all --json",
    "makespan simulate machine.toml --tasks 20000 --sweep devices=gpu:0,1,2,4 --report page.html",
    "makespan simulate --replay trace.json --policy all",
)
EPILOG = "\n\n".join(("Examples:", *EXAMPLES))
HELP = (
    "Run a bag in virtual time on a machine that is described, by the policies and dispatchers "
    "that run real ones: how long it takes, against what could not be beaten. Exit codes: 0 done, "
    "2 bad input, 3 not configured, 4 failure, 130 interrupted."
)

_POLICIES = names_of(lambda engine: engine.policies())
_DISPATCHERS = names_of(lambda engine: engine.dispatchers())

Machine = Annotated[
    Path | None,
    typer.Argument(help="The machine; --example shows a description.", show_default=False),
]
Example = Annotated[bool, typer.Option("--example", help="Print a machine description.")]
TaskSpec = Annotated[
    str | None,
    typer.Option(
        "--tasks",
        help="COUNT[:DISTRIBUTION[:SPREAD[:MEAN]]] of costs: constant, uniform, normal, "
        "exponential, lognormal; or a table (.csv, .parquet) with a column cost. "
        "Default: 10000.",
    ),
]
Bag = Annotated[Path | None, typer.Option(help="A book of options, as its pricing would begin.")]
Paths = Annotated[int, typer.Option(min=1, help="Of rows of a book that say nothing.")]
Replay = Annotated[
    Path | None,
    typer.Option(help="A trace of `makespan price`: its bags, and its machine if none is named."),
]
WriteMachine = Annotated[
    Path | None, typer.Option(help="Write the trace's machine here, to be changed.")
]
CostError = Annotated[
    float,
    typer.Option(min=0.0, max=10.0, help="How wrong predicted costs are: spread of real over it."),
]
Policies = Annotated[
    str | None,
    typer.Option(
        "--policy",
        help=f"With commas between, or all: {_POLICIES}. Default: equal_time, or the trace's.",
    ),
]
Dispatchers = Annotated[
    str | None,
    typer.Option(
        "--dispatcher",
        help=f"With commas between, or all: {_DISPATCHERS}. Default: steal, or the trace's.",
    ),
]
Option = Annotated[
    list[str] | None, typer.Option(help="name=value, of the policy; more than once for more.")
]
Seed = Annotated[int | None, typer.Option(min=0, help="Instead of the description's.")]
SweepText = Annotated[
    str | None,
    typer.Option(
        "--sweep",
        help="NAME=V1,V2,…: devices=gpu:0,1,2; nodes, tasks, chunk, latency_us and other numbers "
        "of [network], or an option of the policy.",
    ),
]
Report = Annotated[Path | None, typer.Option(help="Write a page: makespans, schedules, sweeps.")]
Json = Annotated[
    bool, typer.Option("--json", help="One JSON document on stdout instead of the table.")
]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No table.")]


def simulate(
    machine: Machine = None,
    *,
    example: Example = False,
    tasks: TaskSpec = None,
    cost_error: CostError = 0.0,
    bag: Bag = None,
    paths: Paths = 100_000,
    replay: Replay = None,
    write_machine: WriteMachine = None,
    policy: Policies = None,
    dispatcher: Dispatchers = None,
    option: Option = None,
    seed: Seed = None,
    sweep: SweepText = None,
    report: Report = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Hands the flags on."""
    raise typer.Exit(SimulateCommand(**locals()).run())
