# SPDX-License-Identifier: Apache-2.0
"""Steps and times of a run: what is due at which step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from makespan.settings.kinds import STEPS_MAX


@dataclass(frozen=True, slots=True)
class StepClock:
    """Steps of equal length, in any unit of time, from 0 on."""

    time_step: float
    duration: float

    @property
    def steps(self) -> int:
        """In all."""
        return self.step_at(self.duration)

    def step_at(self, time: float) -> int:
        """The nearest one; past all that can be counted: the last that can."""
        return round(min(time / self.time_step, STEPS_MAX))

    def time(self, step: int) -> float:
        """After so many steps."""
        return step * self.time_step

    def every(self, time: float) -> int:
        """Steps from one output to the next, at least 1; 0 where there is none."""
        return max(1, self.step_at(time)) if time > 0 else 0


@dataclass(frozen=True, slots=True)
class Recurrent:
    """Something that is done at step 0 and after every so many steps, and at the end if asked."""

    every: int
    """0: never, but at the end if that is asked for."""
    act: Callable[[int], None]
    at_end: bool = False

    def is_due(self, step: int, steps: int) -> bool:
        """At this step of so many."""
        return bool(self.every and step % self.every == 0) or (self.at_end and step == steps)

    def next_after(self, step: int, steps: int) -> int:
        """The step after this one at which it is due next, or the last."""
        return min((step // self.every + 1) * self.every, steps) if self.every else steps


def next_stop(step: int, steps: int, recurrents: Iterable[Recurrent]) -> int:
    """The next step at which anything is due, or the last."""
    return min((one.next_after(step, steps) for one in recurrents), default=steps)
