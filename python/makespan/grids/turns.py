# SPDX-License-Identifier: Apache-2.0
"""The traced steps of a grid as turns that can be replayed.

A turn is what lies between two exchanges of halos: a step, or several at once. Devices compute
their points in it, and wait for what neighbours send.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from makespan.report.replay_data import Turns

COMPUTING = ("boundary", "interior")
SWEEP = "sweep"
"""The phase in which an accelerator computes, beside the phases of the thread that drives it."""


class _Turn(NamedTuple):
    """What one device did in one turn; times in seconds."""

    points: int
    begin: float
    end: float
    busy: float


def turns_of(
    devices: Sequence[Mapping[str, Any]], points: Sequence[int], phases_max: int
) -> Iterator[Turns]:
    """Of the phases that were kept, up to `phases_max` of each device; `points` along x, y, z.

    Turns with the same points on each device stand together.
    """
    by_device = [_by_step(device["phases"], phases_max) for device in devices]
    working = [turns for turns in by_device if turns]
    if not working:
        return
    steps = sorted(set.intersection(*(set(turns) for turns in working)))
    if not steps:
        return
    # Several steps at once, but for the last before a table is written: the mean.
    at_once = (steps[-1] - steps[0]) / (len(steps) - 1) if len(steps) > 1 else 1.0
    for parts, same in groupby(steps, lambda step: _parts(by_device, step)):
        rows = [[turns.get(step) for turns in by_device] for step in same]
        yield _together(rows, parts, at_once, points)


def _by_step(phases: Sequence[Sequence[Any]], phases_max: int) -> dict[int, _Turn]:
    """Of the steps in which it computed; the first may lack its beginning."""
    # An accelerator's begins with its step, and is told behind the step's other phases.
    has_sweeps = any(phase[0] == SWEEP for phase in phases)
    computing = (SWEEP,) if has_sweeps else COMPUTING
    turns: dict[int, _Turn] = {}
    for phase, step, begin, end, points in phases:
        if not points:
            continue
        busy = end - begin if phase in computing else 0.0
        before = turns.get(step)
        if before is None or not before.busy:  # it begins with computing
            turns[step] = _Turn(points, begin, end, busy)
        else:
            turns[step] = before._replace(end=end, busy=before.busy + busy)
    if turns and len(phases) >= phases_max:  # a device without points has phases, and no turn
        turns.pop(min(turns))
    return {step: turn for step, turn in turns.items() if turn.busy > 0.0}


def _parts(by_device: Sequence[Mapping[int, _Turn]], step: int) -> tuple[int, ...]:
    found = (turns.get(step) for turns in by_device)
    return tuple(0 if turn is None else turn.points for turn in found)


def _together(
    rows: Sequence[Sequence[_Turn | None]],
    parts: Sequence[int],
    at_once: float,
    points: Sequence[int],
) -> Turns:
    x, y, z = points
    known = [turn for row in rows for turn in row if turn is not None]
    columns = [[turn for turn in column if turn is not None] for column in zip(*rows, strict=True)]
    return Turns(
        times=len(rows),
        begin_s=min(turn.begin for turn in known),
        end_s=max(turn.end for turn in known),
        took_s=max(sum(turn.end - turn.begin for turn in column) for column in columns),
        kept=[part * at_once for part in parts],
        busy_s=[sum(turn.busy for turn in column) for column in columns],
        pieces=[(z, x * y * at_once)],
    )
