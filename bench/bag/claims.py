# SPDX-License-Identifier: Apache-2.0
"""What a claim costs between images, beside the usual way to claim with MPI."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from bench.case import Scale
from bench.ratio import spread
from bench.result import Outcome, Row
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
    found: dict[str, list[dict[str, float]]] = {}
    for line in run_limited(command, case["limit_s"], {}).splitlines():
        if line.startswith("{"):
            reply = json.loads(line)
            found.setdefault(reply.pop("contestant"), []).append(reply)
    for row in case["row"]:
        value = spread([reply[row["figure"]] for reply in found[row["of"]]])
        ratio = None
        if other := row.get("compared_to"):
            basis = spread([reply[row["figure"]] for reply in found[other]]).median
            ratio = value.median / basis
        filled = Row(row["name"], value.median, row["unit"], other, ratio, row.get("target"))
        outcome.add(filled, value)
    outcome.series |= found
