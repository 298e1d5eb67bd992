# SPDX-License-Identifier: Apache-2.0
"""Measure the pricing room: ``python -m bench.price [--smoke]``, the program of `make bench-price`.

Prints the bounds and a table, and writes ``build/bench/price.json`` with the circumstances of the
run beside it. A target that is missed or a peer that is missing shows in both; the exit code stays
0, because a figure is reported as it is.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from bench.case import Case, Scale, read_case
from bench.interleave import add_rows, clock_hz, run_rounds
from bench.machine import circumstances
from bench.price.book import run_book
from bench.price.contestants import BENCH, Places, WorkerPool
from bench.price.start import run_start
from bench.report import print_bounds, print_outcome
from bench.result import Outcome, write_outcome
from bench.worker import WorkerError

CASES = BENCH / "cases" / "price"
INTERLEAVED = ("kernel", "accuracy", "greeks", "threads")
CASE_NAMES = (*INTERLEAVED, "book", "start")


def read_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.price", description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="small sizes, under 20 s, for CI")
    parser.add_argument("--only", nargs="+", choices=CASE_NAMES, default=list(CASE_NAMES))
    parser.add_argument("--output", type=Path, default=Path("build/bench"), help="folder")
    parser.add_argument("--peers", type=Path, default=Path("build/bench"), help="peers' folder")
    parser.add_argument("--build", type=Path, default=Path("build/release"), help="engine's build")
    return parser.parse_args(words)


def find_kernel_bench(build: Path) -> Path | None:
    """Return the program `kernel_bench` anywhere in a build folder."""
    found = [path for path in build.rglob("kernel_bench") if os.access(path, os.X_OK)]
    return next((path.resolve() for path in found if path.is_file()), None)


def announce_bounds(console: Console, case: Case, pool: WorkerPool) -> None:
    """Print the case's bounds at the clock that its first bounded contestant runs at."""
    for contestant in case.contestants:
        if contestant.bound_cycles is not None:
            try:
                print_bounds(console, case, clock_hz(pool.ask(contestant)))
            except WorkerError as error:
                console.print(f"no bounds: {error}", markup=False)
            return


def run_interleaved(name: str, scale: Scale, pool: WorkerPool, outcome: Outcome) -> None:
    """Run one case of contestants in turn and append its rows."""
    console = Console(stderr=True)
    case = read_case(CASES / f"{name}.toml", scale)
    announce_bounds(console, case, pool)
    series = run_rounds(
        case,
        lambda contestant: pool.ask(contestant, case.cores),
        lambda text: console.print(text, markup=False),
    )
    add_rows(case, series, outcome)


def run_cases(arguments: argparse.Namespace, places: Places) -> Outcome:
    """Run the chosen cases one after another."""
    outcome = Outcome()
    scale = Scale.SMOKE if arguments.smoke else Scale.FULL
    with WorkerPool(places) as pool:
        for name in arguments.only:
            path = CASES / f"{name}.toml"
            if name == "book":
                run_book(path, scale, places, pool, outcome)
            elif name == "start":
                run_start(path, scale, places, outcome)
            else:
                run_interleaved(name, scale, pool, outcome)
    return outcome


def main(words: Sequence[str] | None = None) -> None:
    """Run, print and write."""
    arguments = read_arguments(words)
    places = Places(
        output=arguments.output.resolve(),
        peers=arguments.peers.resolve(),
        kernel_bench=find_kernel_bench(arguments.build),
        cores=os.sched_getaffinity(0),
    )
    found = circumstances(smoke=arguments.smoke)
    outcome = run_cases(arguments, places)
    rows_path = places.output / "price.json"
    write_outcome(rows_path, outcome, found)
    print_outcome(Console(), "bench price", outcome)
    print(f"written: {rows_path}")


if __name__ == "__main__":
    main()
