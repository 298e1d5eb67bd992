# SPDX-License-Identifier: Apache-2.0
"""The run record of a grid: all that is needed to repeat a run, and to tell whether two agree."""

from __future__ import annotations

from typing import Any

from makespan.base.engine import Engine
from makespan.grid.document import devices_of, run_of
from makespan.grid.outcome import GridOutcome
from makespan.report.run_record import record_head


def grid_record(engine: Engine, outcome: GridOutcome) -> dict[str, Any]:
    """The record as plain JSON values; times of devices in seconds."""
    order = outcome.order
    options, restart_from = order.options, order.files.restart_from
    return {
        **record_head(engine, outcome.name, order.command),
        "input": dict(outcome.given.values),
        "settings": {
            "threads": options.threads,
            "devices": options.devices,
            **{name: outcome.given[name] for name in ("schedule", "cut", "rebalance_steps")},
            "restart_from": None if restart_from is None else str(restart_from),
        },
        "devices": devices_of(outcome),
        "run": run_of(outcome),
    }
