# SPDX-License-Identifier: Apache-2.0
"""Goal: a trace gives back the speeds and costs that it was made with. Method: traces made up."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from book_rows import book_of, book_row
from junk import spots
from makespan.base.engine import load_engine
from makespan.base.errors import InputError
from makespan.pricing.input import Settings
from makespan.pricing.perfetto import perfetto_text
from makespan.pricing.pricing import price_everything
from makespan.sim.comparison import Candidate, Case, compare, compare_each, ways_of
from makespan.sim.machine_text import machine_of, read_machine
from makespan.sim.machine_writer import machine_toml
from makespan.sim.replay import read_replay
from makespan.sim.sweep import read_sweep
from makespan.sim.tasks import Tasks
from makespan.sim.trace import simulation_trace
from oracle.cases import new_cases

COSTS = [8.0, 4.0, 2.0, 1.0]
FACTORS = [1.5, 1.0, 0.5, 1.0]
SPEEDS = [1.0, 3.0]


def book() -> pl.DataFrame:
    contract = new_cases(1)[0].contract
    return book_of(book_row(f"row {n}", contract) for n in range(6))


def device(number: int, **values: Any) -> dict[str, Any]:
    return {
        "name": "cpu",
        "isa": f"isa{number}",
        "first": number,
        "count": 1,
        "failed": False,
        "image": 0,
        "mode": "auto",
        "remembered": False,
        **values,
    }


def trace(rounds: int = 1, **settings: str) -> dict[str, Any]:
    """Each device runs half of each task's ten items, at speeds 1 and 3."""
    events: list[dict[str, Any]] = []
    bags = []
    at = 0.0
    for _ in range(rounds):
        begin = at
        ends = [begin, begin]
        for row, (cost, factor) in enumerate(zip(COSTS, FACTORS, strict=True)):
            for thread, speed in enumerate(SPEEDS):
                taken = 5 * cost * factor / speed
                events.append(
                    {
                        "ph": "X",
                        "tid": thread,
                        "cat": "run",
                        "ts": ends[thread] * 1e6,
                        "dur": taken * 1e6,
                        "args": {"items": 5, "row": row},
                    }
                )
                ends[thread] += taken
        at = max(ends)
        bag = {"begin_s": begin, "end_s": at, "row": [0, 1, 2, 3], "items": [10] * 4, "cost": COSTS}
        bags.append(bag)
    said = {"policy": "equal_time", "dispatcher": "steal", "mode": "auto", **settings}
    devices = [device(0), device(1)]
    head = {"format": "makespan replay", "version": 1}
    other = {**head, "settings": said, "devices": devices, "rounds": bags}
    return {"traceEvents": events, "otherData": other}


def written(folder: Path, document: object) -> Path:
    path = folder / "trace.json"
    path.write_text(json.dumps(document))
    return path


def ratio(values: list[float]) -> list[float]:
    return [value / values[0] for value in values]


def test_speeds_and_factors_come_back(tmp_path: Path) -> None:
    replay = read_replay(written(tmp_path, trace()))

    devices = [one for image in replay.machine.images for one in image["devices"]]
    assert ratio([one["speed"] for one in devices]) == pytest.approx([1.0, 3.0])
    assert ratio(list(replay.tasks.factors)) == pytest.approx([1.0, 1 / 1.5, 1 / 3, 1 / 1.5])
    assert replay.tasks.items == (10, 10, 10, 10)
    # Speeds are in predicted work: factors leave the sum of it as it was.
    real = np.dot(np.array(COSTS), replay.tasks.factors)
    assert real == pytest.approx(sum(COSTS))
    assert replay.measured_s == pytest.approx(5 * np.dot(COSTS, FACTORS))


def test_of_several_bags_each_follows_the_one_before(tmp_path: Path) -> None:
    one = read_replay(written(tmp_path, trace(1)))
    three = read_replay(written(tmp_path, trace(3)))

    (alone,) = compare(Case(one.machine, one.tasks), ways_of("self", "counter"))
    (together,) = compare(Case(three.machine, three.tasks), ways_of("self", "counter"))

    assert len(three.tasks.bags) == 3
    assert three.measured_s == pytest.approx(3 * one.measured_s)
    assert together.result["makespan_s"] == pytest.approx(3 * alone.result["makespan_s"], rel=0.05)
    assert together.result["ideal_s"] == pytest.approx(3 * alone.result["ideal_s"])
    assert sum(worker["items"] for worker in together.result["workers"]) == 120


