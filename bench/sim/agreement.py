# SPDX-License-Identifier: Apache-2.0
"""Makespans of a book on two devices, measured, and simulated from one trace.

In each round every policy prices the book on every mix, just after or before, in turn, a run by
the first policy. The trace of that run is fitted, and the policy is simulated with what came of it;
a row compares this makespan with the measured one. A host whose speed drifts is thus nearly the
same for both. Which of two threads asks first is chance, and some policies give the first one half
of all: the simulated one asks first that did in the run.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl
from makespan.base.engine import load_engine
from makespan.pricing.input import Settings
from makespan.pricing.outcome import Priced
from makespan.pricing.perfetto import perfetto_text
from makespan.pricing.pricing import price_everything
from makespan.sim.comparison import Case, compare, ways_of
from makespan.sim.machine import Machine
from makespan.sim.replay import Replay, read_replay

from bench.bag.devices import book, paths_by_option
from bench.case import Scale, read_table
from bench.ratio import spread
from bench.result import Outcome, Row


@dataclass(frozen=True)
class AgreementCase:
    """The fields of the case file; `within`: how far a prediction may be off."""

    title: str
    rounds: int
    options: int
    paths: int
    fixings: int
    seed: int
    cost_spread: float
    dispatcher: str
    policies: list[str]
    within: float
    mixes: dict[str, str]


def read_case(path: Path, scale: Scale) -> AgreementCase:
    """Read the case file, with the values of a quick run over the others."""
    return AgreementCase(**read_table(path, scale))


def run_case(
    case: AgreementCase, places: dict[str, str], outcome: Outcome, notice: Callable[[str], None]
) -> None:
    """Measure and simulate, mix by mix, and append a row for each mix and policy.

    `places` names the devices that mixes are made of.
    """
    table = book(paths_by_option(case), case.fixings)  # type: ignore[arg-type]
    ratios: dict[tuple[str, str], list[float]] = {}
    seconds: dict[tuple[str, str], list[float]] = {}

    def priced(devices: str, policy: str) -> Priced:
        return _priced(case, table, devices.format(**places), policy)

    for devices in case.mixes.values():
        priced(devices, case.policies[0])  # a warm-up
    for number in range(case.rounds):
        for mix, devices in case.mixes.items():
            for policy in case.policies:
                if number % 2 == 0:
                    traced, run = priced(devices, case.policies[0]), priced(devices, policy)
                else:
                    run, traced = priced(devices, policy), priced(devices, case.policies[0])
                replay = _replay(traced, case)
                machine = _asked_by(replay.machine, _first_device(run))
                (one,) = compare(Case(machine, replay.tasks), ways_of(policy, case.dispatcher))
                measured = run.record["makespan_s"]
                ratios.setdefault((mix, policy), []).append(one.result["makespan_s"] / measured)
                seconds.setdefault((mix, policy), []).append(measured)
            notice(f"round {number + 1} of {case.rounds}: {mix}")
    for (mix, policy), found in ratios.items():
        value, ratio = spread(seconds[mix, policy]), spread(found)
        name = f"{policy}, {mix} devices"
        outcome.add(
            Row(name, value.median, "s", "simulated / measured", ratio.median), value, ratio
        )
    again = [one for mix in case.mixes for one in ratios[mix, case.policies[0]]]
    name = "the traced policy itself, run again: how far half of the runs are off"
    outcome.add(Row(name, statistics.median(abs(one - 1.0) for one in again), ""))
    off = [abs(statistics.median(found) - 1.0) for found in ratios.values()]
    name = "furthest that a simulated makespan is off"
    outcome.add(Row(name, max(off), "", target=f"value <= {case.within}"))


def _priced(case: AgreementCase, table: pl.DataFrame, devices: str, policy: str) -> Priced:
    settings = Settings(
        seed=case.seed,
        devices=devices,
        dispatcher=case.dispatcher,
        policy=policy,
        timeline=True,
        memory=False,
    )
    return price_everything(load_engine(), table, settings)


def _first_device(priced: Priced) -> int:
    """The one that asked first; each has one thread."""
    timeline = priced.timeline()
    return int(timeline.thread[timeline.begin.argmin()])


def _asked_by(machine: Machine, first: int) -> Machine:
    """The same with its devices in turn, so that this one comes first."""
    (image,) = machine.images
    devices = image["devices"]
    return replace(machine, images=({**image, "devices": [*devices[first:], *devices[:first]]},))


def _replay(priced: Priced, case: AgreementCase) -> Replay:
    words = {"policy": case.policies[0], "dispatcher": case.dispatcher, "mode": "auto"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        path.write_text(perfetto_text(priced.timeline(), case.title, words), encoding="utf-8")
        return read_replay(path)
