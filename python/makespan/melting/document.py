# SPDX-License-Identifier: Apache-2.0
"""The JSON document of `makespan melt --json`."""

from __future__ import annotations

import json

from makespan.melting.outcome import MeltOutcome
from makespan.melting.record import run_facts
from makespan.report.run_record import plain


def melt_document(outcome: MeltOutcome) -> str:
    """Input, table, phases as columns, and the run; times in seconds."""
    document = {
        "format": "makespan melt",
        "version": 1,
        "input": dict(outcome.given.values),
        "thermo": [dict(line) for line in outcome.lines],
        "phases": {name: column.tolist() for name, column in outcome.report["phases"].items()},
        "run": {**run_facts(outcome), "result_hash": outcome.hash},
    }
    return json.dumps(plain(document), allow_nan=False) + "\n"
