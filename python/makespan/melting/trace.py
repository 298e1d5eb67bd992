# SPDX-License-Identifier: Apache-2.0
"""The phases of a melt in the Trace Event Format (see `report/trace_events.py`).

The engine tells how long each phase took, and of its places the longest and the mean: each has a
track, on which phases follow each other. Of the first phase and of the last it tells what each
object took where: there each place has its bar.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from makespan.melting.loads import NOWHERE, Loads
from makespan.melting.outcome import MeltOutcome
from makespan.melting.turns import turns_of
from makespan.report.replay_data import device_data, steps_data, trace_text
from makespan.report.trace_events import MICROSECONDS, named

RUN, PLACES = 0, 1
"""Numbers of the two groups of tracks."""
TRACKS = ("decisions", "phases", "longest place", "mean of places")


def melt_trace(outcome: MeltOutcome) -> str:
    """The whole document; beside the events, what `makespan simulate --replay` repeats."""
    places, threads = outcome.report["places"], outcome.threads
    devices = [device_data("place", place // threads, place) for place in range(places)]
    return trace_text(_events(outcome), steps_data(devices, turns_of(outcome)))


def _events(outcome: MeltOutcome) -> Iterator[dict[str, Any]]:
    yield named("process_name", (RUN, 0), f"makespan melt: {outcome.given.source}")
    for track, name in enumerate(TRACKS):
        yield named("thread_name", (RUN, track), name)
    columns = {name: column.tolist() for name, column in outcome.report["phases"].items()}
    begins = _begins(columns)
    for at, phase in enumerate(columns["phase"]):
        first, last = outcome.span(phase)
        args = {
            "phase": phase,
            "steps": f"{first} to {last}",
            **{name: columns[name][at] for name in ("messages", "moved", "moved_bytes")},
        }
        begin, decision_s = begins[at], columns["decision_s"][at]
        if decision_s:
            yield _bar((RUN, 0), f"before phase {phase}", (begin - decision_s, decision_s), args)
        for track, name in enumerate(("time_s", "busy_s_longest", "busy_s_mean"), start=1):
            yield _bar((RUN, track), f"phase {phase}", (begin, columns[name][at]), args)
    yield from _places(outcome, dict(zip(columns["phase"], begins, strict=True)))


def _begins(columns: dict[str, list[Any]]) -> list[float]:
    """When each phase begins, if nothing but decisions lies between phases [s]."""
    decisions = np.cumsum(columns["decision_s"])
    ends = np.cumsum(columns["time_s"])
    begins: list[float] = (decisions + ends - columns["time_s"]).tolist()
    return begins


def _places(outcome: MeltOutcome, begins: dict[int, float]) -> Iterator[dict[str, Any]]:
    """What the objects of each place took, in the phases of which that is known."""
    found = {one.phase: one for one in Loads.known(outcome) if one.phase in begins}
    if not found:
        return
    yield named("process_name", (PLACES, 0), "objects of places, in the first phase and the last")
    for place in range(outcome.report["places"]):
        yield named("thread_name", (PLACES, place), f"place {place}")
    for phase, loads in found.items():
        yield from _bars_of(loads, begins[phase])


def _bars_of(loads: Loads, begin: float) -> Iterator[dict[str, Any]]:
    steps = max(1, loads.steps[1] - loads.steps[0])
    seconds = (loads.by_place(of_cells=True) + loads.by_place(of_cells=False)) * steps
    objects = np.bincount(loads.place[loads.place != NOWHERE], minlength=loads.places)
    for place, busy_s in enumerate(seconds.tolist()):
        args = {"phase": loads.phase, "objects": int(objects[place])}
        yield _bar((PLACES, place), f"phase {loads.phase}", (begin, busy_s), args)


def _bar(
    where: tuple[int, int], name: str, when: Sequence[float], args: dict[str, Any]
) -> dict[str, Any]:
    """`when`: beginning and length [s]."""
    begin, length = when
    return {
        "ph": "X",
        "pid": where[0],
        "tid": where[1],
        "cat": name.split(maxsplit=1)[0],
        "name": name,
        "ts": round(begin * MICROSECONDS, 3),
        "dur": round(length * MICROSECONDS, 3),
        "args": args,
    }
