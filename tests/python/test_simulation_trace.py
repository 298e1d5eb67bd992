# SPDX-License-Identifier: Apache-2.0
"""Goal: traces of simulations and of maps can be replayed, or it is said why not.

Method: devices that fail in an item, maps of strange costs and of no items, ends before beginnings.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from makespan.base.errors import InputError
from makespan.sim.comparison import Case, compare, ways_of
from makespan.sim.machine_text import machine_of
from makespan.sim.page import WAYS_NOTE
from makespan.sim.replay import Replay, read_replay
from makespan.sim.tasks import Tasks
from makespan.sim.trace import simulation_trace
from makespan.sim.trace_check import NUMBER_MAX
from makespan.tasks.trace import COST_MAX
from with_simulator import needs_simulator

import makespan

TWO = {"kind": {"cpu": {"speed": 100.0}}, "node": [{"devices": ["2 cpu"]}]}


def replayed(folder: Path, document: object) -> Replay:
    path = folder / "again.json"
    path.write_text(json.dumps(document))
    return read_replay(path)


def schedule(*perturbations: str) -> dict[str, Any]:
    """Of a hundred items of a second on two devices."""
    case = Case(
        machine_of("m", TWO).perturbed(perturbations), Tasks("t", (100.0,), items=(100,)), spans=999
    )
    (one,) = compare(case, ways_of("self", "counter"))
    document: dict[str, Any] = json.loads(simulation_trace(case, one))
    return document


def runs(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in document["traceEvents"] if one["ph"] == "X" and one["cat"] == "run"]


@needs_simulator
@pytest.mark.parametrize("perturbation", ["fail:1@0.5", "fail:1@7.5"])
def test_a_simulation_with_a_device_that_fails_in_an_item_is_replayed(
    tmp_path: Path, perturbation: str
) -> None:
    document = schedule(perturbation)

    replay = replayed(tmp_path, document)

    assert all(one["args"]["items"] > 0 for one in runs(document))
    assert sum(one["args"]["items"] for one in runs(document)) == 100
    assert replay.machine.worker_speeds == pytest.approx([100.0, 100.0])


@needs_simulator
def test_runs_of_no_items_in_a_trace_are_skipped(tmp_path: Path) -> None:
    """As older simulations wrote them."""
    document = schedule()
    speeds = replayed(tmp_path, document).machine.worker_speeds
    cut_short = {**runs(document)[-1], "ts": 1e9, "dur": 5e7, "args": {"items": 0, "row": 0}}
    document["traceEvents"].append(cut_short)

    assert replayed(tmp_path, document).machine.worker_speeds == speeds


@needs_simulator
@pytest.mark.parametrize("end_s", [0.0, -5.0])
def test_a_bag_that_ends_when_it_begins_is_refused(tmp_path: Path, end_s: float) -> None:
    document = schedule()
    document["otherData"]["rounds"][0]["end_s"] = end_s

    with pytest.raises(InputError, match=rf"it begins at 0\.0 s and ends at {end_s} s"):
        replayed(tmp_path, document)


@pytest.mark.parametrize(
    "costs", [[1e20] * 10, [1e-300] * 10, [1e-200] * 9 + [1e200], [1e290] * 10, [5e-324] * 10]
)
def test_a_map_is_replayed_whatever_the_unit_of_its_costs(
    tmp_path: Path, costs: list[float]
) -> None:
    trace = tmp_path / "map.json"

    makespan.map(abs, range(10), costs=costs, threads=1, trace=trace)

    assert len(read_replay(trace).tasks.costs) == 10


def test_large_costs_of_a_map_are_scaled_and_others_stay_as_they_are(tmp_path: Path) -> None:
    assert NUMBER_MAX == COST_MAX
    for unit, written in ((1.0, [1.0, 2.0, 3.0, 4.0]), (1e20, [0.4, 0.8, 1.2, 1.6])):
        trace = tmp_path / "map.json"
        costs = [unit * cost for cost in (1.0, 2.0, 3.0, 4.0)]

        makespan.map(abs, range(4), costs=costs, threads=1, trace=trace)

        (bag,) = json.loads(trace.read_text())["otherData"]["rounds"]
        assert bag["cost"] == pytest.approx(written)


@pytest.mark.parametrize("costs", [None, []])
def test_of_a_map_of_no_items_it_is_said_that_nothing_was_run(
    tmp_path: Path, costs: list[float] | None
) -> None:
    trace = tmp_path / "map.json"

    makespan.map(abs, [], costs=costs, threads=1, trace=trace)

    with pytest.raises(InputError, match=r"map\.json: nothing was run in it: give a trace"):
        read_replay(trace)


@needs_simulator
def test_a_bag_without_threads_is_refused(tmp_path: Path) -> None:
    document = schedule()
    document["otherData"]["devices"] = []

    with pytest.raises(InputError, match=r"otherData\.devices: 0 threads"):
        replayed(tmp_path, document)


def test_it_is_said_that_noise_can_make_a_run_shorter_than_the_ideal() -> None:
    how_to = Path(__file__).resolve().parents[2] / "docs/how-to/simulate.md"

    assert "but for noise, nothing can be shorter" in WAYS_NOTE
    assert "no schedule can beat but for noise" in how_to.read_text(encoding="utf-8")
