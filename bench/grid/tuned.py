# SPDX-License-Identifier: Apache-2.0
"""The tuner on two images of unequal speeds, against what each image does alone.

The second image has half of its core: `throttle` stops its process for half of the time.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from bench.case import Scale, read_table
from bench.json_rows import Replies, add_rows, each_row
from bench.result import Outcome, Row
from bench.runtime.program import Places, ProgramError, run_limited

CASE = Path(__file__).resolve().parents[1] / "cases" / "grid" / "tuned.toml"
HALF_SPEED = ["0.5", "0.5"]
"""Milliseconds for which `throttle` lets a process run, and stops it: less than a step takes."""


def pinned(core: int, command: list[str]) -> list[str]:
    """Return a command that runs as one image on one core."""
    return ["-n", "1", "taskset", "-c", str(core), *command]


def contestants(case: dict[str, Any], build: Path, cores: list[int]) -> dict[str, list[str]]:
    """Return the command of each, by its name."""
    points = ", ".join(str(count) for count in case["points"])
    Path(case["file"]).write_text(
        f"[grid]\npoints = [{points}]\n[run]\nsteps = {case['steps']}\n"
        "[output]\ntable_steps = 0\nslice_steps = 0\n",
        encoding="utf-8",
    )
    own = [sys.executable, "-m", "makespan", "diffuse", case["file"], "--json", "--threads", "1"]
    tuned = ["--tune", "now", "--tune-share", str(case["share"])]
    throttle = [str(build.resolve() / "bench" / "objects" / "throttle"), *HALF_SPEED]
    mpiexec = Places(build, build).mpiexec()

    def both(words: list[str]) -> list[str]:
        first = pinned(cores[0], [*own, *words])
        return [mpiexec, *first, ":", *pinned(cores[1], [*throttle, *own, *words])]

    return {
        "first": [mpiexec, *pinned(cores[0], [*own, *tuned])],
        "second": [mpiexec, *pinned(cores[1], [*throttle, *own, *tuned])],
        "tuned": both(tuned),
        "as it is": both(["--tune", "off"]),
    }


def measured(case: dict[str, Any], build: Path, cores: list[int]) -> Replies:
    """Run all in turn; `share` is of the sum of what both images do alone in the same round."""
    found: Replies = {}
    environment = {"XDG_CACHE_HOME": str(case["cache"])}
    for _ in range(case["rounds"]):
        speeds = {}
        for name, command in contestants(case, build, cores).items():
            printed = run_limited(command, case["limit_s"], environment)
            line = next(line for line in printed.splitlines() if line.startswith("{"))
            speeds[name] = json.loads(line)["run"]["points_per_s"]
        alone = speeds["first"] + speeds["second"]
        for name, speed in speeds.items():
            found.setdefault(name, []).append({"points_per_s": speed, "share": speed / alone})
    return found


def measure(build: Path, scale: Scale, outcome: Outcome) -> None:
    """Run all, and append the rows; without two cores and an MPI all are left out."""
    folder = build.resolve() / "bench" / "grid"
    case = read_table(CASE, scale) | {
        "file": str(folder / "tuned.toml"),
        "cache": folder / "tuned-cache",
    }
    cores = sorted(os.sched_getaffinity(0))[-2:]
    reason = "it needs two cores"
    if len(cores) > 1:
        try:
            add_rows(case["row"], measured(case, build, cores), outcome)
        except ProgramError as error:
            reason = str(error).splitlines()[0]
        else:
            return
    for row in each_row(case["row"]):
        left_out = Row(row["name"], None, row["unit"], target=row.get("target"))
        outcome.leave_out(left_out, reason)
