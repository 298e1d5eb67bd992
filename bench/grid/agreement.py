# SPDX-License-Identifier: Apache-2.0
"""How far a simulated step of a grid is from the measured one: hosts made of namespaces."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from bench.case import Scale, read_table
from bench.grid.host_runs import measure_runs, own_command
from bench.result import Outcome
from bench.runtime.program import NETCLUSTER, Places, priority

CASE = Path(__file__).resolve().parents[1] / "cases" / "grid" / "agreement.toml"


def command_of(run: dict[str, Any], case: dict[str, Any], build: Path) -> list[str]:
    """Return how to start the images of a run, each on a host of its own."""
    own = own_command("agreement_bench", run, case, build)
    mpiexec = Places(build, build).mpiexec()
    launch = [*priority(), sys.executable, str(NETCLUSTER), "launch", "--mpirun", mpiexec]
    hosts = ["--hosts", str(run["hosts"]), "--ranks-per-host", "1", "--shape", run["shape"]]
    return [*launch, *hosts, "--limit", f"{case['limit_s']:g}", "--", *own]


def measure(build: Path, scale: Scale, outcome: Outcome) -> None:
    """Run all, and append the rows; runs that cannot be had here are left out with the reason."""
    case = read_table(CASE, scale) | {"is_smoke": scale is Scale.SMOKE}
    measure_runs(case, lambda run: command_of(run, case, build), outcome)
