# SPDX-License-Identifier: Apache-2.0
"""The phases of a simulated grid in the Trace Event Format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from makespan.base.engine import Engine
from makespan.report.replay_data import NO_REPLAY, replay_head, trace_text
from makespan.report.trace_events import named, spent
from makespan.sim.grids.input import SPANS_KEPT

if TYPE_CHECKING:
    from makespan.sim.grids.description import GridCase


def simulated_grid_trace(engine: Engine, case: GridCase) -> str:
    """The whole document: a process for each image, a thread for each of its devices.

    Runs the case again: it is the same to the bit.
    """
    result = engine.simulate_grid({**case.job, "spans_kept": SPANS_KEPT})
    why = "a simulated grid: give its description again"
    return trace_text(_events(case, result), {**replay_head("static", "static"), NO_REPLAY: why})


def _events(case: GridCase, result: Any) -> Iterator[dict[str, Any]]:
    places = [(use["image"], use["device"]) for use in result["devices"]]
    for kind, (image, device) in zip(case.kinds, places, strict=True):
        if device == 0:
            yield named("process_name", (image, 0), f"image {image}")
        yield named("thread_name", (image, device), f"{device}: {kind}")
    for number, phase, step, begin, end in result["spans"]:
        yield spent(phase, places[number], begin, end, {"step": step})
