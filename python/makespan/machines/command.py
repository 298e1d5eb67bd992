# SPDX-License-Identifier: Apache-2.0
"""`makespan machine`: shows what a machine consists of, and measures costs between its places."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from makespan.base.engine import load_engine
from makespan.base.errors import InputError
from makespan.command.exit import stdout_width
from makespan.command.spec import CommandSpec
from makespan.machines.input import FILES, MACHINE_SETTINGS
from makespan.settings.shared import EXAMPLE, JSON, LIST, PROGRESS, QUIET

if TYPE_CHECKING:
    from makespan.machines.outcome import MachineResult
    from makespan.machines.outputs import MachineRequest

FALLBACK_WIDTH = 100
EXAMPLE_MACHINE = "package:2 numa:1 core:2 pu:1"
WHOLE_MACHINE = "it looks at the whole machine; what measures is pinned to each core in turn"
SHORT = "it takes as long as --seconds says"


def _run(given: Mapping[str, Any]) -> None:
    from makespan.machines.outputs import MachineRequest
    from makespan.machines.run import find_machine
    from makespan.report.progress_bar import progress_bar

    if given["json"] and given["weights"] is not None:
        raise InputError("--json with --weights (they are all that is written): leave one out")
    request = MachineRequest(given["files"], given, ("makespan", *sys.argv[1:]))
    with progress_bar(given) as bar:
        machine = find_machine(load_engine(), request, bar)
    if machine is None:
        return
    if given["json"]:
        from makespan.machines.document import machine_document

        sys.stdout.write(machine_document(machine))
    elif machine.weights is not None:
        _show_weights(machine.weights, request, given)
    elif not given["quiet"]:
        _show(machine, request)


def _show_weights(weights: str, request: MachineRequest, given: Mapping[str, Any]) -> None:
    if request.output is None:
        sys.stdout.write(weights)
    elif not given["quiet"]:
        sys.stdout.write(f"wrote {request.output}\n")


def _show(machine: MachineResult, request: MachineRequest) -> None:
    from makespan.machines.table import cost_rows, cost_table, machine_tree
    from makespan.report.console import StdoutConsole

    console = StdoutConsole(stdout_width(FALLBACK_WIDTH))
    console.print(machine_tree(machine))
    if cost_rows(machine):
        console.print()
        console.print(cost_table(machine))
    if machine.sampling:
        console.print(f"\nMeasured between {machine.sampling}.")
    for path in (request.output, request.report, request.record):
        if path is not None:
            console.print(f"wrote {path}", markup=False, soft_wrap=True)


def _example() -> str:
    from makespan.machines.known_machine import known_machine

    return str(known_machine(load_engine(), None, EXAMPLE_MACHINE).engine_machine.xml())


def _listing(*, as_json: bool) -> str:
    from makespan.command.listing import entries_text
    from makespan.machines.weights.formats import FORMATS

    entries = [{"name": known.name, "summary": known.summary} for known in FORMATS]
    return entries_text({"weights": entries}, as_json=as_json)


COMMAND = CommandSpec(
    name="machine",
    text=(
        "Show what a machine consists of: packages, NUMA nodes, caches, cores, GPUs; this one, or "
        "that of a file (hwloc's XML). With --measure find out how far apart they are; under "
        "mpiexec that looks at what lies between images, too. With --weights write what was "
        "measured for another program: a partitioner, a solver, a scheduler."
    ),
    settings=(
        FILES,
        *MACHINE_SETTINGS,
        *(JSON.but(help="One JSON document on stdout instead of the tree."), PROGRESS),
        QUIET.but(help="No tree, no progress."),
        LIST.but(help="Describe the formats of --weights."),
        EXAMPLE.but(
            help="Print an example of a machine file, without figures: --measure -o writes one "
            "with what --weights takes."
        ),
    ),
    run=_run,
    examples=(
        "makespan machine",
        "makespan machine --measure -o node.xml --report machine.html",
        "makespan machine --synthetic 'package:4 numa:1 core:8 pu:1'",
        "makespan machine node.xml --weights metis --places numa -o tpwgts.txt",
    ),
    example_input=_example,
    listing=_listing,
    without={
        "trace": "no work is divided, so there is no schedule to see; --report shows the figures",
        "seed": "nothing in it is random",
        "devices": WHOLE_MACHINE,
        "threads": WHOLE_MACHINE,
        "checkpoint": SHORT,
        "restart_from": SHORT,
    },
)