def test_a_simulated_replay_takes_as_long_as_its_work_says(tmp_path: Path) -> None:
    replay = read_replay(written(tmp_path, trace()))

    (one,) = compare(Case(replay.machine, replay.tasks), ways_of("self", "steal"))

    # The work is 205 at speeds that sum to 4; the traced run left the fast device idle.
    assert one.result["ideal_s"] == pytest.approx(10 * np.dot(COSTS, FACTORS) / 4)
    assert one.over_ideal < 1.1
    assert one.result["makespan_s"] < 0.6 * replay.measured_s


@pytest.mark.parametrize("mode", ["mt", "mth"])
def test_a_boss_serves_each_thread_of_a_device_whose_threads_ran_tasks_together(
    tmp_path: Path, mode: str
) -> None:
    """Also where bags are replayed on a machine that is described."""
    document = trace(2)
    document["otherData"]["devices"] = [device(0, count=2, mode=mode, remembered=True)]
    replay = read_replay(written(tmp_path, document))
    cpu = {"speed": 1.0, "together": 1.6, "threads": 4, "mode": mode}
    described = machine_of("m", {"kind": {"cpu": cpu}, "node": [{"devices": ["cpu"]}]})

    for machine, threads in ((replay.machine, 2), (described, 4)):
        found = compare(Case(machine, replay.tasks), ways_of("self", "all"))
        workers = {one.dispatcher: len(one.result["workers"]) for one in found}
        together = dict.fromkeys(("steal", "hierarchical", "counter", "static"), 1)
        assert workers == {**together, "boss": threads}


def test_in_mode_mth_threads_have_tasks_of_their_own() -> None:
    """As the engine has it: what all do together on one task is a speed of mode mt."""
    cpu = {"speed": 4.0, "together": 1.6, "threads": 4}
    kinds = {mode: {**cpu, "mode": mode} for mode in ("mt", "mth", "mo")}

    machine = machine_of("m", {"kind": kinds, "node": [{"devices": list(kinds)}]})

    assert machine.worker_speeds == [1.6, 4.0, *[1.0] * 4]
    assert machine.speeds_under("boss") == [1.0] * 12


@pytest.mark.parametrize(("cost", "speed"), [(1e16, 1e12), (1e15, 1e4)])
def test_a_schedule_of_numbers_that_no_trace_has_says_why_it_is_not_replayed(
    tmp_path: Path, cost: float, speed: float
) -> None:
    cpu = {"kind": {"cpu": {"speed": speed}}, "node": [{"devices": ["cpu"]}]}
    case = Case(machine_of("m", cpu), Tasks("tasks", (cost,)), spans=10)
    path = tmp_path / "t.json"
    path.write_text(simulation_trace(case, compare(case, ways_of("self", "counter"))[0]))

    with pytest.raises(InputError, match=r"\(a simulation of costs, items or microseconds above"):
        read_replay(path)


def test_changes_count_from_the_first_bag(tmp_path: Path) -> None:
    """The fast device fails when the first of two bags is done: the second takes four times."""
    replay = read_replay(written(tmp_path, trace(2)))
    machine = tmp_path / "machine.toml"
    machine.write_text(machine_toml(replay.machine))
    healthy = _of(machine, replay.tasks)
    at = healthy.result["makespan_s"] / 2
    machine.write_text(machine_toml(replay.machine) + f'[run]\nperturb = ["fail:1@{at}"]\n')

    broken = _of(machine, replay.tasks)

    assert broken.result["makespan_s"] == pytest.approx(at + 4 * at, rel=0.1)


def _of(machine: Path, tasks: Any) -> Candidate:
    return compare(Case(read_machine(machine), tasks), ways_of("self", "steal"))[0]


