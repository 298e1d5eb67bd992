# SPDX-License-Identifier: Apache-2.0
"""Balancers by running programs on the document's machines: ``python -m bench.objects.machines``.

`make bench-machines`. Three programs of objects on three described machines, in virtual time, by
each balancer in turn. Prints tables in Markdown with means and the half width of
their confidence intervals (Student's t), and writes them to ``build/bench/machines.md``, and every
run to ``build/bench/machines.json``.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scipy import stats

from bench.case import Scale, read_table
from bench.machine import circumstances
from bench.runtime.program import run_limited

CASE = Path(__file__).resolve().parents[1] / "cases" / "objects" / "machines.toml"
HEADINGS = (
    "| balancer | run, ms | speed-up | last phase, ms | between, ms | moved | core usage, % |",
    "|---|---|---|---|---|---|---|",
)

Run = Mapping[str, Any]


def mean_text(values: Sequence[float], confidence: float) -> str:
    """Mean and half width of its confidence interval."""
    mean = statistics.fmean(values)
    if len(set(values)) < 2:
        return f"{mean:.4g}"
    quantile = float(stats.t.ppf(0.5 + confidence / 2.0, len(values) - 1))
    half = quantile * statistics.stdev(values) / math.sqrt(len(values))
    return f"{mean:.4g} ± {half:.2g}"


def speed_ups(runs: Sequence[Run], never: Sequence[Run]) -> list[float]:
    """Of each round, over the run of that round that was never balanced."""
    pairs = zip(never, runs, strict=True)
    return [before["total_ms"] / after["total_ms"] for before, after in pairs]


def table(runs: Mapping[str, Sequence[Run]], confidence: float) -> list[str]:
    """One program on one machine, by balancer."""
    lines = list(HEADINGS)
    for balancer, own in runs.items():
        cells = [
            balancer,
            mean_text([run["total_ms"] for run in own], confidence),
            mean_text(speed_ups(own, runs["never"]), confidence),
            mean_text([run["last_ms"] for run in own], confidence),
            f"{statistics.fmean(run['between_ms'] for run in own):.3g}",
            f"{statistics.fmean(run['moved'] for run in own):.0f}",
            f"{statistics.fmean(run['core_usage_percent'] for run in own):.1f}",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def measured(build: Path, case: Mapping[str, Any], program: str) -> list[Run]:
    """All runs of a program, round by round."""
    command = [
        str(build.resolve() / "bench" / "objects" / "machines_bench"),
        *("--rounds", str(case["rounds"][program])),
        *("--apps", program),
        *("--machines", ",".join(case["machines"])),
        *("--balancers", ",".join(case["balancers"])),
    ]
    printed = run_limited(command, case["limit_s"], {})
    return [json.loads(line) for line in printed.splitlines() if line.startswith("{")]


def main(words: Sequence[str] | None = None) -> None:
    """Run, print and write."""
    parser = argparse.ArgumentParser(prog="python -m bench.objects.machines", description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="one program and machine, for CI")
    parser.add_argument("--build", type=Path, default=Path("build/release"), help="folder")
    parser.add_argument("--output", type=Path, default=Path("build/bench"), help="folder")
    arguments = parser.parse_args(words)
    case = read_table(CASE, Scale.SMOKE if arguments.smoke else Scale.FULL)
    found = circumstances(smoke=arguments.smoke)
    lines: list[str] = []
    runs: list[Run] = []
    for program, rounds in case["rounds"].items():
        of_program = measured(arguments.build, case, program)
        runs += of_program
        for machine in case["machines"]:
            by_balancer = {
                balancer: [
                    run
                    for run in of_program
                    if run["machine"] == machine and run["balancer"] == balancer
                ]
                for balancer in case["balancers"]
            }
            lines += [f"**{program} on {machine}**, {rounds} runs", ""]
            lines += [*table(by_balancer, case["confidence"]), ""]
    arguments.output.mkdir(parents=True, exist_ok=True)
    text = "\n".join(lines)
    (arguments.output / "machines.md").write_text(text)
    (arguments.output / "machines.json").write_text(json.dumps({**found, "runs": runs}, indent=1))
    print(text)
    print(f"written: {arguments.output.resolve() / 'machines.md'}")


if __name__ == "__main__":
    main()
