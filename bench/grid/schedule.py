# SPDX-License-Identifier: Apache-2.0
"""What overlap hides of an exchange: on two hosts made of namespaces, and on this node."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from bench.case import Scale, read_table
from bench.grid.host_runs import measure_runs, own_command
from bench.result import Outcome
from bench.runtime.program import NETCLUSTER, Places

CASE = Path(__file__).resolve().parents[1] / "cases" / "grid" / "schedule.toml"


def command_of(run: dict[str, Any], case: dict[str, Any], build: Path) -> list[str]:
    """Return how to start both images of a run."""
    own = own_command("schedule_bench", run, case, build)
    mpiexec = Places(build, build).mpiexec()
    if run["hosts"] == 1:
        return [mpiexec, "-n", "2", *own]
    launch = [sys.executable, str(NETCLUSTER), "launch", "--mpirun", mpiexec, "--hosts", "2"]
    limit = ["--limit", f"{case['limit_s']:g}"]
    return [*launch, "--ranks-per-host", "1", "--shape", run["shape"], *limit, "--", *own]


def measure(build: Path, scale: Scale, outcome: Outcome) -> None:
    """Run all, and append the rows; runs that cannot be had here are left out with the reason."""
    case = read_table(CASE, scale) | {"is_smoke": scale is Scale.SMOKE}
    lacking = "" if len(os.sched_getaffinity(0)) > 1 else "it needs two cores"
    measure_runs(case, lambda run: command_of(run, case, build), outcome, lacking)
