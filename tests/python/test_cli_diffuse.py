# SPDX-License-Identifier: Apache-2.0
"""`makespan diffuse`: what it prints and writes, alone and as images, interrupted and gone on."""

from __future__ import annotations

import json
import math
import re
import signal
from pathlib import Path

import pytest
from fake_grid import damage
from job_programs import needs_mpi
from makespan.grids.checkpoints import CHECKPOINTS
from makespan.grids.diffusion.input import DIFFUSE_FILE
from small_grids import (
    FIELD,
    changed,
    checkpoint_steps,
    result_of,
    run,
    started,
    wait_for_checkpoint,
    wait_for_file,
)

MODE = """
[grid]
points = [12, 10, 14]
[run]
steps = 24
time_step = 0.11
[start]
start = "mode"
half_waves = [1, 2, 3]
[output]
table_steps = 6
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "field.toml").write_text(FIELD)
    return tmp_path


def test_the_summary_says_how_it_went(folder: Path) -> None:
    ended = run(folder, "diffuse", "field.toml", "--threads", 2, "--devices", "cpu cpu")

    assert (ended.returncode, ended.stderr) == (0, "")
    head, *lines = ended.stdout.splitlines()
    assert head.split() == ["step", "time", "least", "most", "mean"]
    assert [line.split()[:2] for line in lines[:5]] == [
        ["0", "0"], ["5", "0.5"], ["10", "1"], ["15", "1.5"], ["20", "2"],
    ]  # fmt: skip
    assert {line.split()[4] for line in lines[:5]} == {lines[0].split()[4]}  # nothing is lost
    assert {len(line) for line in [head, *lines[:5]]} == {len(head)}
    assert re.fullmatch(r"20 steps of 12 x 10 x 14 points in \S+ s, 2 threads", lines[6])
    assert re.fullmatch(r"[\d.]+ [kMG]? ?points/s", lines[7])
    assert re.fullmatch(r"longest device/mean \d\.\d{3}, planes 7 \+ 7", lines[8])
    assert re.fullmatch(r"longest wait for halos \S+ s", lines[9])
    assert re.fullmatch(r"result [0-9a-f]{12} after step 20", lines[10])
    assert len(lines) == 11


def test_a_mode_is_multiplied_by_its_factor_in_each_step(folder: Path) -> None:
    """Between faces without flux it is an eigenvector: 1 - 2 lambda sum (1 - cos(pi m / n))."""
    (folder / "mode.toml").write_text(MODE)
    factor = 1 - 0.22 * sum(1 - math.cos(math.pi * m / n) for m, n in ((1, 12), (2, 10), (3, 14)))

    table = json.loads(run(folder, "diffuse", "mode.toml", "--json").stdout)["table"]

    assert [line["step"] for line in table] == [0, 6, 12, 18, 24]
    for line in table:
        for name in ("least", "most"):
            expected = table[0][name] * factor ** line["step"]
            assert line[name] == pytest.approx(expected, rel=1e-13)
        assert abs(line["mean"]) < 1e-16


def test_a_document_has_all_that_is_known(folder: Path) -> None:
    ended = run(folder, "diffuse", "field.toml", "--json", "--threads", 2, "--devices", "cpu cpu")

    found = json.loads(ended.stdout)
    assert set(found) == {"format", "version", "input", "table", "devices", "run"}
    assert (found["format"], found["version"]) == ("makespan diffuse", 1)
    assert found["input"]["points"] == [12, 10, 14]
    assert set(found["table"][0]) == {"step", "time", "least", "most", "mean"}
    assert [one["planes"] for one in found["devices"]] == [7, 7]
    known = found["run"]
    assert (known["source"], known["images"], known["threads"]) == ("field.toml", 1, 2)
    assert (known["first_step"], known["steps"], known["complete"]) == (0, 20, True)
    assert re.fullmatch("[0-9a-f]{64}", known["result_hash"])
    assert ended.stderr == ""


def test_quiet_is_quiet_and_writes_all_the_same(folder: Path) -> None:
    ended = run(
        folder, "diffuse", "field.toml", "-q", "--output", "out", "--checkpoint", "out/saved"
    )

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    assert len((folder / "out" / "table.csv").read_text().splitlines()) == 6
    assert checkpoint_steps(folder / "out" / "saved") == [15, 20]


@pytest.mark.parametrize(
    "flags",
    [
        ("--threads", 1),
        ("--threads", 3, "--devices", "cpu cpu cpu", "--schedule", "none"),
        ("--threads", 2, "--devices", "cpu cpu", "--rebalance-steps", 3),
        ("--steps-at-once", 8),
        ("--threads", 2, "--devices", "cpu cpu", "--steps-at-once", 3, "--schedule", "none"),
    ],
)
def test_the_result_does_not_depend_on_how_it_is_run(
    folder: Path, flags: tuple[object, ...]
) -> None:
    expected = result_of(run(folder, "diffuse", "field.toml"))

    assert result_of(run(folder, "diffuse", "field.toml", *flags)) == expected


@needs_mpi
@pytest.mark.parametrize(
    ("images", "flags"),
    [
        (2, ("--cut", "boxes", "--steps-at-once", 2)),
        (3, ("--rebalance-steps", 4, "--output", "images")),
    ],
)
def test_images_have_the_result_of_one_and_one_speaks(
    folder: Path, images: int, flags: tuple[object, ...]
) -> None:
    alone = run(folder, "diffuse", "field.toml", "--output", "alone")

    ended = run(folder, "diffuse", "field.toml", "--threads", 1, *flags, images=images)

    assert ended.stderr == ""
    assert result_of(ended) == result_of(alone)
    assert ended.stdout.count("points in") == 1
    assert f"1 thread on each of {images} processes" in ended.stdout
    if "--output" in flags:
        tables = [(folder / one / "table.csv").read_bytes() for one in ("alone", "images")]
        assert tables[0] == tables[1]


@needs_mpi
@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("none.toml",), "none.toml: cannot be read"),
        (("field.toml", "--threads", 1, "--devices", "cpu cpu"), "devices = 2"),
        (("field.toml", "--devices", "gpu"), "--devices gpu cannot be used"),
        (("field.toml", "--devices", "cpu[cores=0-3]"), "a grid divides its threads evenly"),
    ],
)
def test_images_say_once_what_is_wrong(
    folder: Path, flags: tuple[object, ...], message: str
) -> None:
    ended = run(folder, "diffuse", *flags, images=2)

    assert ended.returncode == 2
    assert ended.stderr.count(message) == 1
    assert ended.stdout == ""


@needs_mpi
def test_images_go_on_from_what_one_saved(folder: Path) -> None:
    whole = run(folder, "diffuse", "field.toml", "--checkpoint", "saved")
    (folder / "saved" / "step-20.vtkhdf").unlink()

    ended = run(
        folder,
        "diffuse",
        "field.toml",
        "--threads",
        1,
        "--restart-from",
        "saved/step-15.vtkhdf",
        images=2,
    )

    assert result_of(ended) == result_of(whole)
    assert ended.stdout.splitlines()[-1].endswith("after step 20, 15 before it")


def test_ctrl_c_saves_and_the_run_goes_on_as_if_nothing_had_been(folder: Path) -> None:
    """Steps of 0.1: as many as it takes until it is interrupted, and some more."""
    text = changed(FIELD, steps=10**12, table_steps=7000, checkpoint_steps=50000)
    (folder / "long.toml").write_text(text)
    words = ("diffuse", "long.toml", "--threads", 1, "--output", "out", "--checkpoint", "saved")
    process = started(folder, *words)
    wait_for_checkpoint(process, folder / "saved", 0)
    process.send_signal(signal.SIGINT)
    said, complaint = process.communicate(timeout=30)

    assert process.returncode == 130
    found = re.search(
        r"makespan: interrupted after (\d+) of 1000000000000 steps\. To go on:\n"
        r"  makespan diffuse long\.toml --threads 1 --output out --checkpoint saved "
        r"--restart-from (saved/step-\d+\.vtkhdf)\n",
        complaint,
    )
    assert found, complaint
    step = int(found[1])
    assert f"stopped after step {step}: no result" in said
    assert "wrote out/table.csv" in said
    steps = step + 10000
    on = run(folder, *words, "--restart-from", found[2], "--steps", steps)
    whole = run(folder, "diffuse", "long.toml", "--output", "whole", "--steps", steps)
    assert (on.stderr, result_of(on)) == ("", result_of(whole))
    tables = [(folder / one / "table.csv").read_bytes() for one in ("out", "whole")]
    assert tables[0] == tables[1]


@pytest.mark.parametrize("shared", ["--checkpoint", "--output"])
def test_a_second_run_in_the_same_folder_is_told(folder: Path, shared: str) -> None:
    """Goal: they do not drop each other's files. Method: one that takes long, and another."""
    text = changed(FIELD, steps=10**12, table_steps=0, checkpoint_steps=200000)
    (folder / "long.toml").write_text(text)
    words = ("diffuse", "long.toml", "--threads", 1, "--output", "out", "--checkpoint", "saved")
    process = started(folder, *words)
    wait_for_checkpoint(process, folder / "saved", 0)

    saved = CHECKPOINTS.all_in(folder / "saved")[-1]  # which stays until two more are there
    apart = {"--checkpoint": ("--checkpoint", "saved"), "--output": ("--output", "out")}[shared]
    steps = int(saved.stem.removeprefix("step-")) + 100
    going_on = ("--restart-from", saved.relative_to(folder), "--steps", steps)
    try:
        second = run(folder, "diffuse", "long.toml", *apart, *going_on)
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)

    assert second.returncode == 2
    assert f"{shared} {apart[1]}: another run (process {process.pid} on " in second.stderr
    assert second.stderr.count("\n") == 1
    assert process.returncode == 130
    assert not (folder / "saved" / ".makespan.lock").exists()


