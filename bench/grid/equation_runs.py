# SPDX-License-Identifier: Apache-2.0
"""Runs of equations: ours, alone and through the engine, and peers, each as it is started."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.json_rows import Replies, replies_in
from bench.runtime.program import Places, run_limited
from bench.worker import Worker

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / "bench" / "peers"
PYTHON_PEERS = {"Devito": PEERS / "devito_grid.py", "PyStencils": PEERS / "pystencils_grid.py"}
# Devito and PyStencils are installed together.
PEERS_PYTHON = Path("build/bench/devito-venv/bin/python")


@dataclass(frozen=True)
class Programs:
    """Those of the build."""

    build: Path
    limit_s: float

    def _path(self, name: str) -> str:
        return str(self.build.resolve() / "bench" / "grid" / name)

    def sweeps(self, problem: str, points: list[int], words: list[str]) -> Replies:
        """Run program_bench; its contestants without the problem's name before theirs."""
        command = [self._path("program_bench"), problem, *map(str, points), *words]
        found = replies_in(run_limited(command, self.limit_s, {}))
        return {name.removeprefix(f"{problem} "): figures for name, figures in found.items()}

    def _job(self, name: str, processes: int, words: list[str]) -> Replies:
        mpiexec = Places(self.build, self.build).mpiexec()
        command = [mpiexec, "-n", str(processes), self._path(name), *words]
        return replies_in(run_limited(command, self.limit_s, {}))

    def engine(
        self, problem: str, points: list[int], layout: list[int], at_once: int, counts: list[int]
    ) -> Replies:
        """Run engine_bench with [processes, threads] for [steps, rounds]."""
        words = [problem, *map(str, points), str(layout[1]), str(at_once), *map(str, counts)]
        return self._job("engine_bench", layout[0], words)

    def mpi(
        self, problem: str, points: list[int], layout: list[int], block: int, counts: list[int]
    ) -> Replies:
        """Run the program of MPI and OpenMP likewise, with rows in such blocks; 0: the fastest."""
        words = [problem, *map(str, points), str(layout[1]), str(block), *map(str, counts)]
        return self._job("halo_mpi_openmp", layout[0], words)


@contextmanager
def python_peers(threads: int, limit_s: float) -> Iterator[dict[str, Worker]]:
    """Start peers written in Python, with so many threads; none where they are not installed."""
    with ExitStack() as stack:
        workers: dict[str, Worker] = {}
        if PEERS_PYTHON.is_file():
            cores = set(sorted(os.sched_getaffinity(0))[:threads])
            settings = [f"OMP_NUM_THREADS={threads}", "OMP_PROC_BIND=true"]
            for name, script in PYTHON_PEERS.items():
                python: list[str | Path] = [PEERS_PYTHON.absolute(), script]
                worker = Worker(
                    ["env", *settings, *python], cores, extra_path=ROOT, timeout_s=limit_s
                )
                workers[name] = stack.enter_context(worker)
        yield workers


def reply_of(worker: Worker, problem: str, points: list[int], steps: int) -> dict[str, Any]:
    """Ask for points a second."""
    return worker.run(f"{problem} {' '.join(map(str, points))} {steps}")


def sum_of(worker: Worker, problem: str, points: list[int], steps: int) -> float:
    """Ask for the sum after so many steps."""
    return worker.run(f"check {problem} {' '.join(map(str, points))} {steps}")["sum"]
