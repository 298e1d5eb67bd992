# SPDX-License-Identifier: Apache-2.0
"""Goal: many ways, turns and places take no more memory than there is, and end with Ctrl-C.

Method: simulators that are made up; a small real one for spans.
"""

from __future__ import annotations

import hashlib
import json
import weakref
from typing import Any

import pytest
from makespan.base.engine import load_engine
from makespan.base.errors import EngineError, InputError
from makespan.machines.place_source import PlaceSource
from makespan.settings.setting import defaults
from makespan.sim.comparison import Case, compare, compare_each, ways_of
from makespan.sim.input import PYTHON_SETTINGS
from makespan.sim.machine import Machine, calm_settings, device_of, network_of
from makespan.sim.record import simulation_record
from makespan.sim.run import Asked, planned, run
from makespan.sim.runs import Job, simulate_each
from makespan.sim.tasks import Tasks, made_tasks
from with_simulator import needs_simulator

from makespan.sim import runs

MACHINE = Machine(
    "m", ({"node": 0, "devices": [device_of("cpu", 1, 1.0)]},), calm_settings(network_of())
)
WORKER = {"device": 0, "running_s": 1.0, "claiming_s": 0.0, "waiting_s": 0.0, "items": 1}
RESULT = {
    **{"makespan_s": 1.0, "ideal_s": 1.0, "complete": True, "spans": [[0, "run", 0.0, 1.0, 1]]},
    **{"claims": 1, "steals": 0, "operations": 0, "messages": 0, "workers": [WORKER]},
}


class Noted(dict[str, Any]):
    """A job that can be looked after."""


class MadeUp:
    """Answers at once."""

    is_ended = False

    def answer(self, _job: object) -> Any:
        return RESULT

    def end(self) -> None:
        pass


def test_jobs_are_made_where_they_run(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[weakref.ref[Noted]] = []
    alive: list[int] = []
    job = Case.job

    def noted(case: Case, way: Any) -> Noted:
        found = Noted(job(case, way))
        made.append(weakref.ref(found))
        return found

    class Counting(MadeUp):
        def answer(self, _job: object) -> Any:
            alive.append(sum(one() is not None for one in made))
            return RESULT

    monkeypatch.setattr(Case, "job", noted)
    monkeypatch.setattr(runs, "Simulator", Counting)
    ways = ways_of("guided,self,static", "steal,counter")

    compare_each([Case(MACHINE, made_tasks("4"))], ways, at_a_time=1)

    assert alive == [1] * len(ways)


def test_what_is_ended_simulates_no_further_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where all bags are alike, so that no further question would be asked."""
    case = Case(MACHINE, Tasks("tasks", (1.0,), times=1000))
    (way,) = ways_of("self", "steal")
    jobs: list[Job] = [lambda: case.job(way)]

    for is_ended in (False, True):
        monkeypatch.setattr(MadeUp, "is_ended", is_ended)
        monkeypatch.setattr(runs, "Simulator", MadeUp)
        if is_ended:
            with pytest.raises(EngineError, match="simulations were ended"):
                simulate_each(jobs)
        else:
            assert simulate_each(jobs)[0]["makespan_s"] == 1000.0


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"places": 2**20 + 1}, r"places \(1048577 places\): there are 1048576 at most"),
        ({"places": 4, "nodes": 2**20}, "4 places on each of 1048576 nodes"),
        ({"synthetic": "core:4 pu:1", "nodes": 2**20}, "4 places on each of 1048576 nodes"),
    ],
)
def test_more_places_than_there_is_room_for_are_refused(
    source: dict[str, Any], message: str
) -> None:
    engine = load_engine()
    given = {**defaults(PYTHON_SETTINGS), **source}

    with pytest.raises(InputError, match=message):
        planned(engine, Asked(None, 10, given))
    with pytest.raises(InputError, match=message):
        PlaceSource(**source).known(engine)


@pytest.mark.parametrize(("nodes", "sweep"), [(2, None), (1, "nodes=1,2")])
def test_more_threads_than_there_is_room_for_are_refused(nodes: int, sweep: str | None) -> None:
    given = {**defaults(PYTHON_SETTINGS), "sweep": sweep}
    machine = {
        "kind": {"cpu": {"speed": 1.0, "threads": 2**20}},
        "node": [{"count": nodes, "devices": ["cpu"]}],
    }

    with pytest.raises(InputError, match="have 2097152 threads in all"):
        planned(load_engine(), Asked(machine, 10, given))


@needs_simulator
def test_of_many_turns_as_many_spans_are_kept_as_of_one() -> None:
    tasks = Tasks("tasks", (1.0,) * 10, times=4)
    way = ways_of("self", "counter")

    (whole,) = compare(Case(MACHINE, tasks, spans=10_000), way)
    every = whole.result["spans"]
    for kept in (0, 3, len(every) // 2):
        (one,) = compare(Case(MACHINE, tasks, spans=kept), way)
        assert one.result["spans"] == every[:kept]
        assert one.result["makespan_s"] == whole.result["makespan_s"]


@needs_simulator
def test_hashes_are_of_the_lists_of_jobs_and_results() -> None:
    given = {**defaults(PYTHON_SETTINGS), "places": 2, "policy": "self,guided"}
    engine = load_engine()
    simulation = run(planned(engine, Asked(None, "20:lognormal", given, spans=5)))

    record = simulation_record(engine, simulation, given)

    jobs = [case.job(way) for case in simulation.cases for way in simulation.ways]
    results = [one.result for _, one in simulation.rows]
    for name, parts in (("input_hash", jobs), ("result_hash", results)):
        rest = [
            {key: value for key, value in one.items() if key not in ("spans", "spans_kept")}
            for one in parts
        ]
        text = json.dumps(rest, sort_keys=True)
        assert record[name] == hashlib.sha256(text.encode()).hexdigest()
