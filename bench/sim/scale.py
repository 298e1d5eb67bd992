# SPDX-License-Identifier: Apache-2.0
"""How long large simulated bags take, and what memory: runs of ``sim_scale_bench``."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.case import Scale, read_table
from bench.result import Outcome, Row


@dataclass(frozen=True)
class ScaleCase:
    """A machine and a bag, and how long it may take [s] and what it may need [MiB]."""

    name: str
    devices: int
    tasks: int
    devices_per_image: int
    policy: str
    dispatcher: str
    seconds_max: float | None = None
    peak_mib_max: float | None = None

    @property
    def words(self) -> list[str]:
        """The program's arguments."""
        sizes = (self.devices, self.tasks, self.devices_per_image)
        return [*map(str, sizes), self.policy, self.dispatcher]


def run_cases(
    path: Path, scale: Scale, build: Path, outcome: Outcome, notice: Callable[[str], None]
) -> None:
    """Run each once, and append a row for its time and one for its memory.

    Raises `subprocess.CalledProcessError` if a bag is not done.
    """
    program = build / "bench" / "sim" / "sim_scale_bench"
    shrink = read_table(path, scale)
    for entry in shrink["case"]:
        case = ScaleCase(**{**entry, **shrink.get("at_most", {})})
        ended = subprocess.run(
            [str(program), *case.words], capture_output=True, text=True, check=True
        )
        found = json.loads(ended.stdout)
        notice(f"{case.name}: {ended.stdout.strip()}")
        limit = f"value < {case.seconds_max}" if case.seconds_max else None
        outcome.add(Row(case.name, found["seconds"], "s", target=limit))
        limit = f"value < {case.peak_mib_max}" if case.peak_mib_max else None
        outcome.add(Row(f"{case.name}: memory", found["peak_mib"], "MiB", target=limit))
        outcome.series[case.name] = [found]
