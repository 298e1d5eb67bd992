# SPDX-License-Identifier: Apache-2.0
"""The last phases of a grid's devices in the Trace Event Format (see `perfetto`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from makespan.grids.input import TRACED_PHASES
from makespan.grids.turns import SWEEP, turns_of
from makespan.report.replay_data import device_data, steps_data, trace_text
from makespan.report.trace_events import named, spent


def grid_trace(report: Mapping[str, Any], points: Sequence[int]) -> str:
    """The whole document: a process for each image, a thread for each device and accelerator.

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
    devices = 1 + max((one["device"] for one in report["devices"]), default=0)
    for one in report["devices"]:
        image, device = one["image"], one["device"]
        beside = device + devices
        if device == 0:
            yield named("process_name", (image, 0), f"image {image}")
        yield named("thread_name", (image, device), f"device {device}, {one['planes']} planes")
        if any(phase[0] == SWEEP for phase in one["phases"]):
            yield named("thread_name", (image, beside), f"accelerator of device {device}")
        for phase, step, begin, end, points in one["phases"]:
            row = beside if phase == SWEEP else device
            yield spent(phase, (image, row), begin, end, {"step": step, "points": points})
