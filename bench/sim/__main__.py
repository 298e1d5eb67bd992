# SPDX-License-Identifier: Apache-2.0
"""Measure simulations: ``python -m bench.sim [--smoke] [--part agreement]``: `make bench-sim`.

Prints a table and writes ``build/bench/sim.json`` with the circumstances of the run beside it, and
``sim.robustness.md``, tables of every policy. A target that is missed shows in table and file; the
exit code stays 0, because a figure is reported as it is.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from makespan.base.engine import load_engine
from rich.console import Console

from bench.case import Scale
from bench.machine import circumstances
from bench.report import print_outcome
from bench.result import Outcome, write_outcome, write_text
from bench.sim import agreement, boss, robustness, scale

CASES = Path(__file__).resolve().parents[1] / "cases" / "sim"
PARTS = ["agreement", "scale", "boss", "robustness"]
SEEDS = (1, 2, 3)


def read_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.sim", description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="small sizes, for CI")
    parser.add_argument("--build", type=Path, default=Path("build/release"), help="folder")
    parser.add_argument("--part", action="append", choices=PARTS, help="these only")
    parser.add_argument("--output", type=Path, default=Path("build/bench"), help="folder")
    return parser.parse_args(words)


def two_cores() -> dict[str, str]:
    """Return devices of two cores of this process; exits where it has but one."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        sys.exit("bench.sim needs two cores, and this process may use one")
    isas = load_engine().available_isas()
    one, other = cores[-2], cores[-1]
    return {
        "first": f"cpu[cores={one},isa={isas[0]}]",
        "same": f"cpu[cores={other},isa={isas[0]}]",
        "second": f"cpu[cores={other},isa={isas[min(1, len(isas) - 1)]}]",
        "slow": f"cpu[cores={other},isa={isas[-1]}]",
    }


def main(words: Sequence[str] | None = None) -> None:
    """Run, print and write."""
    arguments = read_arguments(words)
    found = circumstances(smoke=arguments.smoke)
    outcome = Outcome()
    console = Console(stderr=True)
    size = Scale.SMOKE if arguments.smoke else Scale.FULL
    parts = arguments.part or PARTS

    def notice(text: str) -> None:
        console.print(text, markup=False)

    if "agreement" in parts:
        case = agreement.read_case(CASES / "agreement.toml", size)
        agreement.run_case(case, two_cores(), outcome, notice)
    if "scale" in parts:
        scale.run_cases(CASES / "scale.toml", size, arguments.build, outcome, notice)
    if "boss" in parts:
        boss.run_case(outcome, notice)
    if "robustness" in parts:
        ratios = robustness.ratios(SEEDS[:1] if arguments.smoke else SEEDS, notice)
        tables = [
            f"### `{way}`\n\n{robustness.table(ratios, way)}" for way in robustness.DISPATCHERS
        ]
        write_text(arguments.output.resolve() / "sim.robustness.md", "\n".join(tables))
        for row in robustness.worst_rows(ratios):
            outcome.add(row)
    rows_path = arguments.output.resolve() / "sim.json"
    write_outcome(rows_path, outcome, found)
    print_outcome(Console(), "bench sim", outcome)
    print(f"written: {rows_path}")


if __name__ == "__main__":
    main()
