# SPDX-License-Identifier: Apache-2.0
"""Measure grids: sweeps, own equations, unequal devices, overlap; simulated beside measured steps.

``python -m bench.grid [--smoke] [--part sweep]``, `make bench-grid`. Prints a table and writes
``build/bench/grid.json``. A target that is missed shows in both; the exit code stays 0, because
a figure is reported as it is.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from bench.case import Scale
from bench.grid import agreement, devices, equations, first_runs, schedule, sweep, tuned
from bench.machine import circumstances
from bench.report import print_outcome
from bench.result import Outcome, write_outcome

PARTS = {
    "sweep": sweep.measure,
    "equations": equations.measure,
    "first-runs": first_runs.measure,
    "devices": devices.measure,
    "schedule": schedule.measure,
    "agreement": agreement.measure,
    "tuned": tuned.measure,
}


def read_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.grid", description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="small sizes, one round, for CI")
    parser.add_argument("--build", type=Path, default=Path("build/release"), help="folder")
    parser.add_argument("--part", action="append", choices=list(PARTS), help="these only")
    parser.add_argument("--output", type=Path, default=Path("build/bench"), help="folder")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> None:
    """Run, print and write."""
    arguments = read_arguments(words)
    scale = Scale.SMOKE if arguments.smoke else Scale.FULL
    found = circumstances(smoke=arguments.smoke)
    outcome = Outcome()
    for part in arguments.part or PARTS:
        PARTS[part](arguments.build, scale, outcome)
    rows_path = arguments.output.resolve() / "grid.json"
    write_outcome(rows_path, outcome, found)
    print_outcome(Console(), "bench.grid", outcome)
    print(f"written: {rows_path}")


if __name__ == "__main__":
    main()
