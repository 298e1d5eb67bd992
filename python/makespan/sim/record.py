# SPDX-License-Identifier: Apache-2.0
"""The record of a simulation: what was simulated, by what, and what came of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
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
    jobs = (case.job(way) for case in simulation.cases for way in simulation.ways)
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
        "real_work": tasks.real_work,
        "input_hash": _hash(jobs),
        "result_hash": _hash(one.result for _, one in simulation.rows),
        "cases": plain(simulation.table().to_dicts()),
    }


def _plain(value: Any) -> Any:
    return fspath(value) if isinstance(value, PathLike) else plain(value)


def _hash(parts: Iterable[Mapping[str, Any]]) -> str:
    """Of the list of them as JSON, of which one part at a time is in memory."""
    digest = hashlib.sha256(b"[")
    for number, part in enumerate(parts):
        # How many spans are kept changes nothing else.
        rest = {name: value for name, value in part.items() if name not in ("spans_kept", "spans")}
        text = json.dumps(rest, sort_keys=True)
        digest.update(f"{', ' if number else ''}{text}".encode())
    digest.update(b"]")
    return digest.hexdigest()
