# SPDX-License-Identifier: Apache-2.0
"""Two unequal devices on one book, in turn with each of them alone, against the bound.

The bound of a round is what the two alone would do together in it: work over the sum of their
speeds. Where the second device slows down or fails half way, it is bounded by its new speed from
there on; the ratio of a failure counts what was left at that moment only, as the other must do it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from makespan.base.engine import load_engine
from makespan.pricing.input import Settings
from makespan.pricing.outcome import Priced
from makespan.pricing.pricing import price_everything

from bench.case import Scale, read_table
from bench.interleave import in_turn
from bench.ratio import spread
from bench.result import Outcome, Row

FIRST_ALONE, SECOND_ALONE = "first alone", "second alone"
SAME_RUN = "speeds of the same run"
"""What a row is compared with instead of another contestant: the work over the speeds that the two
had together, which share a machine; what is left is what waits and claims cost."""
TOGETHER, UNDISTURBED = "speeds together", "steal"
"""Likewise: the bound by the speeds that the two had in the round's run without a disturbance."""
PATHS_PER_BLOCK = 2048
"""1024 samples, each a pair of antithetic paths."""


@dataclass(frozen=True)
class Contestant:
    """One way to price the book. `slows_to`: the second's speed from the half on; 0: none.

    `trace`: with a timeline kept.
    """

    name: str
    devices: str
    dispatcher: str = "steal"
    policy: str = "equal_time"
    slows_to: float = 1.0
    trace: bool = False


@dataclass(frozen=True)
class DeviceCase:
    """A book, who prices it, and the rows that it answers.

    `cost_spread`: the dearest option has so many times the paths of the cheapest.
    """

    title: str
    rounds: int
    options: int
    paths: int
    fixings: int
    seed: int
    contestants: list[Contestant]
    rows: list[dict[str, str]]
    cost_spread: float = 1.0

    @property
    def half(self) -> int:
        """The item of the bag at which half of the work is done."""
        return self.options * math.ceil(self.paths / PATHS_PER_BLOCK) // 2


def read_case(path: Path, scale: Scale) -> DeviceCase:
    """Read the case file, with the values of a quick run over the others."""
    return case_of(read_table(path, scale))


def case_of(table: dict[str, Any]) -> DeviceCase:
    """Return the case of a table that has its fields, contestants and rows."""
    contestants = [Contestant(**entry) for entry in table.pop("contestant")]
    return DeviceCase(contestants=contestants, rows=table.pop("row"), **table)


def paths_by_option(case: DeviceCase) -> list[int]:
    """Return how many paths each option has: `paths` for the dearest, in no order."""
    steps = max(case.options - 1, 1)
    order = np.random.default_rng(case.seed).permutation(case.options).tolist()
    return [round(case.paths * case.cost_spread ** (-number / steps)) for number in order]


def book(paths: Sequence[int], fixings: int) -> pl.DataFrame:
    """Return options that differ in strike, one for each number of paths."""
    options = len(paths)
    return pl.DataFrame(
        {
            "id": [f"option-{number:03d}" for number in range(options)],
            "option_type": ["call"] * options,
            "spot": [100.0] * options,
            "strike": [80.0 + 40.0 * number / options for number in range(options)],
            "rate": [0.05] * options,
            "volatility": [0.2] * options,
            "expiry": [1.0] * options,
            "fixings": [fixings] * options,
            "fixing_grid": ["exclude_start"] * options,
            "paths": list(paths),
        }
    )


@dataclass(frozen=True)
class Places:
    """The two devices, as `makespan.price` names them."""

    first: str
    second: str


def perturbations(case: DeviceCase, contestant: Contestant) -> list[str]:
    """Return what makes the second device slow or fail, if it is to."""
    if contestant.slows_to == 0.0:
        return [f"fail:1@{case.half}"]
    if contestant.slows_to < 1.0:
        return [f"slow:1@{case.half}:{1.0 / contestant.slows_to:g}"]
    return []


def priced(case: DeviceCase, contestant: Contestant, places: Places) -> Priced:
    """Price the book."""
    settings = Settings(
        seed=case.seed,
        devices=contestant.devices.format(first=places.first, second=places.second),
        dispatcher=contestant.dispatcher,
        policy=contestant.policy,
        perturb=perturbations(case, contestant),
        timeline=contestant.trace,
        memory=False,
    )
    return price_everything(load_engine(), book(paths_by_option(case), case.fixings), settings)


@dataclass(frozen=True)
class Run:
    """How long the devices worked, and would have at the speeds of this run without a wait [s]."""

    seconds: float
    ideal_s: float
    digest: str
    alone_s: list[float]
    """What each device would take for the whole book at the speed that it had in this run; one that
    did nothing, for ever."""


def run_of(case: DeviceCase, contestant: Contestant, places: Places) -> Run:
    """Price the book."""
    record = priced(case, contestant, places).record
    devices = record["engine"]["devices"]
    everything = sum(device["work"] for device in devices)
    alone_s = [
        everything / device["work"] * device["busy_s"] if device["work"] else math.inf
        for device in devices
    ]
    return Run(record["makespan_s"], record["ideal_s"], record["result_hash"], alone_s)


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
    runs: dict[str, list[Run]] = {entry.name: [] for entry in case.contestants}
    hashes: dict[str, str] = {}
    for number, contestant in in_turn(case.contestants, case.rounds):
        run = run_of(case, contestant, places)
        hashes[contestant.name] = run.digest
        if number > 0:
            runs[contestant.name].append(run)
        notice(f"round {number} of {case.rounds}: {contestant.name}")
    check_same_prices(hashes)
    for row in case.rows:
        add_row(case, row, runs, outcome)
    outcome.series |= {
        name: [{"seconds": run.seconds, "ideal_s": run.ideal_s} for run in all_runs]
        for name, all_runs in runs.items()
    }


def check_same_prices(hashes: dict[str, str]) -> None:
    """Raise RuntimeError unless all contestants' prices have one hash."""
    if len(set(hashes.values())) > 1:
        msg = f"contestants disagree on the prices: {hashes}"
        raise RuntimeError(msg)


def add_row(
    case: DeviceCase, row: dict[str, Any], runs: dict[str, list[Run]], outcome: Outcome
) -> None:
    """Append one row: the time, and what it is compared with over it, by round."""
    contestant = next(entry for entry in case.contestants if entry.name == row["of"])
    seconds = {name: [run.seconds for run in all_runs] for name, all_runs in runs.items()}
    own = seconds[contestant.name]
    other = row.get("compared_to")
    if other == SAME_RUN:
        shares = [run.ideal_s / run.seconds for run in runs[contestant.name]]
    elif other == TOGETHER:
        both = zip(own, runs[UNDISTURBED], strict=True)
        shares = [
            share_of_bound(took, run.alone_s[0], run.alone_s[1], contestant.slows_to)
            for took, run in both
        ]
    elif other:
        shares = [base / taken for base, taken in zip(seconds[other], own, strict=True)]
    else:
        alone = zip(own, seconds[FIRST_ALONE], seconds[SECOND_ALONE], strict=True)
        shares = [share_of_bound(*times, contestant.slows_to) for times in alone]
    value, ratio = spread(own), spread(shares)
    filled = Row(row["name"], value.median, "s", other or "bound", ratio.median, row.get("target"))
    outcome.add(filled, value, ratio)
