# SPDX-License-Identifier: Apache-2.0
"""Phases in virtual time beside the same phases on this machine's threads and images."""

from __future__ import annotations

from pathlib import Path

from bench.case import Scale, read_table
from bench.json_rows import add_rows, replies_in
from bench.result import Outcome, Row
from bench.runtime.program import Places, ProgramError, run_limited

CASE = Path(__file__).resolve().parents[1] / "cases" / "objects" / "virtual.toml"


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
        }
        for name, value in pairs.items():
            own += [f"--{name}", str(value)]
        try:
            launch = [Places(build, build).mpiexec(), "-n", str(layout["images"])]
            command = [*(launch if layout["images"] > 1 else []), *own]
            add_rows([row], replies_in(run_limited(command, case["limit_s"], {})), outcome)
        except ProgramError as error:
            left_out = Row(row["name"], None, row["unit"], target=row.get("target"))
            outcome.leave_out(left_out, str(error))
