# SPDX-License-Identifier: Apache-2.0
"""The JSON document of `makespan calcium --json` and `makespan diffuse --json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from makespan.grid.outcome import GridOutcome


def grid_document(outcome: GridOutcome) -> str:
    """`{"input", "table", "devices", "run"}`; times of devices in seconds."""
    report = outcome.report
    document = {
        "input": dict(outcome.given.values),
        "table": [dict(line) for line in outcome.lines],
        "devices": [_without_phases(one) for one in report["devices"]],
        "run": {
            "source": outcome.given.source,
            "points": list(outcome.points),
            "images": outcome.images,
            "threads": outcome.threads,
            "schedule": outcome.options.schedule,
            "first_step": outcome.first_step,
            "steps": outcome.last_step,
            "complete": outcome.is_complete,
            "seconds": outcome.seconds,
            "points_per_s": outcome.points_per_s,
            "rebalances": report["rebalances"],
            "planes_moved": report["planes_moved"],
            "measures": dict(outcome.measures),
            "written": [str(path) for path in outcome.written],
            "result": outcome.hash_text,
        },
    }
    return json.dumps(document, allow_nan=False) + "\n"


def _without_phases(device: Mapping[str, Any]) -> dict[str, Any]:
    """They have a file of their own."""
    return {name: value for name, value in device.items() if name != "phases"}
