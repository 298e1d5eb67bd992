# SPDX-License-Identifier: Apache-2.0
"""Two unequal devices on one book, in turn with each of them alone, against the bound.

The bound of a round is what the two alone would do together in it: work over the sum of their
speeds. Where the second device slows down or fails half way, it is bounded by its new speed from
there on; the ratio of a failure counts what was left at that moment only, as the other must do it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

import makespan
from bench.case import Scale, read_table
from bench.ratio import spread
from bench.result import Outcome, Row

FIRST_ALONE, SECOND_ALONE = "first alone", "second alone"
PATHS_PER_BLOCK = 2048
"""1024 samples, each a pair of antithetic paths."""


@dataclass(frozen=True)
class Contestant:
    """One way to price the book. `slows_to`: the second's speed from the half on; 0: none."""

    name: str
    devices: str
    dispatcher: str = "steal"
    policy: str = "equal_time"
    slows_to: float = 1.0


@dataclass(frozen=True)
class DeviceCase:
    """A book, who prices it, and the rows that it answers."""

    title: str
    rounds: int
    options: int
    paths: int
    fixings: int
    seed: int
    contestants: list[Contestant]
    rows: list[dict[str, str]]

    @property
    def half(self) -> int:
        """The item of the bag at which half of the work is done."""
        return self.options * math.ceil(self.paths / PATHS_PER_BLOCK) // 2


def read_case(path: Path, scale: Scale) -> DeviceCase:
    """Read the case file, with the values of a quick run over the others."""
    table = read_table(path, scale)
    contestants = [Contestant(**entry) for entry in table.pop("contestant")]
    return DeviceCase(contestants=contestants, rows=table.pop("row"), **table)


def book(case: DeviceCase) -> pl.DataFrame:
    """Return options that differ in strike only."""
    return pl.DataFrame(
        {
            "id": [f"option-{number:03d}" for number in range(case.options)],
            "option_type": ["call"] * case.options,
            "spot": [100.0] * case.options,
            "strike": [80.0 + 0.4 * number for number in range(case.options)],
            "rate": [0.05] * case.options,
            "volatility": [0.2] * case.options,
            "expiry": [1.0] * case.options,
            "fixings": [case.fixings] * case.options,
            "fixing_grid": ["exclude_start"] * case.options,
            "paths": [case.paths] * case.options,
        }
    )


@dataclass(frozen=True)
class Places:
    """The two devices, as `makespan.price` names them."""

    first: str
    second: str


def injection(case: DeviceCase, contestant: Contestant) -> str | None:
    """Return what makes the second device slow or fail, if it is to."""
    if contestant.slows_to == 0.0:
        return f"fail:1@{case.half}"
    if contestant.slows_to < 1.0:
        return f"slow:1@{case.half}:{1.0 / contestant.slows_to:g}"
    return None


def seconds_of(case: DeviceCase, contestant: Contestant, places: Places) -> tuple[float, str]:
    """Price the book; how long the devices worked [s], and the hash of the prices."""
    result = makespan.price_with_record(
        book(case),
        seed=case.seed,
        devices=contestant.devices.format(first=places.first, second=places.second),
        dispatcher=contestant.dispatcher,
        policy=contestant.policy,
        inject=injection(case, contestant),
        memory=False,
    )
    return float(result.record["makespan_s"]), str(result.record["result_hash"])


def share_of_bound(seconds: float, first: float, second: float, slows_to: float) -> float:
    """Return the bound over the time. `first` and `second`: what each takes alone [s].

    >>> share_of_bound(1.0, 2.0, 2.0, 1.0)
    1.0
    >>> share_of_bound(1.0, 2.0, 2.0, 0.0)  # half a second together, and then one alone for one
    2.0
    """
    both = 1.0 / first + 1.0 / second
    half = 0.5 / both
    if slows_to == 1.0:
        return 2.0 * half / seconds
    rest = 0.5 / (1.0 / first + slows_to / second)
    if slows_to == 0.0:
        return rest / (seconds - half)
    return (half + rest) / seconds


def run_case(
    case: DeviceCase, places: Places, outcome: Outcome, notice: Callable[[str], None]
) -> None:
    """Run all contestants in turn, a warm-up first, and append the rows.

    Raises RuntimeError if two of them have other prices.
    """
    seconds: dict[str, list[float]] = {entry.name: [] for entry in case.contestants}
    hashes: dict[str, str] = {}
    for number in range(case.rounds + 1):
        ordered = case.contestants if number % 2 == 0 else case.contestants[::-1]
        for contestant in ordered:
            taken, digest = seconds_of(case, contestant, places)
            hashes[contestant.name] = digest
            if number > 0:
                seconds[contestant.name].append(taken)
        notice(f"round {number} of {case.rounds}")
    if len(set(hashes.values())) > 1:
        msg = f"contestants disagree on the prices: {hashes}"
        raise RuntimeError(msg)
    by_name = {entry.name: entry for entry in case.contestants}
    alone = list(zip(seconds[FIRST_ALONE], seconds[SECOND_ALONE], strict=True))
    for row in case.rows:
        add_row(by_name[row["of"]], row, seconds[row["of"]], alone, outcome)
    outcome.series |= {name: [{"seconds": s} for s in all_s] for name, all_s in seconds.items()}


def add_row(
    contestant: Contestant,
    row: dict[str, Any],
    seconds: list[float],
    alone: list[tuple[float, float]],
    outcome: Outcome,
) -> None:
    """Append one row: the time, and the share of the bound, round by round."""
    shares = [
        share_of_bound(taken, first, second, contestant.slows_to)
        for taken, (first, second) in zip(seconds, alone, strict=True)
    ]
    value, ratio = spread(seconds), spread(shares)
    filled = Row(row["name"], value.median, "s", "bound", ratio.median, row.get("target"))
    outcome.add(filled, value, ratio)
