# SPDX-License-Identifier: Apache-2.0
"""`makespan balance`: what balancers would make of a graph on a machine, without running it.

Libraries are imported where they are first needed, so that `--help` does not wait for them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.base.engine import load_engine
from makespan.base.errors import ExitCode, InputError
from makespan.command.exit import say, stdout_width
from makespan.command.spec import CommandSpec
from makespan.graph.input import BALANCE_SETTINGS, GRAPH
from makespan.job.launcher import is_later_image
from makespan.settings.shared import EXAMPLE, JSON, LIST, PROGRESS, QUIET

if TYPE_CHECKING:
    from makespan.graph.outcome import Balanced

FALLBACK_WIDTH = 110
NOTHING_RUNS = "nothing runs: times are predicted"


def _example() -> str:
    from makespan.graph.example import GRAPH_EXAMPLE

    return GRAPH_EXAMPLE


def _balance(given: Mapping[str, Any]) -> ExitCode:
    if is_later_image():
        return ExitCode.OK
    from makespan.graph.outputs import check_planned, write_outputs
    from makespan.graph.read_graph import read_graph
    from makespan.graph.record import balance_record
    from makespan.graph.run import BalanceRun
    from makespan.report.progress_bar import progress_bar

    graph: Sequence[Path] = given["graph"]
    if not graph:
        raise InputError("no graph (there is nothing to balance): name one; --example prints one")
    check_planned(given, graph)
    command = ("makespan", *sys.argv[1:])
    engine = load_engine()
    with progress_bar(given) as bar:
        run = BalanceRun(engine, given, bar, command)
        balanced = run.run(lambda: read_graph(graph, given["phase"]))
    record = balance_record(engine, balanced, given, command)
    written = write_outputs(balanced, record, given)
    _say_of_memory(balanced)
    if given["json"]:
        from makespan.graph.document import balance_document

        sys.stdout.write(balance_document(balanced))
    elif not given["quiet"]:
        _show(balanced, written, given["output"])
    return ExitCode.OK


def _say_of_memory(balanced: Balanced) -> None:
    comparison = balanced.comparison
    if not comparison.has_memory_limits:
        return
    share = comparison.best.quality["fullest_memory"]
    if share > 1:
        say(
            "warning: no mapping that was found keeps to the limits of memory: by "
            f"{comparison.best.text} the fullest place needs {share:.6g} times its own"
        )


COMMAND = CommandSpec(
    name="balance",
    text=(
        "Place the objects of a graph on a machine, by one balancer or several, and say what each "
        "is predicted to bring: length of a phase, traffic, migration. Graphs are files of "
        "makespan's format, or what vt dumps, a file for each rank."
    ),
    settings=(GRAPH, *BALANCE_SETTINGS, JSON, PROGRESS, QUIET, LIST, EXAMPLE),
    run=_balance,
    examples=(
        "makespan balance --example > graph.json",
        "makespan balance graph.json --machine node.xml -o mapping.json",
        "makespan balance graph.json --synthetic 'package:2 core:4 pu:1' --speeds 4*1,4*0.5",
        "makespan balance data.0.json data.1.json --phase 3 --places 2 --report balance.html",
        "makespan balance graph.json --places 8 --phases 200 --perturb slow:3@50:4 --balancer all",
    ),
    example_input=_example,
    without={
        "trace": NOTHING_RUNS,
        "devices": NOTHING_RUNS,
        "threads": "balancers decide on one thread, as they do in a run",
        "checkpoint": "a decision takes less time than the graph to read",
        "restart_from": "it keeps no checkpoints",
    },
)


def _show(balanced: Balanced, written: Sequence[Path], mapping: Path | None) -> None:
    from makespan.graph.table import comparison_table, headline, phases_table
    from makespan.report.console import StdoutConsole
    from makespan.report.uncut_width import uncut_width

    comparison = balanced.comparison
    tables = [comparison_table(comparison)]
    if balanced.job is not None:
        tables.append(phases_table(balanced.played))
    least = max(FALLBACK_WIDTH, stdout_width(FALLBACK_WIDTH))
    width = max(uncut_width(table, least) for table in tables)
    console = StdoutConsole(width)
    console.print(headline(comparison), markup=False, soft_wrap=True)
    console.print()
    console.print(tables[0])
    for note in comparison.graph.notes:
        console.print(f"\n{note}", markup=False, soft_wrap=True)
    if balanced.job is not None:
        console.print(f"\n{balanced.job.phases} phases, balanced on the way:\n", markup=False)
        console.print(tables[1])
    if written:
        console.print()
    for path in written:
        what = f": the mapping by {comparison.best.text}" if path == mapping else ""
        console.print(f"wrote {path}{what}", markup=False, soft_wrap=True)
