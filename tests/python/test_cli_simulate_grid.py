# SPDX-License-Identifier: Apache-2.0
"""Goal: `makespan simulate` of a grid, and `makespan.simulate_grid`, as a user meets them.

Method: small grids, results by arithmetic.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from makespan.settings.shared import COMMON
from makespan.sim.command import COMMAND
from makespan.sim.grids.command import OF_GRIDS, WITHOUT

import makespan

GRID: dict[str, Any] = {
    "grid": {"points": [10, 10, 80], "steps": 20, "schedule": "none", "cut": "slabs"},
    "kind": {"cpu": {"points_per_s": 1e6, "pack_gb": 0.008}},
    "node": [{"count": 2, "devices": ["cpu"]}],
    "network": {"latency_us": 10.0, "bandwidth_gb": 0.008},
}
SWEEP_S, HALO_S, LATENCY_S = 4e-3, 1e-4, 1e-5
"""Of a step of one device; of a halo: packing, the network, unpacking."""
TOML = """\
[grid]
points = [10, 10, 80]
steps = 20
cut = "slabs"
[kind.cpu]
points_per_s = 1e6
pack_gb = 0.008
[[node]]
count = 2
devices = ["cpu"]
[network]
latency_us = 10.0
bandwidth_gb = 0.008
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "grid.toml").write_text(TOML)
    return tmp_path


def run(folder: Path, *flags: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "makespan", "simulate", *map(str, flags)]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )


def test_a_step_takes_the_sum_of_its_parts() -> None:
    ran = makespan.simulate_grid(GRID)

    assert ran.step_s == pytest.approx(SWEEP_S + 3 * HALO_S + LATENCY_S)
    assert ran.hidden is None
    assert ran.ideal_s == pytest.approx(20 * SWEEP_S)
    assert ran.devices["kind"].to_list() == ["cpu", "cpu"]
    assert ran.devices["planes"].to_list() == [40, 40]
    assert ran.devices["interior_s"].to_list() == pytest.approx([20 * SWEEP_S] * 2)


def test_overlap_hides_what_travels() -> None:
    overlap = {**GRID, "grid": {**GRID["grid"], "schedule": "overlap"}}

    ran = makespan.simulate_grid(overlap)

    assert ran.step_s == pytest.approx(SWEEP_S + 2 * HALO_S)
    # What could be hidden is the exchange, of which two parts are this device's own work; there is
    # one more before the first step.
    assert ran.hidden == pytest.approx((HALO_S + LATENCY_S) / (3 * HALO_S + LATENCY_S), rel=0.06)


def test_overlap_hides_no_more_than_there_is(folder: Path) -> None:
    """In the printed example, whose cuts with overlap and without are not the same."""
    (folder / "example.toml").write_text(run(folder, "--example-grid").stdout)

    ended = run(folder, "example.toml", "--json")

    (case,) = json.loads(ended.stdout)["cases"]
    assert case["step_s"] < case["step_without_overlap_s"]
    assert 0.0 < case["hidden"] <= 1.0


def test_gpus_whose_halos_come_while_they_compute_hide_them() -> None:
    """Their threads wait in the phase `wait` for most of the interior."""
    gpu = {**GRID["kind"]["cpu"], "queued": True}
    slow = {**GRID["network"], "bandwidth_gb": 800 * 1e-9 / (0.9 * SWEEP_S)}
    grid = {**GRID["grid"], "schedule": "overlap"}

    ran = makespan.simulate_grid({**GRID, "grid": grid, "kind": {"cpu": gpu}, "network": slow})

    assert ran.devices["interior_s"].max() < ran.devices["interior_busy_s"].min() / 2
    assert ran.devices["interior_busy_s"].to_list() == pytest.approx([19.5 * SWEEP_S] * 2)
    assert ran.hidden is not None
    assert 0.9 < ran.hidden <= 1.0


def test_a_sweep_is_a_case_for_each_value() -> None:
    ran = makespan.simulate_grid(GRID, sweep="latency_us=10,1010")

    assert [one.value for one in ran.cases] == [10, 1010]
    # There, and back: a sender waits until it knows that its halo has come. With the shorter one
    # it knows while it unpacks.
    longer = 2 * 1010e-6 - LATENCY_S - HALO_S
    assert ran.cases[1].step_s - ran.cases[0].step_s == pytest.approx(longer)
    assert ran.table.columns[0] == "value"
    assert ran.table.height == 2


def test_a_device_that_slows_down_is_relieved(folder: Path) -> None:
    tables = {**GRID, "grid": {**GRID["grid"], "steps": 200, "rebalance_steps": 10}}

    ran = makespan.simulate_grid(tables, perturb=["slow:1@0.2:3"], record=folder / "r.json")

    assert ran.devices["planes"].to_list() == pytest.approx([60, 20], abs=1)
    assert 1 <= ran.rebalances <= 3
    assert json.loads((folder / "r.json").read_text()) == ran.record


