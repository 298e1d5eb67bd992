# SPDX-License-Identifier: Apache-2.0
"""`makespan calcium`: what it prints and writes, and runs that are killed and go on."""

from __future__ import annotations

import csv
import json
import random
import re
from pathlib import Path

import pytest
from job_programs import needs_mpi
from makespan.grids.calcium.input import CALCIUM_FILE
from small_grids import (
    SPARK,
    changed,
    checkpoint_steps,
    result_of,
    run,
    started,
    wait_for_checkpoint,
)

COARSE = """
[grid]
points = [26, 24, 26]
spacing = 0.03
[run]
duration = 2.0
time_step = 4e-4
[release]
ryr_open = [[4, 0.0, 1.0]]
gating_ms = 0.01
seed = 3
[geometry]
cleft_height = 0.03
jsr_length = 0.3
jsr_width = 0.3
jsr_thickness = 0.06
ryr_per_side = 3
[output]
table_ms = 0.1
scan_ms = 0.04
slice_ms = 0
state_ms = 0
checkpoint_ms = 0.05
"""
"""Channels open and close by chance: 5000 steps of voxels twice as large, in half a second."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "spark.toml").write_text(SPARK)
    (tmp_path / "coarse.toml").write_text(COARSE)
    return tmp_path


def rows_of(path: Path) -> list[list[str]]:
    with path.open(newline="") as file:
        return list(csv.reader(file))


def test_the_table_shows_both_sides_of_the_channels(folder: Path) -> None:
    ended = run(folder, "calcium", "spark.toml", "--threads", 1)

    assert (ended.returncode, ended.stderr) == (0, "")
    head, *lines = ended.stdout.splitlines()
    assert re.split(r"\s{2,}| (?=open|cleft)", head.strip()) == [
        "step", "time ms", "open RyR", "cleft uM", "SR uM", "F/F0",
    ]  # fmt: skip
    cells = [line.split() for line in lines[:3]]
    assert [row[:3] for row in cells] == [
        ["0", "0.0000", "1"], ["20", "0.0030", "1"], ["40", "0.0060", "0"],
    ]  # fmt: skip
    cleft, sr = ([float(row[column]) for row in cells] for column in (3, 4))
    assert cleft[0] == 0.14
    assert cleft[1] > 1
    assert cleft[1] > cleft[2]  # the channel has closed
    assert sr[0] == 1300
    assert sr[1] < 1300
    assert {len(line) for line in [head, *lines[:3]]} == {len(head)}
    assert re.fullmatch(r"40 steps of 48 x 44 x 48 points in \S+ s, 1 thread", lines[4])
    assert lines[6].startswith("peak F/F0: 1 at ")
    assert re.fullmatch(r"result [0-9a-f]{12} after step 40", lines[-1])


def test_all_that_is_asked_for_is_written(folder: Path) -> None:
    text = changed(COARSE, slice_ms=1.0, state_ms=1.0)
    (folder / "coarse.toml").write_text(text)

    ended = run(folder, "calcium", "coarse.toml", "--threads", 1, "--output", "out")

    assert (ended.returncode, ended.stderr) == (0, "")
    out = folder / "out"
    assert sorted(one.name for one in out.iterdir()) == [
        "line-scan.csv", "line-scan.png", "paraview", "slices", "spark.png", "table.csv",
    ]  # fmt: skip
    slices = {f"{name}-{step:08d}.png" for name in ("calcium", "dye") for step in (0, 2500, 5000)}
    assert {one.name for one in (out / "slices").iterdir()} == slices
    for picture in out.rglob("*.png"):
        assert picture.read_bytes().startswith(b"\x89PNG\r\n")
    series = json.loads((out / "paraview" / "calcium.vtkhdf.series").read_text())["files"]
    assert [one["time"] for one in series] == pytest.approx([0, 1, 2])
    assert all((out / "paraview" / one["name"]).is_file() for one in series)
    scan = rows_of(out / "line-scan.csv")
    assert (len(scan), len(scan[0]), scan[0][:2]) == (52, 27, ["time_ms", "0.015"])
    assert set(scan[1][1:]) == {"1.0"}
    table = rows_of(out / "table.csv")
    assert table[0] == ["step", "time_ms", "open_ryr", "cleft_ca", "sr_ca", "brightness"]
    assert len(table) == 22
    brightest = max(float(cell) for row in scan[1:] for cell in row[1:])
    assert f"peak F/F0: {brightest:.4g} at " in ended.stdout
    assert "wrote out/slices: 6 files" in ended.stdout
    assert "wrote out/spark.png" in ended.stdout


def test_a_document_has_the_measures(folder: Path) -> None:
    found = json.loads(run(folder, "calcium", "coarse.toml", "--threads", 1, "--json").stdout)

    assert found["run"]["measures"]["time to peak"].endswith(" ms")
    assert found["run"]["points"] == [26, 24, 26]
    assert found["input"]["atp"] == []
    assert {line["open_ryr"] for line in found["table"]} > {1}


@needs_mpi
def test_the_result_does_not_depend_on_how_it_is_run(folder: Path) -> None:
    expected = result_of(run(folder, "calcium", "spark.toml", "--threads", 1))

    for flags in (
        ("--threads", 3, "--devices", "cpu cpu cpu", "--schedule", "none"),
        ("--threads", 2, "--devices", "cpu cpu", "--rebalance-steps", 7),
    ):
        assert result_of(run(folder, "calcium", "spark.toml", *flags)) == expected
    for images, cut in ((2, "boxes"), (3, "slabs")):
        ended = run(folder, "calcium", "spark.toml", "--threads", 1, "--cut", cut, images=images)
        assert (ended.stderr, result_of(ended)) == ("", expected)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_run_that_is_killed_goes_on_with_the_same_bits(folder: Path, seed: int) -> None:
    """At any moment: in a step, in a checkpoint, or between a table and its checkpoint."""
    words = ("calcium", "coarse.toml", "--threads", 1, "--output", "out", "--checkpoint", "saved")
    whole = run(folder, "calcium", "coarse.toml", "--threads", 1, "--output", "whole")

    step = random.Random(seed).randrange(0, 2500)  # noqa: S311 - nothing secret
    process = started(folder, *words)
    wait_for_checkpoint(process, folder / "saved", step)
    process.kill()
    process.communicate()
    last = checkpoint_steps(folder / "saved")[-1]
    assert step <= last < 5000
    ended = run(folder, *words, "--restart-from", f"saved/step-{last}.vtkhdf")

    assert ended.stderr == ""
    assert result_of(ended) == result_of(whole)
    for name in ("table.csv", "line-scan.csv"):
        assert (folder / "out" / name).read_bytes() == (folder / "whole" / name).read_bytes()
    assert checkpoint_steps(folder / "saved") == [4875, 5000]
    assert not list(folder.rglob("*.csv.*.tmp"))


def test_other_chances_are_another_run(folder: Path) -> None:
    words = ("calcium", "coarse.toml", "--threads", 1, "--duration", 0.1)
    run(folder, *words, "--checkpoint", "saved", "-q")
    (folder / "coarse.toml").write_text(changed(COARSE, seed=4))

    ended = run(folder, *words, "--restart-from", "saved/step-250.vtkhdf")

    assert ended.returncode == 2
    assert "seed = 3 there, and 4 here; go on with what it was begun with" in ended.stderr


def test_a_line_scan_with_another_digit_is_not_gone_on_with(folder: Path) -> None:
    words = ("calcium", "coarse.toml", "--threads", 1, "--output", "out", "--checkpoint", "saved")
    run(folder, *words, "--duration", 0.1, "-q")
    scan = folder / "out" / "line-scan.csv"
    lines = scan.read_text().splitlines(keepends=True)
    lines[1] = lines[1].replace("1.0", "1.5", 1)
    scan.write_text("".join(lines))

    ended = run(folder, *words, "--duration", 0.2, "--restart-from", "saved/step-250.vtkhdf")

    assert ended.returncode == 2
    assert "line-scan.csv: its lines before the checkpoint are not those" in ended.stderr


def test_what_is_wrong_with_where_to_go_on_is_said(folder: Path) -> None:
    (folder / "field.toml").write_text("[grid]\npoints = [2, 2, 2]\n")
    run(folder, "diffuse", "field.toml", "--steps", 2, "--checkpoint", "field", "-q")
    run(folder, "calcium", "spark.toml", "--threads", 1, "--checkpoint", "saved", "-q")
    data = (folder / "saved" / "step-40.vtkhdf").read_bytes()
    (folder / "saved" / "step-40.vtkhdf").write_bytes(data[: len(data) // 2])

    for flags, message in (
        (
            ("spark.toml", "--restart-from", "field/step-2.vtkhdf"),
            "it is of `makespan diffuse`; name a",
        ),
        (("spark.toml", "--restart-from", "saved/step-40.vtkhdf"), "it is cut short or damaged"),
        (
            ("coarse.toml", "--restart-from", "saved/step-20.vtkhdf"),
            "points = [48, 44, 48] there, and",
        ),
        (
            ("spark.toml", "--checkpoint", "saved"),
            "--restart-from saved/step-40.vtkhdf, or",
        ),
    ):
        ended = run(folder, "calcium", *flags)
        assert (ended.returncode, ended.stdout) == (2, "")
        assert message in ended.stderr
        assert ended.stderr.count("\n") == 1


def test_the_cytosol_alone_has_no_channels(folder: Path) -> None:
    (folder / "plain.toml").write_text(
        '[grid]\npoints = [9, 8, 7]\n[release]\nlayout = "plain"\nryr_open = []\n'
        "currents = [[4, 4, 3, 0.01, 0, 1]]\n"
    )

    ended = run(folder, "calcium", "plain.toml", "--duration", 0.003, "--output", "out")

    assert (ended.returncode, ended.stderr) == (0, "")
    first, last = (line.split() for line in ended.stdout.splitlines()[1:3])
    assert (first[2], first[4], last[2], last[4]) == ("0", "-", "0", "-")
    assert float(last[3]) > float(first[3]) == 0.14
    assert rows_of(folder / "out" / "table.csv")[1][4] == ""


def test_one_voxel_is_a_grid(folder: Path) -> None:
    (folder / "one.toml").write_text(
        '[grid]\npoints = [1, 1, 1]\n[release]\nlayout = "plain"\nryr_open = []\n'
    )

    ended = run(folder, "calcium", "one.toml", "--duration", 0.003, "--output", "out")

    assert (ended.returncode, ended.stderr) == (0, "")
    assert "20 steps of 1 x 1 x 1 points" in ended.stdout


def test_the_example_is_printed_without_an_engine(folder: Path) -> None:
    assert run(folder, "calcium", "--example").stdout == CALCIUM_FILE.example()
