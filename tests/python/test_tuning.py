# SPDX-License-Identifier: Apache-2.0
"""The search for the fastest way to run a grid: what is tried, in what order, how long."""

from __future__ import annotations

import json
from typing import Any

import pytest
from makespan.grids.engine_keys import ENGINE_KEYS, STEPS_AT_ONCE
from makespan.grids.tuning import Job, Trial, Tuning, search

DEFAULTS = {one.name: one.default for one in (*ENGINE_KEYS, STEPS_AT_ONCE)}


def job(images: int = 1, devices: int = 2, **given: Any) -> Job:
    return Job(images, devices, 0, {**DEFAULTS, **given}, DEFAULTS)


def searched(of: Job, cost: Any, budget_s: float = 100.0) -> Tuning:
    """With steps of `cost(values)` seconds, and trials of 1 s."""

    def measure(values: Any) -> Trial:
        return Trial(values, 1, cost(values), 1.0, speeds=(3.0, 1.0) * of.images)

    first = measure({})
    tuning = Tuning("tried", budget_s, first.seconds, 1e3, [first], best=first)
    search(of, tuning, measure)
    return tuning


def cost_of(values: Any) -> float:
    """Halos cost nothing with three steps at once, or a host at both ends."""
    cost = 10.0
    cost -= 2.0 if values.get("device_speeds") == [1.5, 0.5] else 0.0
    cost -= {3: 3.0, 2: 1.0}.get(values.get("steps_at_once"), 0.0)
    cost += 5.0 if values.get("schedule") == "none" else 0.0
    cost -= 1.0 if values.get("host") == "front-back" else 0.0
    return cost


def test_what_is_best_on_each_axis_goes_together() -> None:
    tuning = searched(job(), cost_of)

    assert tuning.won == {"device_speeds": [1.5, 0.5], "steps_at_once": 3, "host": "front-back"}
    assert tuning.best.step_s == 4.0
    assert tuning.skipped == 0
    assert tuning.spent_s == len(tuning.tried)
    assert len({json.dumps(one.values, sort_keys=True) for one in tuning.tried}) == len(
        tuning.tried
    )


def test_what_is_said_stays() -> None:
    tuning = searched(
        job(steps_at_once=2, host="all", schedule="pipeline", device_speeds="measured"), cost_of
    )

    assert tuning.won == {}
    assert len(tuning.tried) == 1


def test_a_lone_device_has_steps_at_once_only() -> None:
    tuning = searched(job(devices=1), cost_of)

    assert {name for one in tuning.tried for name in one.values} == {"steps_at_once"}


def test_processes_may_be_cut_otherwise() -> None:
    tuning = searched(job(images=2), lambda values: 1.0 if values.get("cut") == "boxes" else 2.0)

    assert tuning.won == {"cut": "boxes"}


def test_noise_changes_nothing() -> None:
    tuning = searched(job(), lambda values: 1.0 - 0.01 * len(values))

    assert tuning.won == {}


@pytest.mark.parametrize("budget_s", [0.5, 1.0, 2.0, 3.5, 6.0])
def test_no_trial_begins_that_would_take_more_than_the_budget(budget_s: float) -> None:
    tuning = searched(job(), cost_of, budget_s)

    assert tuning.spent_s <= max(1.0, budget_s)
    assert tuning.skipped > 0


@pytest.mark.parametrize(
    ("before", "long_s", "spent_s"), [(2, 6.0, 8.0), (3, 50.0, 53.0), (9, 50.0, 59.0)]
)
def test_a_trial_that_takes_longer_than_the_one_before_is_the_last(
    before: int, long_s: float, spent_s: float
) -> None:
    """It is begun, as one of 1 s, like that before it, would have had room in what is left."""
    trials: list[Any] = []

    def measure(values: Any) -> Trial:
        trials.append(values)
        seconds = long_s if len(trials) == before + 1 else 1.0
        return Trial(values, 1, 1.0, seconds, speeds=(3.0, 1.0) * 4)

    of = job(images=4)
    first = measure({})
    tuning = Tuning("tried", 10.0, first.seconds, 1e3, [first], best=first)
    search(of, tuning, measure)

    assert len(tuning.tried) == len(trials) == before + 1
    assert tuning.skipped > 0
    assert tuning.spent_s == spent_s <= tuning.budget_s - 1.0 + long_s


def test_what_the_engine_refuses_takes_no_part() -> None:
    tuning = searched(job(), lambda values: None if "steps_at_once" in values else cost_of(values))

    assert tuning.won == {"device_speeds": [1.5, 0.5], "host": "front-back"}
