# SPDX-License-Identifier: Apache-2.0
"""Measure pricing against its strongest rivals: ``python -m bench.rivals [--smoke]``.

The second program of `make bench-price`. Each rival prices the same contracts as makespan does, in
turn with it, and has its error against the true price beside its time. Writes
``build/bench/rivals.json`` with the circumstances of the run beside it.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from bench.case import Contestant, Scale
from bench.interleave import run_rounds
from bench.machine import circumstances
from bench.price.contestants import BENCH, Places, WorkerPool
from bench.report import print_outcome
from bench.result import Outcome, write_outcome
from bench.rivals.case import RivalCase, check_contract, read_rivals
from bench.rivals.rows import add_rivals
from bench.rivals.workload import read_workload, run_workload
from bench.worker import REPLY_TIMEOUT_S, Reply

CASES = BENCH / "cases" / "rivals"
RIVALS = ("n365", "n365_strikes", "n12", "geometric", "heston")
CASE_NAMES = (*RIVALS, "workload")
WHOLE_TIMEOUT_S = 3600.0


def read_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.rivals", description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="small sizes, for CI")
    parser.add_argument("--only", nargs="+", choices=CASE_NAMES, default=list(CASE_NAMES))
    parser.add_argument("--whole", action="store_true", help="all trades of the workload, once")
    parser.add_argument("--output", type=Path, default=Path("build/bench"), help="folder")
    parser.add_argument("--peers", type=Path, default=Path("build/bench"), help="peers' folder")
    parser.add_argument("--build", type=Path, help="not used: the installed engine is measured")
    return parser.parse_args(words)


def ask_checked(rivals: RivalCase, contestant: Contestant, pool: WorkerPool) -> Reply:
    """Ask a contestant; prices of another contract are a WorkerError."""
    reply = pool.ask(contestant)
    check_contract(rivals, reply)
    return reply


def run_cases(arguments: argparse.Namespace, places: Places) -> Outcome:
    """Run the chosen cases one after another."""
    outcome = Outcome()
    scale = Scale.SMOKE if arguments.smoke else Scale.FULL
    console = Console(stderr=True)

    def notice(text: str) -> None:
        console.print(text, markup=False)

    with WorkerPool(places, WHOLE_TIMEOUT_S if arguments.whole else REPLY_TIMEOUT_S) as pool:
        for name in arguments.only:
            path = CASES / f"{name}.toml"
            if name == "workload":
                workload = read_workload(path, scale, whole=arguments.whole)
                run_workload(workload, places.output / "workload", pool, outcome, notice)
                continue
            rivals = read_rivals(path, scale)

            def ask(contestant: Contestant, rivals: RivalCase = rivals) -> Reply:
                return ask_checked(rivals, contestant, pool)

            add_rivals(rivals, run_rounds(rivals.case, ask, notice), outcome)
    return outcome


def main(words: Sequence[str] | None = None) -> None:
    """Run, print and write."""
    arguments = read_arguments(words)
    places = Places(
        output=arguments.output.resolve(),
        peers=arguments.peers.resolve(),
        kernel_bench=None,
        cores=os.sched_getaffinity(0),
    )
    found = circumstances(smoke=arguments.smoke)
    outcome = run_cases(arguments, places)
    rows_path = places.output / "rivals.json"
    write_outcome(rows_path, outcome, found)
    print_outcome(Console(), "bench rivals", outcome)
    print(f"written: {rows_path}")


if __name__ == "__main__":
    main()
