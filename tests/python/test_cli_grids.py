# SPDX-License-Identifier: Apache-2.0
"""`makespan calcium` and `makespan diffuse`: tables, files, restarts, messages; as images, too."""

from __future__ import annotations

import json
import math
import re
import shutil
import signal
import time
from pathlib import Path

import h5py
import numpy as np
import pytest
from job_programs import needs_mpi
from makespan.cli import main
from makespan.grids.calcium.input import CALCIUM_FILE
from makespan.grids.diffusion.input import DIFFUSE_FILE
from makespan.report import progress_bar
from makespan.report.result_hash import shown_hash
from small_grids import (
    RUN_S_MAX,
    checkpoint_steps,
    result_of,
    run,
    started,
    wait_for_checkpoint,
)

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "grid"

FIELD = """
[grid]
points = [12, 10, 14]
boundary = {x = "periodic", z = [0.5, "no-flux"]}
[run]
steps = 20
[start]
width = 3.0
[output]
table_steps = 10
slice_steps = 10
state_steps = 20
checkpoint_steps = 5
"""
SPARK = """
[grid]
points = [48, 44, 48]
[run]
duration = 0.03
[release]
ryr_open = [[4, 0.0, 0.02], [0, 0.01, 1.0]]
[geometry]
jsr_length = 0.3
jsr_width = 0.3
ryr_per_side = 3
[output]
table_ms = 0.015
scan_ms = 0.003
slice_ms = 0.03
checkpoint_ms = 0.003
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "field.toml").write_text(FIELD)
    (tmp_path / "spark.toml").write_text(SPARK)
    return tmp_path


def test_a_diffusion_tells_its_table_and_what_it_wrote(folder: Path) -> None:
    ended = run(
        folder, "diffuse", "field.toml", "--output", "out", "--threads", 2, "--devices", "cpu cpu"
    )

    assert (ended.returncode, ended.stderr) == (0, "")
    head, *lines = ended.stdout.splitlines()
    assert head.split() == ["step", "time", "least", "most", "mean"]
    assert [line.split()[0] for line in lines[:3]] == ["0", "10", "20"]
    assert re.fullmatch(r"20 steps of 12 x 10 x 14 points in \S+ s, 2 threads", lines[4])
    assert "wrote out/slices/u-00000010.png" in lines
    assert "wrote out/paraview/diffuse.vtkhdf.series" in lines
    table = (folder / "out" / "table.csv").read_text().splitlines()
    assert table[0] == "step,time,least,most,mean"
    assert len(table) == 4
    assert (folder / "out" / "slices" / "u-00000020.png").read_bytes()[1:4] == b"PNG"


def test_a_mode_decays_as_it_should(folder: Path) -> None:
    """Method: the eigenvalue of the discrete operator between faces that nothing passes."""
    text = (
        "[grid]\npoints = [16, 12, 20]\n[run]\nsteps = 50\ntime_step = 0.1\n"
        '[start]\nstart = "mode"\nhalf_waves = [1, 2, 3]\n[output]\ntable_steps = 0\n'
    )
    (folder / "mode.toml").write_text(text)
    modes = [(1, 16), (2, 12), (3, 20)]
    factor = 1 - 2 * 0.1 * sum(1 - math.cos(math.pi * m / n) for m, n in modes)
    peak = math.prod(max(math.cos(math.pi * m * (i + 0.5) / n) for i in range(n)) for m, n in modes)

    (line,) = json.loads(run(folder, "diffuse", "mode.toml", "--json").stdout)["table"]

    assert line["step"] == 50
    assert line["most"] == pytest.approx(peak * factor**50, rel=1e-12)
    assert line["mean"] == pytest.approx(0, abs=1e-15)


@needs_mpi
@pytest.mark.parametrize(("name", "file"), [("diffuse", "field.toml"), ("calcium", "spark.toml")])
def test_the_result_is_the_same_however_it_is_run(folder: Path, name: str, file: str) -> None:
    expected = result_of(run(folder, name, file))

    for flags in (
        ("--threads", 3, "--devices", "cpu cpu cpu", "--schedule", "none"),
        ("--threads", 2, "--devices", "cpu cpu", "--rebalance-steps", 4),
    ):
        assert result_of(run(folder, name, file, *flags)) == expected
    images = run(folder, name, file, "--cut", "boxes", "--output", "out", images=2)
    assert images.stderr == ""
    assert result_of(images) == expected
    assert images.stdout.count("points in") == 1
    if name == "diffuse":
        at_once = run(
            folder, name, file, "--steps-at-once", 3, "--devices", "cpu cpu", "--threads", 2
        )
        assert result_of(at_once) == expected


def test_a_spark_leaves_its_scan_and_its_figure(folder: Path) -> None:
    ended = run(folder, "calcium", "spark.toml", "--output", "out", "--trace", "trace.json")

    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.splitlines()[0].split()[:3] == ["step", "time", "ms"]
    out = folder / "out"
    for name in ("line-scan.png", "spark.png"):
        assert (out / name).read_bytes()[1:4] == b"PNG"
    scan = (out / "line-scan.csv").read_text().splitlines()
    assert len(scan) == 1 + 11  # every 0.003 ms, from 0 to 0.03
    assert len(list((out / "slices").glob("calcium-*.png"))) == 2
    events = json.loads((folder / "trace.json").read_text())["traceEvents"]
    assert {event["name"] for event in events} >= {"interior", "wait", "unpack"}


def kill_after_checkpoint(folder: Path, name: str, file: str) -> None:
    """A run that writes to "out" and "saved"; one may end before it is killed."""
    words = ("--output", "out", "--checkpoint", "saved", "-q")
    for wait_s in (0.05, 0.0):
        for one in ("out", "saved"):
            shutil.rmtree(folder / one, ignore_errors=True)
        process = started(folder, name, file, *words)
        wait_for_checkpoint(process, folder / "saved", 60)
        time.sleep(wait_s)  # so that it is killed anywhere
        process.kill()
        process.communicate()
        if process.returncode == -signal.SIGKILL:
            return
    assert process.returncode == -signal.SIGKILL


# test_cli_calcium.py kills calcium in less time.
@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("diffuse", "field.toml"),
        pytest.param("calcium", "spark.toml", marks=pytest.mark.slow),
    ],
)
def test_a_run_that_is_killed_goes_on_with_the_same_bits(
    folder: Path, name: str, file: str
) -> None:
    text = (folder / file).read_text().replace("steps = 20\n", "steps = 3000\n", 1)
    text = text.replace("_steps = 5", "_steps = 200").replace("_steps = 10", "_steps = 750")
    text = text.replace("state_steps = 20", "state_steps = 1000")
    text = text.replace("checkpoint_ms = 0.003", "checkpoint_ms = 0.006")
    (folder / file).write_text(text.replace("duration = 0.03", "duration = 0.06"))
    whole = run(folder, name, file, "--output", "whole")

    kill_after_checkpoint(folder, name, file)
    source = folder / "saved" / f"step-{checkpoint_steps(folder / 'saved')[-1]}.vtkhdf"
    ended = run(
        folder, name, file, "--output", "out", "--checkpoint", "saved", "--restart-from", source
    )

    assert ended.stderr == ""
    assert result_of(ended) == result_of(whole)
    for table in ("table.csv", "line-scan.csv"):
        if (folder / "whole" / table).exists():
            assert (folder / "out" / table).read_bytes() == (folder / "whole" / table).read_bytes()


def test_ctrl_c_saves_what_was_done(folder: Path) -> None:
    text = FIELD.replace("steps = 20\n", "steps = 100000000\n", 1)
    text = text.replace("_steps = 10", "_steps = 0").replace("_steps = 5", "_steps = 1000")
    (folder / "field.toml").write_text(text)
    process = started(folder, "diffuse", "field.toml", "--checkpoint", "saved")
    wait_for_checkpoint(process, folder / "saved", 0)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=RUN_S_MAX)

    assert process.returncode == 130
    assert "no result" in out
    saved = re.search(r"--restart-from (saved/step-\d+\.vtkhdf)", err)
    assert saved, err
    assert (folder / saved[1]).is_file()


def damaged(folder: Path) -> None:
    """A checkpoint with a value that is no number, and digests that say it is right."""
    with h5py.File(folder / "saved" / "step-20.vtkhdf", "r+") as file:
        file["VTKHDF/CellData/u"][3, 2, 1] = np.nan


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("none.toml",), "none.toml: cannot be read"),
        ((), "no input file"),
        (
            ("field.toml", "--output", "field.toml"),
            "--output field.toml: it is a file; name a folder",
        ),
        (("field.toml", "--output", "a/b"), "folder a does not exist; create it"),
        (("field.toml", "--output", "old"), "it holds the results of an earlier run"),
        (("field.toml", "--checkpoint", "saved"), "give --restart-from saved/step-20.vtkhdf"),
        (("field.toml", "--restart-from", "saved"), "saved: it is a folder"),
        (("field.toml", "--restart-from", "field.toml"), "field.toml: it is no HDF5 file"),
        (
            ("other.toml", "--restart-from", "saved/step-20.vtkhdf"),
            "points = [12, 10, 14] there, and",
        ),
        (
            ("field.toml", "--restart-from", "saved/step-20.vtkhdf", "--steps", 10),
            "past the last one, 10",
        ),
        (("fast.toml",), "stable up to 0.5"),
        (("field.toml", "--time-step", 1), "field.toml with --time-step: the time step gives"),
        (("field.toml", "--devices", "cpu cpu", "--threads", 1), "devices = 2"),
        (("file.toml",), "nan.npy: the value at (x, y, z) = (1, 0, 0) is nan"),
        (
            ("field.toml", "--half-waves", "1,1,1"),
            '--half-waves (start = "gaussian" has no use for it): change --start',
        ),
    ],
)
def test_what_is_wrong_is_said(folder: Path, flags: tuple[object, ...], message: str) -> None:
    run(folder, "diffuse", "field.toml", "--checkpoint", "saved", "--output", "old", "-q")
    (folder / "other.toml").write_text(FIELD.replace("[12, 10, 14]", "[12, 10, 15]"))
    (folder / "fast.toml").write_text(FIELD.replace("steps = 20", "time_step = 0.2", 1))
    (folder / "file.toml").write_text(
        '[grid]\npoints = [2, 1, 1]\n[start]\nstart = "file"\nfile = "nan.npy"\n'
    )
    np.save(folder / "nan.npy", np.array([[[1.0, np.nan]]]))

    ended = run(folder, "diffuse", *flags)

    assert ended.returncode == 2
    assert message in ended.stderr
    assert ended.stdout == ""


def test_other_files_and_damaged_ones_are_refused(folder: Path) -> None:
    run(folder, "diffuse", "field.toml", "--checkpoint", "saved", "-q")
    source = "saved/step-20.vtkhdf"

    other = run(folder, "calcium", "spark.toml", "--restart-from", source)
    damaged(folder)
    broken = run(folder, "diffuse", "field.toml", "--restart-from", source)

    assert (other.returncode, broken.returncode) == (2, 2)
    assert "it is of `makespan diffuse`; name a checkpoint of `makespan calcium`" in other.stderr
    assert "field 'u', plane 3" in broken.stderr


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("duration = 0.03", "time_step = 0.01", "time_step = 0.01 ms"),
        ("points = [48, 44, 48]", "points = [8, 8, 8]", "spark.toml: "),
        ("[[4, 0.0, 0.02], [0, 0.01, 1.0]]", "[[9, 0, 1]]", "RyR 9 opens (there are 9)"),
        ("[[4, 0.0, 0.02], [0, 0.01, 1.0]]", "[[1, 2]]", "give rows of [channel, from ms, to ms]"),
        ("duration = 0.03", "duration = 1e305", "duration = 1e+305 cannot be used"),
        ("duration = 0.03", "time_step = 1e-300", "give a number from 1e-09 to 1e+09"),
        ("table_ms = 0.015", "table_ms = 1e300", "give a number from 0 to 1e+09"),
        ("table_ms = 0.015", "table_ms = -1", "[output] table_ms = -1 cannot be used"),
        ("[release]", '[release]\nlayout = "plane"', "give release-unit or plain"),
        ("[grid]", "[grib]", "did you mean 'grid'?"),
    ],
)
def test_what_is_wrong_with_a_spark_is_said(folder: Path, old: str, new: str, message: str) -> None:
    (folder / "spark.toml").write_text(SPARK.replace(old, new, 1))

    ended = run(folder, "calcium", "spark.toml")

    assert ended.returncode == 2
    assert message in ended.stderr
    assert ended.stderr.count("\n") == 1


@needs_mpi
def test_images_say_once_what_is_wrong(folder: Path) -> None:
    (folder / "spark.toml").write_text(SPARK.replace("duration = 0.03", "time_step = 0.01"))

    ended = run(folder, "calcium", "spark.toml", images=2)

    assert ended.returncode == 2
    assert ended.stderr.count("time_step = 0.01 ms") == 1
    assert ended.stdout == ""


def test_examples_are_printed_and_run(folder: Path) -> None:
    for name, text in (("calcium", CALCIUM_FILE.example()), ("diffuse", DIFFUSE_FILE.example())):
        assert run(folder, name, "--example").stdout == text
        (folder / f"{name}.toml").write_text(text)
    spark = run(folder, "calcium", "calcium.toml", "--duration", 0.002, "--json")
    field = run(folder, "diffuse", EXAMPLES / "field.toml", "--steps", 3, "--json")
    short = run(folder, "calcium", EXAMPLES / "spark.toml", "--duration", 0.003, "--json")

    assert json.loads(spark.stdout)["run"]["points"] == [176, 136, 136]
    assert json.loads(field.stdout)["run"]["complete"] is True
    assert json.loads(short.stdout)["input"]["ryr_open"][0] == [24, 0.0, 10.0]


def test_one_point_and_no_steps_are_a_grid(folder: Path) -> None:
    (folder / "one.toml").write_text("[grid]\npoints = [1, 1, 1]\n")

    ended = run(folder, "diffuse", "one.toml", "--steps", 0, "--output", "out")

    assert (ended.returncode, ended.stderr) == (0, "")
    assert "0 steps of 1 x 1 x 1 points" in ended.stdout
    assert [one.name for one in (folder / "out" / "slices").iterdir()] == ["u-00000000.png"]


@pytest.mark.parametrize(("name", "file"), [("diffuse", "field.toml"), ("calcium", "spark.toml")])
def test_a_record_and_a_page_tell_of_the_run(folder: Path, name: str, file: str) -> None:
    words = (name, file, "--threads", 2, "--devices", "cpu cpu", "--record", "run.json")

    ended = run(folder, *words, "--report", "run.html", "--schedule", "none")

    assert (ended.returncode, ended.stderr) == (0, "")
    assert {"wrote run.json", "wrote run.html"} <= set(ended.stdout.splitlines())
    record = json.loads((folder / "run.json").read_text())
    assert record["format"] == f"makespan {name} record"
    assert record["input"]["points"] == record["run"]["points"]
    assert shown_hash(record["run"]["result_hash"]) == result_of(ended)
    assert record["settings"] == {
        "threads": 2, "devices": "cpu cpu", "schedule": "none", "cut": "auto",
        "rebalance_steps": 0, "restart_from": None,
    }  # fmt: skip
    assert sum(one["planes"] for one in record["devices"]) == record["run"]["points"][2]
    page = (folder / "run.html").read_text()
    assert f"<title>makespan {name}: {file}</title>" in page
    assert f"result {result_of(ended)} after step" in page
    assert page.count('class="plotly-graph-div"') == 3
    for one in record["devices"]:
        row = f"<td>image 0, device {one['device']}</td><td>{one['planes']}</td>"
        assert f"{row}<td>{one['interior_s']:.4g}</td><td>{one['boundary_s']:.4g}</td>" in page
    columns = {"diffuse": ("least", "most", "mean"), "calcium": ("open_ryr", "sr_ca")}[name]
    assert all(f'"text":"{column}"' in page for column in columns)


def test_a_seed_on_the_command_line_comes_before_the_file_s(folder: Path) -> None:
    text = SPARK.replace("[release]", "[release]\ngating_ms = 0.003\nseed = 7")
    text = text.replace("[0, 0.01, 1.0]", "[0, 0.0, 1.0]").replace("0.03\n[rel", "0.06\n[rel")
    (folder / "spark.toml").write_text(text)

    own = json.loads(run(folder, "calcium", "spark.toml", "--json").stdout)
    same = json.loads(run(folder, "calcium", "spark.toml", "--seed", 7, "--json").stdout)
    other = json.loads(run(folder, "calcium", "spark.toml", "--seed", 8, "--json").stdout)

    assert own["run"]["result_hash"] == same["run"]["result_hash"]
    assert (own["input"]["seed"], other["input"]["seed"]) == (7, 8)
    assert other["run"]["result_hash"] != own["run"]["result_hash"]


def test_lines_of_progress_are_asked_for_and_quiet_is_quiet(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(progress_bar, "LINES_S", 0.0)  # ten seconds are more than this takes

    assert main(["diffuse", "field.toml", "--progress", "lines"]) == 0
    with_it = capsys.readouterr()
    assert main(["diffuse", "field.toml", "--progress", "none"]) == 0
    without_it = capsys.readouterr()
    assert main(["diffuse", "field.toml", "-q", "--progress", "lines"]) == 0

    assert re.search(r"^makespan: 100%, \d+/\d+ steps", with_it.err, re.MULTILINE)
    assert without_it.err == ""
    assert capsys.readouterr() == ("", "")


@needs_mpi
def test_a_page_shows_the_devices_of_all_images(folder: Path) -> None:
    ended = run(folder, "diffuse", "field.toml", "--threads", 1, "--report", "run.html", images=2)

    assert ended.stderr == ""
    page = (folder / "run.html").read_text()
    assert all(f"<td>image {image}, device 0</td>" in page for image in (0, 1))
