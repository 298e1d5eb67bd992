# SPDX-License-Identifier: Apache-2.0
"""`makespan machine --weights`: from machine files to what other programs read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from makespan.cli import main
from makespan.machines.weights.formats import FORMATS
from measured_machine import GPU_NODE, measured_machine


@pytest.fixture
def node(tmp_path: Path) -> Path:
    return measured_machine(tmp_path / "node.xml", host="node01.cluster.example")


def written(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main(["machine", *map(str, arguments)]) == 0
    ended = capsys.readouterr()
    assert ended.err == ""
    return ended.out


@pytest.mark.parametrize(
    ("places", "weights"),
    [
        ((), ":".join(["2"] * 8 + ["1"] * 8)),
        (("--places", "core"), ":".join(["2"] * 8 + ["1"] * 8)),
        (("--places", "numa"), "2:2:1:1"),
        (("--places", "package"), "2:1"),
        (("--places", "machine"), "1"),
    ],
)
def test_parts_share_the_bandwidth_of_their_memory(
    node: Path, capsys: pytest.CaptureFixture[str], places: tuple[str, ...], weights: str
) -> None:
    assert written(capsys, node, "--weights", "pyfr", *places) == f"{weights}\n"


def test_latencies_become_distances(node: Path, capsys: pytest.CaptureFixture[str]) -> None:
    by_core = written(capsys, node, "--weights", "scotch").splitlines()
    by_node = written(capsys, node, "--weights", "scotch", "--places", "numa").splitlines()

    assert by_core[:3] == ["deco", "0", "16 31"]
    assert by_core[19] == "10"  # Core 1 from Core 0
    assert by_core[22] == "40 40 40 40"  # Core 4, beside another memory
    assert by_node[2:7] == ["4 7", "0 2 4", "1 2 5", "2 1 6", "3 1 7"]


def test_several_machines_are_one_list_of_parts(
    node: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    faster = measured_machine(tmp_path / "faster.xml", host="node02", times=2)
    flags = (node, faster, "--weights")

    assert written(capsys, *flags, "pyfr", "--places", "package") == "2:1:4:2\n"
    assert written(capsys, *flags, "scotch", "--places", "machine") == "cmpltw\n2 1 2\n"
    assert written(capsys, *flags, "slurm") == (
        "NodeName=node01 Weight=200\nNodeName=node02 Weight=100\n"
    )


def test_a_file_without_a_host_names_the_node(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nameless = measured_machine(tmp_path / "gpu-7.xml")

    assert written(capsys, nameless, "--weights", "slurm") == "NodeName=gpu-7 Weight=100\n"


def test_speeds_may_be_said(capsys: pytest.CaptureFixture[str]) -> None:
    flags = (GPU_NODE, "--weights", "pyfr", "--places", "package+gpu")

    assert written(capsys, *flags, "--speeds", "2*1,4*6.5") == "2:2:13:13:13:13\n"


def test_weights_go_to_a_file(
    node: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "tpwgts.txt"

    said = written(capsys, node, "--weights", "metis", "--places", "numa", "-o", out)

    assert said == f"wrote {out}\n"
    assert out.read_text().splitlines() == [
        "0 = 0.3333333",
        "1 = 0.3333333",
        "2 = 0.1666667",
        "3 = 0.1666667",
    ]


def test_this_machine_is_weighed(this_machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ("--weights", "openfoam", "--places", "machine")

    assert written(capsys, this_machine, *flags).startswith("numberOfSubdomains 1;\n")


@pytest.mark.slow
def test_this_machine_is_measured_and_weighed(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ("--measure", "--seconds", "0.05", "--weights", "openfoam", "--places", "machine")

    assert written(capsys, *flags).startswith("numberOfSubdomains 1;\n")


def test_formats_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    said = written(capsys, "--list")
    listed = json.loads(written(capsys, "--list", "--json"))["weights"]

    assert [one["name"] for one in listed] == [known.name for known in FORMATS]
    assert all(one["name"] in said and one["summary"] in said for one in listed)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--weights", "chaco"), "give metis, scotch, pyfr, openfoam or slurm"),
        (("--weights", "metis", "--places", "rack"), "give core, numa, package or machine, or"),
        (("--weights", "slurm", "--places", "core"), "weights of slurm are of whole machines"),
        (("--weights", "slurm", "--places", "machine+gpu"), "weights of slurm are of whole"),
        (("--weights", "pyfr", "--places", "core+gpu"), "no speed of a GPU is measured"),
        (("--weights", "pyfr", "--speeds", "1,2,3"), "there are 16 parts"),
        (("--weights", "pyfr", "--speeds", "1,x"), "--speeds 1,x cannot be used: give a number"),
        (("--weights", "pyfr", "--report", "a.html"), "--report with --weights (they are all that"),
        (("--weights", "pyfr", "--record", "a.json"), "--record with --weights (they are all that"),
        (("--weights", "pyfr", "--json"), "--json with --weights"),
        (("--places", "numa"), "--places without --weights"),
        (("--speeds", "1"), "--speeds without --weights"),
        ((GPU_NODE,), "one is shown at a time"),
        (("--weights", "pyfr", "-o", "no/such/file"), "folder no/such does not exist"),
        ((GPU_NODE, "--weights", "pyfr"), "no memory bandwidth was measured"),
        (("--measure", "--weights", "pyfr"), "only this machine can be measured"),
    ],
)
def test_bad_input_is_named(
    node: Path, capsys: pytest.CaptureFixture[str], flags: tuple[object, ...], message: str
) -> None:
    assert main(["machine", str(node), *map(str, flags)]) == 2
    ended = capsys.readouterr()
    said = json.loads(ended.out)["error"] if "--json" in flags else ended.err
    assert message in said
    assert "--json" in flags or ended.out == ""


def test_a_machine_file_that_lacks_speeds_says_what_to_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["machine", str(GPU_NODE), "--weights", "metis"]) == 2
    assert "`makespan machine --measure -o FILE`" in capsys.readouterr().err


def test_a_machine_file_is_never_written_over(
    node: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = node.read_text()

    assert main(["machine", str(node), "--weights", "pyfr", "-o", str(node)]) == 2
    assert "would be written over what is read" in capsys.readouterr().err
    assert node.read_text() == before
