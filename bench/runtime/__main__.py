# SPDX-License-Identifier: Apache-2.0
"""Measure the runtime room: ``python -m bench.runtime [--smoke]``: that is `make bench-runtime`.

Prints predictions and a table, and writes ``build/bench/runtime.json`` with the circumstances of
the run beside it. A target that is missed or a peer that is missing shows in both; the exit code
stays 0, because a figure is reported as it is.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from bench.case import Scale
from bench.machine import circumstances
from bench.report import new_table, print_outcome
from bench.result import Outcome, write_outcome
from bench.runtime.case import RuntimeCase, read_case
from bench.runtime.program import Places, ProgramError, run_program
from bench.runtime.rows import Series, add_rows

CASES = Path(__file__).resolve().parents[1] / "cases" / "runtime"
CASE_NAMES = (
    "node",
    "remote",
    "passive",
    "endpoints",
    "attention",
    "busy_receiver",
    "stealing",
    "libraries",
)


def read_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.runtime", description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="small sizes, for CI")
    parser.add_argument("--only", nargs="+", choices=CASE_NAMES, default=list(CASE_NAMES))
    parser.add_argument("--output", type=Path, default=Path("build/bench"), help="folder")
    parser.add_argument("--peers", type=Path, default=Path("build/bench"), help="peers' folder")
    parser.add_argument("--build", type=Path, default=Path("build/release"), help="engine's build")
    return parser.parse_args(words)


def print_predictions(console: Console, case: RuntimeCase) -> None:
    """Say, before anything is measured, what it should be."""
    table = new_table(f"{case.title}: predicted", {"what": False, "is": False, "because": False})
    for entry in case.predictions:
        what = f"{entry.value:g}" if entry.of is None else f"{entry.times:g} x {entry.of}"
        table.add_row(entry.name, what, entry.why)
    console.print(table)


def run_case(case: RuntimeCase, places: Places, console: Console) -> Series:
    """Start the programs of a case in turn; one that fails is not started again."""
    series = Series()
    present = dict(enumerate(case.programs))
    for _ in range(case.launches):
        for index, program in list(present.items()):
            try:
                series.add(index, run_program(program, places))
            except ProgramError as error:
                del present[index]
                series.failures.append(f"{program.full_name(program.name)}: {error}")
                console.print(f"left out: {series.failures[-1]}", markup=False)
    return series


def main(words: Sequence[str] | None = None) -> None:
    """Run, print and write."""
    arguments = read_arguments(words)
    places = Places(build=arguments.build.resolve(), peers=arguments.peers.resolve())
    found = circumstances(smoke=arguments.smoke)
    outcome = Outcome()
    console = Console(stderr=True)
    for name in arguments.only:
        case = read_case(CASES / f"{name}.toml", Scale.SMOKE if arguments.smoke else Scale.FULL)
        print_predictions(console, case)
        add_rows(case, run_case(case, places, console), outcome)
    rows_path = arguments.output.resolve() / "runtime.json"
    write_outcome(rows_path, outcome, found)
    print_outcome(Console(), "bench runtime", outcome)
    print(f"written: {rows_path}")


if __name__ == "__main__":
    main()
