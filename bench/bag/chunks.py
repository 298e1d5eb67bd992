# SPDX-License-Identifier: Apache-2.0
"""Items per claim on two unequal devices: what claims cost, and what is idle in the end.

After figure 10 of Cardellini, Fanfarillo and Filippone (2016). Both are shares of what the devices
could have done until the last one ended: each one's seconds count by its speed, as it has it alone
in the same round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from makespan.base.number_text import count_text
from makespan.pricing.outcome import Priced
from makespan.pricing.timeline import Timeline

from bench.bag import devices
from bench.bag.devices import Contestant, DeviceCase, Places
from bench.case import Scale, read_table
from bench.interleave import in_turn
from bench.ratio import Spread, paired_ratio, spread
from bench.result import Outcome, Row

DEFAULT, BEST_FIXED = "default", "best fixed"


@dataclass(frozen=True)
class ChunkCase:
    """A book and who prices it, and the numbers of items that claims take in turn."""

    device_case: DeviceCase
    chunk_items: list[int]

    @property
    def contestants(self) -> list[Contestant]:
        """All of the case, and one for each number of items; with a timeline."""
        both = "{first} {second}"
        fixed = [
            Contestant(fixed_name(items), both, "counter", f"self:chunk_items={items}")
            for items in self.chunk_items
        ]
        return [replace(entry, trace=True) for entry in (*self.device_case.contestants, *fixed)]


def fixed_name(items: int) -> str:
    """Return the name of the contestant that claims that many items at once."""
    return count_text(items, "item")


def read_case(path: Path, scale: Scale) -> ChunkCase:
    """Read the case file, with the values of a quick run over the others."""
    table = read_table(path, scale)
    chunk_items = table.pop("chunk_items")
    return ChunkCase(devices.case_of(table), chunk_items)


@dataclass(frozen=True)
class Run:
    """One run. Seconds of claims (steals too) and of items, one entry a device."""

    makespan_s: float
    claims: int
    claim_s: list[float]
    item_s: list[float]


@dataclass(frozen=True)
class Loss:
    """Shares of what all devices could have done until the last one ended."""

    idle: float
    claims: float


def run_of(priced: Priced) -> Run:
    """Return what the timeline of a run says."""
    timeline, record = priced.timeline(), priced.record
    return Run(
        float(record["makespan_s"]),
        int(record["engine"]["claims"]),
        seconds_by_device(timeline, "claim", "steal"),
        seconds_by_device(timeline, "run"),
    )


def seconds_by_device(timeline: Timeline, *kinds: str) -> list[float]:
    """Return how long the threads of each device did any of this [s]."""
    chosen = np.zeros(len(timeline.kind), dtype=bool)
    for kind in kinds:
        chosen |= timeline.of_kind(kind)
    length = np.where(chosen, timeline.end - timeline.begin, 0.0)
    return [
        float(
            length[(timeline.thread >= one.first) & (timeline.thread < one.first + one.count)].sum()
        )
        for one in timeline.devices
    ]


def loss(run: Run, speeds: Sequence[float]) -> Loss:
    """Return what was lost. `speeds`: of the devices, one thread each, in any unit.

    >>> loss(Run(2.0, 9, [0.2, 0.0], [1.8, 1.0]), [3.0, 1.0])  # of 8, 0.6 claiming and 1 idle
    Loss(idle=0.125, claims=0.075)
    """
    could = sum(speeds) * run.makespan_s
    claims = sum(speed * taken for speed, taken in zip(speeds, run.claim_s, strict=True))
    ran = sum(speed * taken for speed, taken in zip(speeds, run.item_s, strict=True))
    return Loss((could - claims - ran) / could, claims / could)


@dataclass(frozen=True)
class Measured:
    """One contestant over all rounds; `bound_share` is the bound over the time."""

    seconds: list[float]
    bound_share: Spread
    claims: Spread
    idle_share: Spread
    claim_share: Spread


Sweep = dict[str, Measured]


def measure(case: ChunkCase, places: Places, notice: Callable[[str], None]) -> Sweep:
    """Run all in turn, a warm-up first; every contestant that has both devices, by name.

    Raises RuntimeError if two of them have other prices.
    """
    rounds = case.device_case.rounds
    runs: dict[str, list[Run]] = {entry.name: [] for entry in case.contestants}
    hashes: dict[str, str] = {}
    for number, contestant in in_turn(case.contestants, rounds):
        priced = devices.priced(case.device_case, contestant, places)
        hashes[contestant.name] = str(priced.record["result_hash"])
        if number > 0:
            runs[contestant.name].append(run_of(priced))
        notice(f"round {number} of {rounds}: {contestant.name}")
    devices.check_same_prices(hashes)
    firsts, seconds = (
        [run.makespan_s for run in runs.pop(name)]
        for name in (devices.FIRST_ALONE, devices.SECOND_ALONE)
    )
    alone = list(zip(firsts, seconds, strict=True))
    return {name: measured(all_runs, alone) for name, all_runs in runs.items()}


def measured(runs: Sequence[Run], alone: Sequence[tuple[float, float]]) -> Measured:
    """Return what the runs of one contestant say. `alone`: what each device takes [s], by round."""
    losses = [
        loss(run, [1.0 / first, 1.0 / second])
        for run, (first, second) in zip(runs, alone, strict=True)
    ]
    shares = [
        devices.share_of_bound(run.makespan_s, first, second, 1.0)
        for run, (first, second) in zip(runs, alone, strict=True)
    ]
    return Measured(
        [run.makespan_s for run in runs],
        spread(shares),
        spread([run.claims for run in runs]),
        spread([one.idle for one in losses]),
        spread([one.claims for one in losses]),
    )


def best_fixed(case: ChunkCase, sweep: Sweep) -> str:
    """Return who of fixed size has the least median time."""
    names = [fixed_name(items) for items in case.chunk_items]
    return min(names, key=lambda name: spread(sweep[name].seconds).median)


def run_case(
    case: ChunkCase, places: Places, outcome: Outcome, notice: Callable[[str], None]
) -> Sweep:
    """Measure, append the rows, and return what the page draws."""
    sweep = measure(case, places, notice)
    best = best_fixed(case, sweep)
    notice(f"the best fixed size is {best}")
    for row in case.device_case.rows:
        add_row(row, {**sweep, BEST_FIXED: sweep[best]}, outcome)
    for name, found in sweep.items():
        outcome.series[f"chunks: {name}"] = [{"seconds": taken} for taken in found.seconds]
    return sweep


def add_row(row: dict[str, Any], sweep: Sweep, outcome: Outcome) -> None:
    """Append one row: the time, and its ratio to the bound or to another's time."""
    of, other = sweep[row["of"]], row.get("compared_to")
    value = spread(of.seconds)
    ratio = paired_ratio(of.seconds, sweep[other].seconds) if other else of.bound_share
    filled = Row(row["name"], value.median, "s", other or "bound", ratio.median, row.get("target"))
    outcome.add(filled, value, ratio)
