# SPDX-License-Identifier: Apache-2.0
"""The JSON document of `makespan calcium --json` and `makespan diffuse --json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from makespan.grids.outcome import GridOutcome


def grid_document(outcome: GridOutcome) -> str:
    """`{"format", "version", "input", "table", "devices", "run"}`; times in seconds."""
    document = {
        "format": f"makespan {outcome.name}",
        "version": 1,
        "input": dict(outcome.given.values),
        "table": [dict(line) for line in outcome.lines],
        "devices": devices_of(outcome),
        "run": run_of(outcome),
    }
    return json.dumps(document, allow_nan=False) + "\n"


def run_of(outcome: GridOutcome) -> dict[str, Any]:
    """How the run went, and its result."""
    report = outcome.report
    return {
        "source": outcome.given.source,
        "points": list(outcome.points),
        "images": outcome.images,
        "threads": outcome.threads,
        "schedule": outcome.given["schedule"],
        "first_step": outcome.first_step,
        "steps": outcome.last_step,
        "complete": outcome.is_complete,
        "seconds": outcome.seconds,
        "points_per_s": outcome.points_per_s,
        "rebalances": report["rebalances"],
        "planes_moved": report["planes_moved"],
        "measures": dict(outcome.measures),
        "written": [str(path) for path in outcome.written],
        "result_hash": outcome.hash,
    }


def devices_of(outcome: GridOutcome) -> list[dict[str, Any]]:
    """Where the time of each went, and its planes; phases have a file of their own."""
    return [
        {name: value for name, value in device.items() if name != "phases"}
        for device in outcome.report["devices"]
    ]
