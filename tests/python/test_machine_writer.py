# SPDX-License-Identifier: Apache-2.0
"""Goal: a machine that was written is the one that was simulated. Method: written, read back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from makespan.sim.comparison import Case, compare, ways_of
from makespan.sim.machine import Machine, calm_settings, device_of, network_of
from makespan.sim.machine_text import read_machine
from makespan.sim.machine_writer import machine_toml
from makespan.sim.replay import read_replay
from makespan.sim.tasks import made_tasks
from test_replay import device, trace
from with_simulator import needs_simulator

import makespan


def machine(*devices: dict[str, Any], knows_speeds: bool = False) -> Machine:
    images = ({"node": 0, "devices": list(devices)},)
    return Machine("m", images, calm_settings(network_of()), knows_speeds=knows_speeds)


def read_back(folder: Path, written: Machine) -> Machine:
    path = folder / "machine.toml"
    path.write_text(machine_toml(written), encoding="utf-8")
    return read_machine(path)


def devices_of(one: Machine) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in device.items() if name != "kind"}
        for image in one.images
        for device in image["devices"]
    ]


@pytest.mark.parametrize(
    "other",
    [
        {"threads": 2},
        {"speed": 1.0},
        {"together": 3.0},
        {"mode": "mth"},
        {"claim": 1e-5},
        {"launch": 1e-5},
        {"piece": 1e-3},
        {"noise": 0.125},
    ],
)
def test_devices_of_one_kind_that_differ_stay_different(
    tmp_path: Path, other: dict[str, Any]
) -> None:
    first = device_of("cpu", 4, 4.0)
    one = machine(first, {**first, **other}, first)

    again = read_back(tmp_path, one)

    assert again.kinds == ["cpu", "cpu-2", "cpu"]
    assert devices_of(again) == [
        {name: pytest.approx(value) for name, value in device.items()} for device in devices_of(one)
    ]


def test_a_name_that_is_taken_is_left_out(tmp_path: Path) -> None:
    speeds = (("cpu", 1.0), ("cpu-2", 2.0), ("cpu", 3.0), ("cpu-2", 4.0), ("cpu", 5.0))
    one = machine(*(device_of(kind, 1, speed) for kind, speed in speeds))

    again = read_back(tmp_path, one)

    assert again.kinds == ["cpu", "cpu-2", "cpu-3", "cpu-2-2", "cpu-4"]
    assert again.worker_speeds == one.worker_speeds


@pytest.mark.parametrize("knows_speeds", [False, True])
def test_whether_speeds_are_known_is_written(tmp_path: Path, *, knows_speeds: bool) -> None:
    one = machine(device_of("cpu", 1, 1.0), knows_speeds=knows_speeds)

    again = read_back(tmp_path, one)

    assert again.knows_speeds == knows_speeds
    assert ("[run]\nknows_speeds = true" in machine_toml(one)) == knows_speeds


@pytest.mark.parametrize("kind", ["\U0001f5a5", "a\x7fb", 'a"b\\c', "é"])
def test_any_characters_come_back(tmp_path: Path, kind: str) -> None:
    one = replace(machine(device_of(kind, 1, 1.0)), source=f"{kind}\x01\n.toml")

    assert read_back(tmp_path, one).kinds == [kind]


@needs_simulator
def test_a_bag_takes_as_long_on_what_was_written(tmp_path: Path) -> None:
    given = {"tasks": "400:lognormal:0.5", "policy": "guided", "places": 4}
    speeds = [4.0, 4.0, 1.0, 1.0]
    path = tmp_path / "m.toml"

    first = makespan.simulate(**given, speeds=speeds, write_machine=path)
    again = compare(
        Case(read_machine(path), made_tasks(given["tasks"])), ways_of("guided", "steal")
    )[0]

    assert again.result["makespan_s"] == first.makespan_s


@needs_simulator
def test_a_run_is_replayed_on_its_written_machine(tmp_path: Path) -> None:
    document = trace(2)
    document["otherData"]["devices"] = [device(at, isa="", remembered=True) for at in range(2)]
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(document))
    replay = read_replay(path)

    own, written = (
        compare(Case(one, replay.tasks), ways_of("static", "static"))[0].result["makespan_s"]
        for one in (replay.machine, read_back(tmp_path, replay.machine))
    )

    assert written == pytest.approx(own, rel=1e-5)
