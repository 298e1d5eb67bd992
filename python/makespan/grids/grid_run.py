# SPDX-License-Identifier: Apache-2.0
"""Runs a grid step by step, with what is due in between."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from makespan.base.errors import EngineError
from makespan.grids.steps import Recurrent, next_stop
from makespan.job.progress import OnProgress, Progress

CHUNK_S = 0.25
"""The engine is left alone for so long: then progress is told, and Ctrl-C heard."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Who is told of a run, and how, and who may end it."""

    progress: OnProgress
    asked_to_stop: Callable[[], bool]
    bad_text: Callable[[BadValue], str] = str
    """How a value that is no number is told."""


@dataclass(frozen=True, slots=True)
class BadValue:
    """A value that is no number, or infinite."""

    field: str
    voxel: tuple[int, int, int]
    value: float

    def __str__(self) -> str:
        return f"{self.field} = {self.value} at voxel {self.voxel}"


def bad_value(team: Any, fields: Sequence[str]) -> BadValue | None:
    """The first by field, z, y, x; None where all are finite."""
    found = team.find_bad_value()
    return None if found is None else BadValue(fields[found[0]], found[1], found[2])


def run_steps(
    team: Any, steps: int, fields: Sequence[str], recurrents: Sequence[Recurrent], watch: Watch
) -> bool:
    """On image 0, from the step where the grid is up to `steps`. Whether it got there.

    What is due at the first step is done too: a run that goes on says again what it begins with.
    Values are looked at before anything is done with them: `EngineError` where one is not finite.
    """
    begin, first = time.monotonic(), team.step
    chunk = 1
    _act(team, steps, fields, recurrents, watch)
    watch.progress(_progress(first, first, steps, 0.0))
    while team.step < steps:
        stop = next_stop(team.step, steps, recurrents)
        while team.step < stop:
            count = min(chunk, stop - team.step)
            chunk_begin = time.monotonic()
            # Planes move where that pays for all steps that follow, whatever is asked for at once.
            team.run(count, steps - team.step - count)
            took = time.monotonic() - chunk_begin
            if count == chunk:
                chunk = max(1, min(2 * chunk, int(chunk * CHUNK_S / max(took, 1e-9))))
            watch.progress(_progress(first, team.step, steps, time.monotonic() - begin))
            if watch.asked_to_stop() and team.step < steps:
                return False
        _act(team, steps, fields, recurrents, watch)
    return True


def _progress(first: int, done: int, steps: int, elapsed_s: float) -> Progress:
    """Steps before `first` were another run's."""
    left_s = elapsed_s * (steps - done) / (done - first) if done > first else None
    share = done / steps if steps else 1.0
    return Progress(done, steps, "steps", elapsed_s, share, left_s)


def check_values(
    team: Any, fields: Sequence[str], bad_text: Callable[[BadValue], str] = str
) -> None:
    """Raises `EngineError` where a value is not finite."""
    bad = bad_value(team, fields)
    if bad is not None:
        remedy = "begin again with a shorter time step" if team.step else "give other first values"
        raise EngineError(
            f"after step {team.step}: {bad_text(bad)}; values are no numbers any more, and nothing "
            f"is written of them ({remedy})"
        )


def _act(
    team: Any, steps: int, fields: Sequence[str], recurrents: Sequence[Recurrent], watch: Watch
) -> None:
    step = team.step
    due = [one for one in recurrents if one.is_due(step, steps)]
    if due:
        check_values(team, fields, watch.bad_text)
    for one in due:
        one.act(step)
