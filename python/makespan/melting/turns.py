# SPDX-License-Identifier: Apache-2.0
"""The phases of a melt as turns that can be replayed.

Of each phase it is known how long the longest place computed, and the mean of all: the longest is
written as the first, whichever it was, and the others have the rest in equal parts (none, where
other programs took so much of its core that it took as long as all should). Phases between two
moves of objects stand together. What an object costs is known of the last phase that was
measured, and is spread over the others in proportion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from makespan.melting.loads import Loads
from makespan.melting.outcome import MeltOutcome
from makespan.report.replay_data import Turns

CLASSES_MAX = 32
"""Of objects by what they cost, so that traces stay short."""

Columns = Mapping[str, NDArray[np.float64]]


def turns_of(outcome: MeltOutcome) -> Iterator[Turns]:
    """In their order."""
    phases: Columns = outcome.report["phases"]
    known = Loads.known(outcome)
    costs = np.sort(known[-1].seconds)[::-1] if known else np.ones(0)
    costs = costs[costs > 0.0]
    begin_s = 0.0
    for same in _between_moves(phases["moved"]):
        columns = {name: column[same] for name, column in phases.items()}
        # A move comes before the first of its phases.
        begin_s += float(columns["decision_s"].sum())
        turns = _together(columns, outcome.report["places"], begin_s, costs)
        begin_s = turns.end_s
        if sum(turns.kept) > 0.0:
            yield turns


def _between_moves(moved: NDArray[np.float64]) -> Iterator[slice]:
    ends = [*(at for at in np.flatnonzero(moved).tolist() if at), len(moved)]
    begin = 0
    for end in ends:
        if end > begin:
            yield slice(begin, end)
        begin = end


def _together(columns: Columns, places: int, begin_s: float, costs: NDArray[np.float64]) -> Turns:
    times = len(columns["time_s"])
    took_s = float(columns["time_s"].sum())
    longest, mean = (float(columns[f"busy_s_{one}"].mean()) for one in ("longest", "mean"))
    rest = max(0.0, mean * places - longest) / max(1, places - 1)
    kept = [longest, *[rest] * (places - 1)]
    return Turns(
        times=times,
        begin_s=begin_s,
        end_s=begin_s + took_s,
        took_s=took_s,
        kept=kept,
        busy_s=[part * times for part in kept],
        pieces=_classes(costs, sum(kept)) or [(places, sum(kept) / places)],
    )


def _classes(costs: NDArray[np.float64], work: float) -> Sequence[tuple[int, float]]:
    """Objects of about the same cost, which are so much work together."""
    if not len(costs) or not work:
        return []
    scale = work / float(costs.sum())
    groups = np.array_split(costs, min(CLASSES_MAX, len(costs)))
    return [(len(group), float(group.mean()) * scale) for group in groups]
