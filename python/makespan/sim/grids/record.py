# SPDX-License-Identifier: Apache-2.0
"""The record of a simulated grid: what was simulated, by what, and what came of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from makespan.base.engine import Engine
from makespan.report.run_record import plain, record_head
from makespan.sim.grids.document import case_facts
from makespan.sim.grids.input import RUN_SETTINGS

if TYPE_CHECKING:
    from makespan.sim.grids.outcome import GridSimulation


def grid_record(
    engine: Engine,
    simulation: GridSimulation,
    given: Mapping[str, Any],
    command: Sequence[str] = (),
) -> dict[str, Any]:
    """The record as plain JSON values.

    `input_hash` is of all that the engine was asked, `result_hash` of all that it said; runs of one
    input have one result, to the last bit.
    """
    jobs = [dict(one.case.job) for one in simulation.candidates]
    results = [dict(one.result) for one in simulation.candidates]
    for one in (*jobs, *results):  # how many spans are kept changes nothing else
        one.pop("spans_kept", None)
        one.pop("spans", None)
    return {
        **record_head(engine, "simulate_grid", command),
        "input": {"grid": simulation.candidates[0].case.source},
        "settings": {one.name: plain(given[one.name]) for one in RUN_SETTINGS},
        "input_hash": _hash(jobs),
        "result_hash": _hash(results),
        "cases": [
            dict(plain({"value": value, **case_facts(one)})) for value, one in simulation.rows
        ],
    }


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