def test_changes_before_a_later_bag_apply_in_the_order_of_their_times() -> None:
    """However they are listed: both are over when the second bag begins."""
    tables = {"kind": {"cpu": {"speed": 100.0}}, "node": [{"devices": ["cpu"]}]}
    tasks = Tasks("tasks", (1.0,) * 100, times=3)
    texts = ["slow:0@0.2:100", "slow:0@0.1:2"]

    found = [
        compare(Case(machine_of("m", tables).perturbed(each), tasks), ways_of("self", "counter"))
        for each in (texts, texts[::-1])
    ]

    one, other = (candidates[0].result["makespan_s"] for candidates in found)
    assert one == other
    assert one > 200


def test_a_written_machine_reads_back(tmp_path: Path) -> None:
    replay = read_replay(written(tmp_path, trace()))
    path = tmp_path / "machine.toml"
    path.write_text(machine_toml(replay.machine))

    machine = read_machine(path)

    assert machine.kinds == ["cpu-isa0", "cpu-isa1"]
    assert machine.worker_speeds == pytest.approx(replay.machine.worker_speeds, rel=1e-5)
    network, measured = machine.settings["network"], replay.machine.settings["network"]
    assert network.keys() == measured.keys()
    for name, value in measured.items():
        assert network[name] == (value if isinstance(value, str) else pytest.approx(value))


def test_what_lies_between_two_chunks_is_what_a_chunk_takes_to_begin(tmp_path: Path) -> None:
    """Three claims of the first device: 2, 3 and 10 us from run to run; none of the second."""
    document = trace()
    events = document["traceEvents"]
    later = 0.0
    for number, run in enumerate(event for event in list(events) if event["tid"] == 0):
        if number:
            gap = (2.0, 3.0, 10.0)[number - 1]
            claim = {"ph": "X", "tid": 0, "cat": "claim", "ts": run["ts"] + later, "dur": gap / 2}
            events.append(claim)
            later += gap
        run["ts"] += later

    first, second = read_replay(written(tmp_path, document)).machine.images[0]["devices"]

    assert first["claim"] == pytest.approx(3e-6, rel=1e-3)
    assert (first["launch"], second["claim"], second["launch"]) == (0.0, 0.0, 0.0)


def test_a_device_that_failed_is_told_of(tmp_path: Path) -> None:
    document = trace()
    document["otherData"]["devices"][1]["failed"] = True
    last_s = max(one["ts"] + one["dur"] for one in document["traceEvents"] if one["tid"] == 1) / 1e6

    (note,) = read_replay(written(tmp_path, document)).machine.notes

    assert note.startswith("device 1 failed in the run")
    assert f"--perturb fail:1@{last_s:.6g}" in note


def test_long_chunks_pay_for_their_claims_once(tmp_path: Path) -> None:
    """Ten chunks of 100 ms, before each a claim of 50 us."""
    chunks, claim, run = 10, 50.0, 100_000.0
    events: list[dict[str, Any]] = []
    for number in range(chunks):
        at = number * (claim + run)
        shown = {"ph": "X", "tid": 0}
        events.append({**shown, "cat": "claim", "ts": at, "dur": claim})
        args = {"items": 1000, "row": 0}
        events.append({**shown, "cat": "run", "ts": at + claim, "dur": run, "args": args})
    measured_s = chunks * (claim + run) / 1e6
    document = trace(policy="self:chunk_items=1000", dispatcher="counter")
    document["traceEvents"] = events
    document["otherData"]["devices"] = [device(0)]
    bag = {"begin_s": 0.0, "end_s": measured_s, "row": [0], "items": [chunks * 1000], "cost": [1.0]}
    document["otherData"]["rounds"] = [bag]
    replay = read_replay(written(tmp_path, document))

    (found,) = compare(
        Case(replay.machine, replay.tasks), ways_of("self:chunk_items=1000", "counter")
    )

    assert found.result["makespan_s"] == pytest.approx(measured_s, rel=1e-4)


def test_a_replayed_machine_can_have_more_devices(tmp_path: Path) -> None:
    replay = read_replay(written(tmp_path, trace()))
    sweep = read_sweep("devices=cpu-isa1:1,2", replay.machine.kinds)

    one, two = compare_each(
        sweep.points(Case(replay.machine, replay.tasks), [[]], None), ways_of("equal_time", "steal")
    )

    # Speeds 1 and 3, and 1, 3, 3.
    assert two[0].result["ideal_s"] == pytest.approx(one[0].result["ideal_s"] * 4 / 7)


