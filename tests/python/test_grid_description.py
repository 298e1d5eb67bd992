# SPDX-License-Identifier: Apache-2.0
"""Goal: a grid's description becomes what it says, or is refused with file, line and remedy.

Method: the example, and one thing wrong at a time.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from makespan.base.errors import InputError
from makespan.sim.example import MACHINE_EXAMPLE
from makespan.sim.files.description import opened
from makespan.sim.grids.description import GridCase, grid_case, is_grid, read_tables
from makespan.sim.grids.example import GRID_EXAMPLE
from makespan.sim.grids.run import cases_of
from makespan.sim.grids.sweep import read_grid_sweep, swept_tables

SMALL = """\
[grid]
points = [8, 8, 64]

[kind.cpu]
points_per_s = 1e6

[[node]]
count = 2
devices = ["cpu"]
"""


def case_of(folder: Path, text: str) -> GridCase:
    path = folder / "grid.toml"
    path.write_text(text)
    text, tables = read_tables(path)
    return grid_case("grid.toml", tables, text)


def test_the_example_is_a_grid(tmp_path: Path) -> None:
    case = case_of(tmp_path, GRID_EXAMPLE)

    assert case.kinds == ["cpu", "gpu", "gpu"] * 4
    assert case.job["points"] == [512, 512, 2048]
    assert case.job["changes"] == [[1, 0.2, 0.5]]
    cpu, gpu = case.job["kinds"]
    assert (cpu["has_memory"], gpu["has_memory"], gpu["is_queued"]) == (False, True, True)
    assert gpu["to_host"]["bandwidth"] == 12e9
    assert case.job["network"]["send"] == pytest.approx(1e-6)


def test_ends_meet_where_the_boundary_is_periodic(tmp_path: Path) -> None:
    for text, ends in (
        ('"periodic"', [True] * 3),
        ('{x = "periodic", z = ["no-flux", "no-flux"]}', [True, False, False]),
    ):
        job = case_of(tmp_path, SMALL.replace("64]\n", f"64]\nboundary = {text}\n")).job

        assert job["periodic"] == ends


def test_what_is_not_said_has_its_default(tmp_path: Path) -> None:
    job = case_of(tmp_path, SMALL).job

    assert [image["node"] for image in job["images"]] == [0, 1]
    assert job["periodic"] == [False] * 3
    assert (job["schedule"], job["route"], job["cut"]) == ("overlap", "direct", "auto")
    assert job["fields_all"] == job["fields"] == 1
    assert job["network"]["in"]["bandwidth"] == job["network"]["out"]["bandwidth"] == 1e10
    assert job["network"]["copy_bandwidth"] == float("inf")
    assert "planes_max" not in job["kinds"][0]


def test_a_host_s_layers_are_those_of_a_run(tmp_path: Path) -> None:
    def job_of(keys: str) -> dict[str, Any]:
        return dict(case_of(tmp_path, SMALL.replace("[grid]", f"[grid]\n{keys}")).job)

    assert job_of('host = "all"')["host_thickness"] == [1, 1, 1]
    assert job_of('host = "all"')["host_is_free"]
    assert job_of('host = "left-right"\nhost_thickness = 2')["host_thickness"] == [0, 2, 0]
    with pytest.raises(InputError, match=r"grid.toml, line 3: .*host_thickness = \[1, 0, 2\]"):
        job_of('host = "front-back"\nhost_thickness = [1, 0, 2]')
    with pytest.raises(InputError, match="front-back, left-right or all"):
        job_of('host = "front_back"')


def test_a_grid_is_told_from_a_machine(tmp_path: Path) -> None:
    for name, text in (("grid", SMALL), ("machine", MACHINE_EXAMPLE)):
        (tmp_path / f"{name}.toml").write_text(text)

    assert is_grid(opened(tmp_path / "grid.toml"))
    assert is_grid(opened({"grid": {}}))
    assert not is_grid(opened(tmp_path / "machine.toml"))
    assert not is_grid(opened(tmp_path / "platform.xml"))
    assert not is_grid(None)


WRONG = {
    "points = [8, 8]": "line 2: [grid] points = [8, 8] cannot be used: give three counts",
    "points = [8, 8, 0]": "cannot be used: give three counts",
    "points = [8, 8, 64]\nboundary = {w = 'periodic'}": 'line 3: [grid] boundary = {w = "period',
    "points = [8, 8, 1000000000]": "line 2: [grid] points = [8, 8, 1000000000]: 1000000000 pl",
    "points = [8, 8, 64]\nsteps_at_once = 9": "give a whole number from 1 to 8",
    "points = [8, 8, 64]\nboundary = 0.5": 'boundary = 0.5 cannot be used: give "no-flux" or "per',
    "points = [8, 8, 64]\nschedule = 'both'": '[grid] schedule = "both" cannot be used',
    "points = [8, 8, 64]\nsteps = 0": "[grid] steps = 0 cannot be used",
    "points = [8, 8, 64]\nfield = 5": "line 3: [grid] key 'field' is unknown",
    "points = [8, 8, 64]\nboxes_along = [1, 1, 3]": "there are 2 processes: give counts",
    "steps = 3": "line 1: [grid] has no points: give three counts",
}


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_grid_is_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises(InputError) as refused:
        case_of(tmp_path, SMALL.replace("points = [8, 8, 64]", line))

    assert str(refused.value).startswith("grid.toml")
    assert WRONG[line] in str(refused.value)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("points_per_s = 1e6", "points_per_s = 0", "[kind.cpu] points_per_s = 0 cannot be used"),
        ("points_per_s = 1e6", "start_us = 1", "[kind.cpu] has no points_per_s"),
        ("points_per_s = 1e6", "points_per_s = 1e6\nboundary_factor = [1, 1]", "three numbers"),
        ("[kind.cpu]", "[kinds.cpu]", "table 'kinds' is unknown"),
        ('["cpu"]', '["gpu"]', "line 9: devices: kind 'gpu' is unknown"),
        ('["cpu"]', '["cpu"]\n[network]\nlatency_us = -1', "[network] latency_us = -1"),
        ('["cpu"]', '["0 cpu"]', 'line 9: devices: "0 cpu": give 1 or more of them'),
        ('["cpu"]', '["cpu"]\n[network]\npiece_kb = 1e300', "give a number between 0 and 1e+12"),
        ('["cpu"]', '["cpu"]\n[run]\nperturb = ["slow:2@1:2"]', "device 2 (there are 2)"),
        ('["cpu"]', '["cpu"]\n[run]\nperturb = ["fail:0@1"]', "[run] perturb"),
    ],
)
def test_a_wrong_machine_is_refused(tmp_path: Path, old: str, new: str, says: str) -> None:
    with pytest.raises(InputError) as refused:
        case_of(tmp_path, SMALL.replace(old, new))

    assert says in str(refused.value)


def test_a_sweep_changes_one_number() -> None:
    tables: dict[str, Any] = {"grid": {"points": [8, 8, 64]}, "node": [{"devices": ["cpu"]}]}

    nodes = swept_tables(tables, read_grid_sweep("nodes=2,4"))
    latencies = swept_tables(tables, read_grid_sweep("latency_us=0.5,2"))

    assert [one["node"][0]["count"] for one in nodes] == [2, 4]
    assert [one["network"]["latency_us"] for one in latencies] == [0.5, 2]
    assert "count" not in tables["node"][0]


def test_whole_numbers_are_counts_however_they_are_written() -> None:
    assert repr(read_grid_sweep("nodes=1e3,2.0,0.5").values) == "(1000, 2, 0.5)"
    assert repr(read_grid_sweep("latency_us=1e300,inf").values) == "(1e+300, inf)"


def swept(folder: Path, text: str, sweep: str) -> list[int]:
    """Devices of each case."""
    path = folder / "grid.toml"
    path.write_text(text)
    cases, _ = cases_of(path, {"sweep": sweep, "perturb": []})
    return [len(case.kinds) for case in cases]


def test_a_value_of_a_sweep_that_does_not_fit_is_no_mistake_of_the_file(tmp_path: Path) -> None:
    assert swept(tmp_path, SMALL, "nodes=1e1,2") == [10, 2]
    for value, says in (
        ("nodes=0", "[node] count = 0 cannot be used: give a whole number from 1"),
        ("nodes=1.5", "[node] count = 1.5 cannot be used"),
        ("piece_kb=1e+300", "[network] piece_kb = 1e+300 cannot be used"),
    ):
        with pytest.raises(InputError) as refused:
            swept(tmp_path, SMALL, value)
        assert str(refused.value).startswith(f"sweep {value}: {says}")


def test_a_mistake_of_the_file_is_none_of_the_sweep(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"grid\.toml, line 5: \[kind\.cpu\] points_per_s = 0"):
        swept(tmp_path, SMALL.replace("1e6", "0"), "nodes=2")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nodes", "give NAME=V1,V2"),
        ("nodes=a", "give NAME=V1,V2"),
        ("points=1,2", "name 'points' is unknown"),
        ("host_thicknezz=1", "'host_thickness'"),
    ],
)
def test_a_wrong_sweep_is_refused(text: str, says: str) -> None:
    with pytest.raises(InputError) as refused:
        read_grid_sweep(text)

    assert says in str(refused.value)


def test_nodes_of_several_tables_are_not_swept() -> None:
    two = {"node": [{"devices": ["cpu"]}, {"devices": ["gpu"]}]}

    with pytest.raises(InputError, match="of one"):
        swept_tables(two, read_grid_sweep("nodes=2"))
