# SPDX-License-Identifier: Apache-2.0
"""The record of a map: what ran, as what and where, and how long it took."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from makespan.base.engine import load_engine
from makespan.report.run_record import json_text, record_head
from makespan.tasks.worker import Worker

_SETTINGS = ("threads", "dispatcher", "policy", "timeout", "return_exceptions")


def record_text(
    worker: Worker, team: Any, settings: Mapping[str, Any], report: Mapping[str, Any]
) -> str:
    """Of a run that is complete; `report` is the engine's."""
    record = {
        **record_head(load_engine(), "map"),
        "settings": {name: settings[name] for name in _SETTINGS},
        "images": team.images,
        "threads": team.threads,
        "items": {
            "total": len(worker.items),
            "raised": len(worker.failures),
            "from_journal": worker.restored,
        },
        **{name: value for name, value in report.items() if name != "complete"},
    }
    return json_text(record)