def test_a_run_that_is_not_saved_says_how_it_could_be(folder: Path) -> None:
    """Interrupted when it has drawn its first slice: then it takes steps."""
    text = changed(FIELD, steps=10**12, table_steps=0, slice_steps=10**6)
    (folder / "long.toml").write_text(text)
    process = started(folder, "diffuse", "long.toml", "--threads", 1, "--output", "out", "--json")
    wait_for_file(process, folder / "out" / "slices" / "u-00000000.png")
    process.send_signal(signal.SIGINT)
    said, complaint = process.communicate(timeout=30)

    assert process.returncode == 130
    known = json.loads(said)["run"]
    assert (known["complete"], known["result_hash"]) == (False, None)
    assert complaint.endswith("of 1000000000000 steps, with --checkpoint it could go on\n")


def test_restart_from_an_earlier_one_replaces_a_damaged_one(folder: Path) -> None:
    whole = run(folder, "diffuse", "field.toml", "--checkpoint", "saved")
    damage(folder / "saved" / "step-20.vtkhdf", "u")
    words = ("diffuse", "field.toml", "--checkpoint", "saved", "--restart-from")

    refused = run(folder, *words, "saved/step-20.vtkhdf")
    ended = run(folder, *words, "saved/step-15.vtkhdf")
    again = run(folder, *words, "saved/step-20.vtkhdf")

    assert refused.returncode == 2
    assert "field 'u', plane 1: its bytes are not those that were written" in refused.stderr
    assert "go on from another checkpoint" in refused.stderr
    assert result_of(ended) == result_of(again) == result_of(whole)


