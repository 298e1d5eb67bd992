# SPDX-License-Identifier: Apache-2.0
"""The record of a map: what ran, as what and where, and how long it took."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from makespan.base.engine import load_engine
from makespan.files.atomic import text_writer, write_files
from makespan.report.run_record import json_text, record_head
from makespan.tasks.worker import Worker

_SETTINGS = ("threads", "dispatcher", "policy", "timeout", "return_exceptions")


def write_record(
    path: Path,
    worker: Worker,
    team: Any,
    settings: Mapping[str, Any],
    report: Mapping[str, Any],
) -> None:
    """Of a run that is complete; `report` is the engine's. Raises `InputError`."""
    record = {
        **record_head(load_engine(), "map"),
        "settings": {name: settings[name] for name in _SETTINGS},
        "images": team.images,
        "threads": team.threads,
        "items": {"total": len(worker.items), "raised": len(worker.failures)},
        **{name: value for name, value in report.items() if name != "complete"},
    }
    text = json_text(record)
    write_files({path: text_writer(text)})