def test_a_pricing_run_can_be_replayed(tmp_path: Path) -> None:
    settings = Settings(threads=2, timeline=True, memory=False, std_error=0.02)
    priced = price_everything(load_engine(), book(), settings)
    path = tmp_path / "trace.json"
    words = {"policy": "guided", "dispatcher": "counter", "mode": "auto"}
    path.write_text(perfetto_text(priced.timeline(), "x", words))

    replay = read_replay(path)

    summary = priced.outcome.summary
    assert len(replay.tasks.bags) == summary["rounds"]
    assert replay.tasks.work == pytest.approx(
        sum(device["work"] for device in summary["devices"]), rel=0.01
    )
    assert (replay.policy, replay.dispatcher) == ("guided", "counter")
    assert replay.machine.images[0]["devices"][0]["threads"] == 2
    (again,) = compare(Case(replay.machine, replay.tasks), ways_of("guided", "counter"))
    assert again.result["complete"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda document: document.pop("otherData"), "no trace that can be replayed"),
        (lambda document: document["otherData"].update(version=7), "a trace of version 7"),
        (lambda document: document["otherData"].update(rounds=[]), "nothing was run in it"),
        (lambda document: document.update(traceEvents=[]), "nothing was run in it"),
        (lambda document: document["otherData"]["rounds"][0].pop("cost"), "a damaged trace"),
        (lambda document: document["traceEvents"][0].update(tid=9), "a damaged trace"),
        (lambda document: document["traceEvents"][0]["args"].update(row=77), "a damaged trace"),
        (lambda document: document["otherData"].update(devices=3), "a damaged trace"),
    ],
)
def test_what_is_no_trace_is_refused(tmp_path: Path, change: Any, message: str) -> None:
    document = trace()
    change(document)

    with pytest.raises(InputError, match=message) as refused:
        read_replay(written(tmp_path, document))
    assert "trace.json" in str(refused.value)
    assert "makespan price --trace" in str(refused.value)


def test_text_that_is_no_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_text("makespan 3 s")
    with pytest.raises(InputError, match="no trace that can be replayed"):
        read_replay(path)


JUNK = [
    *(None, True, -1, 0, 7, 10**30, -0.5, 1e308, float("inf"), float("nan"), "", "cpu", "a b"),
    *("cpu\n[kind.x]", '"', [], [1, 2], [[]], {}, {"a": 1}, 4503599627370496),
]


def test_junk_anywhere_is_read_or_refused_in_one_line(tmp_path: Path) -> None:
    """What is read can be written as a machine, and that be read again."""
    document = trace()
    places = len(spots(document))
    for number in range(places):
        for value in JUNK:
            broken = copy.deepcopy(document)
            part, key = spots(broken)[number]
            part[key] = value
            said = outcome(tmp_path, broken)
            assert "\n" not in said
            assert said.startswith(str(tmp_path)) or not said


def outcome(folder: Path, document: object) -> str:
    """What is said of it; nothing if all is well."""
    path = written(folder, document)
    try:
        replay = read_replay(path)
    except InputError as error:
        return str(error)
    machine = folder / "machine.toml"
    machine.write_text(machine_toml(replay.machine))
    assert set(read_machine(machine).kinds) == {
        device["kind"] for image in replay.machine.images for device in image["devices"]
    }
    return ""


@pytest.mark.parametrize("isa", ["NVIDIA H100 80GB HBM3", "sm_90", 'odd "name"\n[x]', "é", ""])
def test_any_name_of_a_gpu_becomes_a_kind(tmp_path: Path, isa: str) -> None:
    document = trace()
    document["otherData"]["devices"][1].update(name="cuda[0]", isa=isa)

    assert outcome(tmp_path, document) == ""


@pytest.mark.parametrize("name", [3, None, "", "two words", "a\nb", ["cpu"]])
def test_a_device_without_a_name_is_refused(tmp_path: Path, name: object) -> None:
    document = trace()
    document["otherData"]["devices"][1]["name"] = name

    assert "otherData.devices[1].name = " in outcome(tmp_path, document)
