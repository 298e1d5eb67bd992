# SPDX-License-Identifier: Apache-2.0
"""One bag on one machine, by several policies and dispatchers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from makespan.base.engine import Engine, load_engine
from makespan.report.replay_data import STATIC
from makespan.settings.algorithm import Algorithm, Chosen, algorithm
from makespan.sim.kept_parts import can_keep, kept_bag, one_image
from makespan.sim.machine import Machine
from makespan.sim.runs import Heard, Result, ignored, simulate_each
from makespan.sim.short_items import check_time_passed
from makespan.sim.tasks import Tasks


class Way(NamedTuple):
    """How a bag is handed out."""

    policy: Chosen
    dispatcher: str

    @property
    def text(self) -> str:
        """As it is named."""
        return f"{self.policy.text}, {self.dispatcher}"


def ways_of(policies: str, dispatchers: str, engine: Engine | None = None) -> list[Way]:
    """Each policy with each dispatcher, as the flags name them. Raises `InputError`."""
    engine = engine or load_engine()
    chosen = Algorithm("policies", many=True).chosen(policies, engine)
    others = Algorithm("dispatchers", many=True).chosen(dispatchers, engine)
    return [Way(policy, dispatcher.name) for policy in chosen for dispatcher in others]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to hand the bag out, and what came of it."""

    way: Way
    result: Result

    @property
    def policy(self) -> str:
        """With its options, as it is written."""
        return self.way.policy.text

    @property
    def dispatcher(self) -> str:
        """Its name."""
        return self.way.dispatcher

    def is_by(self, policy: str, dispatcher: str) -> bool:
        """Whether a policy, with its options, and a dispatcher are its own."""
        own = algorithm(policy, "policies", load_engine())
        return (own, dispatcher) == (self.way.policy, self.way.dispatcher)

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


@dataclass(frozen=True, slots=True)
class Case:
    """A bag on a machine, what all policies are told, and how many spans of schedules are kept."""

    machine: Machine
    tasks: Tasks
    options: Mapping[str, float] = field(default_factory=dict)
    """Of the policies, instead of their own."""
    spans: int = 0

    def job(self, way: Way) -> dict[str, Any]:
        """As the engine takes it."""
        keeps = way.dispatcher == STATIC and can_keep(self.tasks, self.machine)
        made = kept_bag if keeps else _bag
        bags = {id(bag): made(bag) for bag in (self.tasks, *self.tasks.later)}  # each for its turns
        return {
            "machine": one_image(self.machine.job()) if keeps else self.machine.job(),
            "bags": [bags[id(bag)] for bag in self.tasks.bags],
            "knows_speeds": self.machine.knows_speeds,
            "worker_speeds": self.machine.speeds_under(way.dispatcher),
            "policy": way.policy.name,
            "policy_options": {**way.policy.options, **self.options},
            "dispatcher": way.dispatcher,
            "spans_kept": self.spans,
            "result_bytes_per_item": self.machine.settings["result_bytes"],
        }


def _bag(tasks: Tasks) -> dict[str, Any]:
    return {
        "items": list(tasks.counts),
        "costs": list(tasks.costs),
        "cost_factors": list(tasks.factors),
    }


def compare(case: Case, ways: Sequence[Way]) -> list[Candidate]:
    """Simulates the bag by each way, the best first. Raises as `simulate_each`."""
    (found,) = compare_each([case], ways)
    return found


def compare_each(
    cases: Sequence[Case], ways: Sequence[Way], heard: Heard = ignored, at_a_time: int | None = None
) -> list[list[Candidate]]:
    """The same of several cases, side by side. Raises `InputError` for items that take no time."""
    jobs = [partial(case.job, way) for case in cases for way in ways]
    found = sorted_by_case(simulate_each(jobs, heard, at_a_time), len(cases), ways)
    for case, candidates in zip(cases, found, strict=True):
        for one in candidates:
            check_time_passed(case, one)
    return found


def sorted_by_case(
    results: Mapping[int, Result], cases: int, ways: Sequence[Way]
) -> list[list[Candidate]]:
    """What came of the jobs by case, each the best first; jobs are in order, some may lack."""
    found = []
    for case in range(cases):
        numbers = enumerate(ways, start=case * len(ways))
        own = [Candidate(way, results[number]) for number, way in numbers if number in results]
        found.append(sorted(own, key=lambda one: (one.over_ideal, one.policy, one.dispatcher)))
    return found
