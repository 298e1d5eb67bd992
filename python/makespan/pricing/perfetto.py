# SPDX-License-Identifier: Apache-2.0
"""A timeline in the Trace Event Format, which ui.perfetto.dev and chrome://tracing open.

https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from makespan.pricing.timeline import Timeline
from makespan.report.replay_data import FORMAT, VERSION, trace_text
from makespan.report.trace_events import MICROSECONDS, named


def perfetto_text(timeline: Timeline, name: str, settings: Mapping[str, Any] | None = None) -> str:
    """The whole document; `name` is what the process is called.

    Beside the events stands what `makespan simulate --replay` needs: the bags, the devices, and
    the `settings` that are named.
    """
    return trace_text(_events(timeline, name), _other_data(timeline, settings or {}))


def _other_data(timeline: Timeline, settings: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "settings": dict(settings),
        "devices": [asdict(device) for device in timeline.devices],
        "rounds": [
            {
                "begin_s": one.begin,
                "end_s": one.end,
                "row": one.row.tolist(),
                "items": one.items.tolist(),
                "cost": one.cost.tolist(),
            }
            for one in timeline.rounds
        ],
    }


def _events(timeline: Timeline, name: str) -> Iterator[dict[str, Any]]:
    yield named("process_name", (0, 0), name)
    for thread, text in enumerate(timeline.thread_names()):
        yield named("thread_name", (0, thread), text)
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
            "args": {"items": items, "row": row} if kind == run else {"items": items},
        }