def test_more_steps_can_be_made_of_a_run_that_is_over(folder: Path) -> None:
    first = ("--output", "out", "--checkpoint", "saved")
    run(folder, "diffuse", "field.toml", "--steps", 12, *first)

    on = run(folder, "diffuse", "field.toml", *first, "--restart-from", "saved/step-12.vtkhdf")
    whole = run(folder, "diffuse", "field.toml", "--output", "whole")

    assert result_of(on) == result_of(whole)
    tables = [(folder / one / "table.csv").read_text() for one in ("out", "whole")]
    assert tables[0] == tables[1]


def test_a_table_with_another_digit_is_not_gone_on_with(folder: Path) -> None:
    first = ("--output", "out", "--checkpoint", "saved")
    run(folder, "diffuse", "field.toml", "--steps", 12, *first)
    table = folder / "out" / "table.csv"
    lines = table.read_text().splitlines(keepends=True)
    lines[1] = lines[1].replace("0.", "1.", 1)
    table.write_text("".join(lines))
    words = ("diffuse", "field.toml", *first, "--restart-from", "saved/step-12.vtkhdf")

    refused = run(folder, *words)
    table.unlink()
    on = run(folder, *words)

    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "table.csv: its lines before the checkpoint are not those" in refused.stderr
    assert on.returncode == 0


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--output", "old"), "--output old: it holds the results of an earlier run"),
        (("--output", "field.toml"), "--output field.toml: it is a file; name a folder"),
        (("--output", "x" * 300), "cannot be used (File name too long); name another file"),
        (("--output", "a/b"), "output a/b: folder a does not exist; create it"),
        (("--checkpoint", "field.toml"), "--checkpoint field.toml: it is a file; name a folder"),
        (("--checkpoint", "a/b"), "--checkpoint a/b: folder a does not exist; create it"),
        (("--restart-from", "step-3.vtkhdf"), "step-3.vtkhdf: cannot be read (No such file"),
        (("--restart-from", "field.toml"), "field.toml: it is no HDF5 file: name a checkpoint of"),
        (("--steps", -1), "--steps -1 cannot be used: give a whole number of at least 0"),
        (
            ("--steps-at-once", 0),
            "--steps-at-once 0 cannot be used: give a whole number from 1 to 8",
        ),
        (
            ("--threads", 1, "--devices", "cpu cpu"),
            "devices = 2 (each has a thread, and there are 1)",
        ),
        (("--threads", 1, "--devices", "cpu cuda"), "devices = 1, gpus = 1 (each has a thread"),
        (("--threads", 99, "--devices", "cuda " * 98 + "cpu"), "GPU 97 ("),
    ],
)
def test_mistakes_are_named_and_nothing_is_written(
    folder: Path, flags: tuple[object, ...], message: str
) -> None:
    run(folder, "diffuse", "field.toml", "--output", "old", "-q")
    before = sorted(folder.iterdir())

    ended = run(folder, "diffuse", "field.toml", *flags)
    as_json = run(folder, "diffuse", "field.toml", *flags, "--json")

    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("makespan: ")
    assert message in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert as_json.returncode == 2
    assert message in json.loads(as_json.stdout)["error"]
    assert sorted(folder.iterdir()) == before


