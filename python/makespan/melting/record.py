# SPDX-License-Identifier: Apache-2.0
"""The run record of a melt: all that is needed to repeat it, and to tell whether two runs agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from makespan.base.engine import Engine
from makespan.melting.outcome import MeltOutcome
from makespan.melting.outputs import MeltFiles
from makespan.report.run_record import plain, record_head


def melt_record(
    engine: Engine, outcome: MeltOutcome, files: MeltFiles, command: Sequence[str] = ()
) -> dict[str, Any]:
    """As plain JSON values; `command` is the command line."""
    record: dict[str, Any] = plain(
        {
            **record_head(engine, "melt", command),
            **run_facts(outcome),
            "result_hash": outcome.hash,
            "output": None if files.output is None else str(files.output),
            "restart_from": None if files.restart_from is None else str(files.restart_from),
            "settings": dict(outcome.given.values),
            "place_layout": outcome.report["machine"],
            "phases": _phases(outcome),
        }
    )
    return record


def run_facts(outcome: MeltOutcome) -> dict[str, Any]:
    """What ran, as what, and how far it came."""
    report = outcome.report
    return {
        "source": outcome.given.source,
        "atoms": outcome.system["atoms"],
        "images": outcome.images,
        "threads": outcome.threads,
        "places": report["places"],
        "virtual": outcome.virtual,
        "first_step": report["first_step"],
        "steps": report["steps"],
        "complete": outcome.is_complete,
        "seconds": report["seconds"],
        "frames": outcome.frames,
    }


def _phases(outcome: MeltOutcome) -> dict[str, Any]:
    """Sums over phases; how the longest place compares with the mean, at first and in the end."""
    phases = outcome.report["phases"]
    sums = ("messages", "moved", "moved_bytes", "decision_s")
    return {
        "count": len(phases["time_s"]),
        **{name: phases[name].sum() for name in sums},
        "imbalance_first": outcome.imbalance(0),
        "imbalance_last": outcome.imbalance(-1),
    }
