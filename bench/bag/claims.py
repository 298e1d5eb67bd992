# SPDX-License-Identifier: Apache-2.0
"""What a claim costs between images, beside the usual way to claim with MPI."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from bench.case import Scale
from bench.json_rows import add_rows, replies_in
from bench.result import Outcome
from bench.runtime.program import Places, run_limited

PROGRAM = "image_claim_bench"


def run_case(path: Path, scale: Scale, build: Path, outcome: Outcome) -> None:
    """Run the program as the case file says, and append its rows."""
    case: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    quick = case.pop("smoke")
    if scale is Scale.SMOKE:
        case["arguments"] |= quick
    places = Places(build, build)
    words = [
        word for name, value in case["arguments"].items() for word in (f"--{name}", str(value))
    ]
    command = [
        places.mpiexec(),
        "-n",
        "2",
        str(build.resolve() / "bench" / "bag" / PROGRAM),
        *words,
    ]
    found = replies_in(run_limited(command, case["limit_s"], {}))
    add_rows(case["row"], found, outcome)