def test_an_empty_file_runs_with_the_defaults(folder: Path) -> None:
    (folder / "empty.toml").write_text("")
    (folder / "example.toml").write_text(DIFFUSE_FILE.example())

    ended = [run(folder, "diffuse", name, "--steps", 1) for name in ("empty.toml", "example.toml")]

    assert "1 step of 128 x 128 x 128 points" in ended[0].stdout
    assert result_of(ended[0]) == result_of(ended[1])


@pytest.mark.parametrize("boundary", ['"no-flux"', '{x = "periodic"}', "{x = [2, 2]}"])
def test_one_point_is_a_grid(folder: Path, boundary: str) -> None:
    """It keeps its value, or nears that of its ends."""
    (folder / "one.toml").write_text(f"[grid]\npoints = [1, 1, 1]\nboundary = {boundary}\n")

    ended = run(folder, "diffuse", "one.toml", "--steps", 3, "--output", "out")

    assert (ended.returncode, ended.stderr) == (0, "")
    last = (folder / "out" / "table.csv").read_text().splitlines()[-1].split(",")
    assert last[2:] == [last[2]] * 3
    assert (float(last[2]) == pytest.approx(1, rel=1e-15)) == (boundary != "{x = [2, 2]}")


def test_the_boundary_of_an_axis_can_be_given_by_flag_and_by_file(folder: Path) -> None:
    boundary = '{x = [0.5, "no-flux"], z = "periodic"}'
    (folder / "by.toml").write_text(f"[grid]\npoints = [6, 5, 4]\nboundary = {boundary}\n")
    (folder / "all.toml").write_text("[grid]\npoints = [6, 5, 4]\n")

    by_file = run(folder, "diffuse", "by.toml", "--steps", 5)
    by_flag = run(folder, "diffuse", "all.toml", "--steps", 5, "--boundary", boundary)
    refused = run(folder, "diffuse", "all.toml", "--boundary", "{x = ")

    assert (by_flag.stderr, result_of(by_flag)) == ("", result_of(by_file))
    assert refused.returncode == 2
    assert refused.stderr.startswith("makespan: --boundary {x =  cannot be used: give ")
