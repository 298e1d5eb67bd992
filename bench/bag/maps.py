# SPDX-License-Identifier: Apache-2.0
"""`makespan.map` and what people use instead, on the same short items with two workers each.

The bound is the time that the items last, over two workers.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.case import Scale, read_table
from bench.ratio import spread
from bench.result import Outcome, Row
from bench.runtime.program import Places, ProgramError, run_limited

PEERS = Path(__file__).resolve().parents[1] / "peers"
PROGRAM = PEERS / "map_tasks.py"
OWN = "makespan"


@dataclass(frozen=True)
class MapCase:
    """How many items, how long, and who runs them; `slow_ways` do so once only."""

    title: str
    rounds: int
    items: int
    item_us: float
    limit_s: float
    target: str
    ways: list[str]
    slow_ways: list[str]


def read_case(path: Path, scale: Scale) -> MapCase:
    """Read the case file, with the values of a quick run over the others."""
    return MapCase(**read_table(path, scale))


def command_of(case: MapCase, way: str, mpiexec: str, peers: Path) -> list[str]:
    """Return how to run one way."""
    words = [str(PROGRAM), way, str(case.items), f"{case.item_us:g}"]
    peer = str(peers / "map-venv" / "bin" / "python")
    if way == OWN:
        return [mpiexec, "-n", "2", sys.executable, *words]
    if way == "multiprocessing":
        return [sys.executable, *words]
    if way.startswith("mpi4py"):
        return [mpiexec, "-n", "3", peer, "-m", "mpi4py.futures", *words]
    return [peer, *words]


def run_way(case: MapCase, way: str, mpiexec: str, peers: Path) -> tuple[float, float]:
    """Run one way; its seconds, and the bound."""
    printed = run_limited(command_of(case, way, mpiexec, peers), case.limit_s, {}, folder=PEERS)
    reply = json.loads(printed.strip().splitlines()[-1])
    return float(reply["seconds"]), float(reply["bound"])


def run_case(
    case: MapCase, build: Path, peers: Path, outcome: Outcome, notice: Callable[[str], None]
) -> None:
    """Run all ways in turn, and append a row for each; one that cannot run is left out by name."""
    mpiexec = Places(build, build).mpiexec()
    found: dict[str, list[tuple[float, float]]] = {way: [] for way in case.ways}
    reasons: dict[str, str] = {}
    for number in range(case.rounds):
        for way in case.ways if number % 2 == 0 else case.ways[::-1]:
            if way in reasons or (way in case.slow_ways and number > 0):
                continue
            try:
                found[way].append(run_way(case, way, mpiexec, peers))
            except ProgramError as error:
                if way == OWN:
                    raise
                reasons[way] = str(error)
        notice(f"round {number + 1} of {case.rounds}")
    for way, runs in found.items():
        target = case.target if way == OWN else None
        name = f"{case.items} items of {case.item_us:g} µs: {way}"
        if way in reasons:
            outcome.leave_out(Row(name, None, "s", "bound", None, target), reasons[way])
            continue
        value = spread([seconds for seconds, _ in runs])
        ratio = spread([bound / seconds for seconds, bound in runs])
        outcome.add(Row(name, value.median, "s", "bound", ratio.median, target), value, ratio)
        outcome.series[name] = [{"seconds": seconds} for seconds, _ in runs]
