# SPDX-License-Identifier: Apache-2.0
"""Several images on one book, on this node and on two namespace hosts over TCP, against the bound.

Beside them the images of Coarray Fortran (bench.bag.coarrays), each place with the chunk that was
the fastest there when each was tried once.

The bound of a round is what the cores would do together without ever waiting: the work over the sum
of the speeds that a single process with a thread on each core had in the same round.
"""

from __future__ import annotations

import json
import math
import shlex
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from bench.bag import coarrays
from bench.bag.devices import PATHS_PER_BLOCK, book
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
    peer: bool = False
    """Coarray Fortran, and not makespan."""
    kills: bool = False
    """Image 1 is killed when it comes to the half of the book."""


@dataclass(frozen=True)
class ImageCase:
    """A book, who prices it, and the rows that it answers.

    `coarray_chunks`: blocks for a claim of Coarray Fortran that are tried.
    """

    title: str
    rounds: int
    options: int
    paths: int
    fixings: int
    seed: int
    limit_s: float
    coarray_chunks: list[int]
    contestants: list[Contestant]
    rows: list[dict[str, str]]


def read_case(path: Path, scale: Scale) -> ImageCase:
    """Read the case file, with the values of a quick run over the others."""
    table = read_table(path, scale)
    contestants = [Contestant(**entry) for entry in table.pop("contestant")]
    return ImageCase(contestants=contestants, rows=table.pop("row"), **table)


@dataclass(frozen=True)
class Run:
    """One pricing of the book. Of makespan: with the bound, and the hash of all that it gives."""

    seconds: float
    prices: list[float]
    ideal_s: float = 0.0
    digest: str = ""


def own_words(case: ImageCase, contestant: Contestant) -> list[str]:
    """Return how one process of makespan prices the book of the working folder."""
    own = [sys.executable, "-m", "makespan", "price", "book.parquet", "-o", "out.parquet", "-q"]
    own += ["--seed", str(case.seed), "--dispatcher", contestant.dispatcher]
    own += ["--policy", contestant.policy, "--no-memory"]
    if not contestant.kills:
        return own
    # MPICH's launcher ends all when one dies, unless a shell between ignores its signal.
    killed = shlex.join([*own, "--perturb", f"kill:1@{half_of(case)}"])
    return ["sh", "-c", f"trap '' USR1; {killed} || sleep 5"]


def half_of(case: ImageCase) -> int:
    """Return the item of the bag at which half of the work is done."""
    return case.options * math.ceil(case.paths / PATHS_PER_BLOCK) // 2


def launched(case: ImageCase, contestant: Contestant, words: list[str], mpiexec: str) -> list[str]:
    """Return the command that starts a contestant's processes."""
    if contestant.images == 0:
        return words
    if contestant.hosts == 1:
        outlive = ["-disable-auto-cleanup"] if contestant.kills else []
        return [mpiexec, *outlive, "-n", str(contestant.images), *words]
    each = contestant.images // contestant.hosts
    hosts = ["--hosts", str(contestant.hosts), "--ranks-per-host", str(each)]
    launch = [sys.executable, str(NETCLUSTER), "launch", "--mpirun", mpiexec]
    return [*launch, *hosts, "--limit", f"{case.limit_s:g}", "--", *words]


