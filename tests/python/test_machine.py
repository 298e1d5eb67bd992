# SPDX-License-Identifier: Apache-2.0
"""`makespan.machine`: a machine's tree and costs as numbers, alone and from the images of a job."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from job_programs import needs_mpi, run_program
from measured_machine import BANDWIDTHS, FAR_PS, GPU_NODE, NEAR_PS, measured_machine

import makespan


@pytest.fixture
def node(tmp_path: Path) -> Path:
    return measured_machine(tmp_path / "node.xml", host="node01")


def test_costs_are_arrays(node: Path) -> None:
    found = makespan.machine(node)

    assert found is not None
    latencies, bandwidths = (
        found.matrix(f"makespan:{name}") for name in ("core_latency", "memory_triad_bandwidth")
    )
    assert latencies is not None
    assert bandwidths is not None
    assert (latencies.unit, latencies.rows[:2]) == ("s", ("Core 0", "Core 1"))
    assert latencies.rows[:1] == (found.label(latencies.row_places[0]),)
    assert np.isnan(np.diag(latencies.values)).all()
    assert set(latencies.known) == {NEAR_PS * 1e-12, FAR_PS * 1e-12}
    assert np.diag(bandwidths.values).tolist() == [each * 1e9 for each in BANDWIDTHS]
    assert found.network is None


def test_a_result_is_shown_and_travels(node: Path) -> None:
    found = pickle.loads(pickle.dumps(makespan.machine(node)))  # noqa: S301 - our own

    shown = found._repr_html_()

    assert "2 packages, 4 NUMA nodes, 16 cores" in shown
    assert "core latency" in shown
    assert 'name="makespan:core_latency"' in found.xml


def test_it_is_measured_with_word_of_how_far_it_is(tmp_path: Path) -> None:
    told: list[makespan.Progress] = []

    found = makespan.machine(
        measure=True, seconds=0.05, on_progress=told.append, output=tmp_path / "node.xml"
    )

    assert found is not None
    assert all(one.unit == "steps" and 0 <= one.share <= 1 for one in told)
    assert told[-1].note == "messages, cores and memory"
    again = makespan.machine(tmp_path / "node.xml")
    assert again is not None
    for before, after in zip(found.matrices, again.matrices, strict=True):
        np.testing.assert_array_equal(before.values, after.values)


def test_weights_are_of_several_machines(node: Path, tmp_path: Path) -> None:
    faster = measured_machine(tmp_path / "faster.xml", host="node02", times=2)

    found = makespan.machine([node, faster], weights="pyfr", places="package")

    assert found is not None
    assert found.weights == "2:1:4:2\n"
    assert [one.source for one in (found, *found.others)] == [str(node), str(faster)]


def test_speeds_are_a_list_or_an_array() -> None:
    for speeds in ([1.0, 1.0, 2, 2, 2, 2], np.array([1.0, 1.0, 2, 2, 2, 2])):
        found = makespan.machine(GPU_NODE, weights="pyfr", places="package+gpu", speeds=speeds)
        assert found is not None
        assert found.weights == "1:1:2:2:2:2\n"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"seconds": 0}, "seconds=0 cannot be used"),
        ({"weights": "chaco"}, "weights='chaco' cannot be used"),
        ({"places": "numa"}, "places without weights"),
        ({"file": GPU_NODE, "measure": True}, "only this machine can be measured"),
        ({"file": [GPU_NODE, GPU_NODE]}, "one is shown at a time"),
        ({"synthetics": "core:2"}, "keyword 'synthetics' is unknown"),
        ({"file": 5}, "file=5 cannot be used: give the path of a machine file"),
        ({"file": [5]}, r"file=\[5\] cannot be used: give the path of a machine file"),
        ({"file": b"node.xml"}, "file=b'node.xml' cannot be used"),
        ({"file": []}, "no file of a machine"),
    ],
)
def test_wrong_settings_are_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(makespan.InputError, match=message):
        makespan.machine(**given)


PROGRAM = """
import os, makespan
every = makespan.machine(measure=True, seconds=0.05, gather="all")
first = makespan.machine()
assert every.network.latencies.values.shape == (3, 3)
assert (first is not None) == (os.environ["PMI_RANK"] == "0")
try:
    makespan.machine("nosuch.xml", gather="all")
except makespan.InputError as error:
    open(f"said-{os.environ['PMI_RANK']}", "w").write(str(error))
"""


AGAIN = """
import os, makespan
first = makespan.machine(measure=True, seconds=0.05)
again = makespan.machine(measure=True, seconds=0.05)
is_first = os.environ["PMI_RANK"] == "0"
assert [one is not None for one in (first, again)] == [is_first] * 2
"""


@needs_mpi
@pytest.mark.slow
def test_a_job_is_measured_twice(tmp_path: Path) -> None:
    run_program(tmp_path, AGAIN, 2)


@needs_mpi
def test_the_images_of_a_job_are_measured_together(tmp_path: Path) -> None:
    run_program(tmp_path, PROGRAM, 3)

    for image in range(3):
        assert "nosuch.xml: cannot be read" in (tmp_path / f"said-{image}").read_text()
