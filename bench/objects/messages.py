# SPDX-License-Identifier: Apache-2.0
"""What messages between objects cost: on one place, between threads, between images."""

from __future__ import annotations

from pathlib import Path

from bench.case import Scale, read_table
from bench.json_rows import add_rows, each_row, replies_in
from bench.result import Outcome, Row
from bench.runtime.program import Places, ProgramError, run_limited

CASE = Path(__file__).resolve().parents[1] / "cases" / "objects" / "messages.toml"


def measure(build: Path, scale: Scale, outcome: Outcome) -> None:
    """Run in each layout, and append the rows; without MPI those of two images are left out."""
    case = read_table(CASE, scale)
    program = str(build.resolve() / "bench" / "objects" / "message_bench")
    printed = ""
    for layout in case["layout"]:
        own = [program, str(layout["threads"]), str(case["rounds"]), str(case["phases"])]
        try:
            launch = [Places(build, build).mpiexec(), "-n", str(layout["images"])]
            printed += run_limited(
                [*(launch if layout["images"] > 1 else []), *own], case["limit_s"], {}
            )
        except ProgramError as error:
            for row in each_row(layout["row"]):
                left_out = Row(row["name"], None, row["unit"], target=row.get("target"))
                outcome.leave_out(left_out, str(error))
    for layout in case["layout"]:
        add_rows(layout["row"], replies_in(printed), outcome)
