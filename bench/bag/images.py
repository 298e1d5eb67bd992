# SPDX-License-Identifier: Apache-2.0
"""Several images on one book, on this node and on two namespace hosts over TCP, against the bound.

The bound of a round is what the cores would do together without ever waiting: the work over the sum
of the speeds that a single process with a thread on each core had in the same round.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.bag.devices import book
from bench.case import Scale, read_table
from bench.ratio import spread
from bench.result import Outcome, Row
from bench.runtime.program import NETCLUSTER, SETTLE_S, Places, ProgramError, run_limited

ONE_PROCESS = "one process"


@dataclass(frozen=True)
class Contestant:
    """One way to price the book; `images` 0 is without a launcher."""

    name: str
    images: int = 0
    hosts: int = 1
    dispatcher: str = "steal"
    policy: str = "equal_time"


@dataclass(frozen=True)
class ImageCase:
    """A book, who prices it, and the rows that it answers."""

    title: str
    rounds: int
    options: int
    paths: int
    fixings: int
    seed: int
    limit_s: float
    contestants: list[Contestant]
    rows: list[dict[str, str]]


def read_case(path: Path, scale: Scale) -> ImageCase:
    """Read the case file, with the values of a quick run over the others."""
    table = read_table(path, scale)
    contestants = [Contestant(**entry) for entry in table.pop("contestant")]
    return ImageCase(contestants=contestants, rows=table.pop("row"), **table)


def command_of(case: ImageCase, contestant: Contestant, mpiexec: str) -> list[str]:
    """Return how to price the book of the working folder."""
    own = [sys.executable, "-m", "makespan", "price", "book.parquet", "-o", "out.parquet", "-q"]
    own += ["--seed", str(case.seed), "--dispatcher", contestant.dispatcher]
    own += ["--policy", contestant.policy, "--no-memory"]
    if contestant.images == 0:
        return own
    if contestant.hosts == 1:
        return [mpiexec, "-n", str(contestant.images), *own]
    each = contestant.images // contestant.hosts
    hosts = ["--hosts", str(contestant.hosts), "--ranks-per-host", str(each)]
    launch = [sys.executable, str(NETCLUSTER), "launch", "--mpirun", mpiexec]
    return [*launch, *hosts, "--limit", f"{case.limit_s:g}", "--", *own]


def price(case: ImageCase, contestant: Contestant, folder: Path, mpiexec: str) -> dict[str, Any]:
    """Price the book once; the run's record."""
    cluster = {"UCX_TLS": "tcp,self"} if contestant.hosts > 1 else {}
    command = command_of(case, contestant, mpiexec)
    run_limited(command, case.limit_s + 2 * SETTLE_S, cluster, folder=folder)
    record: dict[str, Any] = json.loads((folder / "out.record.json").read_text(encoding="utf-8"))
    return record


def run_case(case: ImageCase, build: Path, outcome: Outcome, notice: Callable[[str], None]) -> None:
    """Run all contestants in turn, and append the rows.

    Raises RuntimeError if two of them have other prices.
    """
    mpiexec = Places(build, build).mpiexec()
    records: dict[str, list[dict[str, Any]]] = {entry.name: [] for entry in case.contestants}
    left_out: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        book(case).write_parquet(folder / "book.parquet")  # type: ignore[arg-type]
        for number in range(case.rounds):
            ordered = case.contestants if number % 2 == 0 else case.contestants[::-1]
            for contestant in ordered:
                if contestant.name in left_out:
                    continue
                try:
                    records[contestant.name].append(price(case, contestant, folder, mpiexec))
                except ProgramError as error:
                    if contestant.hosts == 1:
                        raise
                    left_out[contestant.name] = str(error)  # no namespaces here
            notice(f"round {number + 1} of {case.rounds}")
    hashes = {record["result_hash"] for runs in records.values() for record in runs}
    if len(hashes) > 1:
        msg = f"contestants disagree on the prices: {hashes}"
        raise RuntimeError(msg)
    add_rows(case, records, left_out, outcome)


def add_rows(
    case: ImageCase,
    records: dict[str, list[dict[str, Any]]],
    left_out: dict[str, str],
    outcome: Outcome,
) -> None:
    """Append a row for each that the case asks for: the time, and what it is compared with."""
    bounds = [record["ideal_s"] for record in records[ONE_PROCESS]]
    for row in case.rows:
        of, target = row["of"], row.get("target")
        other = row.get("compared_to")
        if of in left_out or other in left_out:
            reason = left_out.get(of) or left_out[str(other)]
            outcome.leave_out(Row(row["name"], None, "s", other or "bound", None, target), reason)
            continue
        seconds = [record["makespan_s"] for record in records[of]]
        basis = [record["makespan_s"] for record in records[other]] if other else bounds
        shares = [base / taken for base, taken in zip(basis, seconds, strict=True)]
        value, ratio = spread(seconds), spread(shares)
        filled = Row(row["name"], value.median, "s", other or "bound", ratio.median, target)
        outcome.add(filled, value, ratio)
    outcome.series |= {
        name: [{"seconds": record["makespan_s"]} for record in runs]
        for name, runs in records.items()
    }
