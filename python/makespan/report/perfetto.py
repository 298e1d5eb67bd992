# SPDX-License-Identifier: Apache-2.0
"""A timeline in the Trace Event Format, which ui.perfetto.dev and chrome://tracing open.

https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from makespan.timeline import Timeline

MICROSECONDS = 1e6


def perfetto_text(timeline: Timeline, name: str) -> str:
    """The whole document; `name` is what the process is called."""
    lines = ",\n".join(json.dumps(event) for event in _events(timeline, name))
    return f'{{"displayTimeUnit": "ms", "traceEvents": [\n{lines}\n]}}\n'


def _events(timeline: Timeline, name: str) -> Iterator[dict[str, Any]]:
    yield _named("process_name", 0, name)
    for thread, text in enumerate(timeline.thread_names()):
        yield _named("thread_name", thread, text)
    run = timeline.kinds.index("run")
    columns = (timeline.thread, timeline.kind, timeline.begin, timeline.end, timeline.row)
    spans = zip(*(c.tolist() for c in columns), timeline.items.tolist(), strict=True)
    for thread, kind, begin, end, row, items in spans:
        yield {
            "ph": "X",
            "pid": 0,
            "tid": thread,
            "cat": timeline.kinds[kind],
            "name": timeline.ids[row] if kind == run else timeline.kinds[kind],
            "ts": round(begin * MICROSECONDS, 3),
            "dur": round((end - begin) * MICROSECONDS, 3),
            "args": {"items": items},
        }


def _named(kind: str, thread: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "pid": 0, "tid": thread, "name": kind, "args": {"name": name}}
