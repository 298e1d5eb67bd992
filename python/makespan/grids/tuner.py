# SPDX-License-Identifier: Apache-2.0
"""Tries ways of running a grid by short measured steps, before a long run or on demand."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from makespan.base.engine import Engine
from makespan.base.errors import InputError
from makespan.grids.engine_keys import ENGINE_KEYS, STEPS_AT_ONCE, TUNE, TUNE_SHARE
from makespan.grids.input import CPU, GPU, RunOptions
from makespan.grids.saving import GridOfFields
from makespan.grids.tuning import Job, Trial, Tuning, Values, search
from makespan.grids.tuning_memory import TuningMemory, tuning_memory
from makespan.settings.input_file import InputValues

RUN_S_MIN = 120.0
"""A run that is predicted to be shorter is not tuned, unless it is asked for."""
POINT_STEPS_MIN = 2e10
"""So many take less than `RUN_S_MIN` on any machine we know; with fewer nothing is measured."""
ROUNDS = 3
ROUND_S_MIN = 0.03
ROUND_S_MAX = 0.25
"""Rounds of the first way: the longer the run is, the longer they are, and the surer."""
FIRST_ROUND_STEPS = 2
"""Of the first way, before its rounds."""
TRIALS = 12
"""For about so many there is time where rounds are longer than the least."""
FIRST_STEPS = 20
"""So many the first trial takes, with making the grid, where steps are long: the share has more."""
HOPELESS = 2.0
"""A way whose steps take so many times what is usual, and longer than a round, is measured no
further."""
TUNING_S_MAX = 60.0
_WORDS = (TUNE.name, TUNE_SHARE.name)


class Tuned(Protocol):
    """A run as the tuner sees it; how it is run is part of what is given."""

    grid: GridOfFields
    given: InputValues

    @property
    def costs(self) -> Mapping[str, Any]:
        """What the time of a step depends on besides the points."""

    def open(self, team: Any) -> None:
        """Makes the team's grid as `given` says. Raises `InputError`."""


def tune(engine: Engine, team: Any, run: Tuned, options: RunOptions, steps: int) -> Tuning | None:
    """Changes what is given to what runs fastest; what it tried and found, None for nothing.

    On image 0, while the others serve; `steps` are to come. The team's grid is made anew for each
    trial, and holds nothing of use afterwards. Raises `InputError` where what is given cannot be
    run at all.
    """
    given = run.given
    word, share = given[TUNE.name], given[TUNE_SHARE.name]
    x, y, z = run.grid.points
    if word == "off" or (word == "auto" and x * y * z * steps < POINT_STEPS_MIN):
        return None
    if share * steps < FIRST_STEPS:
        return Tuning("short", steps=steps)
    memory = tuning_memory(engine, _kind(engine, team, run, options))
    kept = memory.kept() if word == "auto" else None
    if kept is not None:
        run.given = given.tried_with(kept)
        if _opens(team, run):
            return Tuning("kept", best=Trial(kept))
        run.given = given
    tuning = _tried(team, run, options, steps, memory)
    run.given = given.tried_with(tuning.won)
    return tuning


def _opens(team: Any, run: Tuned) -> bool:
    """Whether what was kept can be run, as it could when it was."""
    try:
        run.open(team)
    except InputError:
        return False
    return True


def _names(given: InputValues) -> list[str]:
    names = [one.name for one in (*ENGINE_KEYS, STEPS_AT_ONCE)]
    return [name for name in names if name in given.values and name not in _WORDS]


def _gpus(options: RunOptions) -> int:
    """Of each image."""
    return (options.devices or CPU).split().count(GPU)


def _kind(engine: Engine, team: Any, run: Tuned, options: RunOptions) -> Mapping[str, Any]:
    gpus = _gpus(options)
    return {
        "application": run.grid.application,
        "points": list(run.grid.points),
        "costs": dict(run.costs),
        "images": team.images,
        "threads": team.threads,
        "devices": options.devices,
        "gpus": list(engine.gpus()["names"][:gpus]) if gpus else [],
        "given": {name: run.given[name] for name in _names(run.given)},
    }


