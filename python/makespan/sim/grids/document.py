# SPDX-License-Identifier: Apache-2.0
"""The JSON document of simulated grids: of --json, and of an output that ends in .json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from makespan.grids.host_layers import FREE

if TYPE_CHECKING:
    from makespan.sim.grids.outcome import GridCandidate, GridSimulation


def grid_document(simulation: GridSimulation) -> str:
    """`{"format", "version", "source", "sweep", "cases"}`; times in seconds, of the whole run."""
    document = {
        "format": "makespan simulate_grid",
        "version": 1,
        "source": simulation.candidates[0].case.source,
        "sweep": None if simulation.sweep is None else simulation.sweep.name,
        "cases": [
            {"value": value, **case_facts(one), "uses": _uses(one)}
            for value, one in simulation.rows
        ],
    }
    return json.dumps(document, allow_nan=False) + "\n"


def case_facts(one: GridCandidate) -> dict[str, Any]:
    """What was asked, and what came of it, without the devices."""
    job = one.case.job
    names = ("points", "steps", "schedule", "route", "cut", "host", "steps_at_once")
    facts = {name: job[name] for name in names}
    unhidden = None if one.unhidden is None else one.unhidden["step_s"]
    return {
        **facts,
        "host_thickness": host_thickness(job),
        **one.row(),
        "step_without_overlap_s": unhidden,
    }


def host_thickness(job: Mapping[str, Any]) -> list[int] | str | None:
    """Along x, y and z, or `free`; None where the host has no layers."""
    return FREE if job.get("host_is_free") else job.get("host_thickness")


def _uses(one: GridCandidate) -> list[dict[str, Any]]:
    return [
        {"kind": kind, **use}
        for kind, use in zip(one.case.kinds, one.result["devices"], strict=True)
    ]
