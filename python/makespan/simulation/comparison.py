# SPDX-License-Identifier: Apache-2.0
"""One bag on one machine, by several policies and dispatchers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from makespan.simulation.machine_text import Machine
from makespan.simulation.runs import Result, simulate_each
from makespan.simulation.tasks import Tasks


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to hand the bag out, and what came of it."""

    policy: str
    dispatcher: str
    result: Result

    @property
    def over_ideal(self) -> float:
        """The makespan over what could not be beaten; infinite where the bag is never done."""
        if not self.result["complete"]:
            return math.inf
        return float(self.result["makespan_s"] / self.result["ideal_s"])

    @property
    def idle(self) -> float:
        """The part of all workers' time in which they ran nothing."""
        time = self.result["makespan_s"] * len(self.result["workers"])
        running = sum(worker["running_s"] for worker in self.result["workers"])
        return 1.0 - running / time if time else 0.0


def compare(
    machine: Machine,
    tasks: Tasks,
    ways: Sequence[tuple[str, str]],
    *,
    options: Mapping[str, float] | None = None,
    spans: int = 0,
    heard: Callable[[int, Result], None] = lambda *_: None,
) -> list[Candidate]:
    """Simulates the bag by each (policy, dispatcher), the best first.

    Each result has its schedule's first so many `spans`.

    Raises as `simulate_each`.
    """
    jobs = [{**_job(machine, tasks, way, options or {}), "spans_kept": spans} for way in ways]
    results = simulate_each(jobs, heard)
    found = [Candidate(*way, result) for way, result in zip(ways, results, strict=True)]
    return sorted(found, key=lambda one: (one.over_ideal, one.policy, one.dispatcher))


def _job(
    machine: Machine, tasks: Tasks, way: tuple[str, str], options: Mapping[str, float]
) -> dict[str, Any]:
    policy, dispatcher = way
    return {
        "machine": machine.job(),
        "bags": [
            {
                "items": list(bag.counts),
                "costs": list(bag.costs),
                "cost_factors": list(bag.factors),
            }
            for bag in tasks.bags
        ],
        "knows_speeds": machine.knows_speeds,
        "worker_speeds": machine.worker_speeds,
        "policy": policy,
        "policy_options": dict(options),
        "dispatcher": dispatcher,
    }
