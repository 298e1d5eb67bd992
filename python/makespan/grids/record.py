# SPDX-License-Identifier: Apache-2.0
"""The run record of a grid: all that is needed to repeat a run, and to tell whether two agree."""

from __future__ import annotations

from typing import Any

from makespan.base.engine import Engine
from makespan.grids.document import devices_of, run_of
from makespan.grids.outcome import GridOutcome
from makespan.grids.tuning import Tuning
from makespan.report.run_record import record_head


def grid_record(engine: Engine, outcome: GridOutcome) -> dict[str, Any]:
    """The record as plain JSON values; times of devices in seconds."""
    order = outcome.order
    stated = {} if outcome.stated is None else {"problem": dict(outcome.stated)}
    options, restart_from = order.options, order.files.restart_from
    return {
        **record_head(engine, outcome.name, order.command),
        **stated,
        "first_values_hash": outcome.first_hash,
        "input": dict(outcome.given.values),
        "settings": {
            "threads": options.threads,
            "devices": options.devices,
            **{name: outcome.given[name] for name in ("schedule", "cut", "rebalance_steps")},
            "restart_from": None if restart_from is None else str(restart_from),
        },
        "tuning": None if outcome.tuning is None else _tuning(outcome.tuning),
        "devices": devices_of(outcome),
        "run": run_of(outcome),
    }


def _tuning(tuning: Tuning) -> dict[str, Any]:
    return {
        "source": tuning.source,
        "budget_s": tuning.budget_s,
        "spent_s": tuning.spent_s,
        "beginning_s": tuning.beginning_s,
        "predicted_run_s": tuning.run_s,
        "skipped": tuning.skipped,
        "won": dict(tuning.won),
        "tried": [
            {
                "keys": dict(one.values),
                "steps": one.steps,
                "step_s": one.step_s,
                "seconds": one.seconds,
                "refused": one.refused,
            }
            for one in tuning.tried
        ],
    }
