# SPDX-License-Identifier: Apache-2.0
"""Time balancers on the published benchmarks, and predict phases: ``python -m bench.graph``.

`make bench-graph`. Prints a table and writes ``build/bench/graph.json``. A target that is missed
shows in both; the exit code stays 0, because a figure is reported as it is.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from bench.case import Scale, read_table
from bench.json_rows import add_rows, replies_in
from bench.machine import circumstances
from bench.report import print_outcome
from bench.result import Outcome, write_outcome
from bench.runtime.program import run_limited

CASE = Path(__file__).resolve().parents[1] / "cases" / "graph" / "balancers.toml"
PROGRAM = "balancer_bench"


def read_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.graph", description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="small graphs, one round, for CI")
    parser.add_argument("--build", type=Path, default=Path("build/release"), help="folder")
    parser.add_argument("--output", type=Path, default=Path("build/bench"), help="folder")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> None:
    """Run, print and write."""
    arguments = read_arguments(words)
    case = read_table(CASE, Scale.SMOKE if arguments.smoke else Scale.FULL)
    found = circumstances(smoke=arguments.smoke)
    outcome = Outcome()
    program = arguments.build.resolve() / "bench" / "graph" / PROGRAM
    command = [str(program), str(case["rounds"]), str(case["objects_max"])]
    add_rows(case["row"], replies_in(run_limited(command, case["limit_s"], {})), outcome)
    rows_path = arguments.output.resolve() / "graph.json"
    write_outcome(rows_path, outcome, found)
    print_outcome(Console(), "bench graph", outcome)
    print(f"written: {rows_path}")


if __name__ == "__main__":
    main()
