# SPDX-License-Identifier: Apache-2.0
"""`makespan simulate --sweep`: machines that differ in one number, and what is said of bad ones."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from makespan.base.errors import InputError
from makespan.sim.comparison import Case
from makespan.sim.machine_text import machine_of, read_machine
from makespan.sim.machine_writer import machine_toml
from makespan.sim.sweep import read_sweep
from makespan.sim.tasks import made_tasks
from with_simulator import needs_simulator

RUN_S_MAX = 60
MACHINE = """\
[kind.cpu]
speed = 100
[kind.gpu]
speed = 1000
[[node]]
count = 2
devices = ["2 cpu", "gpu"]
"""
TABLES: dict[str, Any] = {
    "kind": {"cpu": {"speed": 100.0}, "gpu": {"speed": 1000.0}},
    "node": [{"count": 2, "devices": ["2 cpu", "gpu"]}, {"devices": ["cpu"]}],
}


def points(text: str, tables: dict[str, Any], known: tuple[str, ...] = ()) -> list[Case]:
    machine = machine_of("machine", tables)
    case = Case(machine, made_tasks("100"))
    return read_sweep(text, machine.kinds).points(case, [known], lambda n: made_tasks(str(n)))


def kinds(case: Case) -> list[list[str]]:
    """Of the devices, by image."""
    return [[device["kind"] for device in image["devices"]] for image in case.machine.images]


def test_each_node_that_has_a_kind_gets_so_many() -> None:
    none, one, three = points("devices=gpu:0,1,3", TABLES)

    assert kinds(none) == [["cpu", "cpu"], ["cpu", "cpu"], ["cpu"]]
    assert kinds(one) == [["cpu", "cpu", "gpu"], ["cpu", "cpu", "gpu"], ["cpu"]]
    assert kinds(three) == [["cpu", "cpu", "gpu", "gpu", "gpu"]] * 2 + [["cpu"]]


def test_a_process_for_each_device_stays_one() -> None:
    tables = {**TABLES, "node": [{"devices": ["2 cpu", "gpu"], "image": "device"}]}

    none, two = points("devices=gpu:0,2", tables)

    assert kinds(none) == [["cpu"], ["cpu"]]
    assert kinds(two) == [["cpu"], ["cpu"], ["gpu"], ["gpu"]]
    assert {image["node"] for image in two.machine.images} == {0}


def test_a_lone_device_with_a_process_of_its_own_gets_others_beside_it(tmp_path: Path) -> None:
    """Also by a description that was written of it."""
    tables = {**TABLES, "node": [{"devices": ["cpu"], "image": "device"}]}
    path = tmp_path / "machine.toml"
    path.write_text(machine_toml(machine_of("machine", tables)))

    one, two = points("devices=cpu:1,2", tables)
    _, again = read_sweep("devices=cpu:1,2", ["cpu"]).points(
        Case(read_machine(path), made_tasks("100")), [()], None
    )

    assert kinds(one) == [["cpu"]]
    assert kinds(two) == kinds(again) == [["cpu"], ["cpu"]]
    assert {image["node"] for image in two.machine.images} == {0}


@pytest.mark.parametrize("image", ["node", "device"])
def test_devices_of_a_kind_keep_their_speeds(image: str) -> None:
    """As places of a measured machine, that are of one kind: the first ones, in turn if fewer."""
    machine = machine_of("m", {**TABLES, "node": [{"devices": ["cpu", "gpu"], "image": image}]})
    of_one_kind = tuple(
        {**one, "devices": [{**device, "kind": "core"} for device in one["devices"]]}
        for one in machine.images
    )
    case = Case(replace(machine, images=of_one_kind), made_tasks("100"))

    one, same, five = read_sweep("devices=core:1,2,5", ["core"]).points(case, [()], None)

    assert one.machine.worker_speeds == [100]
    assert same.machine.worker_speeds == [100, 1000]
    assert five.machine.worker_speeds == [100, 1000, 100, 1000, 100]


def test_nodes_are_repeated_in_turn() -> None:
    one, four = points("nodes=1,4", TABLES)

    assert kinds(one) == [["cpu", "cpu", "gpu"]]
    assert kinds(four) == [["cpu", "cpu", "gpu"]] * 2 + [["cpu"]] + [["cpu", "cpu", "gpu"]]
    assert [image["node"] for image in four.machine.images] == [0, 1, 2, 3]


def test_numbers_of_the_network_have_their_units() -> None:
    (slow,) = points("latency_us=20", TABLES)
    (narrow,) = points("bandwidth_gb=0.5", TABLES)

    assert slow.machine.settings["network"]["latency"] == pytest.approx(20e-6)
    assert narrow.machine.settings["network"]["bandwidth"] == pytest.approx(0.5e9)


def test_tasks_options_and_chunks() -> None:
    few, many = points("tasks=10,1000", TABLES)
    (chunk,) = points("chunk=8", TABLES, ("chunk_items",))
    (option,) = points("fraction=0.5", TABLES, ("fraction",))

    assert (len(few.tasks.costs), len(many.tasks.costs)) == (10, 1000)
    assert dict(chunk.options) == {"chunk_items": 8.0}
    assert dict(option.options) == {"fraction": 0.5}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("devices=1,2", "give a kind and numbers, as devices=gpu:0,1,2"),
        ("devices=gpo:1", "did you mean 'gpu'?"),
        ("devices=cpu:0", "with 0 a node has no device"),
        ("devices=gpu:1.5", "1.5 is no count"),
        ("nodes=0", "with 0 a node has no device"),
        ("nodes=10000000", "more than"),
        ("latency_us=", "give a name and numbers"),
        ("latency_us=-1", "give a name and numbers"),
        ("latency_us=nan", "give a name and numbers"),
        ("latency", "give a name and numbers"),
        ("latency_ms=1", "did you mean 'latency_us'?"),
        ("bandwidth_gb=0", "nothing would arrive"),
        ("tasks=0", "a bag has a task"),
        ("chunk=2", "only the policy self has chunks of one size"),
        (f"latency_us={','.join(map(str, range(300)))}", "more than 200 values"),
    ],
)
def test_bad_sweeps_are_named(text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        points(text, TABLES, ("fraction",))

    assert str(caught.value).startswith(f"sweep {text}: ")
    assert words in str(caught.value)


@pytest.mark.parametrize("name", ["devices=gpu:1", "nodes=2"])
def test_devices_that_are_named_by_number_stay(name: str) -> None:
    changing = {**TABLES, "run": {"perturb": ["slow:0@1:2"]}}

    with pytest.raises(InputError, match="has perturbations of devices by number"):
        points(name, changing)


def test_bags_that_are_given_have_no_number() -> None:
    machine = machine_of("machine", TABLES)
    sweep = read_sweep("tasks=1", machine.kinds)

    with pytest.raises(InputError, match="only made-up tasks have a number"):
        sweep.points(Case(machine, made_tasks("5")), [[]], None)


# --- as a command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "machine.toml").write_text(MACHINE)
    return tmp_path


def simulate(folder: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "makespan", "simulate", "machine.toml", *flags],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )


@needs_simulator
def test_ideals_follow_the_devices(folder: Path) -> None:
    ended = simulate(
        folder, "--tasks", "2400", "--sweep", "devices=gpu:0,1,2", "--dispatcher", "all", "--json"
    )

    assert (ended.returncode, ended.stderr) == (0, "")
    sweep = json.loads(ended.stdout)["sweep"]
    assert (sweep["name"], sweep["kind"]) == ("devices", "gpu")
    assert [one["value"] for one in sweep["values"]] == [0.0, 1.0, 2.0]
    ideals = [one["ways"][0]["ideal_s"] for one in sweep["values"]]
    assert ideals == pytest.approx([2400 / 400, 2400 / 2400, 2400 / 4400])
    assert all(len(one["ways"]) == 5 for one in sweep["values"])


@needs_simulator
def test_chunks_are_of_the_policy_self(folder: Path) -> None:
    ended = simulate(folder, "--tasks", "400", "--sweep", "chunk=1,10", "--json")

    values = json.loads(ended.stdout)["sweep"]["values"]
    assert [one["ways"][0]["policy"] for one in values] == ["self", "self"]
    assert [one["ways"][0]["claims"] for one in values] == [400, 40]


@needs_simulator
def test_the_table_has_the_best_of_each_value(folder: Path) -> None:
    ended = simulate(folder, "--tasks", "60", "--sweep", "latency_us=1,1000", "--policy", "all")

    assert (ended.returncode, ended.stderr) == (0, "")
    rows = [line.split() for line in ended.stdout.splitlines()]
    assert sum(row[:1] == ["1"] for row in rows) == 5
    assert sum(row[:1] == ["1000"] for row in rows) == 5
    assert "more ways of each: --json and --report have them" in ended.stdout


@needs_simulator
def test_a_bad_sweep_writes_no_page(folder: Path) -> None:
    ended = simulate(folder, "--sweep", "nods=1", "--report", "page.html")

    assert ended.returncode == 2
    assert "did you mean 'nodes'?" in ended.stderr
    assert not (folder / "page.html").exists()
