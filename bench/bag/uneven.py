# SPDX-License-Identifier: Apache-2.0
"""Items whose lengths spread 1000:1 through `makespan.map`, told what they cost and not told.

The bound is the length of all items over the number of images.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.case import Scale, read_table
from bench.ratio import spread
from bench.result import Outcome, Row
from bench.runtime.program import Places, run_limited

PROGRAM = Path(__file__).with_name("uneven_tasks.py")


@dataclass(frozen=True)
class UnevenCase:
    """The items, and by what is known of them the share of the bound that is to be reached."""

    title: str
    rounds: int
    items: int
    longest_ms: float
    spread: float
    images: int
    limit_s: float
    targets: dict[str, str]


def read_case(path: Path, scale: Scale) -> UnevenCase:
    """Read the case file, with the values of a quick run over the others."""
    return UnevenCase(**read_table(path, scale))


def run_case(
    case: UnevenCase, build: Path, outcome: Outcome, notice: Callable[[str], None]
) -> None:
    """Run with and without costs in turn, and append a row for each."""
    mpiexec = Places(build, build).mpiexec()
    items = [str(case.items), f"{case.longest_ms:g}", f"{case.spread:g}"]
    found: dict[str, list[tuple[float, float]]] = {costs: [] for costs in case.targets}
    for number in range(case.rounds):
        for costs, runs in found.items():
            launch = [mpiexec, "-n", str(case.images), sys.executable, str(PROGRAM)]
            printed = run_limited([*launch, *items, costs], case.limit_s, {})
            reply = json.loads(printed.strip().splitlines()[-1])
            runs.append((float(reply["seconds"]), float(reply["bound"])))
        notice(f"round {number + 1} of {case.rounds}")
    for costs, runs in found.items():
        value = spread([seconds for seconds, _ in runs])
        ratio = spread([bound / seconds for seconds, bound in runs])
        name = f"{case.items} items, {case.spread:g}:1, costs {costs}"
        row = Row(name, value.median, "s", "bound", ratio.median, case.targets[costs])
        outcome.add(row, value, ratio)
        outcome.series[name] = [{"seconds": seconds} for seconds, _ in runs]
