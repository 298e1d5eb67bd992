# SPDX-License-Identifier: Apache-2.0
"""A published workload of plain Monte Carlo with Greeks, with the published times beside ours.

The published machine is not this one, so its times are quoted, and all of them are thread-seconds:
theirs are seconds times threads, ours the processor's time, which leaves out what threads waited
for a core while other programs had it. The whole workload is scaled from some of its trades unless
it is asked for.
"""

from __future__ import annotations

import dataclasses
import math
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from bench.case import Case, Contestant, Scale, parse_case
from bench.interleave import STANDARD_ERRORS_ALLOWED, Notice, Series, run_rounds
from bench.price.contestants import WorkerPool
from bench.ratio import spread
from bench.result import Outcome, Row
from bench.rivals.rows import own_error
from bench.worker import Reply

UNIT = "thread s"


@dataclass(frozen=True)
class Workload:
    """The case, how many trades the whole has by contestant, and the quoted rows."""

    case: Case
    whole_trades: dict[str, int]
    compared_to: dict[str, str]
    quotes: list[dict[str, Any]]
    seed: int

    def quote(self, name: str) -> dict[str, Any]:
        """Return the quoted row of that name."""
        return next(entry for entry in self.quotes if entry["name"] == name)


def parse_workload(table: dict[str, Any], scale: Scale, *, whole: bool) -> Workload:
    """Build the workload from its TOML table; `whole` runs all trades of it."""
    settled = {**table, "measure": "processor_seconds", "unit": UNIT, "row": []}
    case = parse_case(settled, scale)
    whole_trades = {entry.name: entry.sizes["whole_trades"] for entry in case.contestants}
    if whole:
        contestants = [
            dataclasses.replace(entry, sizes={**entry.sizes, "trades": whole_trades[entry.name]})
            for entry in case.contestants
        ]
        case = dataclasses.replace(case, contestants=contestants, rounds=1)
    compared_to = {entry["name"]: entry["compared_to"] for entry in table["contestant"]}
    return Workload(case, whole_trades, compared_to, table["quote"], table["seed"])


def read_workload(path: Path, scale: Scale, *, whole: bool) -> Workload:
    """Read the case file."""
    return parse_workload(tomllib.loads(path.read_text(encoding="utf-8")), scale, whole=whole)


def thread_seconds(quote: dict[str, Any]) -> float:
    """Return what a quoted run took, over all its threads [s]."""
    return float(quote["seconds"] * quote["threads"])


def random_trades(trades: int, fixings: int, seed: int) -> pl.DataFrame:
    """Return different arithmetic calls of one year, each fixing a day.

    The publication does not give its trades; how long plain paths take does not hang on strikes and
    rates, and little on volatilities.
    """
    generator = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "id": [f"trade-{index:04d}" for index in range(trades)],
            "option_type": ["call"] * trades,
            "spot": np.full(trades, 100.0),
            "strike": generator.uniform(80.0, 120.0, trades),
            "rate": generator.uniform(0.01, 0.05, trades),
            "volatility": generator.uniform(0.1, 0.4, trades),
            "expiry": np.full(trades, 1.0),
            "fixings": np.full(trades, fixings),
            "fixing_grid": ["exclude_start"] * trades,
        }
    )


def with_book(contestant: Contestant, folder: Path, seed: int) -> Contestant:
    """Write the contestant's book and return it with the file in its request."""
    trades, fixings = contestant.sizes["trades"], contestant.sizes["fixings"]
    path = folder / f"trades_{trades}.csv"
    random_trades(trades, fixings, seed).write_csv(path)
    return dataclasses.replace(contestant, request=f"{contestant.request} book={path}")


def sum_of_prices(replies: list[Reply]) -> tuple[float, float]:
    """Return the mean over rounds of the book's price, and its standard error [price].

    A reply has the root mean square of its rows' standard errors, which are independent.
    """
    rounds = len(replies)
    price = sum(reply["price_0"] for reply in replies) / rounds
    variances = [reply["rows"] * reply["own_error"] ** 2 for reply in replies]
    return price, math.sqrt(sum(variances)) / rounds


def disagreement(replies: list[Reply], others: list[Reply]) -> str | None:
    """Say what is wrong if two contestants price different books; None if they agree."""
    (price, error), (other, other_error) = sum_of_prices(replies), sum_of_prices(others)
    allowed = STANDARD_ERRORS_ALLOWED * math.hypot(error, other_error)
    if abs(price - other) <= allowed:
        return None
    return f"another book is priced: {price:.6g} is not {other:.6g} (within {allowed:.2g})"


def add_ours(workload: Workload, contestant: Contestant, series: Series, outcome: Outcome) -> None:
    """Append one row: the thread-seconds of the whole, and the quoted ones over them."""
    sizes = contestant.sizes
    row = Row(f"workload_{contestant.name}", None, UNIT, workload.compared_to[contestant.name])
    if contestant.name in series.missing:
        outcome.leave_out(row, series.missing[contestant.name])
        return
    replies = series.replies[contestant.name]
    same_book = [
        name
        for name, found in series.replies.items()
        if workload.case.contestant(name).sizes["trades"] == sizes["trades"] and found
    ]
    wrong = disagreement(replies, series.replies[same_book[0]])
    if wrong:
        outcome.leave_out(row, wrong)
        return
    scale = workload.whole_trades[contestant.name] / sizes["trades"]
    seconds = [scale * reply["processor_seconds"] / reply["repeats"] for reply in replies]
    quoted = thread_seconds(workload.quote(str(row.compared_to)))
    value, ratio = spread(seconds), spread([quoted / entry for entry in seconds])
    filled = dataclasses.replace(
        row, value=value.median, ratio=ratio.median, own_error=own_error(replies)
    )
    outcome.add(filled, value, ratio)
    outcome.series[row.name] = replies


def source_of(quote: dict[str, Any]) -> str:
    """Say where a quoted figure was measured."""
    threads = "a thread" if quote["threads"] == 1 else f"{quote['threads']} threads"
    return f"quoted: {quote['seconds']:g} s on {threads} of {quote['machine']}"


def run_workload(
    workload: Workload, folder: Path, pool: WorkerPool, outcome: Outcome, notice: Notice
) -> None:
    """Run the contestants in turn, each on as many cores as it has threads, and append rows."""
    folder.mkdir(parents=True, exist_ok=True)
    contestants = [with_book(entry, folder, workload.seed) for entry in workload.case.contestants]
    case = dataclasses.replace(workload.case, contestants=contestants)
    series = run_rounds(case, lambda entry: pool.ask(entry, entry.sizes["threads"]), notice)
    for quote in workload.quotes:
        row = Row(f"workload_{quote['name']}", thread_seconds(quote), UNIT, source_of(quote))
        outcome.add(row)
    for contestant in case.contestants:
        add_ours(workload, contestant, series, outcome)
