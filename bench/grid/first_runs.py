# SPDX-License-Identifier: Apache-2.0
"""What the first run of a new equation takes, compile and all, and the same once it is kept."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from bench.case import Scale, read_table
from bench.json_rows import Replies, add_rows, each_row
from bench.result import Outcome, Row
from bench.runtime.program import ProgramError, run_limited

CASE = Path(__file__).resolve().parents[1] / "cases" / "grid" / "first_runs.toml"
WORKER = Path(__file__).with_name("first_run_worker.py")


def seconds_of(equation: str, cache: str, limit_s: float) -> float:
    """Return what a new process takes that finds what was compiled in this folder alone."""
    command = [sys.executable, str(WORKER), equation]
    printed = run_limited(command, limit_s, {"XDG_CACHE_HOME": cache})
    return float(json.loads(printed)["seconds"])


def measure(_build: Path, scale: Scale, outcome: Outcome) -> None:
    """Run all, and append the rows; an equation that could not be run is left out, with why."""
    case = read_table(CASE, scale)
    found: Replies = {}
    missing: dict[str, str] = {}
    for _ in range(case["rounds"]):
        for equation in case["equations"]:
            if equation in missing:
                continue
            try:
                with tempfile.TemporaryDirectory(prefix="makespan-bench-") as cache:
                    for when in ("first run", "kept"):
                        seconds = seconds_of(equation, cache, case["limit_s"])
                        found.setdefault(f"{equation}: {when}", []).append({"seconds": seconds})
            except ProgramError as error:
                missing[equation] = str(error).splitlines()[0]
    for row in each_row(case["row"]):
        equation = row["of"].partition(":")[0]
        if equation in missing:
            found.pop(row["of"], None)
            empty = Row(row["name"], None, row["unit"], target=row.get("target"))
            outcome.leave_out(empty, missing[equation])
    add_rows(case["row"], found, outcome)
