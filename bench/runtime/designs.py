# SPDX-License-Identifier: Apache-2.0
"""How several threads of an image share the network, or processes do without: one table.

The designs of "Multi-threaded UPC Runtime with Network Endpoints" (Luo, Jose, Sur, Panda): one
endpoint behind a lock, one whose parts have locks, one for each thread; and a process for each
thread, which are as many jobs of two images at the same time.
"""

from __future__ import annotations

import statistics
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from bench.runtime.case import Program
from bench.runtime.program import Places, Replies, run_program

DESIGNS = {
    "global_lock": "one endpoint, one lock",
    "fine_lock": "one endpoint, fine locks",
    "chosen": "an endpoint for each thread",
    "processes": "a process for each thread",
}
SHORT, LONG = 8, 65536  # bytes
OPERATIONS = ("put", "get", "put_many", "put_both_ways")


@dataclass(frozen=True)
class DesignRow:
    """One design with so many pairs: times in seconds, rates of all pairs together."""

    design: str
    pairs: int
    put_s: float
    get_s: float
    puts_per_second: float
    bytes_per_second: float
    bytes_both_ways: float


def program_of(
    transport: dict[str, Any], case: dict[str, Any], designs: str, pairs: int
) -> Program:
    """Return the program that runs some designs in turn."""
    options = {
        "contestants": designs,
        "sizes": f"{SHORT},{LONG}",
        "operations": ",".join(OPERATIONS),
        "threads": str(pairs),
        "rounds": str(case["rounds"]),
        "block-ms": str(case["block_ms"]),
        "transports": transport["transports"],
    }
    words = [word for key, value in options.items() for word in (f"--{key}", value)]
    return Program(
        name="transfer_bench",
        arguments=words,
        hosts=transport["hosts"],
        limit_s=240.0,
        environment=transport["environment"],
    )


def row_of(design: str, pairs: int, jobs: list[Replies], contestant: str) -> DesignRow:
    """Return a design's row: jobs at the same time add their rates and share the mean of times."""

    def median(job: Replies, operation: str, size: int, figure: str) -> float:
        blocks = job[f"{contestant}.{operation}.{size}"]
        return statistics.median(block[figure] for block in blocks)

    def mean(operation: str) -> float:
        return statistics.mean(median(job, operation, SHORT, "seconds") for job in jobs)

    def total(operation: str, size: int, figure: str) -> float:
        return sum(median(job, operation, size, figure) for job in jobs)

    return DesignRow(
        design,
        pairs,
        mean("put"),
        mean("get"),
        total("put_many", SHORT, "per_second"),
        total("put_many", LONG, "bytes_per_second"),
        total("put_both_ways", LONG, "bytes_per_second"),
    )


def measure_designs(
    case: dict[str, Any], transport: dict[str, Any], places: Places
) -> list[DesignRow]:
    """Run all designs with each number of pairs; with one pair they are one design."""
    rows = []
    for pairs in case["pairs"]:
        shared = [name for name in DESIGNS if name != "processes"]
        replies = run_program(program_of(transport, case, ",".join(shared), pairs), places)
        rows += [row_of(name, pairs, [replies], name) for name in shared]
        if pairs == 1 or transport["hosts"] > 1:
            continue  # hosts of namespaces are made once at a time
        program = program_of(transport, case, "chosen", 1)
        with ThreadPoolExecutor(pairs) as executor:
            jobs = list(executor.map(run_program, [program] * pairs, [places] * pairs))
        rows.append(row_of("processes", pairs, jobs, "chosen"))
    return rows


def design_lines(title: str, rows: list[DesignRow]) -> list[str]:
    """Return one transport's table."""
    names = "put, 8 B [µs] | get, 8 B [µs] | puts, 8 B [M/s]"
    names += " | puts, 64 KiB [GB/s] | both ways, of one image [GB/s]"
    lines = [f"{title}: designs of endpoints", "", f"| pairs | design | {names} |"]
    lines.append("|---|---|" + "---|" * 5)
    for row in rows:
        figures = (
            row.put_s * 1e6,
            row.get_s * 1e6,
            row.puts_per_second * 1e-6,
            row.bytes_per_second * 1e-9,
            row.bytes_both_ways * 1e-9,
        )
        cells = " | ".join(f"{figure:.3g}" for figure in figures)
        lines.append(f"| {row.pairs} | {DESIGNS[row.design]} | {cells} |")
    return [*lines, ""]
