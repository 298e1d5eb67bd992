# SPDX-License-Identifier: Apache-2.0
"""The last phases of a grid's devices in the Trace Event Format (see `perfetto`)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from makespan.report.trace_events import MICROSECONDS, named


def grid_trace(report: Mapping[str, Any]) -> str:
    """The whole document: a process for each image, a thread for each of its devices."""
    lines = ",\n".join(json.dumps(event) for event in _events(report))
    return f'{{"displayTimeUnit": "ms", "traceEvents": [\n{lines}\n]}}\n'


def _events(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for one in report["devices"]:
        image, device = one["image"], one["device"]
        if device == 0:
            yield named("process_name", (image, 0), f"image {image}")
        yield named("thread_name", (image, device), f"device {device}, {one['planes']} planes")
        for phase, step, begin, end in one["phases"]:
            yield {
                "ph": "X",
                "pid": image,
                "tid": device,
                "cat": phase,
                "name": phase,
                "ts": round(begin * MICROSECONDS, 3),
                "dur": round((end - begin) * MICROSECONDS, 3),
                "args": {"step": step},
            }
