# SPDX-License-Identifier: Apache-2.0
"""The items of a map in the Trace Event Format, with what `makespan simulate --replay` needs.

An item is a task of its own, of the cost that was predicted, or of 1: the replay finds how far it
was off. What a function waits for, as Python's lock or a disk, is part of its item's time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from makespan.report.replay_data import device_data, replay_head, trace_text
from makespan.report.trace_events import MICROSECONDS, named
from makespan.tasks.spans import Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Items = Sequence[tuple[int, Span]]
COST_MAX = 1e15
"""Replays refuse larger ones: `NUMBER_MAX` of sim/trace_check.py."""
COST_MIN = 1e-30
"""Where the mean is 1: 0 is no cost."""


def map_trace(
    items: Items,
    costs: NDArray[np.float64] | None,
    settings: Mapping[str, Any],
    makespan_s: float,
) -> str:
    """The whole document, of a run that is complete: a track for each thread."""
    threads: dict[int, int] = {}
    for _, span in items:
        threads[span.image] = max(threads.get(span.image, 0), span.thread + 1)
    firsts: dict[int, int] = {}
    for image in sorted(threads):
        firsts[image] = sum(threads[before] for before in firsts)
    other = {
        **replay_head(str(settings["policy"]), str(settings["dispatcher"])),
        "devices": [
            device_data("python", image, first, threads[image]) for image, first in firsts.items()
        ],
        "rounds": [_round(items, costs, makespan_s)],
    }
    return trace_text(_events(items, firsts), other)


def _round(items: Items, costs: NDArray[np.float64] | None, makespan_s: float) -> dict[str, Any]:
    return {
        "begin_s": 0.0,
        "end_s": makespan_s,
        "row": [index for index, _ in items],
        "items": [1] * len(items),
        "cost": [1.0] * len(items) if costs is None else _written(costs[[at for at, _ in items]]),
    }


def _written(costs: NDArray[np.float64]) -> list[float]:
    """As they were given; where that is more than a trace holds, with a mean of 1."""
    if not len(costs) or costs.max() <= COST_MAX:
        return [float(one) for one in costs]
    parts = costs / costs.max()  # the sum of costs may be no number
    return [max(float(one), COST_MIN) for one in parts / parts.mean()]


def _events(items: Items, firsts: Mapping[int, int]) -> Iterator[dict[str, Any]]:
    yield named("process_name", (0, 0), "makespan.map")
    for image, thread in sorted({(span.image, span.thread) for _, span in items}):
        yield named("thread_name", (0, firsts[image] + thread), f"image {image}, thread {thread}")
    zero = min((span.begin for _, span in items), default=0.0)
    for index, span in items:
        yield {
            "ph": "X",
            "pid": 0,
            "tid": firsts[span.image] + span.thread,
            "cat": "run",
            "name": f"item {index}",
            "ts": round((span.begin - zero) * MICROSECONDS, 3),
            "dur": round(span.seconds * MICROSECONDS, 3),
            "args": {"items": 1, "row": index},
        }
