# SPDX-License-Identifier: Apache-2.0
"""LAMMPS's in.lj by makespan and by LAMMPS, in turn, on one core."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

from bench.case import Scale, read_table
from bench.json_rows import Replies, add_rows, each_row, replies_in
from bench.result import Outcome, Row
from bench.runtime.program import ProgramError, run_limited

BENCH = Path(__file__).resolve().parents[1]
CASE = BENCH / "cases" / "objects" / "melt.toml"
INPUT = BENCH / "objects" / "in.melt"


def lammps_step_ms(printed: str) -> float:
    """Return what a step took by LAMMPS's own clock, which leaves out the set-up."""
    found = re.search(
        r"^Loop time of ([\d.e+-]+) on 1 procs for (\d+) steps", printed, re.MULTILINE
    )
    if not found:
        msg = "lmp did not say its loop time"
        raise ProgramError(msg)
    return 1e3 * float(found[1]) / int(found[2])


def run_round(case: dict[str, Any], programs: Path, pinned: list[str]) -> Replies:
    """Run every contestant once."""
    steps = str(case["steps"])
    ours = [str(programs / "objects" / "melt_bench"), "1", steps, "auto"]
    (serial,) = replies_in(run_limited([*pinned, *ours], case["limit_s"], {})).values()
    objects = [str(programs / "objects" / "online_bench"), *case["objects"], "--steps", steps]
    (online,) = replies_in(run_limited([*pinned, *objects], case["limit_s"], {})).values()
    found: Replies = {
        "one thread": serial,
        "objects": [{"step_ms": 1e3 * each["total_s"] / case["steps"]} for each in online],
    }
    lammps = shutil.which("lmp")
    if lammps is None:
        return found
    for name, flags in (("lammps", []), ("lammps -sf opt", ["-sf", "opt"])):
        command = [lammps, *flags, "-in", str(INPUT), "-log", "none", "-var", "steps", steps]
        printed = run_limited([*pinned, *command], case["limit_s"], {})
        found[name] = [{"step_ms": lammps_step_ms(printed)}]
    return found


def measure(build: Path, scale: Scale, outcome: Outcome) -> None:
    """Run all in turn, and append the rows; without LAMMPS those that compare are left out."""
    case = read_table(CASE, scale)
    pinned = ["taskset", "-c", str(max(os.sched_getaffinity(0)))]
    found: Replies = {}
    for _ in range(case["rounds"]):
        for name, figures in run_round(case, build.resolve() / "bench", pinned).items():
            found.setdefault(name, []).extend(figures)
    for row in each_row(case["row"]):
        if row.get("compared_to") in (None, *found):
            continue
        left_out = Row(row["name"], None, row["unit"], target=row.get("target"))
        outcome.leave_out(left_out, "lmp is not installed: bench/peers/packages.txt")
    add_rows(case["row"], found, outcome)
