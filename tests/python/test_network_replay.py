# SPDX-License-Identifier: Apache-2.0
"""Goal: a trace of several nodes gives back their network. Method: traces of simulations."""

from __future__ import annotations

from pathlib import Path

import pytest
from makespan.base.engine import load_engine
from makespan.sim.comparison import Case, compare, ways_of
from makespan.sim.machine_text import machine_of
from makespan.sim.replay import read_replay
from makespan.sim.tasks import Tasks
from makespan.sim.trace import simulation_trace
from with_simulator import needs_simulator


@needs_simulator
@pytest.mark.parametrize(
    ("policy", "dispatcher"),
    [
        ("self", "steal"),
        ("guided", "counter"),
        ("wf", "counter"),
        ("self", "boss"),
        ("equal_time", "hierarchical"),
        ("guided", "static"),
    ],
)
def test_a_simulated_run_of_several_nodes_takes_as_long_again(
    tmp_path: Path, policy: str, dispatcher: str
) -> None:
    """Its network comes back from what claims took, however many trips one is; and its tasks."""
    nodes = {
        "kind": {"cpu": {"speed": 2000.0, "threads": 2}},
        "node": [{"count": 4, "devices": ["cpu"]}],
    }
    network = {"latency_us": 50.0, "atomic_us": 0.5, "message_us": 1.0}
    ran = Case(
        machine_of("m", {**nodes, "network": network}), Tasks("t", (1.0,) * 4000), spans=100_000
    )
    (first,) = compare(ran, ways_of(policy, dispatcher))
    path = tmp_path / "trace.json"
    path.write_text(simulation_trace(ran, first))
    forms = {one["name"]: one["form"] for one in load_engine().policies()}

    replay = read_replay(path, forms)

    (again,) = compare(Case(replay.machine, replay.tasks), ways_of(policy, dispatcher))
    assert replay.machine.settings["network"]["latency"] == pytest.approx(50e-6, rel=0.1)
    assert again.result["makespan_s"] == pytest.approx(first.result["makespan_s"], rel=0.01)
