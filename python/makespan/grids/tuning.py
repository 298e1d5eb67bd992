# SPDX-License-Identifier: Apache-2.0
"""The search for the way in which a grid runs fastest: what is tried, in what order, how long.

Decides only; `tuner` runs what is tried. No way changes a bit of the result, so whatever is found
may be used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from makespan.grids.engine_keys import STEPS_AT_ONCE

GAIN_MIN = 0.02
"""Of a step: less is noise, and would change how a run goes for nothing."""

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Trial:
    """One way of running, and how it did."""

    values: Values
    """What differs from what the input says."""
    steps: int = 0
    step_s: float | None = None
    """The shortest of some rounds; None where the engine refused it."""
    seconds: float = 0.0
    """That it took, with making the grid."""
    making_s: float = 0.0
    """Of these, for the grid, until its values were set."""
    filling_s: float = 0.0
    """Of `making_s`, for the values."""
    round_steps: int = 1
    """Of one of its rounds, or as many of them as it makes at once."""
    refused: str = ""
    speeds: tuple[float, ...] = ()
    """Points per second of each device while it computed."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is known of a run before anything is tried."""

    images: int
    devices: int
    """Of each image."""
    gpus: int
    given: Values
    """What the input says of the engine's keys."""
    defaults: Values
    """Of those keys; what is said otherwise stays."""

    def is_free(self, name: str) -> bool:
        """Whether the input leaves this to us."""
        return name in self.given and self.given[name] == self.defaults[name]


Axis = Callable[[Job, Trial], Iterator[Values]]
"""Changes to try together with what was best before."""


def _speeds(job: Job, best: Trial) -> Iterator[Values]:
    several = job.images * job.devices > 1 and len(best.speeds) == job.images * job.devices
    if not several or not job.is_free("device_speeds") or min(best.speeds) <= 0:
        return
    mean = sum(best.speeds) / len(best.speeds)
    yield {"device_speeds": [float(f"{speed / mean:.3g}") for speed in best.speeds]}


def _steps_at_once(job: Job, _best: Trial) -> Iterator[Values]:
    if job.is_free(STEPS_AT_ONCE.name) and not job.gpus:
        yield from ({STEPS_AT_ONCE.name: count} for count in (3, 2, 4))


def _schedule(job: Job, _best: Trial) -> Iterator[Values]:
    if job.is_free("schedule") and job.images * job.devices > 1:
        yield {"schedule": "none"}
        yield {"schedule": "pipeline"}


def _cut(job: Job, _best: Trial) -> Iterator[Values]:
    if job.is_free("cut") and job.images > 1:
        yield {"cut": "boxes"}
        yield {"cut": "slabs"}


def _host(job: Job, _best: Trial) -> Iterator[Values]:
    if job.is_free("host") and job.is_free("host_thickness") and job.devices > 1:
        yield from ({"host": host} for host in ("front-back", "all", "none"))


AXES: Sequence[Axis] = (_speeds, _steps_at_once, _schedule, _host, _cut)
"""In this order: what gains most comes first, for there may not be time for all."""


@dataclass(slots=True)
class Tuning:
    """What came of it, for the record."""

    source: str
    """"tried", or "kept": an earlier run had tried; or why nothing was: "short"."""
    budget_s: float = 0.0
    spent_s: float = 0.0
    run_s: float = 0.0
    """That the run would take as the input has it; predicted."""
    tried: list[Trial] = field(default_factory=list)
    skipped: int = 0
    """Ways for which there was no time."""
    best: Trial = field(default_factory=lambda: Trial({}))
    steps: int = 0
    """That are to come, where these are too few."""

    @property
    def _made(self) -> Sequence[Trial]:
        return [one for one in self.tried if not one.refused]

    @property
    def beginning_s(self) -> float:
        """Of `spent_s`, by which making the first grid took longer than making another.

        Memory is new to the first one, and a kernel may have to be compiled; the run would take
        this too, so it is not of the budget. Until there is another, one is thought to take twice
        what its values take.
        """
        if not self.tried:
            return 0.0
        first, *others = self._made
        another_s = min((one.making_s for one in others), default=2 * first.filling_s)
        return max(0.0, first.making_s - another_s)

    @property
    def left_s(self) -> float:
        """Of the budget."""
        return self.budget_s - (self.spent_s - self.beginning_s)

    @property
    def expected_s(self) -> float:
        """What the next trial is expected to take: as the last one that the engine took."""
        last = self._made[-1]
        return last.seconds - (self.beginning_s if last is self.tried[0] else 0.0)

    @property
    def won(self) -> Values:
        """What the run does otherwise than its input says; nothing where that was best."""
        return self.best.values


def search(job: Job, tuning: Tuning, measure: Callable[[Values], Trial]) -> None:
    """Tries one axis after the other with what was best before, as long as there is time.

    `tuning` has the first trial, of what the input says. A way is not begun where it would be
    expected to take more than what is left of the budget.
    """
    best = tuning.best
    for axis in AXES:
        found = best
        for change in axis(job, best):
            values = {**best.values, **change}
            if any(trial.values == values for trial in tuning.tried):
                continue
            if tuning.expected_s > tuning.left_s:
                tuning.skipped += 1
                continue
            trial = measure(values)
            tuning.tried.append(trial)
            tuning.spent_s += trial.seconds
            if is_better(trial, found):
                found = trial
        best = found
    tuning.best = best


def is_better(trial: Trial, other: Trial) -> bool:
    """By more than noise."""
    if trial.step_s is None or other.step_s is None:
        return False
    return trial.step_s < (1 - GAIN_MIN) * other.step_s
