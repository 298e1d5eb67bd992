# SPDX-License-Identifier: Apache-2.0
"""What simulated ways to hand out a bag come to, as text: of one case, or of a sweep."""

from __future__ import annotations

import html
import io
import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from makespan.base.number_text import count_text, prefixed_text, time_text
from makespan.report.uncut_width import uncut_width

if TYPE_CHECKING:
    from makespan.sim.comparison import Candidate
    from makespan.sim.machine import Machine
    from makespan.sim.outcome import SimulatedBag, Simulation
    from makespan.sim.replay import Replay
    from makespan.sim.tasks import Tasks

COLUMNS = ("policy", "dispatcher", "makespan", "ratio", "idle", "claims", "steals", "messages")
SWEEP_COLUMNS = ("value", *COLUMNS)
SWEEP_WAYS_MAX = 5
"""Of each value of a sweep."""
_GAP = 2


def headline(machine: Machine, tasks: Tasks) -> str:
    """What was simulated."""
    kinds = Counter(machine.kinds)
    devices = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    lines = [
        f"{machine.source}: {devices} in {count_text(len(machine.images), 'image')}",
        *machine.notes,
        f"{_amount(tasks)}, {_work(tasks)} ({tasks.source})",
    ]
    return "\n".join(lines)


def _amount(tasks: Tasks) -> str:
    return count_text(len(tasks.bags), "turn") if tasks.kept else count_text(tasks.count, "task")


def _work(tasks: Tasks) -> str:
    real, predicted = prefixed_text(tasks.real_work), prefixed_text(tasks.work)
    return f"{real} of work" + (f", predicted as {predicted}" if predicted != real else "")


def candidate_row(one: Candidate) -> tuple[str, ...]:
    """Texts of `COLUMNS`."""
    result = one.result
    return (
        one.policy,
        one.dispatcher,
        time_text(result["makespan_s"]),
        f"{one.over_ideal:.4f}" if result["complete"] else "never done",
        f"{100 * one.idle:.2f} %",
        str(result["claims"]),
        str(result["steals"]),
        str(result["operations"] + result["messages"]),
    )


def sweep_rows(simulation: Simulation) -> list[tuple[str, ...]]:
    """Texts of `SWEEP_COLUMNS`, of all ways."""
    return [(f"{value:g}", *candidate_row(one)) for value, one in simulation.rows]


def simulation_text(simulation: Simulation, *, color: bool, width: int) -> str:
    """What was simulated, and a table: bold is the best, where there are several."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    sweep = simulation.sweep
    names = COLUMNS if sweep is None else (sweep.title, *COLUMNS)
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    for name in names:
        is_text = name in ("policy", "dispatcher")
        table.add_column(name, justify="left" if is_text else "right", no_wrap=True)
    shown_max, bold_from = (None, 3) if sweep is None else (SWEEP_WAYS_MAX, 2)
    values = [None] if sweep is None else sweep.values
    for value, own in zip(values, simulation.found, strict=True):
        for one in own[:shown_max]:
            row = [*([] if value is None else [f"{value:g}"]), *candidate_row(one)]
            is_best = one is own[0] and len(own) >= bold_from
            table.add_row(*map(escape, row), style="bold" if is_best else None)
    file = io.StringIO()
    wide = uncut_width(table, width)
    Console(file=file, width=wide, highlight=False, force_terminal=color).print(table)
    return f"{headline(simulation.base.machine, simulation.base.tasks)}\n\n{file.getvalue()}"


def last_lines(simulation: Simulation) -> list[str]:
    """What could not be beaten and what was measured; of a sweep, how many ways are not shown."""
    if simulation.sweep is not None:
        more = len(simulation.ways) - SWEEP_WAYS_MAX
        return [f"{more} more ways of each: --json and --report have them"] if more > 0 else []
    (candidates,) = simulation.found
    lines = [last_line(candidates)]
    if simulation.replay is not None:
        lines.append(measured_line(simulation.replay, candidates))
    return lines


def last_line(candidates: Sequence[Candidate]) -> str:
    """What could not be beaten."""
    ideal = candidates[0].result["ideal_s"]
    if math.isinf(ideal):
        return "no ideal: all devices fail before the work is done"
    return f"ideal {time_text(ideal)}: all work over what the devices could do"


def measured_line(replay: Replay, candidates: Sequence[Candidate]) -> str:
    """How long the run that was traced took, and what the same simulated says."""
    words = f"measured {time_text(replay.measured_s)} by {replay.policy}, {replay.dispatcher}"
    for one in candidates:
        if one.is_by(replay.policy, replay.dispatcher) and one.result["complete"]:
            longer = one.result["makespan_s"] / replay.measured_s - 1.0
            return f"{words}; simulated {abs(longer):.2%} {'longer' if longer > 0 else 'shorter'}"
    return words


def result_html(bag: SimulatedBag) -> str:
    """A result as notebooks show it: the table of cases, and what could not be beaten."""
    shown = bag.table._repr_html_() if hasattr(bag.table, "_repr_html_") else ""
    ratio = f"{bag.over_ideal:.4f} of the ideal" if bag.complete else "never done"
    said = f"{bag.policy}, {bag.dispatcher}: {time_text(bag.makespan_s)}, {ratio}"
    return f"{shown}<p>{html.escape(said)}</p>"
