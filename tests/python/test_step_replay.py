# SPDX-License-Identifier: Apache-2.0
"""Goal: runs of steps and maps come back from their traces as long as they were.

Method: traces of grids that are made up, with known speeds; small real melts and maps, whose own
figures say what must come out. Nothing here measures speed.
"""

from __future__ import annotations

import copy
import json
import time
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from makespan.base.errors import InputError
from makespan.grids.input import TRACED_PHASES
from makespan.grids.trace import grid_trace
from makespan.grids.turns import turns_of
from makespan.sim.comparison import Candidate, Case, compare, ways_of
from makespan.sim.machine import Machine
from makespan.sim.replay import Replay, read_replay
from small_melt import small_input
from with_simulator import needs_simulator

import makespan

POINTS = (10, 4, 8)  # x, y, z: 320 points
RATES = (1e5, 4e5)  # points per second of either device
WAIT_S = 1e-4
"""For halos, of the device that waits least."""


def phases(parts: list[tuple[int, int]], rates: tuple[float, ...] = RATES) -> list[list[Any]]:
    """Of two devices that have so many points in each step, and wait for each other in each."""
    found: list[list[Any]] = [[], []]
    at = 5.0
    for step, points in enumerate(parts):
        took = [one / rate for one, rate in zip(points, rates, strict=True)]
        end = at + max(took) + WAIT_S
        for device, (own, busy) in enumerate(zip(points, took, strict=True)):
            middle = at + busy / 4
            if own:
                found[device].append(("boundary", step, at, middle, own))
                found[device].append(("interior", step, middle, at + busy, own))
            found[device].append(("wait", step, at + busy, end, own))
        at = end
    return found


def report(found: list[list[Any]]) -> dict[str, Any]:
    return {
        "devices": [
            {"image": number, "device": 0, "planes": 4, "phases": one}
            for number, one in enumerate(found)
        ]
    }


def replayed(folder: Path, text: str) -> Replay:
    path = folder / "trace.json"
    path.write_text(text)
    return read_replay(path)


def of_steps(folder: Path, parts: list[tuple[int, int]]) -> Replay:
    return replayed(folder, grid_trace(report(phases(parts)), POINTS))


def run(replay: Replay, dispatcher: str = "", policy: str = "", **events: Any) -> Candidate:
    machine = replay.machine
    if events:
        machine = Machine(
            machine.source, machine.images, {**machine.settings, **events}, knows_speeds=True
        )
    ways = ways_of(policy or replay.policy, dispatcher or replay.dispatcher)
    return compare(Case(machine, replay.tasks), ways)[0]


def test_a_traced_grid_has_its_speeds_and_parts(tmp_path: Path) -> None:
    replay = of_steps(tmp_path, [(160, 160)] * 6)

    assert replay.machine.worker_speeds == pytest.approx(RATES)
    assert [len(image["devices"]) for image in replay.machine.images] == [1, 1]
    assert replay.tasks.times == len(replay.tasks.bags) == 6
    assert replay.tasks.kept == (160, 160)
    assert (replay.tasks.items, replay.tasks.costs) == ((8,), (40.0,))
    assert replay.tasks.work == pytest.approx(6 * 320)
    assert replay.measured_s == pytest.approx(6 * (160 / RATES[0] + WAIT_S))


@needs_simulator
@pytest.mark.parametrize("parts", [(160, 160), (64, 256), (320, 0), (8, 312)])
def test_the_same_machine_takes_as_long_but_for_waits(
    tmp_path: Path, parts: tuple[int, int]
) -> None:
    """Whatever the parts, balanced or not: what lacks is the wait of each step."""
    replay = of_steps(tmp_path, [parts] * 20)

    found = run(replay)

    waits = 20 * WAIT_S
    assert found.result["makespan_s"] == pytest.approx(replay.measured_s - waits, rel=1e-6)
    assert [worker["device"] for worker in found.result["workers"]] == [0, 1]


@needs_simulator
def test_parts_that_moved_are_turns_of_their_own(tmp_path: Path) -> None:
    replay = of_steps(tmp_path, [(160, 160)] * 5 + [(80, 240)] * 7 + [(64, 256)] * 3)

    assert [len(replay.tasks.bags), *(one.times for one in replay.tasks.later)] == [15, 7, 3]
    assert run(replay).result["makespan_s"] == pytest.approx(replay.measured_s - 15 * WAIT_S)


@needs_simulator
def test_other_ways_deal_pieces_out_anew(tmp_path: Path) -> None:
    """As a cut by speeds would: half of the points are too many for a fifth of the speed."""
    replay = of_steps(tmp_path, [(160, 160)] * 10)

    kept, dealt = run(replay), run(replay, "steal", "equal_time")

    assert kept.over_ideal == pytest.approx(2.5)
    assert 1.0 <= dealt.over_ideal < 1.3


