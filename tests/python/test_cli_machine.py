# SPDX-License-Identifier: Apache-2.0
"""`makespan machine`: this machine, machines made up, machines from files; measured and kept."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from job_programs import MPIEXEC, needs_mpi
from makespan.machines.network_file import network_text

RUN_S_MAX = 60
GPU_NODE = Path(__file__).resolve().parents[1] / "data" / "machines" / "gpu_node.xml"


def machine(folder: Path, *flags: object, images: int = 0) -> subprocess.CompletedProcess[str]:
    launcher = [str(MPIEXEC), "-n", str(images)] if images else []
    return subprocess.run(
        [*launcher, sys.executable, "-m", "makespan", "machine", *map(str, flags)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )


def document(folder: Path, *flags: object, images: int = 0) -> dict[str, Any]:
    ended = machine(folder, *flags, "--json", images=images)
    assert (ended.returncode, ended.stderr) == (0, "")
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def test_this_machine_has_the_cores_of_the_process(tmp_path: Path) -> None:
    found = document(tmp_path)

    cpus = {p["os_index"] for p in found["places"] if p["kind"] == "pu"}
    assert cpus >= os.sched_getaffinity(0)
    assert found["places"][0]["parent"] is None
    assert all(p["parent"] < p["place"] for p in found["places"][1:])
    assert found["network"] is None


@pytest.mark.parametrize(("nodes", "cores"), [(4, 8), (8, 6)])
def test_machines_of_the_fifth_document(tmp_path: Path, nodes: int, cores: int) -> None:
    text = f"package:{nodes} numa:1 core:{cores} pu:1"

    counts = document(tmp_path, "--synthetic", text)["counts"]

    total = nodes * cores
    assert counts == {"package": nodes, "numa_node": nodes, "core": total, "pu": total, "gpu": 0}
    shown = machine(tmp_path, "--synthetic", text).stdout
    assert f"{nodes} x Package 0-{nodes - 1}" in shown
    assert f"{cores} x Core 0-{cores - 1}" in shown


def test_a_machine_from_elsewhere(tmp_path: Path) -> None:
    found = document(tmp_path, GPU_NODE)

    assert found["counts"] == {"package": 2, "numa_node": 4, "core": 16, "pu": 32, "gpu": 4}
    assert (found["format"], found["version"]) == ("makespan machine", 1)
    places = found["places"]
    gpus = [p for p in places if p["kind"] == "gpu"]
    assert [places[gpu["parent"]]["label"] for gpu in gpus] == [
        f"Group0 {group}" for group in range(4)
    ]
    shown = machine(tmp_path, GPU_NODE).stdout
    assert "NVIDIA A100-SXM4-40GB" in shown
    assert "128 GiB" in shown


def test_a_machine_file_is_written_and_read_again(tmp_path: Path) -> None:
    before = document(tmp_path, GPU_NODE, "-o", "copy.xml")
    after = document(tmp_path, "copy.xml")

    assert after["places"] == before["places"]


class Measured(NamedTuple):
    folder: Path
    document: dict[str, Any]


@pytest.fixture(scope="module")
def measured_once(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    """This machine, with node.xml, node.html and node.json in a folder."""
    folder = tmp_path_factory.mktemp("measured")
    files = ("-o", "node.xml", "--report", "node.html", "--record", "node.json")
    return Measured(folder, document(folder, "--measure", "--seconds", "0.05", *files))


def test_what_is_measured_is_kept(measured_once: Measured) -> None:
    folder, measured = measured_once
    kept = document(folder, "node.xml")

    matrices = {m["name"]: m for m in measured["matrices"]}
    assert kept["matrices"] == measured["matrices"]
    memory = matrices["makespan:memory_latency"]
    assert memory["unit"] == "s"
    assert 0 < memory["values"][0][0] < 1e-3
    domains = measured["domains"]
    assert domains["nuco"][0][0] == 1.0
    if len(os.sched_getaffinity(0)) > 1:
        cores = matrices["makespan:core_latency"]
        assert cores["from"] == cores["to"]
        assert cores["values"][0][0] is None
        assert cores["values"][0][1] == cores["values"][1][0] > 0
        assert domains["latency_source"] == "makespan:message_latency"
        took = matrices["makespan:message_receive"]["values"][0][1]
        assert 0 < took < matrices["makespan:message_latency"]["values"][0][1]
        if len(domains["labels"]) == 1:  # all pairs are of one class
            assert domains["receive_s"] == [[took]]
    assert "memory latency" in machine(folder, "node.xml").stdout
    assert (folder / "node.html").read_text().startswith("<!doctype html>")


def test_a_record_has_all_figures_and_what_measured_them(measured_once: Measured) -> None:
    record = json.loads((measured_once.folder / "node.json").read_text())

    assert record["format"] == "makespan machine record"
    assert record["command"][:2] == ["makespan", "machine"]
    assert record["settings"] == {"synthetic": None, "measure": True, "seconds": 0.05}
    kept = document(measured_once.folder, "node.xml")
    assert record["matrices"] == kept["matrices"]
    assert record["places"] == kept["places"]


def test_the_example_is_a_machine_file(tmp_path: Path) -> None:
    (tmp_path / "example.xml").write_text(machine(tmp_path, "--example").stdout)

    assert document(tmp_path, "example.xml")["counts"]["core"] == 4


# Each image says when Ctrl-C will find it at the measurement: image 0 when it tells how far it is,
# the others when they have begun to serve.
MEASURING = """
import contextlib, functools, os
from makespan.cli import main
from makespan.job import teams
from makespan.machines import measuring

