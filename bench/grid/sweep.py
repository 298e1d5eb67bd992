# SPDX-License-Identifier: Apache-2.0
"""The sweeps of one device beside the copy bandwidth of its threads, and beside its peers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from bench.case import Scale, read_table
from bench.json_rows import Replies, add_rows, each_row, replies_in
from bench.result import Outcome, Row
from bench.runtime.program import run_limited

BENCH = Path(__file__).resolve().parents[1]
CASE = BENCH / "cases" / "grid" / "sweep.toml"
DEVITO = BENCH / "peers" / "devito_diffusion.py"


def label(threads: int) -> str:
    """Return how rows name so many threads."""
    return "1 thread" if threads == 1 else f"{threads} threads"


def named(threads: int, found: Replies) -> Replies:
    """Return the replies under names that tell the number of threads."""
    return {f"{label(threads)}: {name}": figures for name, figures in found.items()}


def sizes_of(case: dict[str, Any]) -> list[str]:
    """Return what both programs are told first."""
    return [str(case["extent"]), str(case["planes"])]


def run_ours(case: dict[str, Any], threads: int, program: Path) -> Replies:
    """Run one round of our sweeps and of the OpenMP loop."""
    command = [str(program), *sizes_of(case), str(threads), "1"]
    return named(threads, replies_in(run_limited(command, case["limit_s"], {})))


def run_calcium(case: dict[str, Any], threads: int, program: Path) -> Replies:
    """Run one round of the five-field steps."""
    sizes = [*map(str, case["calcium"]), str(case["spacing_um"])]
    command = [str(program), *sizes, str(threads), "1"]
    return named(threads, replies_in(run_limited(command, case["limit_s"], {})))


def run_document(case: dict[str, Any], threads: int, program: Path) -> Replies:
    """Run one round of the five-field step on the document's mesh."""
    sizes = [*map(str, case["document"]), str(case["document_spacing_um"])]
    command = [str(program), *sizes, str(threads), "1", "fused step"]
    found = replies_in(run_limited(command, case["limit_s"], {}))
    return named(threads, {"document mesh": found["fused step"]})


def run_devito(case: dict[str, Any], threads: int, python: Path) -> Replies:
    """Run Devito on as many threads; nothing if it is not installed."""
    if not python.is_file():
        return {}
    command = [str(python), str(DEVITO), *sizes_of(case)]
    environment = {
        "OMP_NUM_THREADS": str(threads),
        "OMP_PROC_BIND": "true",
        "DEVITO_LANGUAGE": "openmp",
        "DEVITO_LOGGING": "ERROR",
    }
    return named(threads, replies_in(run_limited(command, case["limit_s"], environment)))


def measure(build: Path, scale: Scale, outcome: Outcome) -> None:
    """Run all in turn, and append the rows."""
    case = read_table(CASE, scale)
    programs = build.resolve() / "bench" / "grid"
    devito = Path("build/bench/devito-venv/bin/python").absolute()
    theirs = {"points_per_s": case["document_points_per_s"]}
    found: Replies = {"the document's coprocessor": [theirs]}
    cores = len(os.sched_getaffinity(0))
    threads_of = [threads for threads in case["threads"] if threads <= cores]
    for _ in range(case["rounds"]):
        for threads in threads_of:
            for replies in (
                run_ours(case, threads, programs / "sweep_bench"),
                run_calcium(case, threads, programs / "calcium_bench"),
                run_document(case, threads, programs / "calcium_bench"),
                run_devito(case, threads, devito),
            ):
                for name, figures in replies.items():
                    found.setdefault(name, []).extend(figures)
    reason = "" if devito.is_file() else "Devito is not installed: `make bench-peers-grid`"
    for row in each_row(case["row"]):
        missing = {row["of"], row.get("compared_to", row["of"])} - set(found)
        if missing:
            why = reason if "Devito" in row["name"] else "it needs more cores"
            left_out = Row(row["name"], None, row["unit"], target=row.get("target"))
            outcome.leave_out(left_out, why)
    add_rows(case["row"], found, outcome)