@needs_simulator
def test_a_device_that_slows_down_on_the_way(tmp_path: Path) -> None:
    """The longest device takes three times as long from the fourth of ten turns on."""
    replay = of_steps(tmp_path, [(160, 160)] * 10)
    turn = 160 / RATES[0]

    slow = run(replay, changes=[[0, 3 * turn, 1 / 3]])
    half_way = run(replay, changes=[[0, 3.5 * turn, 1 / 3]])
    lost = run(replay, losses=[[1, 3.5 * turn]])

    assert slow.result["makespan_s"] == pytest.approx((3 + 7 * 3) * turn, rel=1e-6)
    assert half_way.result["makespan_s"] == pytest.approx((3.5 + 6.5 * 3) * turn, rel=1e-6)
    assert lost.result["makespan_s"] > run(replay).result["makespan_s"]


@needs_simulator
def test_a_machine_of_more_devices_has_equal_shares(tmp_path: Path) -> None:
    replay = of_steps(tmp_path, [(160, 160)] * 4)
    images = (*replay.machine.images, {**replay.machine.images[1], "node": 2})
    machine = Machine("more", images, replay.machine.settings, knows_speeds=True)

    (found,) = compare(Case(machine, replay.tasks), ways_of("self", "static"))

    assert sum(worker["items"] for worker in found.result["workers"]) == 4 * 8


def test_what_lies_between_steps_is_not_measured() -> None:
    """Files are written after the third of six steps, for a second."""
    found = phases([(160, 160)] * 6)
    late = [
        [(kind, step, *(t + (step > 2) for t in times), n) for kind, step, *times, n in one]
        for one in found
    ]

    (turns,) = turns_of(report(late)["devices"], POINTS, TRACED_PHASES)

    assert turns.took_s == pytest.approx(6 * (160 / RATES[0] + WAIT_S))
    assert turns.end_s - turns.begin_s == pytest.approx(turns.took_s + 1)


def accelerated(found: list[Any]) -> list[Any]:
    """As if an accelerator computed: its thread asks for it in no time, and waits meanwhile."""
    told: list[Any] = []
    for _, turn in groupby(found, lambda phase: phase[1]):
        boundary, interior, wait = turn
        _, step, begin, _, points = boundary
        _, _, done, end, _ = wait
        told += [
            ("boundary", step, begin, begin + 1e-7, points),
            ("pack", step, begin + 1e-7, boundary[3], points),
            ("interior", step, interior[2], interior[2] + 1e-7, points),
            ("sweep", step, begin, done, points),
            ("wait", step, end - 1e-7, end, points),
        ]
    return told


def test_an_accelerator_is_as_fast_as_it_computes(tmp_path: Path) -> None:
    plain = phases([(160, 160)] * 5)

    text = grid_trace(report([plain[0], accelerated(plain[1])]), POINTS)

    replay = replayed(tmp_path, text)
    assert replay.machine.worker_speeds == pytest.approx(RATES)
    assert replay.measured_s == pytest.approx(5 * (160 / RATES[0] + WAIT_S))
    events = json.loads(text)["traceEvents"]
    (named,) = (one for one in events if one["args"].get("name") == "accelerator of device 0")
    assert {one["name"] for one in events if one["ph"] == "X" and one["tid"] == named["tid"]} == {
        "sweep"
    }


def test_several_steps_at_once_are_a_turn() -> None:
    labels = [
        [(kind, 3 * step, *rest) for kind, step, *rest in one] for one in phases([(80, 240)] * 5)
    ]

    (turns,) = turns_of(report(labels)["devices"], POINTS, TRACED_PHASES)

    assert (turns.times, list(turns.kept)) == (5, [240, 720])
    assert turns.pieces == [(8, 120)]


def test_the_first_of_the_kept_phases_may_lack_its_beginning() -> None:
    found = [one[1:] for one in phases([(160, 160)] * 5)]

    (turns,) = turns_of(report(found)["devices"], POINTS, len(found[0]))

    assert turns.times == 4
    assert [work * 4 / busy for work, busy in zip(turns.kept, turns.busy_s, strict=True)] == (
        pytest.approx(RATES)
    )


def test_a_device_without_points_has_no_turns_however_many_phases_are_kept() -> None:
    """As with more devices than planes: one that computes nothing, and waits in each step."""
    found = phases([(320, 0)] * TRACED_PHASES)

    (turns,) = turns_of(report(found)["devices"], POINTS, TRACED_PHASES)

    assert list(turns.kept) == [320, 0]
    assert json.loads(grid_trace(report(found), POINTS))


