# SPDX-License-Identifier: Apache-2.0
"""The record of a simulation: what was simulated, by what, and what came of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from makespan.base.engine import Engine
from makespan.report.run_record import plain, record_head
from makespan.sim.input import BAG_SETTINGS, MACHINE_SETTINGS, RUN_SETTINGS

if TYPE_CHECKING:
    from makespan.sim.outcome import Simulation

_SETTINGS = (*BAG_SETTINGS, *MACHINE_SETTINGS, *RUN_SETTINGS)
_NOT_OF_THE_RESULT = ("write_machine", "threads")


def simulation_record(
    engine: Engine,
    simulation: Simulation,
    given: Mapping[str, Any],
    command: Sequence[str] = (),
) -> dict[str, Any]:
    """The record as plain JSON values.

    `input_hash` is of all that the simulator was asked, `result_hash` of all that it said; runs of
    one input have one result, to the last bit.
    """
    machine, tasks = simulation.base.machine, simulation.base.tasks
    jobs = [case.job(way) for case in simulation.cases for way in simulation.ways]
    results = [dict(one.result) for _, one in simulation.rows]
    for result in (*jobs, *results):  # how many spans are kept changes nothing else
        result.pop("spans_kept", None)
        result.pop("spans", None)
    return {
        **record_head(engine, "simulate", command),
        "input": {"machine": machine.source, "tasks": tasks.source},
        "settings": {
            one.name: _plain(given[one.name])
            for one in _SETTINGS
            if one.name not in _NOT_OF_THE_RESULT
        },
        "seed": machine.settings["seed"],
        "devices": len(machine.kinds),
        "tasks": tasks.count,
        "work": tasks.work,
        "input_hash": _hash(jobs),
        "result_hash": _hash(results),
        "cases": plain(simulation.table().to_dicts()),
    }


def _plain(value: Any) -> Any:
    return fspath(value) if isinstance(value, PathLike) else plain(value)


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
