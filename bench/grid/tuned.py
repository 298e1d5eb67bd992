# SPDX-License-Identifier: Apache-2.0
"""The tuner on two images of unequal speeds, against what the two do side by side, each for itself.

The second image has half of its core: `throttle` takes the other half. The sum of
speeds is of two runs of one image each at the same time, which share the memory as the two images
of one run do.
"""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from bench.case import Scale, read_table
from bench.json_rows import Replies, add_rows, each_row
from bench.result import Outcome, Row
from bench.runtime.program import Places, ProgramError, run_limited

CASE = Path(__file__).resolve().parents[1] / "cases" / "grid" / "tuned.toml"
HALF_SPEED = ["0.2", "0.2"]
"""Milliseconds for which `throttle` leaves a core to a process, and takes it."""


def pinned(core: int, command: list[str]) -> list[str]:
    """Return a command that runs as one image on one core."""
    return ["-n", "1", "taskset", "-c", str(core), *command]


def written(case: dict[str, Any], name: str, steps: int) -> str:
    """Write an input of so many steps, and return its path."""
    points = ", ".join(str(count) for count in case["points"])
    path = Path(case["folder"]) / f"{name}.toml"
    path.write_text(
        f"[grid]\npoints = [{points}]\n[run]\nsteps = {steps}\n"
        "[output]\ntable_steps = 0\nslice_steps = 0\n",
        encoding="utf-8",
    )
    return str(path)


def contestants(case: dict[str, Any], build: Path, cores: list[int]) -> dict[str, list[str]]:
    """Return the command of each, by its name."""
    python = [sys.executable, "-m", "makespan", "diffuse"]
    flags = ["--json", "--threads", "1"]
    own = [*python, written(case, "together", case["steps"]), *flags]
    # As long as the other, which has half of its core.
    quick = [*python, written(case, "quick", 2 * case["steps"]), *flags]
    tuned = ["--tune", "now", "--tune-share", str(case["share"])]
    throttle = [str(build.resolve() / "bench" / "objects" / "throttle"), *HALF_SPEED]
    mpiexec = Places(build, build).mpiexec()

    def both(words: list[str]) -> list[str]:
        first = pinned(cores[0], [*own, *words])
        return [mpiexec, *first, ":", *pinned(cores[1], [*throttle, *own, *words])]

    return {
        "first": [mpiexec, *pinned(cores[0], [*quick, *tuned])],
        "second": [mpiexec, *pinned(cores[1], [*throttle, *own, *tuned])],
        "tuned": both(tuned),
        "as it is": both(["--tune", "off"]),
    }


def measured(case: dict[str, Any], build: Path, cores: list[int]) -> Replies:
    """Run all; `share` is of the sum of the first two, which run at the same time in each round."""
    found: Replies = {}
    environment = {"XDG_CACHE_HOME": str(case["folder"] / "cache")}
    commands = contestants(case, build, cores)

    def speed(name: str) -> float:
        printed = run_limited(commands[name], case["limit_s"], environment)
        line = next(line for line in printed.splitlines() if line.startswith("{"))
        return float(json.loads(line)["run"]["points_per_s"])

    for _ in range(case["rounds"]):
        pair = ("first", "second")
        with ThreadPoolExecutor(len(pair)) as threads:
            speeds = dict(zip(pair, threads.map(speed, pair), strict=True))
        speeds |= {name: speed(name) for name in commands if name not in pair}
        alone = speeds["first"] + speeds["second"]
        for name, found_speed in speeds.items():
            found.setdefault(name, []).append(
                {"points_per_s": found_speed, "share": found_speed / alone}
            )
    return found


def measure(build: Path, scale: Scale, outcome: Outcome) -> None:
    """Run all, and append the rows; without two cores and an MPI all are left out."""
    case = read_table(CASE, scale) | {"folder": build.resolve() / "bench" / "grid" / "tuned"}
    case["folder"].mkdir(exist_ok=True)
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
