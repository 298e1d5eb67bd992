# SPDX-License-Identifier: Apache-2.0
"""The last phases of a grid's devices in the Trace Event Format (see `perfetto`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from makespan.grids.input import TRACED_PHASES
from makespan.grids.turns import turns_of
from makespan.report.replay_data import device_data, steps_data, trace_text
from makespan.report.trace_events import named, spent


def grid_trace(report: Mapping[str, Any], points: Sequence[int]) -> str:
    """The whole document: a process for each image, a thread for each of its devices.

    Beside the events stand the steps as what `makespan simulate --replay` repeats; `points` are
    the grid's along x, y and z.
    """
    devices = report["devices"]
    named_devices = [
        device_data("device", one["image"], number) for number, one in enumerate(devices)
    ]
    turns = turns_of(devices, points, TRACED_PHASES)
    return trace_text(_events(report), steps_data(named_devices, turns))


def _events(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for one in report["devices"]:
        image, device = one["image"], one["device"]
        if device == 0:
            yield named("process_name", (image, 0), f"image {image}")
        yield named("thread_name", (image, device), f"device {device}, {one['planes']} planes")
        for phase, step, begin, end, points in one["phases"]:
            yield spent(phase, (image, device), begin, end, {"step": step, "points": points})
