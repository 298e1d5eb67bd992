# SPDX-License-Identifier: Apache-2.0
"""One bag on one machine, by several policies and dispatchers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from makespan.sim.machine_text import Machine
from makespan.sim.runs import Result, simulate_each
from makespan.sim.tasks import Tasks


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
        # sum() rounds otherwise since Python 3.12, and the last digits are compared.
        running = math.fsum(worker["running_s"] for worker in self.result["workers"])
        return 1.0 - running / time if time else 0.0


Way = tuple[str, str]
"""Policy and dispatcher."""


@dataclass(frozen=True, slots=True)
class Case:
    """A bag on a machine, what is told the policies, and how many spans of schedules are kept."""

    machine: Machine
    tasks: Tasks
    options: Mapping[str, float] = field(default_factory=dict)
    spans: int = 0

    def job(self, way: Way) -> dict[str, Any]:
        """As the engine takes it."""
        policy, dispatcher = way
        return {
            "machine": self.machine.job(),
            "bags": [
                {
                    "items": list(bag.counts),
                    "costs": list(bag.costs),
                    "cost_factors": list(bag.factors),
                }
                for bag in self.tasks.bags
            ],
            "knows_speeds": self.machine.knows_speeds,
            "worker_speeds": self.machine.worker_speeds,
            "policy": policy,
            "policy_options": dict(self.options),
            "dispatcher": dispatcher,
            "spans_kept": self.spans,
            "result_bytes_per_item": self.machine.settings["result_bytes"],
        }


def compare(
    case: Case, ways: Sequence[Way], heard: Callable[[int, Result], None] = lambda *_: None
) -> list[Candidate]:
    """Simulates the bag by each way, the best first. Raises as `simulate_each`."""
    (found,) = compare_each([case], ways, heard)
    return found


def compare_each(
    cases: Sequence[Case],
    ways: Sequence[Way],
    heard: Callable[[int, Result], None] = lambda *_: None,
) -> list[list[Candidate]]:
    """The same of several cases, side by side."""
    results = simulate_each([case.job(way) for case in cases for way in ways], heard)
    found = []
    for at in range(len(cases)):
        own = results[at * len(ways) : (at + 1) * len(ways)]
        candidates = [Candidate(*way, result) for way, result in zip(ways, own, strict=True)]
        found.append(
            sorted(candidates, key=lambda one: (one.over_ideal, one.policy, one.dispatcher))
        )
    return found