class Pricer:
    """Prices the book of a folder, which it writes, with any contestant."""

    def __init__(self, case: ImageCase, places: Places, folder: Path) -> None:
        self._case = case
        self._places = places
        self._folder = folder
        self._chunks: dict[str, int] = {}
        table = book([case.paths] * case.options, case.fixings)
        table.write_parquet(folder / "book.parquet")
        table.write_csv(folder / coarrays.BOOK)

    def price(self, contestant: Contestant) -> Run:
        """Price the book once."""
        if not contestant.peer:
            return self._price_by_makespan(contestant)
        if contestant.name not in self._chunks:
            self._chunks[contestant.name] = coarrays.fastest_chunk(
                self._case.coarray_chunks,
                lambda chunk: self._price_by_coarrays(contestant, chunk).seconds,
            )
        return self._price_by_coarrays(contestant, self._chunks[contestant.name])

    def chunk_of(self, contestant: str) -> int | None:
        """Return how many blocks a claim of that contestant takes, if it is Coarray Fortran."""
        return self._chunks.get(contestant)

    def _price_by_makespan(self, contestant: Contestant) -> Run:
        self._run(contestant, own_words(self._case, contestant))
        text = (self._folder / "out.record.json").read_text(encoding="utf-8")
        record: dict[str, Any] = json.loads(text)
        prices = pl.read_parquet(self._folder / "out.parquet")["price"].to_list()
        return Run(record["makespan_s"], prices, record["ideal_s"], record["result_hash"])

    def _price_by_coarrays(self, contestant: Contestant, chunk: int) -> Run:
        program = str(self._places.program(coarrays.PROGRAM))
        words = [program, coarrays.BOOK, str(self._case.seed), str(chunk)]
        run = coarrays.run_of(lambda: self._run(contestant, words))
        return Run(run.seconds, run.prices)

    def _run(self, contestant: Contestant, words: list[str]) -> str:
        cluster = {"UCX_TLS": "tcp,self"} if contestant.hosts > 1 else {}
        command = launched(self._case, contestant, words, self._places.mpiexec())
        return run_limited(command, self._case.limit_s + 2 * SETTLE_S, cluster, folder=self._folder)


def check_agreement(case: ImageCase, runs: dict[str, list[Run]]) -> None:
    """Raise RuntimeError if two contestants have other prices."""
    peers = {entry.name for entry in case.contestants if entry.peer}
    hashes = {run.digest for name in runs.keys() - peers for run in runs[name]}
    if len(hashes) > 1:
        msg = f"contestants disagree on the prices: {hashes}"
        raise RuntimeError(msg)
    for name in peers:
        for run in runs[name]:
            coarrays.check_prices(name, run.prices, runs[ONE_PROCESS][0].prices)


def run_case(
    case: ImageCase, places: Places, outcome: Outcome, notice: Callable[[str], None]
) -> None:
    """Run all contestants in turn, and append the rows.

    Raises RuntimeError if two of them have other prices.
    """
    runs: dict[str, list[Run]] = {entry.name: [] for entry in case.contestants}
    left_out: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as name:
        pricer = Pricer(case, places, Path(name))
        for number in range(case.rounds):
            ordered = case.contestants if number % 2 == 0 else case.contestants[::-1]
            for contestant in ordered:
                if contestant.name in left_out:
                    continue
                try:
                    runs[contestant.name].append(pricer.price(contestant))
                except ProgramError as error:
                    if contestant.hosts == 1 and not contestant.peer:
                        raise
                    left_out[contestant.name] = str(error)  # no namespaces here, or no peer
                    notice(f"left out: {contestant.name}: {error}")
            notice(f"round {number + 1} of {case.rounds}")
    check_agreement(case, runs)
    add_rows(case, runs, left_out, outcome)
    for contestant in case.contestants:
        if chunk := pricer.chunk_of(contestant.name):
            for figures in outcome.series[contestant.name]:
                figures["chunk"] = chunk


def add_rows(
    case: ImageCase,
    runs: dict[str, list[Run]],
    left_out: dict[str, str],
    outcome: Outcome,
) -> None:
    """Append a row for each that the case asks for: the time, and what it is compared with."""
    bounds = [run.ideal_s for run in runs[ONE_PROCESS]]
    for row in case.rows:
        of, target = row["of"], row.get("target")
        other = row.get("compared_to")
        if of in left_out or other in left_out:
            reason = left_out.get(of) or left_out[str(other)]
            outcome.leave_out(Row(row["name"], None, "s", other or "bound", None, target), reason)
            continue
        seconds = [run.seconds for run in runs[of]]
        basis = [run.seconds for run in runs[other]] if other else bounds
        pairs = zip(basis, seconds, strict=True)
        if any(entry.kills for entry in case.contestants if entry.name == of):
            # From the half on one core of the two does what was left, which alone counts.
            shares = [bound / (taken - bound / 2) for bound, taken in pairs]
        else:
            shares = [base / taken for base, taken in pairs]
        value, ratio = spread(seconds), spread(shares)
        filled = Row(row["name"], value.median, "s", other or "bound", ratio.median, target)
        outcome.add(filled, value, ratio)
    outcome.series |= {
        name: [{"seconds": run.seconds} for run in all_runs] for name, all_runs in runs.items()
    }