def test_without_steps_there_is_nothing_to_replay(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no trace that can be replayed"):
        replayed(tmp_path, grid_trace(report([[], []]), POINTS))


@needs_simulator
@pytest.mark.parametrize("when", ["never", 1])
def test_a_melt_takes_what_its_longest_places_take(tmp_path: Path, when: Any) -> None:
    trace = tmp_path / "trace.json"
    source = small_input(tmp_path)
    melt = makespan.melt(source, threads=2, when=when, balancer="random", trace=trace)
    assert melt is not None
    assert not list(tmp_path.glob("*.tmp"))

    replay = read_replay(trace)

    told = melt.phases
    assert len(replay.tasks.bags) == len(told)
    assert replay.measured_s == pytest.approx(told["time_s"].sum())
    assert replay.tasks.work > 0.999 * 2 * told["busy_s_mean"].sum()
    assert replay.machine.worker_speeds == pytest.approx([1.0, 1.0])
    found = run(replay)
    assert found.result["makespan_s"] == pytest.approx(told["busy_s_longest"].sum(), rel=1e-6)
    assert replay.tasks.count > len(told)  # objects are pieces that can be dealt out


@needs_simulator
@pytest.mark.parametrize("has_costs", [False, True])
def test_a_map_is_replayed(tmp_path: Path, *, has_costs: bool) -> None:
    """The replay's work is that of its spans; sleeping takes as long on any thread."""
    costs = [0.002 + 0.001 * (item % 5) for item in range(60)]
    trace = tmp_path / "trace.json"

    results = makespan.map(
        time.sleep, costs, costs=costs if has_costs else None, threads=2, trace=trace
    )

    assert results == [None] * 60
    events = [one for one in json.loads(trace.read_text())["traceEvents"] if one["ph"] == "X"]
    assert sorted(one["args"]["row"] for one in events) == list(range(60))
    assert {one["tid"] for one in events} == {0, 1}
    assert all(one["dur"] >= 1e6 * costs[one["args"]["row"]] for one in events)
    replay = read_replay(trace)
    assert (replay.policy, replay.dispatcher) == ("equal_time", "steal")
    found = run(replay)
    busy = sum(one["dur"] for one in events) / 1e6
    assert found.result["ideal_s"] == pytest.approx(busy / 2, rel=1e-3)
    assert found.over_ideal < 1.2
    assert found.result["makespan_s"] < 1.01 * replay.measured_s  # there are claims, too


def test_a_map_that_cannot_write_its_trace_says_so_before(tmp_path: Path) -> None:
    path = tmp_path / "both.json"
    with pytest.raises(InputError, match="would be written over"):
        makespan.map(abs, [1, 2], threads=1, trace=path, record=path)
    assert not path.exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda turns: turns.pop("kept"), "a damaged trace"),
        (lambda turns: turns.update(kept=[1.0]), r"kept: a number, 0 or above, for each device"),
        (lambda turns: turns.update(kept=[0, 0]), "no work"),
        (lambda turns: turns.update(busy_s=[1.0, -1.0]), r"busy_s: a number, 0 or above"),
        (lambda turns: turns.update(busy_s=[0, 0]), "nothing was run in it"),
        (lambda turns: turns.update(times=0), r"times = 0"),
        (lambda turns: turns.update(times=10**9), "1000000000 turns"),
        (lambda turns: turns.update(took_s=float("nan")), "took_s = nan"),
        (lambda turns: turns.update(took_s=0), "took_s is 0 in all turns"),
    ],
)
def test_damaged_turns_are_refused(tmp_path: Path, change: Any, message: str) -> None:
    document = json.loads(grid_trace(report(phases([(160, 160)] * 3)), POINTS))
    change(document["otherData"]["rounds"][0]["turns"])

    with pytest.raises(InputError, match=message):
        replayed(tmp_path, json.dumps(document))


@pytest.mark.parametrize("what", [{"image": 7}, {"count": 2}])
def test_devices_of_steps_are_single_and_in_order(tmp_path: Path, what: dict[str, int]) -> None:
    document = json.loads(grid_trace(report(phases([(160, 160)] * 3)), POINTS))
    document["otherData"]["devices"][0].update(what)

    with pytest.raises(InputError, match="those of steps are single, in the order of images"):
        replayed(tmp_path, json.dumps(document))


def test_turns_with_and_without_parts_are_no_trace(tmp_path: Path) -> None:
    document = json.loads(grid_trace(report(phases([(160, 160)] * 3)), POINTS))
    rounds = document["otherData"]["rounds"]
    rounds.append(
        {name: value for name, value in copy.deepcopy(rounds[0]).items() if name[0] != "t"}
    )

    with pytest.raises(InputError, match="a damaged trace"):
        replayed(tmp_path, json.dumps(document))


def test_parts_are_points_of_the_grid(tmp_path: Path) -> None:
    """A real one, of two devices: what they had adds up to the grid."""
    values = np.random.default_rng(3).random((14, 9, 12))
    path = tmp_path / "trace.json"
    makespan.diffuse(values, steps=7, threads=2, devices="cpu cpu", trace=path)

    (turns,) = (one["turns"] for one in json.loads(path.read_text())["otherData"]["rounds"])

    assert turns["times"] == 7
    assert sum(turns["kept"]) == values.size
