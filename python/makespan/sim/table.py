# SPDX-License-Identifier: Apache-2.0
"""What simulated ways to hand out a bag come to: a table, or a JSON document."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from makespan.base.number_text import count_text, prefixed_text, time_text

if TYPE_CHECKING:
    from rich.table import Table

    from makespan.sim.comparison import Candidate
    from makespan.sim.machine_text import Machine
    from makespan.sim.replay import Replay
    from makespan.sim.tasks import Tasks

COLUMNS = ("policy", "dispatcher", "makespan", "ratio", "idle", "claims", "steals", "messages")
_GAP = 2


def headline(machine: Machine, tasks: Tasks) -> str:
    """What was simulated."""
    kinds = Counter(machine.kinds)
    devices = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    return (
        f"{machine.source}: {devices} in {count_text(len(machine.images), 'image')}\n"
        f"{count_text(_count(tasks), 'task')}, {prefixed_text(tasks.work)} of work "
        f"({tasks.source})"
    )


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


def comparison_table(candidates: Sequence[Candidate]) -> Table:
    """The best first, and bold where there are several."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    for at, name in enumerate(COLUMNS):
        table.add_column(name, justify="left" if at < 2 else "right", no_wrap=True)
    for one in candidates:
        is_best = one is candidates[0] and len(candidates) > 2
        table.add_row(*map(escape, candidate_row(one)), style="bold" if is_best else None)
    return table


def last_line(candidates: Sequence[Candidate]) -> str:
    """What could not be beaten."""
    ideal = candidates[0].result["ideal_s"]
    if math.isinf(ideal):
        return "no ideal: all devices fail before the work is done"
    return f"ideal {time_text(ideal)}: all work over what the devices could do"


def measured_line(replay: Replay, candidates: Sequence[Candidate]) -> str:
    """How long the run that was traced took, and what the same simulated says."""
    words = f"measured {time_text(replay.measured_s)} by {replay.policy}, {replay.dispatcher}"
    policy = replay.policy.partition(":")[0]
    for one in candidates:
        if (one.policy, one.dispatcher) == (policy, replay.dispatcher) and one.result["complete"]:
            longer = one.result["makespan_s"] / replay.measured_s - 1.0
            return f"{words}; simulated {abs(longer):.2%} {'longer' if longer > 0 else 'shorter'}"
    return words


def simulation_document(
    machine: Machine,
    tasks: Tasks,
    candidates: Sequence[Candidate],
    replay: Replay | None = None,
) -> str:
    """`{"machine", "tasks", "ideal_s", "ways"}`; times in seconds, the best way first.

    Of a trace also `measured_s`.

    What is infinite is null: the ideal where all devices fail, ratios of bags that are never done.
    """
    document = {
        **document_head(machine, tasks),
        "ideal_s": _finite(candidates[0].result["ideal_s"]),
        "ways": [way_document(one) for one in candidates],
    }
    if replay is not None:
        document["measured_s"] = replay.measured_s
    return json.dumps(document, allow_nan=False) + "\n"


def document_head(machine: Machine, tasks: Tasks) -> dict[str, object]:
    """What was simulated."""
    return {
        "machine": {"source": machine.source, "devices": machine.kinds},
        "tasks": {"source": tasks.source, "count": _count(tasks), "work": tasks.work},
    }


def way_document(one: Candidate) -> dict[str, object]:
    """What came of one way."""
    return {
        "policy": one.policy,
        "dispatcher": one.dispatcher,
        "ratio": _finite(one.over_ideal),
        "idle": one.idle,
        **one.result,
        "ideal_s": _finite(one.result["ideal_s"]),
    }


def _count(tasks: Tasks) -> int:
    return sum(len(bag.costs) for bag in tasks.bags)


def _finite(value: float) -> float | None:
    return None if math.isinf(value) else value
