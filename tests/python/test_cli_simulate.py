# SPDX-License-Identifier: Apache-2.0
"""Goal: `makespan simulate` as a user meets it. Method: small machines, results by arithmetic."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from makespan.base.engine import load_engine
from with_simulator import needs_simulator

MACHINE = """\
[kind.slow]
speed = 1.0
[kind.fast]
speed = 9.0
[[node]]
devices = ["slow", "fast"]
"""

pytestmark = needs_simulator


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "machine.toml").write_text(MACHINE)
    return tmp_path


def run(folder: Path, *flags: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "makespan", "simulate", *map(str, flags)]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )


def document(folder: Path, *flags: object) -> dict[str, Any]:
    ended = run(folder, "machine.toml", "--json", *flags)
    assert ended.returncode == 0, ended.stderr
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def test_a_bag_takes_its_work_over_all_speeds(folder: Path) -> None:
    found = document(folder, "--tasks", "1000")

    way = found["ways"][0]
    assert found["ideal_s"] == pytest.approx(100.0)
    assert way["complete"]
    assert 1.0 - 1e-9 <= way["ratio"] < 1.01
    assert way["workers"][1]["items"] == pytest.approx(900, abs=10)


def test_static_shares_wait_for_the_slow_one(folder: Path) -> None:
    found = document(folder, "--tasks", "1000", "--dispatcher", "static")

    assert found["ways"][0]["makespan_s"] == pytest.approx(500.0)


def test_ways_are_compared_the_best_first(folder: Path) -> None:
    ended = run(folder, "machine.toml", "--tasks", "500", "--dispatcher", "all")

    assert ended.returncode == 0, ended.stderr
    lines = ended.stdout.splitlines()
    assert lines[0] == "machine.toml: 1 slow, 1 fast in 1 image"
    assert lines[1] == "500 tasks, 500 of work (500)"
    assert lines[3].split()[:4] == ["policy", "dispatcher", "makespan", "ratio"]
    ratios = [float(line.split()[4]) for line in lines[4:9]]
    assert ratios == sorted(ratios)
    assert lines[8].split()[1] == "static"


def test_every_policy_is_one_that_can_be_simulated(folder: Path) -> None:
    found = document(folder, "--tasks", "200:lognormal", "--policy", "all")

    policies = {one["name"] for one in load_engine().policies()}
    assert {way["policy"] for way in found["ways"]} == policies
    assert all(way["complete"] for way in found["ways"])


def test_the_seed_repeats_a_run(folder: Path) -> None:
    (folder / "machine.toml").write_text(MACHINE.replace("= 9.0", "= 9.0\nnoise = 0.3"))
    flags = ("--tasks", "300:normal", "--cost-error", 0.2)

    first, again, other = (document(folder, *flags, "--seed", seed) for seed in (7, 7, 8))

    assert first == again
    assert first["ways"][0]["makespan_s"] != other["ways"][0]["makespan_s"]


def test_a_bag_that_is_never_done_is_said_to_be(folder: Path) -> None:
    """Both devices fail half way: nothing is left, and no number stands for that."""
    fails = '[run]\nperturb = ["fail:0@5", "fail:1@5"]\n'
    (folder / "machine.toml").write_text(MACHINE + fails)

    found = document(folder, "--tasks", "1000", "--dispatcher", "steal,counter")
    shown = run(folder, "machine.toml", "--tasks", "1000")

    assert found["ideal_s"] is None
    assert [(way["complete"], way["ratio"], way["ideal_s"]) for way in found["ways"]] == [
        (False, None, None)
    ] * 2
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "never done" in shown.stdout
    assert shown.stdout.endswith("no ideal: all devices fail before the work is done\n")


def test_the_example_runs(folder: Path) -> None:
    shown = run(folder, "--example")
    (folder / "example.toml").write_text(shown.stdout)

    ended = run(folder, "example.toml", "--tasks", "2000:lognormal:0.5:1e7")

    assert (ended.returncode, ended.stderr) == (0, "")
    assert "4 cpu, 2 gpu in 2 images" in ended.stdout


def test_a_traced_run_is_replayed_also_on_another_machine(folder: Path) -> None:
    """The machine of the trace, read back, simulates as itself; with half the speed, twice."""
    book = Path(__file__).resolve().parents[2] / "examples" / "book.csv"
    flags = ("--paths", "20000", "--policy", "guided", "--dispatcher", "counter", "--no-memory")
    command = [sys.executable, "-m", "makespan", "price", str(book), "--trace", "trace.json"]
    subprocess.run([*command, "-o", "p.csv", "-q", *flags], cwd=folder, check=True, timeout=120)

    own = run(folder, "--replay", "trace.json", "--write-machine", "own.toml")
    lines = own.stdout.splitlines()
    assert (own.returncode, own.stderr) == (0, "")
    assert lines[4].split()[:2] == ["guided", "counter"]
    assert lines[-2].startswith("measured ")
    assert " by guided, counter; simulated " in lines[-2]
    assert lines[-1] == "wrote own.toml"

    text = (folder / "own.toml").read_text()
    (speed,) = re.findall(r"^speed = (.*)$", text, flags=re.MULTILINE)
    (folder / "half.toml").write_text(text.replace(speed, str(float(speed) / 2)))
    times = [
        json.loads(run(folder, name, "--replay", "trace.json", "--json").stdout)["ways"][0]
        for name in ("own.toml", "half.toml")
    ]
    assert times[1]["makespan_s"] == pytest.approx(2 * times[0]["makespan_s"], rel=0.01)


def test_a_book_is_a_bag(folder: Path) -> None:
    book = Path(__file__).resolve().parents[2] / "examples" / "book.csv"

    found = [document(folder, "--bag", book, "--paths", paths) for paths in (65536, 131072)]

    assert [one["tasks"]["count"] for one in found] == [100, 100]
    assert found[1]["tasks"]["work"] == pytest.approx(2 * found[0]["tasks"]["work"])
    assert found[0]["ideal_s"] == pytest.approx(found[0]["tasks"]["work"] / 10)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ((), "no machine (there is nothing to run on): name a description, see --example"),
        (("none.toml",), "none.toml: cannot be read"),
        (("machine.toml", "--policy", "equal_tim"), "equal_time"),
        (("machine.toml", "--dispatcher", "stael"), "steal"),
        (("machine.toml", "--tasks", "x"), "--tasks x: 'x' is no count"),
        (("machine.toml", "--policy", "guided:fracton=2"), "'fracton' is unknown"),
        (("machine.toml", "--policy", "equal_time:fraction=x"), "give equal_time:fraction=1"),
        (("machine.toml", "--policy", "equal_time:fraction=2"), "fraction"),
        (("machine.toml", "--perturb", "slow:0@1"), "give slow:DEVICE@SECONDS:FACTOR"),
        (("machine.toml", "--perturb", "hang:0@1:2"), "give slow:DEVICE@SECONDS:FACTOR"),
        (("machine.toml", "--perturb", "fail:2@1"), "device 2 (there are 2): count them from 0"),
        (("machine.toml", "--perturb", "kill:1@1"), "image 1 (there are 1): count them from 0"),
        (("machine.toml", "--perturb", "kill:0@1"), "image 0 (a job ends with it)"),
        (("machine.toml", "-o", "cases.xlsx"), "use one of .csv, .parquet, .json"),
        (("machine.toml", "-o", "machine.toml"), "use one of .csv"),
        (("machine.toml", "--record", "machine.toml"), "would be written over what is read"),
        (("machine.toml", "--places", "4"), "machine.toml and --machine, or another flag"),
        (("--places", "4", "--network-latency-us", "2"), "--network-latency-us (there is one"),
        (("--places", "4", "--speeds", "1,2"), "--speeds has 2 numbers (a node has 4 places)"),
        (("--places", "4", "--machine", "n.xml"), "leave out --machine"),
        (("--machine", "none.xml"), "none.xml: cannot be read"),
        (("machine.toml", "--tasks", "9", "--bag", "b.csv"), "--tasks and --bag: a run has one"),
        (("machine.toml", "--bag", "b.csv"), "b.csv"),
        (("machine.toml", "--tasks", "none.csv"), "none.csv: cannot be read"),
        (("--replay", "none.json"), "none.json: cannot be read"),
        (("machine.toml", "--bag", "b.csv", "--cost-error", "1"), "--cost-error: only of made"),
    ],
)
def test_mistakes_are_named(folder: Path, flags: tuple[str, ...], message: str) -> None:
    ended = run(folder, *flags)

    assert ended.returncode == 2
    assert ended.stdout == ""
    assert message in ended.stderr
    assert ended.stderr.startswith("makespan: ")
    assert ended.stderr.count("\n") == 1
