# SPDX-License-Identifier: Apache-2.0
"""`makespan melt`: its table, its files, its messages, alone and as several images."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from dcd_reader import read_dcd
from job_programs import MPIEXEC, needs_mpi
from makespan.cli import main
from makespan.command.exit import how_to_restart
from makespan.files.folder_lock import locked_folder
from makespan.melting.input import MELT_FILE
from makespan.melting.table import HEAD
from makespan.report.result_hash import shown_hash
from small_melt import ATOMS, SMALL, small_input

import makespan

RUN_S_MAX = 60
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "melt" / "in_lj.toml"


def command(images: int, *flags: object) -> list[str]:
    launcher = [str(MPIEXEC), "-n", str(images)] if images else []
    return [*launcher, sys.executable, "-m", "makespan", "melt", *map(str, flags)]


def melt(folder: Path, *flags: object, images: int = 0) -> subprocess.CompletedProcess[str]:
    """Alone it runs in this process, which saves the start of another."""
    if not images:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.chdir(folder), redirect_stdout(out), redirect_stderr(err):
            code = main(["melt", *map(str, flags)])
        return subprocess.CompletedProcess([], code, out.getvalue(), err.getvalue())
    return subprocess.run(
        command(images, *flags),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )


def result_of(text: str) -> str:
    found = re.search(r"^result ([0-9a-f]{12}) after step", text, flags=re.MULTILINE)
    assert found, text
    return found[1]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    small_input(tmp_path)
    return tmp_path


def test_the_table_is_lammpss_and_the_summary_says_how_it_went(folder: Path) -> None:
    ended = melt(folder, "in.toml", "--threads", 2, "--when", 1, "--balancer", "greedy")

    assert (ended.returncode, ended.stderr) == (0, "")
    head, *lines = ended.stdout.splitlines()
    assert head == HEAD
    assert [line.split()[0] for line in lines[:3]] == ["0", "10", "20"]
    assert lines[0].split()[1] == "1.44"
    assert lines[3] == ""
    assert re.fullmatch(
        rf"Loop time of [\d.e-]+ s on 2 places for 20 steps with {ATOMS} atoms", lines[4]
    )
    assert re.fullmatch(r"[\d.e+]+ steps/s, [\d.]+ [kM] atom-steps/s", lines[5])
    assert re.fullmatch(
        r"messages between threads of an image.*: [\d.]+ [mnu]?s, [\d.]+ [mnu]?s of the receiver, "
        r"[\d.]+ [GMT]B/s \((measured|kept)\)",
        lines[6],
    )
    assert re.fullmatch(
        r"longest place/mean [\d.]+ at first, [\d.]+ in the last of 4 phases", lines[7]
    )
    assert re.match(r"\d+ objects? moved", lines[8])
    assert re.fullmatch(r"result [0-9a-f]{12} after step 20", lines[9])


def test_costs_of_messages_are_assumed_or_from_a_file(folder: Path, this_machine: Path) -> None:
    record = folder / "run.json"

    def layout(*flags: str) -> dict[str, Any]:
        ended = melt(folder, "in.toml", "--threads", 2, "--record", str(record), *flags)
        assert (ended.returncode, ended.stderr) == (0, "")
        found: dict[str, Any] = json.loads(record.read_text())["place_layout"]
        return found

    assumed = layout("--machine", "none")
    assert assumed["from"] == "none"
    assert assumed["cpus"] == [-1, -1]
    assert [one["source"] for one in assumed["messages"]] == ["assumed"]

    if len(os.sched_getaffinity(0)) < 2:
        return  # a machine of one core has no pair of them to measure
    known = layout("--machine", str(this_machine))
    assert known["from"] == str(this_machine)
    assert sorted(known["cpus"]) == sorted(set(known["cpus"]))
    assert [one["source"] for one in known["messages"]] == ["file"]


def test_a_machine_that_cannot_be_read_is_one_message(folder: Path) -> None:
    ended = melt(folder, "in.toml", "--threads", 2, "--machine", "nowhere.xml")

    assert ended.returncode == 2
    assert "nowhere.xml" in ended.stderr
    assert ended.stderr.count("\n") == 1


@needs_mpi
def test_images_have_the_result_of_one_thread_and_one_speaks(folder: Path) -> None:
    alone = makespan.melt(folder / "in.toml", threads=1)
    assert alone is not None

    ended = melt(
        folder, "in.toml", "--threads", 2, "-o", "melt.dcd", "--checkpoint", "saved",
        images=2,
    )  # fmt: skip

    assert ended.stderr == ""
    assert result_of(ended.stdout) == shown_hash(str(alone.hash))
    assert "on 4 places" in ended.stdout
    assert ended.stdout.count("Loop time") == 1
    assert "wrote melt.dcd: 3 frames" in ended.stdout
    assert len(read_dcd(folder / "melt.dcd").positions) == 3
    assert (folder / "saved" / "phase-5" / "place-3.objects").is_file()


@needs_mpi
@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("no.toml",), "no.toml: cannot be read"),
        (("in.toml", "--restart-from", "nowhere"), "checkpoint nowhere (2 of 2 images see none)"),
        (("in.toml", "--threads", 0), "--threads"),
    ],
)
def test_what_is_wrong_is_said_once_by_images(
    folder: Path, flags: tuple[object, ...], message: str
) -> None:
    ended = melt(folder, *flags, images=2)

    assert ended.returncode == 2
    assert ended.stderr.count(message) == 1
    assert ended.stdout == ""


def test_the_example_is_printed_and_runs(folder: Path) -> None:
    printed = melt(folder, "--example")

    assert (printed.returncode, printed.stdout) == (0, MELT_FILE.example())
    ended = melt(folder, EXAMPLE, "--steps", 2, "--json")
    found = json.loads(ended.stdout)
    assert found["run"]["atoms"] == 32000
    assert found["run"]["complete"] is True
    assert found["input"]["steps"] == 2
    assert [line["step"] for line in found["thermo"]] == [0, 2]
    assert len(found["phases"]["time_s"]) == 1


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ((), "no input file (there is nothing to melt): name one; --example prints one"),
        (
            ("in.toml", "--frame-steps", 5),
            "--frame-steps (there is no --output that it could be of): give --output",
        ),
        (("in.toml", "-o", "in.toml"), "in.toml would be written over what is read"),
        (("in.toml", "-o", "a.xyz", "--trace", "a.xyz"), "a.xyz would be written over what is"),
        (("in.toml", "-o", "a.pdb"), "a.pdb: '.pdb' tells no format (known: .xyz,"),
        (("in.toml", "--when", "often"), "--when often cannot be used: give auto or never, or a"),
        (("in.toml", "--when", 0), "--when 0 cannot be used: give auto or never, or a whole"),
        (("in.toml", "--first-map", "x"), "--first-map x cannot be used: give block or round-"),
        (("in.toml", "--cells", "3,3"), "--cells 3,3 cannot be used: give three whole numbers"),
        (("in.toml", "--balancer", "x"), "--balancer x cannot be used: name 'x' is unknown"),
        (("in.toml", "--balancer", "gossip:fan=1"), "did you mean 'fanout'?"),
        (("in.toml", "--report", "no/r.html"), "cannot write no/r.html: folder no does not exist"),
        (("in.toml", "--record", "no/r.json"), "cannot write no/r.json: folder no does not exist"),
    ],
)
def test_mistakes_are_named_and_nothing_is_written(
    folder: Path, flags: tuple[object, ...], message: str
) -> None:
    ended = melt(folder, *flags)

    assert ended.returncode == 2
    assert ended.stderr.startswith("makespan: ")
    assert message in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert ended.stdout == ""
    assert [path.name for path in folder.iterdir()] == ["in.toml"]


def test_an_error_can_be_a_document(folder: Path) -> None:
    ended = melt(folder, "in.toml", "--steps", -1, "--json")

    assert ended.returncode == 2
    assert (
        "--steps -1 cannot be used: give a whole number of at least 0"
        in json.loads(ended.stdout)["error"]
    )


def test_a_second_run_with_the_same_checkpoints_is_told(folder: Path) -> None:
    small_input(folder, SMALL)
    with locked_folder("checkpoint", folder / "saved"):
        ended = melt(folder, "in.toml", "--checkpoint", "saved")

    assert ended.returncode == 2
    assert "checkpoint saved: another run (process" in ended.stderr
    assert list((folder / "saved").iterdir()) == []
    assert melt(folder, "in.toml", "--checkpoint", "saved").returncode == 0


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("-o melt.dcd", "-o melt-from-phase-20.dcd"),
        ("-qomelt.dcd", "-qomelt-from-phase-20.dcd"),
        ("--output=melt.dcd", "--output=melt-from-phase-20.dcd"),
    ],
)
def test_the_hint_leaves_the_frames_of_the_beginning(
    monkeypatch: pytest.MonkeyPatch, given: str, kept: str
) -> None:
    monkeypatch.setattr(sys, "argv", ["makespan", "melt", "in.toml", *given.split()])
    stopped = makespan.Interrupted(20, 100, "steps", restart_from=Path("saved/phase-20"))

    hint = how_to_restart(stopped, has_checkpoints=True)

    assert f"makespan melt in.toml {kept} --restart-from saved/phase-20" in hint


def interrupted(folder: Path, images: int) -> tuple[int, str, str]:
    """A run that would take minutes, and gets Ctrl-C after the first frame."""
    small_input(folder, SMALL.replace("steps = 20", "steps = 100000000", 1))
    run = subprocess.Popen(
        command(
            images,
            *("in.toml", "--threads", 1, "-o", "melt.dcd", "--checkpoint", "saved"),
            *("--record", "melt.json", "--trace", "trace.json"),
        ),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert run.stdout is not None
        lines = [run.stdout.readline() for _ in range(4)]
        assert lines[0].rstrip() == HEAD
        os.killpg(run.pid, signal.SIGINT)
        said, complaint = run.communicate(timeout=30)
    finally:
        run.kill()
    return run.returncode, said, complaint


@pytest.mark.parametrize("images", [0, pytest.param(2, marks=needs_mpi)])
def test_ctrl_c_ends_a_run_after_its_phase(folder: Path, images: int) -> None:
    code, said, complaint = interrupted(folder, images)

    assert images or code == 130  # what MPICH's launcher returns is its own
    found = re.search(
        r"makespan: interrupted after (\d+) of 100000000 steps. "
        r"To go on(?:, under the same launcher)?:\n"
        r"  makespan melt in.toml .*--restart-from (saved/phase-\d+)\n",
        complaint,
    )
    assert found, complaint
    # The frames of the beginning are kept: the command as it stands would be refused else.
    assert f" -o melt-from-{Path(found[2]).name}.dcd " in complaint
    steps = int(found[1])
    assert steps % 5 == 0
    assert (folder / found[2]).is_dir()
    assert f"stopped after step {steps}: no result" in said
    frames = steps // 10 + 1
    assert f"wrote melt.dcd: {frames} frames" in said
    assert len(read_dcd(folder / "melt.dcd").positions) == frames
    assert not list(folder.glob(".*.tmp"))
    record = json.loads((folder / "melt.json").read_text())
    assert (record["complete"], record["steps"], record["result_hash"]) == (False, steps, None)
    assert json.loads((folder / "trace.json").read_text())["traceEvents"]


def test_quiet_is_quiet(folder: Path) -> None:
    ended = melt(folder, "in.toml", "-q", "-o", "melt.xyz")

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    assert (folder / "melt.xyz").read_text().count("Lattice") == 3


def document(folder: Path, *flags: object) -> dict[str, Any]:
    ended = melt(folder, "in.toml", "--json", *flags)
    assert (ended.returncode, ended.stderr) == (0, "")
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def test_a_document_has_all_that_is_known(folder: Path) -> None:
    found = document(folder, "--threads", 2, "--steps", 10)

    assert set(found) == {"format", "version", "input", "thermo", "phases", "run"}
    assert (found["format"], found["version"]) == ("makespan melt", 1)
    assert found["input"]["lattice_cells"] == [6, 6, 6]
    assert found["phases"]["phase"] == [1, 2]
    run = found["run"]
    assert (run["images"], run["threads"], run["places"]) == (1, 2, 2)
    assert (run["first_step"], run["steps"]) == (0, 10)
    assert run["source"] == "in.toml"
    assert re.fullmatch("[0-9a-f]{64}", run["result_hash"])


def test_flags_come_before_the_file(folder: Path) -> None:
    flags = ("--steps", 5, "--seed", 3, "--temperature", 2, "--cells", "3,3,3", "--when", "never")
    given = document(folder, *flags)["input"]

    assert (given["steps"], given["seed"], given["temperature"]) == (5, 3, 2.0)
    assert (given["cells"], given["when"], given["thermo_steps"]) == ([3, 3, 3], "never", 10)


def test_a_record_can_be_repeated(folder: Path) -> None:
    ended = melt(folder, "in.toml", "--threads", 2, "--when", 1, "--record", "melt.json")

    assert "wrote melt.json\n" in ended.stdout
    record = json.loads((folder / "melt.json").read_text())
    assert record["format"] == "makespan melt record"
    assert (record["source"], record["atoms"], record["steps"]) == ("in.toml", ATOMS, 20)
    assert (record["images"], record["threads"], record["places"]) == (1, 2, 2)
    assert (record["output"], record["frames"], record["complete"]) == (None, 0, True)
    assert shown_hash(record["result_hash"]) == result_of(ended.stdout)
    assert record["phases"]["count"] == 4
    assert record["phases"]["imbalance_first"] >= 1
    again = makespan.melt(threads=1, **record["settings"])
    assert again is not None
    assert again.hash == record["result_hash"]


def test_a_trace_shows_phases_and_places(folder: Path) -> None:
    flags = ("--threads", 2, "--when", 1, "--balancer", "random", "--trace", "trace.json")
    phases = document(folder, *flags)["phases"]

    events = json.loads((folder / "trace.json").read_text())["traceEvents"]
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    bars: dict[str, list[dict[str, Any]]] = {name: [] for name in names.values()}
    for event in events:
        if event["ph"] == "X":
            bars[names[event["pid"], event["tid"]]].append(event)
    for track, column in (
        ("phases", "time_s"),
        ("longest place", "busy_s_longest"),
        ("mean of places", "busy_s_mean"),
        ("decisions", "decision_s"),
    ):
        assert [bar["dur"] for bar in bars[track]] == pytest.approx(
            [1e6 * seconds for seconds in phases[column] if seconds], abs=1e-3
        )
    ends = [bar["ts"] + bar["dur"] for bar in bars["phases"]]
    begins = [bar["ts"] for bar in bars["phases"]]
    gaps = [begin - end for begin, end in zip(begins[1:], ends[:-1], strict=True)]
    assert gaps == pytest.approx([1e6 * seconds for seconds in phases["decision_s"][1:]], abs=1e-2)
    # Objects of both places, in the first phase and in the last.
    for place in ("place 0", "place 1"):
        assert [bar["name"] for bar in bars[place]] == ["phase 1", "phase 4"]
        assert all(bar["dur"] > 0 for bar in bars[place])
    for at in range(2):
        assert sum(bars[f"place {place}"][at]["args"]["objects"] for place in range(2)) == 15 * 27


def test_balancers_are_listed(folder: Path) -> None:
    ended = melt(folder, "--list")

    assert ended.returncode == 0
    assert ended.stdout.startswith("balancers:\n")
    assert "fanout=6: places that a place tells in a round" in ended.stdout


def test_options_of_a_balancer_reach_it(folder: Path) -> None:
    ended = melt(folder, "in.toml", "--threads", 2, "--balancer", "gossip:fanout=-1")

    assert ended.returncode == 2
    assert "gossip option fanout = -1" in ended.stderr
