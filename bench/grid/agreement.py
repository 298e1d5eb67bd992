# SPDX-License-Identifier: Apache-2.0
"""How far a simulated step of a grid is from the measured one: hosts made of namespaces."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench.case import Scale, read_table
from bench.json_rows import Replies, add_rows, each_row, replies_in
from bench.result import Outcome, Row
from bench.runtime.program import NETCLUSTER, Places, ProgramError, run_limited

CASE = Path(__file__).resolve().parents[1] / "cases" / "grid" / "agreement.toml"


def priority() -> list[str]:
    """Return what gives a command real-time priority, where that is permitted.

    Devices mostly sleep. Where others use the cores, they would wake when these let them, and the
    network's measurement and the steps would not be of one machine.
    """
    words = ["chrt", "--rr", "1"]
    if shutil.which(words[0]) is None:
        return []
    tried = subprocess.run([*words, "true"], capture_output=True, check=False)
    return words if tried.returncode == 0 else []


def command_of(run: dict[str, Any], case: dict[str, Any], build: Path) -> list[str]:
    """Return how to start the images of a run, each on a host of its own."""
    own = [str(build.resolve() / "bench" / "grid" / "agreement_bench")]
    # What a quick run changes goes before what the run asks for.
    quick = case["arguments"] if case["is_smoke"] else {}
    for name, value in {**case["arguments"], **run["over"], **quick}.items():
        own += [f"--{name}", str(value)]
    mpiexec = Places(build, build).mpiexec()
    launch = [*priority(), sys.executable, str(NETCLUSTER), "launch", "--mpirun", mpiexec]
    hosts = ["--hosts", str(run["hosts"]), "--ranks-per-host", "1", "--shape", run["shape"]]
    return [*launch, *hosts, "--limit", f"{case['limit_s']:g}", "--", *own]


def measure(build: Path, scale: Scale, outcome: Outcome) -> None:
    """Run all, and append the rows; runs that cannot be had here are left out with the reason."""
    case = read_table(CASE, scale) | {"is_smoke": scale is Scale.SMOKE}
    found: Replies = {}
    missing: dict[str, str] = {}
    for run in case["run"]:
        try:
            printed = run_limited(command_of(run, case, build), case["limit_s"], {})
        except ProgramError as error:
            missing[run["title"]] = str(error).splitlines()[0]
            continue
        for name, figures in replies_in(printed).items():
            found[f"{run['title']}: {name}"] = figures
    for row in each_row(case["row"]):
        title = row["of"].rsplit(": ", 1)[0]
        if title in missing:
            left_out = Row(row["name"], None, row["unit"], target=row.get("target"))
            outcome.leave_out(left_out, missing[title])
    add_rows(case["row"], found, outcome)
