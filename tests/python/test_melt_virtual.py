# SPDX-License-Identifier: Apache-2.0
"""A melt in virtual time, on machines that are described: by command, and from Python."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from job_programs import MPIEXEC, needs_mpi
from makespan.cli import main
from small_melt import small_input

import makespan

CORES = "package:2 core:4 pu:1"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return small_input(tmp_path)


def melted(source: Path, **given: Any) -> Any:
    ran = makespan.melt(source, virtual=True, **given)
    assert ran is not None
    return ran


def test_the_result_is_that_of_a_real_run(source: Path) -> None:
    real = makespan.melt(source, threads=1)
    assert real is not None

    virtual = melted(source, synthetic=CORES, when=1)

    assert virtual.hash == real.hash
    assert virtual.thermo.equals(real.thermo)
    assert virtual.places == 8
    assert real.record["virtual"] is None
    assert virtual.record["virtual"]["machine"] == CORES
    assert "assumed" in virtual.record["virtual"]["costs"]
    assert virtual.record["threads"] == 8


def test_slow_places_and_slow_networks_take_their_time(source: Path) -> None:
    usual = melted(source, places=4)
    slow = melted(source, places=4, speeds=[0.02] * 4)
    far = melted(source, places=2, nodes=2, network_latency_us=2000.0)

    assert slow.seconds > 10.0 * usual.seconds
    # Positions to the other node and forces back, in each of twenty steps.
    assert far.seconds > 20 * 2 * 2e-3


def test_it_is_balanced_by_what_it_learns(source: Path) -> None:
    given: dict[str, Any] = {"places": 4, "speeds": [1.0, 1.0, 1.0, 0.25], "steps": 200}
    never = melted(source, when="never", **given)
    balanced = melted(source, when=4, **given)

    assert balanced.phases["moved"].sum() > 0
    last = balanced.phases["time_s"].tail(10).median()
    assert last < 0.8 * never.phases["time_s"].tail(10).median()


def test_the_balancer_is_the_one_that_is_named(source: Path) -> None:
    rotated = melted(source, places=4, when=1, balancer="rotate")

    assert rotated.phases["moved"].to_list() == [len(rotated.objects)] * len(rotated.phases)


@pytest.mark.parametrize("balancer", ["gossip", "hierarchical"])
def test_places_that_decide_together_keep_the_result(source: Path, balancer: str) -> None:
    given: dict[str, Any] = {"places": 4, "speeds": [1.0, 1.0, 1.0, 0.25], "steps": 100}
    never = melted(source, when="never", **given)
    balanced = melted(source, when=4, balancer=balancer, **given)

    assert balanced.phases["moved"].sum() > 0
    assert balanced.hash == never.hash


def test_the_command_says_that_time_is_virtual(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, page = source.parent / "run.json", source.parent / "page.html"

    flags = ("--virtual", "--synthetic", CORES, "--nodes", "2")
    files = ("--record", str(record), "--report", str(page))
    assert main(["melt", str(source), *flags, *files]) == 0

    said = capsys.readouterr().out
    assert "Loop time of" in said
    assert "on 16 places for 20 steps" in said
    assert f"in virtual time on 2 nodes of {CORES}; messages: latency assumed" in said
    assert json.loads(record.read_text())["virtual"]["machine"] == f"2 nodes of {CORES}"
    assert "in virtual time on" in page.read_text()


def test_a_machines_file_is_read(source: Path) -> None:
    path = source.parent / "node.xml"
    makespan.machine(synthetic=CORES, output=path)

    assert melted(source, machine=path).places == 8
    assert melted(source, machine=path, places="package").places == 2


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"synthetic": CORES}, "synthetic (there is no virtual that it could be of)"),
        ({"nodes": 2}, "nodes (there is no virtual"),
        ({"places": 2}, "places (there is no virtual"),
        ({"virtual": True, "threads": 2}, "threads (a run in virtual time has none)"),
        ({"virtual": True, "checkpoint": "saved"}, "checkpoint (a run in virtual time has none)"),
        ({"virtual": True, "machine": "none"}, "needs a machine"),
        ({"virtual": True, "machine": "nowhere.xml"}, "nowhere.xml"),
        ({"virtual": True, "machine": "a.xml", "synthetic": CORES}, "leave one of them out"),
        ({"virtual": True, "places": 5000}, "4096 at most"),
        ({"virtual": True, "places": 3, "speeds": [1.0]}, "speeds has 1 numbers"),
        ({"virtual": True, "places": 2, "network_latency_us": 1.0}, "say how many by nodes"),
        ({"virtual": "yes"}, "virtual='yes' cannot be used"),
    ],
)
def test_bad_input_is_named(source: Path, given: dict[str, Any], words: str) -> None:
    with pytest.raises(makespan.InputError) as caught:
        makespan.melt(source, **given)

    assert words in str(caught.value)


@needs_mpi
def test_several_images_are_refused(source: Path) -> None:
    launch = [str(MPIEXEC), "-n", "2", sys.executable, "-m", "makespan", "melt"]
    ended = subprocess.run(
        [*launch, str(source), "--virtual", "--places", "2"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert ended.returncode == 2
    assert "--virtual (there are 2 images)" in ended.stderr