@functools.cache
def say_begun():
    os.write(2, b"begun\\n")  # sys.stderr of later images is silent

class Watch(measuring._Watch):
    def _progress(self, *told):
        say_begun()
        return super()._progress(*told)

ignored = teams._ctrl_c_ignored

@contextlib.contextmanager
def ignored_from_here():
    with ignored():
        say_begun()
        yield

measuring._Watch, teams._ctrl_c_ignored = Watch, ignored_from_here
raise SystemExit(main(["machine", "--measure", "-o", "node.xml"]))
"""


@pytest.mark.parametrize("images", [0, 3])
def test_ctrl_c_ends_a_measurement(tmp_path: Path, images: int) -> None:
    if images and MPIEXEC is None:
        pytest.skip("no mpiexec of MPICH here")
    launcher = [str(MPIEXEC), "-n", str(images)] if images else []
    (tmp_path / "program.py").write_text(MEASURING)
    run = subprocess.Popen(
        [*launcher, sys.executable, "program.py"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert run.stderr is not None
    for _ in range(max(images, 1)):
        assert run.stderr.readline() == "begun\n"
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=RUN_S_MAX)

    assert out == "" or images  # MPICH's launcher says how it ended
    assert run.returncode == 130 or images
    assert err.count("interrupted after ") == 1
    assert "steps; nothing was written" in err
    assert " of 0 steps" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["program.py"]


@needs_mpi
def test_images_are_measured_and_one_speaks_for_all(tmp_path: Path) -> None:
    flags = ("--measure", "--seconds", "0.05", "-o", "node.xml")
    measured = document(tmp_path, *flags, images=3)
    kept = document(tmp_path, "node.xml")

    network = measured["network"]
    assert len(network["hosts"]) == 3
    for table in ("latencies", "bandwidths"):
        rows = network[table]
        assert [[v is None for v in row] for row in rows] == [
            [i == j for j in range(3)] for i in range(3)
        ]
    assert kept["network"] == network
    assert sorted(p.name for p in tmp_path.iterdir()) == ["node.network.json", "node.xml"]
    copied = document(tmp_path, "node.xml", "-o", "copy.xml")
    assert document(tmp_path, "copy.xml")["network"] == copied["network"] == network
    refused = machine(tmp_path, "node.xml", "-o", "node.hwloc")  # whose network is the same file
    assert "node.network.json would be written over what is read" in refused.stderr
    (tmp_path / "node.xml").write_text((tmp_path / "copy.xml").read_text() + "\n")
    stale = machine(tmp_path, "node.xml")
    assert "node.network.json: it was measured with another machine file" in stale.stderr


def test_a_machine_that_is_replaced_leaves_no_network(tmp_path: Path) -> None:
    network = {"transport": "shm", "hosts": ["a"], "latencies": [0.0], "bandwidths": [0.0]}
    path = tmp_path / "node.network.json"
    document(tmp_path, "--synthetic", "core:4 pu:1", "-o", "node.xml")
    path.write_text(network_text(network, (tmp_path / "node.xml").read_text()))
    assert document(tmp_path, "node.xml")["network"] is not None

    document(tmp_path, "--synthetic", "core:2 pu:1", "-o", "node.xml")

    assert not path.exists()
    assert document(tmp_path, "node.xml")["network"] is None


def test_what_is_no_network_stays(tmp_path: Path) -> None:
    (tmp_path / "node.network.json").write_text('{"mine": 1}')

    document(tmp_path, "--synthetic", "core:2 pu:1", "-o", "node.xml")

    assert (tmp_path / "node.network.json").read_text() == '{"mine": 1}'


@needs_mpi
@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--measure", "-o", "no/such/node.xml"), "folder no/such does not exist"),
        (("nosuch.xml",), "No such file"),
        (("--bogus",), "no such option"),
        ((GPU_NODE, "--measure"), "only this machine can be measured"),
    ],
)
def test_what_is_wrong_is_said_once(
    tmp_path: Path, flags: tuple[object, ...], message: str
) -> None:
    ended = machine(tmp_path, *flags, images=2)

    assert ended.returncode == 2
    assert ended.stderr.count(message) == 1


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("nosuch.xml",), "nosuch.xml: cannot be read (No such file or directory)"),
        ((".",), "it is a folder"),
        (("x" * 300 + ".xml",), "cannot be used (File name too long); name another file"),
        (("--synthetic", "core:x"), "synthetic machine 'core:x'"),
        ((GPU_NODE, "--synthetic", "core:2"), "not both"),
        ((GPU_NODE, "--measure"), "only this machine can be measured"),
        (("-o", "no/such/node.xml"), "folder no/such does not exist"),
        (("-o", "a.xml", "--report", "a.xml"), "name another file"),
        (
            ("--measure", "--seconds", "0"),
            "--seconds 0 cannot be used: give a number from 0.01",
        ),
        (("--measure", "--synthetic", "core:2"), "only this machine can be measured"),
        (("-o", "a.xml", "--record", "a.xml"), "name another file"),
    ],
)
def test_bad_input_is_named(tmp_path: Path, flags: tuple[object, ...], message: str) -> None:
    ended = machine(tmp_path, *flags)

    assert ended.returncode == 2
    assert message in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_failure_is_a_document_where_programs_read(tmp_path: Path) -> None:
    ended = machine(tmp_path, "nosuch.xml", "--json")

    assert ended.returncode == 2
    assert json.loads(ended.stdout)["exit_code"] == 2


def test_quiet_says_nothing(tmp_path: Path) -> None:
    ended = machine(tmp_path, "-q", "-o", "node.xml")

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    assert (tmp_path / "node.xml").exists()
