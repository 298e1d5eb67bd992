# SPDX-License-Identifier: Apache-2.0
"""The JSON document of `makespan simulate`: of --json, and of an output that ends in .json."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from makespan.sim.outcome import Simulation, finite

if TYPE_CHECKING:
    from makespan.sim.comparison import Candidate


def simulation_document(simulation: Simulation) -> str:
    """`{"format", "version", "machine", "tasks", "ideal_s", "ways"}`; times in seconds.

    The best way first. Of a trace also `measured_s`. Of a sweep, instead of ideal and ways:
    `"sweep": {"name", "kind", "values": [{"value", "ways"}]}`; machine and tasks are as they are
    without it.
    What is infinite is null: the ideal where all devices fail, ratios of bags that are never done.
    """
    document: dict[str, Any] = {"format": "makespan simulate", "version": 1, **_head(simulation)}
    sweep = simulation.sweep
    if sweep is None:
        (candidates,) = simulation.found
        document["ideal_s"] = finite(candidates[0].result["ideal_s"])
        document["ways"] = [_way(one) for one in candidates]
    else:
        document["sweep"] = {
            "name": sweep.name,
            "kind": sweep.kind,
            "values": [
                {"value": value, "ways": [_way(one) for one in own]}
                for value, own in zip(sweep.values, simulation.found, strict=True)
            ],
        }
    if simulation.replay is not None:
        document["measured_s"] = simulation.replay.measured_s
    return json.dumps(document, allow_nan=False) + "\n"


def _head(simulation: Simulation) -> dict[str, object]:
    """What was simulated."""
    machine, tasks = simulation.base.machine, simulation.base.tasks
    return {
        "machine": {
            "source": machine.source,
            "devices": machine.kinds,
            "notes": list(machine.notes),
        },
        "tasks": {
            "source": tasks.source,
            "count": tasks.count,
            "work": tasks.work,
            "real_work": tasks.real_work,
        },
    }


def _way(one: Candidate) -> dict[str, object]:
    """What came of one way, without its schedule."""
    return {
        "policy": one.policy,
        "dispatcher": one.dispatcher,
        "ratio": finite(one.over_ideal),
        "idle": one.idle,
        **{name: value for name, value in one.result.items() if name != "spans"},
        "ideal_s": finite(one.result["ideal_s"]),
    }