def test_the_command_shows_devices_and_writes_files(folder: Path) -> None:
    flags = ("grid.toml", "-o", "cases.csv", "--trace", "trace.json", "--record", "record.json")

    ended = run(folder, *flags)

    assert ended.returncode == 0, ended.stderr
    assert "grid.toml: 2 cpu in 2 processes" in ended.stdout
    assert "cpu 1.0" in ended.stdout
    assert "wrote record.json" in ended.stdout
    assert pl.read_csv(folder / "cases.csv")["devices"].to_list() == [2]
    events = json.loads((folder / "trace.json").read_text())["traceEvents"]
    assert {one["name"] for one in events if one["ph"] == "X"} == {
        *("boundary", "interior", "send", "wait", "unpack")
    }
    record = json.loads((folder / "record.json").read_text())
    assert record["format"] == "makespan simulate_grid record"


def test_a_run_repeats_to_the_last_bit(folder: Path) -> None:
    first, second = (run(folder, "grid.toml", "--json").stdout for _ in range(2))

    assert first == second
    document = json.loads(first)
    assert document["cases"][0]["step_s"] == pytest.approx(SWEEP_S + 2 * HALO_S)
    assert [one["kind"] for one in document["cases"][0]["uses"]] == ["cpu", "cpu"]


def test_the_printed_example_runs(folder: Path) -> None:
    (folder / "example.toml").write_text(run(folder, "--example-grid").stdout)

    ended = run(folder, "example.toml", "--sweep", "nodes=1,2")

    assert ended.returncode == 0, ended.stderr
    assert "rebalances" in ended.stdout


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (("--tasks", "100"), "--tasks: grid.toml describes a grid"),
        (("--report", "p.html"), "--report: grid.toml describes a grid"),
        (("--perturb", "fail:0@1"), "fail:0@1 (no perturbation): give slow:DEVICE@"),
        (("--perturb", "slow:7@1:2"), "device 7 (there are 2)"),
        (("-o", "cases.txt"), "its extension says how it is written"),
        (("-o", "grid.toml"), "grid.toml"),
        (("--sweep", "host=1"), "name 'host' is unknown"),
        (("--sweep", "piece_kb=1e300"), "makespan: --sweep piece_kb=1e+300: [network] piece_kb"),
    ],
)
def test_what_does_not_fit_is_refused(folder: Path, flags: tuple[str, ...], says: str) -> None:
    ended = run(folder, "grid.toml", *flags)

    assert ended.returncode == 2
    assert says in ended.stderr
    assert (folder / "grid.toml").read_text() == TOML
    assert [one.name for one in folder.iterdir()] == ["grid.toml"]


@pytest.mark.parametrize("name", WITHOUT)
def test_what_grids_have_not_has_its_reason(folder: Path, name: str) -> None:
    """In the message, and in the reference below the table of flags."""
    ended = run(folder, "grid.toml", f"--{name}", "1")

    assert ended.returncode == 2
    assert f"--{name}: grid.toml describes a grid, and {WITHOUT[name]}: leave it" in ended.stderr
    page = Path(__file__).resolve().parents[2] / "docs/reference/cli.md"
    assert f"`--{name}`: {WITHOUT[name]}" in page.read_text(encoding="utf-8")


def test_what_commands_have_in_common_is_of_grids_or_has_its_reason() -> None:
    assert {one.name for one in COMMON} <= {*OF_GRIDS, *COMMAND.without, *WITHOUT}


def test_the_function_of_bags_names_that_of_grids(folder: Path) -> None:
    for description, source in ((GRID, "description"), (folder / "grid.toml", "grid.toml")):
        with pytest.raises(makespan.InputError) as refused:
            makespan.simulate(description)
        assert f"{source}: it describes a grid" in str(refused.value)
        assert "makespan.simulate_grid" in str(refused.value)


def test_what_the_engine_refuses_is_an_error(folder: Path) -> None:
    (folder / "grid.toml").write_text(TOML.replace("[kind", 'host = "all"\n[kind'))

    ended = run(folder, "grid.toml")

    assert ended.returncode == 2
    assert "no other device" in ended.stderr
    ended = run(folder, "grid.toml", "--sweep", "nodes=2")
    assert "grid.toml, --sweep nodes=2: " in ended.stderr


def test_numbers_of_numpy_describe_a_grid() -> None:
    grid = {**GRID["grid"], "points": np.array(GRID["grid"]["points"])}
    node = [{**one, "devices": tuple(one["devices"])} for one in GRID["node"]]

    ran = makespan.simulate_grid({**GRID, "grid": grid, "node": node})

    assert ran is not None
    assert ran.hash == makespan.simulate_grid(GRID).hash


@pytest.mark.parametrize("odd", [5, None, [1], b"grid.toml"])
def test_what_describes_nothing_is_refused(odd: Any) -> None:
    with pytest.raises(makespan.InputError, match="description must be a path or tables"):
        makespan.simulate_grid(odd)