def _tried(team: Any, run: Tuned, options: RunOptions, steps: int, memory: TuningMemory) -> Tuning:
    given = run.given
    share = given[TUNE_SHARE.name]
    names = _names(given)
    job = Job(
        images=team.images,
        devices=len((options.devices or CPU).split()),
        gpus=_gpus(options),
        given={name: given[name] for name in names},
        defaults={name: given.settings[name].default for name in names},
    )
    pace = Pace(steps, share)
    first = measured(team, run, {}, pace)
    if first.step_s is None:
        raise InputError(first.refused)
    run_s = first.step_s * steps
    budget_s = pace.budget_s(first.step_s)
    tuning = Tuning("tried", budget_s, first.seconds, run_s, [first], best=first)
    if given[TUNE.name] == "auto" and run_s < RUN_S_MIN:
        tuning.source = "short"
        return tuning

    of_others = replace(pace, round_steps=first.round_steps, usual_s=first.step_s)

    def measure(values: Values) -> Trial:
        run.given = given.tried_with(values)
        return measured(team, run, values, of_others)

    search(job, tuning, measure)
    if not tuning.skipped:
        memory.keep(tuning.won)
    return tuning


@dataclass(frozen=True, slots=True)
class Pace:
    """How much of a way is measured."""

    steps: int
    """That are to come."""
    share: float
    """Of them, or of their time, that is for trials."""
    round_steps: int | None = None
    """The same for all ways, for the shortest of short rounds is the shortest; None: not known."""
    usual_s: float | None = None
    """What a step takes otherwise."""

    def budget_s(self, step_s: float) -> float:
        """Of all trials, where a step takes so long."""
        return min(self.share * self.steps * step_s, TUNING_S_MAX)

    def steps_of_round(self, step_s: float, making_s: float) -> int:
        """By what a step and making a grid take; a third of the share at most for the first way."""
        even_s = (self.budget_s(step_s) / TRIALS - making_s) / (ROUNDS + 1)
        round_s = min(max(even_s, ROUND_S_MIN), ROUND_S_MAX)
        steps_max = (self.share * self.steps / 3 - FIRST_ROUND_STEPS) / ROUNDS
        return max(1, int(min(round_s / max(step_s, 1e-9), steps_max)))


def measured(team: Any, run: Tuned, values: Values, pace: Pace) -> Trial:
    """The way that `run.given` says; one that the engine refuses is told, and takes part no more.

    Rounds are short, and the shortest counts: what disturbs makes a round longer, never shorter.
    """
    begin = time.monotonic()
    try:
        run.open(team)
    except InputError as error:
        return Trial(values, refused=str(error), seconds=time.monotonic() - begin)
    opened = time.monotonic()
    team.start()
    started = time.monotonic()
    filling_s = started - opened
    # The first exchange is of values that are new; after it all have their halos.
    at_once = int(run.given.values.get(STEPS_AT_ONCE.name, 1))
    steps, step_s = at_once, _timed(team, at_once) / at_once
    if pace.round_steps is None or _is_hopeless(step_s, at_once, pace):
        # The first step of a new grid finds its memory in no cache, so one more is asked for.
        steps, step_s = 2 * at_once, _timed(team, at_once) / at_once
    round_steps = pace.round_steps or pace.steps_of_round(step_s, 2 * filling_s)
    if not _is_hopeless(step_s, at_once, pace):
        count = at_once * max(1, round_steps // at_once)
        step_s = min(_timed(team, count) for _ in range(ROUNDS)) / count
        steps += ROUNDS * count
    speeds = tuple(_speed(one, steps) for one in team.report()["devices"])
    return Trial(
        values,
        steps,
        step_s,
        time.monotonic() - begin,
        making_s=started - begin,
        filling_s=filling_s,
        round_steps=round_steps,
        speeds=speeds,
    )


def _is_hopeless(step_s: float, at_once: int, pace: Pace) -> bool:
    if pace.usual_s is None or step_s * at_once <= ROUND_S_MIN:
        return False
    return step_s >= HOPELESS * pace.usual_s


def _timed(team: Any, steps: int) -> float:
    begin = time.monotonic()
    team.run(steps)
    return time.monotonic() - begin


def _speed(device: Mapping[str, Any], steps: int) -> float:
    busy = device["busy_s"]
    return float(device["points"] * steps / busy) if busy > 0 else 0.0
