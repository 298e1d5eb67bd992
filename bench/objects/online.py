# SPDX-License-Identifier: Apache-2.0
"""Benchmarks that run on two images, a core each, with and without balancing in turn.

A slowed run has image 1 under `throttle`, which takes half of its core.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from bench.case import Scale, read_table
from bench.json_rows import add_rows, each_row, replies_in
from bench.result import Outcome, Row
from bench.runtime.program import Places, ProgramError, run_limited

CASE = Path(__file__).resolve().parents[1] / "cases" / "objects" / "online.toml"
HALF_SPEED = ["0.2", "0.2"]
"""Milliseconds for which `throttle` leaves a core to a process, and takes it."""


def pinned(core: int, command: list[str]) -> list[str]:
    """Return a command that runs as one image on one core."""
    return ["-n", "1", "taskset", "-c", str(core), *command]


def command_of(
    run: dict[str, Any], case: dict[str, Any], build: Path, cores: list[int]
) -> list[str]:
    """Return how to start both images of a run."""
    folder = build.resolve() / "bench" / "objects"
    pairs = {**case["arguments"], **run["arguments"], **case["over"]} | {
        "rounds": case["rounds"],
        "title": run["title"],
    }
    own = [str(folder / "online_bench")]
    for name, value in pairs.items():
        own += [f"--{name}", str(value)]
    throttle = [str(folder / "throttle"), *HALF_SPEED] if run["slowed"] else []
    mpiexec = Places(build, build).mpiexec()
    return [mpiexec, *pinned(cores[0], own), ":", *pinned(cores[1], [*throttle, *own])]


def measure(build: Path, scale: Scale, outcome: Outcome) -> None:
    """Run all, and append the rows; without two cores and an MPI all are left out."""
    case = read_table(CASE, scale)
    cores = sorted(os.sched_getaffinity(0))[-2:]
    printed = ""
    reason = "it needs two cores" if len(cores) < 2 else ""
    for run in case["run"] if not reason else []:
        try:
            printed += run_limited(command_of(run, case, build, cores), case["limit_s"], {})
        except ProgramError as error:
            reason = str(error)
            break
    if reason:
        for row in each_row(case["row"]):
            outcome.leave_out(Row(row["name"], None, row["unit"], target=row.get("target")), reason)
        return
    add_rows(case["row"], replies_in(printed), outcome)
