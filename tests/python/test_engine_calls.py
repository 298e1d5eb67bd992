# SPDX-License-Identifier: Apache-2.0
"""The engine refuses what makespan never asks of it: calls of the extensions themselves."""

from __future__ import annotations

from typing import Any

import pytest
from makespan.base.engine import load_engine, load_simulator
from with_simulator import needs_simulator

SETTINGS: dict[str, Any] = {
    "devices": "cpu",
    "threads": 1,
    "dispatcher": "steal",
    "policy": "self",
    "policy_options": {},
    "timeout": 0.0,
}


class Broken:
    """A worker of `TaskRun` whose items raise."""

    def run(self, thread: int, begin: int, end: int) -> bool:
        raise KeyError(f"thread {thread}, items {begin} to {end}")


def test_the_error_of_a_run_is_raised_once() -> None:
    engine: Any = load_engine()
    team = engine.TaskTeam(SETTINGS)
    run = engine.TaskRun(team, Broken(), 3, None)
    while not run.wait(1.0):
        pass
    with pytest.raises(KeyError, match="thread 0"):
        run.report()
    # Python has it now, and the engine none: asked again it says so, and lives.
    with pytest.raises(RuntimeError, match="has_raised_"):
        run.report()
    team.finish()


@needs_simulator
@pytest.mark.parametrize(
    "machine",
    [{"changes": [[0, 1.0]]}, {"changes": [[float("nan"), 1.0, 1.0]]}, {"losses": [[0]]}],
    ids=str,
)
def test_a_row_of_another_length_is_not_read(machine: dict[str, Any]) -> None:
    simulator: Any = load_simulator()
    job = {"machine": {"images": [], **machine}, "items": [], "costs": []}
    with pytest.raises(RuntimeError, match="bad_cast"):
        simulator.simulate_bag(job)
