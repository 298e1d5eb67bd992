# SPDX-License-Identifier: Apache-2.0
"""Equations of one's own beside kernels by hand, the copy bandwidth, Devito, PyStencils and MPI."""

from __future__ import annotations

import os
import statistics
import time
from pathlib import Path
from typing import Any

from bench.case import Scale, read_table
from bench.grid.equation_runs import PEERS_PYTHON, Programs, python_peers, reply_of, sum_of
from bench.json_rows import Replies, add_rows, each_row
from bench.result import Outcome, Row
from bench.runtime.program import ProgramError
from bench.worker import WorkerError

CASE = Path(__file__).resolve().parents[1] / "cases" / "grid" / "equations.toml"
WITH_PEERS = ("diffusion", "wave", "gray_scott")


def label(threads: int) -> str:
    """Return how rows name so many threads."""
    return "1 thread" if threads == 1 else f"{threads} threads"


def at_once(name: str, steps: int) -> str:
    """Return how program_bench names a contestant."""
    return name if steps == 1 else f"{name}, {steps} steps at once"


def is_close(found: float, ours: float, tolerance: float) -> bool:
    """Say whether two sums are of the same problem, but for rounding."""
    return abs(found - ours) <= tolerance * abs(ours)


class Measured:
    """What was found so far, and why what is missing is."""

    def __init__(self) -> None:
        self.found: Replies = {}
        self.missing: dict[str, str] = {}

    def add(self, name: str, figures: dict[str, float]) -> None:
        """Keep a round's figures."""
        self.found.setdefault(name, []).append(figures)

    def leave_out(self, beginning: str, why: str) -> None:
        """Drop all contestants whose names begin so: a part of their rounds is no comparison."""
        self.missing[beginning] = why
        for name in [name for name in self.found if name.startswith(beginning)]:
            del self.found[name]

    def add_best(self, name: str, candidates: dict[int, str]) -> None:
        """Keep the candidate of the highest median once more, with its steps at once, as `name`."""
        there = {steps: self.found[of] for steps, of in candidates.items() if of in self.found}
        if not there:
            return
        medians = {
            steps: statistics.median(one["points_per_s"] for one in figures)
            for steps, figures in there.items()
        }
        best = max(medians, key=lambda steps: medians[steps])
        self.found[name] = [{**one, "steps_at_once": float(best)} for one in there[best]]


