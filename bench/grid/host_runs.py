# SPDX-License-Identifier: Apache-2.0
"""Runs of a case's program as images on hosts made of namespaces, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.json_rows import Replies, add_rows, each_row, replies_in
from bench.result import Outcome, Row
from bench.runtime.program import ProgramError, run_limited

Run = dict[str, Any]


def own_command(program: str, run: Run, case: dict[str, Any], build: Path) -> list[str]:
    """Return the program's own words; what a quick run changes goes before what the run says."""
    own = [str(build.resolve() / "bench" / "grid" / program)]
    quick = case["arguments"] if case["is_smoke"] else {}
    for name, value in {**case["arguments"], **run["over"], **quick}.items():
        own += [f"--{name}", str(value)]
    return own


def measure_runs(
    case: dict[str, Any],
    command_of: Callable[[Run], list[str]],
    outcome: Outcome,
    lacking: str = "",
) -> None:
    """Run all, and append the rows; runs that cannot be had here are left out with the reason.

    Where the machine is `lacking` something, none is run.
    """
    found: Replies = {}
    missing: dict[str, str] = {}
    for run in case["run"]:
        if lacking:
            missing[run["title"]] = lacking
            continue
        try:
            printed = run_limited(command_of(run), case["limit_s"], {})
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
