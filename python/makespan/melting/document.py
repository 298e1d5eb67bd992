# SPDX-License-Identifier: Apache-2.0
"""The JSON document of `makespan melt --json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from makespan.melting.run import MeltOutcome


def melt_document(outcome: MeltOutcome) -> str:
    """`{"input", "thermo", "phases", "run"}`; times in seconds, phases as columns."""
    report = outcome.report
    document = {
        "input": dict(outcome.given.values),
        "thermo": [dict(line) for line in outcome.lines],
        "phases": {name: column.tolist() for name, column in report["phases"].items()},
        "run": {
            "source": outcome.given.source,
            "atoms": outcome.system["atoms"],
            "images": outcome.images,
            "threads": outcome.threads,
            "places": report["places"],
            "first_step": report["first_step"],
            "steps": report["steps"],
            "complete": outcome.is_complete,
            "seconds": report["seconds"],
            "frames": outcome.frames,
            "result": outcome.hash_text,
        },
    }
    return json.dumps(document, allow_nan=False) + "\n"
