# SPDX-License-Identifier: Apache-2.0
"""Where a boss is busy all the time, and what others do there.

Workers on nodes of their own claim tasks of `TASK_S` each. Of a boss's time a task takes
`BOSS_S`, so by the formula of the boss-worker papers it feeds TASK_S / BOSS_S workers. The number
that it really feeds is the tasks that it hands out in a second, when there are many more workers,
times TASK_S.
"""

from __future__ import annotations

from collections.abc import Callable

from makespan.sim.comparison import Candidate, Case, compare, ways_of
from makespan.sim.machine_text import machine_of
from makespan.sim.tasks import made_tasks

from bench.result import Outcome, Row

TASK_S = 0.03
BOSS_S = 3e-4
CALLS_OF_A_TASK = 3
"""To ask, to tell what is finished, to tell how long it took."""
FED = round(TASK_S / BOSS_S)
ROUNDS = 40
"""Tasks for each worker."""


def run_case(outcome: Outcome, notice: Callable[[str], None]) -> None:
    """Simulate numbers of workers up to four times the formula's, and append rows."""
    for workers in (FED // 4, FED // 2, FED, 2 * FED, 4 * FED):
        for dispatcher in ("boss", "steal", "hierarchical"):
            one = _run(workers, dispatcher)
            share = 1.0 / one.over_ideal
            notice(f"{workers} workers, {dispatcher}: {share:.3f}")
            outcome.add(Row(f"{dispatcher}, {workers} workers: share of the ideal", share, ""))
            if (workers, dispatcher) == (4 * FED, "boss"):
                fed = workers * ROUNDS / one.result["makespan_s"] * TASK_S
                name = "workers that a boss feeds, over the formula's"
                outcome.add(Row(name, fed / FED, "", target="value >= 0.8"))
                outcome.add(Row(f"{name} (not above)", fed / FED, "", target="value <= 1.2"))


def _run(workers: int, dispatcher: str) -> Candidate:
    tables = {
        "kind": {"cpu": {"speed": 1 / TASK_S}},
        "node": [{"count": workers + 1, "devices": ["cpu"]}],
        "network": {"latency_us": 20, "message_us": BOSS_S / CALLS_OF_A_TASK * 1e6},
        # The first computes nothing, as a boss.
        "run": {"perturb": ["fail:0@0"]},
    }
    tasks = made_tasks(str(workers * ROUNDS))
    policy = "self" if dispatcher == "boss" else "equal_time"
    return compare(Case(machine_of("workers", tables), tasks), ways_of(policy, dispatcher))[0]
