# SPDX-License-Identifier: Apache-2.0
"""Goal: `makespan simulate` as a user meets it. Method: small machines, results by arithmetic."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from job_programs import MPIEXEC, needs_mpi
from makespan.base.engine import load_engine
from makespan.base.number_text import prefixed_text
from makespan.machines.network_file import network_text
from makespan.sim.example import MACHINE_EXAMPLE
from with_simulator import needs_simulator

GPU_NODE = Path(__file__).resolve().parents[1] / "data" / "machines" / "gpu_node.xml"
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


def test_the_example_says_what_tasks_fit_it(folder: Path) -> None:
    (flags,) = re.findall(r"makespan simulate machine.toml (.*)", MACHINE_EXAMPLE)
    (folder / "machine.toml").write_text(MACHINE_EXAMPLE)

    for tasks, least_s in ((flags.split(), 0.5), ([], 0.02)):
        (way,) = document(folder, *tasks)["ways"]

        assert way["idle"] < 0.1
        assert way["makespan_s"] > least_s


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


def test_a_device_takes_longer_from_some_time_on(folder: Path) -> None:
    """Of 10 in a second, 1 and 9, the second half is done by 1 and 3, or by one device."""
    flags = ("--tasks", "1000", "--policy", "self")
    (folder / "machine.toml").write_text(MACHINE + '[run]\nperturb = ["fail:0@1"]\n')

    slower = document(folder, *flags, "--perturb", "slow:1@50:3")
    failing = document(folder, *flags, "--perturb", "fail:1@50", "--perturb", "slow:0@50:0.5")

    assert slower["ideal_s"] == pytest.approx(50 + 500 / 4)
    assert failing["ideal_s"] == pytest.approx(50 + 500 / 2)


def test_a_process_that_is_lost_leaves_the_rest(folder: Path) -> None:
    (folder / "machine.toml").write_text(MACHINE + 'image = "device"\n')

    found = document(folder, "--tasks", "1000", "--perturb", "kill:1@10")

    assert found["ideal_s"] == pytest.approx(10 + 900)
    assert found["ways"][0]["complete"]


def test_options_belong_to_their_policy(folder: Path) -> None:
    policies = "self:chunk_items=1,guided,self:chunk_items=10"
    found = document(folder, "--tasks", "400", "--policy", policies, "--dispatcher", "counter")

    claims = {way["policy"]: way["claims"] for way in found["ways"]}
    assert set(claims) == {"self:chunk_items=1", "guided", "self:chunk_items=10"}
    assert (claims["self:chunk_items=1"], claims["self:chunk_items=10"]) == (400, 40)


def test_the_table_of_cases_is_what_the_document_says(folder: Path) -> None:
    flags = ("--tasks", "400", "--sweep", "latency_us=1,100", "--policy", "self,guided")
    found = document(folder, *flags)
    for name in ("c.csv", "c.parquet", "c.json"):
        assert run(folder, "machine.toml", *flags, "-o", name, "-q").returncode == 0

    ways = [(one["value"], way) for one in found["sweep"]["values"] for way in one["ways"]]
    for table in (pl.read_csv(folder / "c.csv"), pl.read_parquet(folder / "c.parquet")):
        assert table["value"].to_list() == [value for value, _ in ways]
        for name in ("policy", "dispatcher", "complete", "claims", "makespan_s", "ratio", "idle"):
            assert table[name].to_list() == pytest.approx([way[name] for _, way in ways])
    assert json.loads((folder / "c.json").read_text()) == found
    assert (found["format"], found["version"]) == ("makespan simulate", 1)


def test_a_record_tells_runs_apart(folder: Path) -> None:
    flags = ("machine.toml", "--tasks", "50:normal", "-q", "--record", "r.json")
    records = []
    for seed in (1, 1, 2):
        assert run(folder, *flags, "--seed", seed).returncode == 0
        records.append(json.loads((folder / "r.json").read_text()))

    one, same, other = records
    assert one["format"] == "makespan simulate record"
    assert one["command"][:3] == ["makespan", "simulate", "machine.toml"]
    for name in ("input_hash", "result_hash"):
        assert one[name] == same[name]
        assert one[name] != other[name]


def test_a_schedule_is_traced_and_one_of_equal_tasks_replayed(folder: Path) -> None:
    flags = ("machine.toml", "--policy", "self", "--dispatcher", "counter", "--json")
    ended = run(folder, *flags, "--tasks", "200", "--trace", "t.json")
    (way,) = json.loads(ended.stdout)["ways"]

    events = json.loads((folder / "t.json").read_text())["traceEvents"]
    runs = [event for event in events if event.get("cat") == "run"]
    assert sum(event["args"]["items"] for event in runs) == 200
    assert max(e["ts"] + e["dur"] for e in runs) == pytest.approx(way["makespan_s"] * 1e6)
    assert [e["args"]["name"] for e in events if e["name"] == "thread_name"] == [
        "0: slow, image 0",
        "1: fast, image 0",
    ]
    again = run(folder, "--replay", "t.json").stdout.splitlines()
    assert again[0] == "t.json: 1 slow, 1 fast in 1 image"
    assert again[4].split()[:2] == ["self", "counter"]
    assert float(again[-1].split()[-2].rstrip("%")) < 1.0

    assert run(folder, *flags, "--tasks", "200:normal", "--trace", "t.json").returncode == 0
    refused = run(folder, "--replay", "t.json")
    assert refused.returncode == 2
    assert "tasks of several costs: give the machine and the tasks themselves" in refused.stderr


def test_a_measured_machine_is_simulated(folder: Path) -> None:
    """Sixteen cores on each of four nodes; the network as it was measured, as given, or assumed."""
    shutil.copy(GPU_NODE, folder / "node.xml")
    flags = ("--machine", "node.xml", "--nodes", "4", "--tasks", "6400")

    assumed = run(folder, *flags, "--write-machine", "node.toml")
    given = run(folder, *flags, "--network-latency-us", "5", "--network-bandwidth-gb", "2")
    network = {
        "transport": "am",
        "hosts": ["a", "a", "b"],
        "latencies": [0, 1e-7, 3e-6, 1e-7, 0, 4e-6, 5e-6, 4e-6, 0],
        "bandwidths": [0, 1e12, 1e9, 1e12, 0, 1e9, 1e9, 1e9, 0],
    }
    text = network_text(network, (folder / "node.xml").read_text())
    (folder / "node.network.json").write_text(text)
    measured = run(folder, *flags)

    lines = assumed.stdout.splitlines()
    assert lines[0] == "4 nodes of node.xml: 64 cpu in 4 images"
    assert lines[1].startswith("speeds: 1 unit of work per second for each core (what is measured ")
    assert lines[2] == "network: 1.5 us and 10 GB/s (assumed)"
    assert "ideal 100 s" in assumed.stdout
    assert "network: 5 us and 2 GB/s (as given)" in given.stdout
    assert "network: 4 us and 1 GB/s (typical of the hosts that were measured" in measured.stdout
    read_back = run(folder, "node.toml", "--tasks", "6400")
    assert read_back.stdout.splitlines()[4:7] == lines[6:9]


def test_places_have_the_cores_and_speeds_that_are_said(folder: Path) -> None:
    flags = ("--machine", GPU_NODE, "--tasks", "1000", "--json")

    cores, packages, gpus, fast = (
        json.loads(run(folder, *flags, "--places", *more).stdout)
        for more in (("core",), ("package",), ("package+gpu",), ("package", "--speeds", "30,70"))
    )

    assert [len(one["machine"]["devices"]) for one in (cores, packages, gpus)] == [16, 2, 6]
    assert [len(one["ways"][0]["workers"]) for one in (cores, packages)] == [16, 16]
    assert cores["ideal_s"] == packages["ideal_s"] == pytest.approx(1000 / 16)
    assert gpus["machine"]["devices"][2:] == ["gpu"] * 4
    assert fast["ideal_s"] == pytest.approx(10.0)


def test_a_machine_file_that_is_taken_for_a_platform_is_named(folder: Path) -> None:
    ended = run(folder, GPU_NODE)

    assert ended.returncode == 2
    assert f"no platform: give --machine {GPU_NODE}" in ended.stderr


@needs_mpi
def test_of_a_jobs_processes_one_simulates(folder: Path) -> None:
    """By the command, and by Python: the first process has the result, or all."""
    (folder / "job.py").write_text(JOB)
    launcher = [str(MPIEXEC), "-n", "3", sys.executable]

    def job(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*launcher, *command], cwd=folder, capture_output=True, text=True,
            timeout=120, check=False,
        )  # fmt: skip

    shown = job("-m", "makespan", "simulate", "machine.toml", "--tasks", "1000")
    first, every = job("job.py", "first"), job("job.py", "all")

    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.count("ideal 100 s") == 1
    assert (first.stdout.count("2"), first.stdout.count("None")) == (1, 2)
    assert (every.stdout.count("2"), every.stdout.count("None")) == (3, 0)


JOB = """
import sys, makespan
found = makespan.simulate("machine.toml", "100", policy="self,guided", gather=sys.argv[1])
print(found and len(found.cases))
"""


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
        (("machine.toml", "--places", "4"), "machine.toml and --machine, or other settings"),
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


def test_no_cell_of_a_table_is_cut(folder: Path) -> None:
    policies = [f"equal_time:fraction=0.25,chunk_s_min=0.001,chunk_s_max=0.{n}" for n in (5, 6)]
    shown = run(folder, "machine.toml", "--policy", ",".join(policies), "--sweep", "bandwidth_gb=1")

    assert shown.returncode == 0, shown.stderr
    assert "…" not in shown.stdout
    assert all(policy in shown.stdout for policy in policies)


def test_work_is_told_as_it_is_and_as_predicted(folder: Path) -> None:
    flags = ("machine.toml", "--tasks", "1000:lognormal:0.5", "--cost-error", 2)
    shown = run(folder, *flags)
    tasks = document(folder, *flags[1:])["tasks"]

    real, predicted = tasks["real_work"], tasks["work"]
    said = f"{prefixed_text(real)} of work, predicted as {prefixed_text(predicted)} ("
    assert said in shown.stdout
    assert document(folder, *flags[1:])["ideal_s"] == pytest.approx(real / 10.0)
    assert "1 k of work (" in run(folder, "machine.toml", "--tasks", 1000).stdout
