# SPDX-License-Identifier: Apache-2.0
"""Phases in virtual time beside the same phases on threads, images and hosts of this machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.case import Scale, read_table
from bench.json_rows import add_rows, replies_in
from bench.result import Outcome, Row
from bench.runtime.program import (
    NETCLUSTER,
    SETTLE_S,
    Places,
    ProgramError,
    priority,
    run_limited,
)

CASE = Path(__file__).resolve().parents[1] / "cases" / "objects" / "virtual.toml"


def _on_its_core(layout: Mapping[str, Any]) -> list[str]:
    """A host of namespaces has all cores of this machine, and would take the first for its image.

    Raises ProgramError where there are fewer cores than the hosts are said to have together.
    """
    wanted = round(layout["hosts"] * layout["speed"])
    cores = sorted(os.sched_getaffinity(0))[:wanted]
    if len(cores) < wanted:
        msg = f"{layout['hosts']} hosts share {wanted} cores, and there are {len(cores)}"
        raise ProgramError(msg)
    rank = "$((${PMI_RANK:-$PMIX_RANK} % " + f"{wanted}))"
    chosen = f'cores=({" ".join(map(str, cores))}); exec taskset -c "${{cores[{rank}]}}" "$@"'
    return ["bash", "-euc", chosen, "bash"]


def _launch(build: Path, layout: Mapping[str, Any], limit_s: float) -> list[str]:
    """What starts the program: nothing, on this node, or on hosts made of namespaces."""
    if layout["images"] == 1:
        return []
    mpiexec = Places(build, build).mpiexec()
    if layout["hosts"] == 1:
        return [mpiexec, "-n", str(layout["images"])]
    launch = [*priority(), sys.executable, str(NETCLUSTER), "launch", "--mpirun", mpiexec]
    hosts = ["--hosts", str(layout["hosts"]), "--ranks-per-host", "1", "--shape", layout["shape"]]
    return [*launch, *hosts, "--limit", f"{limit_s:g}", "--", *_on_its_core(layout)]


def measure(build: Path, scale: Scale, outcome: Outcome) -> None:
    """Run each, and append its row; without MPI those of two images are left out."""
    case = read_table(CASE, scale)
    program = str(build.resolve() / "bench" / "objects" / "virtual_bench")
    for row in case["row"]:
        layout = case["layout"][row["layout"]]
        own = [program]
        pairs = {
            **case["app"][row["app"]],
            **case["over"],
            "title": row["of"],
            "rounds": case["rounds"],
            "threads": layout["threads"],
            "speed": layout["speed"],
        }
        for name, value in pairs.items():
            own += [f"--{name}", str(value)]
        try:
            command = [*_launch(build, layout, case["limit_s"]), *own]
            with TemporaryDirectory() as cache:  # no costs of another run's links
                limit_s = case["limit_s"] + 2 * SETTLE_S  # hosts end before by their own
                done = run_limited(command, limit_s, {"XDG_CACHE_HOME": cache})
            add_rows([row], replies_in(done), outcome)
        except ProgramError as error:
            left_out = Row(row["name"], None, row["unit"], target=row.get("target"))
            outcome.leave_out(left_out, str(error))
