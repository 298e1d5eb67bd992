# SPDX-License-Identifier: Apache-2.0
"""The loop of a run, without an engine: what is due when, who may stop it, what ends it."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from fake_grid import FIELDS, FakeTeam
from makespan.base.errors import EngineError
from makespan.grids import grid_run
from makespan.grids.grid_run import CHUNK_S, Watch, bad_value, check_values, run_steps
from makespan.grids.steps import Recurrent, StepClock, next_stop
from makespan.job.progress import Progress, ignored
from makespan.settings.kinds import STEPS_MAX

UNWATCHED = Watch(ignored, lambda: False)


@pytest.fixture
def clock_of_steps(monkeypatch: pytest.MonkeyPatch) -> Callable[[FakeTeam, float], None]:
    """Time goes by as a team makes steps, so long for each."""

    def use(team: FakeTeam, step_s: float) -> None:
        class Time:
            monotonic = staticmethod(lambda: team.step * step_s)

        monkeypatch.setattr(grid_run, "time", Time)

    return use


def test_a_clock_counts_steps_of_equal_length() -> None:
    clock = StepClock(0.1, 2.0)

    assert clock.steps == 20
    assert clock.time(3) == 3 * 0.1
    assert (clock.step_at(0.34), clock.step_at(0.36)) == (3, 4)
    assert [clock.every(time) for time in (0, 0.01, 0.1, 0.25, 1)] == [0, 1, 1, 2, 10]


def test_a_clock_has_a_last_step() -> None:
    clock = StepClock(1e-10, 1e305)

    assert clock.steps == STEPS_MAX
    assert clock.every(1e308) == STEPS_MAX


def test_what_recurs_is_due_at_0_at_multiples_and_at_the_end_if_asked() -> None:
    def due(every: int, *, at_end: bool) -> list[int]:
        one = Recurrent(every, ignored, at_end=at_end)
        return [step for step in range(11) if one.is_due(step, 10)]

    assert due(4, at_end=False) == [0, 4, 8]
    assert due(4, at_end=True) == [0, 4, 8, 10]
    assert due(5, at_end=True) == [0, 5, 10]
    assert due(0, at_end=False) == []
    assert due(0, at_end=True) == [10]


def test_the_next_stop_is_the_first_at_which_anything_is_due() -> None:
    def stops(*everies: int) -> list[int]:
        recurrents = [Recurrent(every, ignored) for every in everies]
        found = [0]
        while found[-1] < 10:
            found.append(next_stop(found[-1], 10, recurrents))
        return found

    assert stops(4, 3) == [0, 3, 4, 6, 8, 9, 10]
    assert stops(0) == stops() == [0, 10]
    assert stops(20) == [0, 10]
    assert next_stop(7, 10, [Recurrent(5, ignored)]) == 10


def test_everything_is_done_at_its_steps_in_its_order() -> None:
    team, done = FakeTeam(), []
    recurrents = [
        Recurrent(4, lambda step: done.append(("four", step, team.step))),
        Recurrent(6, lambda step: done.append(("six", step, team.step)), at_end=True),
    ]

    assert run_steps(team, 13, FIELDS, recurrents, UNWATCHED)

    assert [(name, step) for name, step, _ in done] == [
        ("four", 0), ("six", 0), ("four", 4), ("six", 6), ("four", 8), ("four", 12), ("six", 12),
        ("six", 13),
    ]  # fmt: skip
    assert all(step == at for _, step, at in done)
    assert sum(team.runs) == 13


def test_a_run_that_goes_on_says_again_what_it_begins_with() -> None:
    team, done = FakeTeam(), []
    team.set_step(8)

    assert run_steps(team, 14, FIELDS, [Recurrent(4, done.append)], UNWATCHED)

    assert done == [8, 12]


def test_a_run_of_no_steps_does_what_is_due() -> None:
    team, done, told = FakeTeam(), [], []
    watch = Watch(told.append, lambda: True)

    assert run_steps(team, 0, FIELDS, [Recurrent(4, done.append, at_end=True)], watch)

    assert (done, team.runs, told) == ([0], [], [Progress(0, 0, "steps", 0.0, 1.0)])


def test_chunks_grow_until_each_takes_its_time(
    clock_of_steps: Callable[[FakeTeam, float], None],
) -> None:
    team = FakeTeam()
    clock_of_steps(team, CHUNK_S / 64)

    run_steps(team, 1000, FIELDS, [], UNWATCHED)

    assert team.runs[:8] == [1, 2, 4, 8, 16, 32, 64, 64]
    assert max(team.runs) == 64


def test_a_slow_grid_is_left_alone_for_one_step_at_a_time(
    clock_of_steps: Callable[[FakeTeam, float], None],
) -> None:
    team = FakeTeam()
    clock_of_steps(team, 10 * CHUNK_S)

    run_steps(team, 5, FIELDS, [], UNWATCHED)

    assert team.runs == [1] * 5


def test_what_is_due_often_does_not_make_chunks_small(
    clock_of_steps: Callable[[FakeTeam, float], None],
) -> None:
    """A chunk that ended early says nothing of how long a whole one takes."""
    team = FakeTeam()
    clock_of_steps(team, CHUNK_S / 64)

    run_steps(team, 300, FIELDS, [Recurrent(5, ignored), Recurrent(100, ignored)], UNWATCHED)

    assert team.runs[:5] == [1, 2, 2, 4, 1]
    assert set(team.runs[5:]) == {5}


def test_progress_is_told_after_each_chunk() -> None:
    team, told = FakeTeam(), []

    run_steps(team, 7, FIELDS, [], Watch(told.append, lambda: False))

    assert [(one.done, one.total) for one in told] == [
        (step, 7) for step in [0, *itertools.accumulate(team.runs)]
    ]


def test_the_time_left_is_that_of_steps_of_this_run(
    clock_of_steps: Callable[[FakeTeam, float], None],
) -> None:
    """Steps before a checkpoint took no time of it."""
    team, told = FakeTeam(), []
    team.set_step(90)
    clock_of_steps(team, 2.0)

    run_steps(team, 100, FIELDS, [], Watch(told.append, lambda: False))

    assert told[0].left_s is None
    assert [one.left_s for one in told[1:]] == [2.0 * (100 - one.done) for one in told[1:]]
    assert [one.share for one in told] == [one.done / 100 for one in told]


def test_who_asks_stops_a_run_before_what_is_due_then() -> None:
    team, done = FakeTeam(), []
    watch = Watch(ignored, lambda: team.step >= 8)

    assert not run_steps(team, 100, FIELDS, [Recurrent(4, done.append, at_end=True)], watch)

    assert done == [0, 4]
    assert team.step == 8


def test_who_asks_at_the_last_step_asks_too_late() -> None:
    team = FakeTeam()

    assert run_steps(team, 1, FIELDS, [], Watch(ignored, lambda: True))


def test_a_bad_value_ends_a_run_and_nothing_is_done_with_it() -> None:
    team, done = FakeTeam(bad_from=7), []

    with pytest.raises(EngineError, match=r"after step 8: b = nan at voxel \(2, 1, 3\); values"):
        run_steps(team, 20, FIELDS, [Recurrent(4, done.append)], UNWATCHED)

    assert done == [0, 4]


def test_bad_values_are_looked_for_only_where_they_would_be_used() -> None:
    team = FakeTeam(bad_from=1)

    assert run_steps(team, 5, FIELDS, [], UNWATCHED)
    with pytest.raises(EngineError):
        check_values(team, FIELDS)
    assert str(bad_value(team, FIELDS)) == "b = nan at voxel (2, 1, 3)"
    assert bad_value(FakeTeam(), FIELDS) is None