class Bench:
    """A case on a build."""

    def __init__(self, case: dict[str, Any], build: Path) -> None:
        self._case = case
        self._programs = Programs(build, case["limit_s"])
        self._sums: dict[str, float] = {}
        self.measured = Measured()

    def check_ours(self, problem: str) -> None:
        """Keep our sum and whether all contestants with the same operations have the same bits."""
        check = self._case["check"]
        words = ["1", "check", str(check["steps"])]
        replies = self._programs.sweeps(problem, check["points"], words)
        self._sums[problem] = replies["compiled"][0]["sum"]
        for what, is_by_hand in (("by equations", False), ("by hand", True)):
            bits = [
                one["same_bits"]
                for name, figures in replies.items()
                if ("by hand" in name) == is_by_hand
                for one in figures
            ]
            if bits:
                self.measured.add(f"{problem}: check {what}", {"same_bits": min(bits)})

    def refuse_other(self, name: str, problem: str, found: float) -> None:
        """Raise WorkerError where a peer's sum says that it computes something else."""
        if not is_close(found, self._sums[problem], self._case["tolerance"]):
            sums = f"its sum is {found!r}, not {self._sums[problem]!r}"
            msg = f"{name} computes another problem: {sums}"
            raise WorkerError(msg)

    def run_ours(self, problem: str, threads: int) -> None:
        """Run a round of compiled programs and of kernels by hand."""
        names = [f"{problem} by hand", f"{problem} compiled as by hand"]
        names += [at_once(f"{problem} compiled", steps) for steps in self._case["steps_at_once"]]
        if problem in self._case["interpreted"]:
            names.append(f"{problem} interpreted")
        words = [str(threads), "1", *names]
        points = self._case["points"][problem]
        for name, figures in self._programs.sweeps(problem, points, words).items():
            self.measured.add(f"{problem}, {label(threads)}: {name}", figures[0])

    def measure_threads(self, problem: str, threads: int) -> None:
        """Run all rounds of ours, Devito and PyStencils, in turn."""
        case, check = self._case, self._case["check"]
        points = case["points"][problem]
        with python_peers(threads, case["limit_s"]) as workers:
            present = dict(workers) if problem in WITH_PEERS else {}

            def ask(name: str, *, is_check: bool) -> None:
                try:
                    if is_check:
                        found = sum_of(present[name], problem, check["points"], check["steps"])
                        self.refuse_other(name, problem, found)
                    reply = reply_of(present[name], problem, points, case["steps"])
                except WorkerError as error:
                    self.measured.leave_out(f"{problem}, {label(threads)}: {name}", str(error))
                    del present[name]
                    return
                if not is_check:
                    self.measured.add(f"{problem}, {label(threads)}: {name}", reply)

            for name in list(present):
                ask(name, is_check=True)  # and finds the fastest settings
            for _ in range(case["rounds"]):
                self.run_ours(problem, threads)
                for name in list(present):
                    ask(name, is_check=False)
        prefix = f"{problem}, {label(threads)}: "
        candidates = {steps: prefix + at_once("compiled", steps) for steps in case["steps_at_once"]}
        self.measured.add_best(prefix + "best", candidates)

    def measure_layout(self, problem: str, layout: list[int]) -> None:
        """Run all rounds of the engine and of the program of MPI and OpenMP, in turn."""
        case, check = self._case, self._case["check"]
        prefix = f"{problem}, {layout[0]} x {layout[1]}: "
        counts = [check["steps"], 0]
        found = self._programs.mpi(problem, check["points"], layout, 8, counts)
        self.refuse_other("MPI + OpenMP", problem, found["MPI + OpenMP"][0]["sum"])
        found = self._programs.engine(problem, check["points"], layout, 1, counts)
        self.refuse_other("the engine", problem, found["engine"][0]["sum"])
        points, block = case["points"][problem], 0
        # A wave of order 8 needs a halo of 4 points for each step, and there are 8.
        several = [steps for steps in case["steps_at_once"] if problem != "wave" or steps <= 2]
        for _ in range(case["rounds"]):
            for steps in several:
                counts = [12, 1]  # a multiple of them all
                reply = self._programs.engine(problem, points, layout, steps, counts)
                self.measured.add(f"{prefix}engine, {steps} at once", reply["engine"][0])
            reply = self._programs.mpi(problem, points, layout, block, [12, 1])
            figures = reply["MPI + OpenMP"][0]
            block = int(figures["block"])
            self.measured.add(prefix + "MPI + OpenMP", figures)
        candidates = {steps: f"{prefix}engine, {steps} at once" for steps in several}
        self.measured.add_best(prefix + "engine, best", candidates)

    def measure(self) -> None:
        """Run everything; a line for people says how long each part took."""
        cores = len(os.sched_getaffinity(0))
        for problem in self._case["points"]:
            self.check_ours(problem)
            for threads in self._case["threads"]:
                if threads > cores:
                    continue
                begin = time.monotonic()
                self.measure_threads(problem, threads)
                print(f"{problem}, {label(threads)}: {time.monotonic() - begin:.0f} s", flush=True)
            for layout in self._case["layouts"]:
                if problem not in WITH_PEERS or layout[0] * layout[1] > cores:
                    continue
                begin = time.monotonic()
                prefix = f"{problem}, {layout[0]} x {layout[1]}"
                try:
                    self.measure_layout(problem, layout)
                except (ProgramError, WorkerError) as error:
                    self.measured.leave_out(f"{prefix}: ", str(error).splitlines()[0])
                print(f"{prefix}: {time.monotonic() - begin:.0f} s", flush=True)


def measure(build: Path, scale: Scale, outcome: Outcome) -> None:
    """Run all, and append the rows; what did not run is left out with the reason."""
    case = read_table(CASE, scale)
    bench = Bench(case, build)
    bench.measure()
    found, missing = bench.measured.found, bench.measured.missing
    for row in each_row(case["row"]):
        other = row.get("compared_to", row["of"])
        gaps = [name for name in (row["of"], other) if name not in found]
        if not gaps:
            continue
        if not PEERS_PYTHON.is_file() and other.endswith(("Devito", "PyStencils")):
            why = "Devito and PyStencils are not installed: `make bench-peers-grid`"
        else:
            why = next(
                (missing[known] for name in gaps for known in missing if name.startswith(known)),
                "it needs more cores",
            )
        empty = Row(row["name"], None, row["unit"], target=row.get("target"))
        outcome.leave_out(empty, why)
    add_rows(case["row"], found, outcome)
