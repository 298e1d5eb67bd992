# SPDX-License-Identifier: Apache-2.0
"""Simulations, several at a time, each in a process of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import Any

from makespan.job.interrupts import Interrupts
from makespan.sim.subprocess_run import Simulator

Result = Mapping[str, Any]
Heard = Callable[[int], None]
"""Is told how many simulations are done, each time that one is."""

WAIT_S = 0.1
"""Between two looks for Ctrl-C."""
_OF_ALL_BAGS = ("bags", "knows_speeds", "worker_speeds")
_WORKER_SUMS = ("running_s", "claiming_s", "waiting_s", "items")


class StoppedError(Exception):
    """Ctrl-C: what was done until then, by the number of the job."""

    def __init__(self, results: Mapping[int, Result]) -> None:
        super().__init__("stopped")
        self.results = results


def ignored(_done: int) -> None:
    """The callback that does nothing."""


def simulate_each(
    jobs: Sequence[Mapping[str, Any]], heard: Heard = ignored, at_a_time: int | None = None
) -> dict[int, Result]:
    """Results by the numbers of the jobs; `at_a_time`: so many processes, or one for each core.

    Raises `InputError` for an invalid job, `NotConfiguredError` in a build without
    SimGrid, `EngineError` where a simulation ends without a result, `StoppedError` within a second
    of Ctrl-C.
    """
    results: dict[int, Result] = {}
    workers = min(len(jobs), at_a_time or os.cpu_count() or 1) or 1
    simulator = Simulator()
    with Interrupts() as interrupts, ThreadPoolExecutor(max_workers=workers) as pool:
        running = {pool.submit(_simulated, simulator, job): at for at, job in enumerate(jobs)}
        left = set(running)
        try:
            while left:
                ended, left = wait(left, WAIT_S, FIRST_COMPLETED)
                for one in ended:
                    results[running[one]] = one.result()
                    heard(len(results))
                if interrupts.asked:
                    raise StoppedError(results)  # noqa: TRY301 - ends them below, as all others
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            simulator.end()
            raise
    return results


def _simulated(simulator: Simulator, job: Mapping[str, Any]) -> Result:
    """All bags of a job, one after the other; what came of them together."""
    first, *later = job["bags"]
    known = job["worker_speeds"]
    asked = _bag_job(job, first, known if job["knows_speeds"] else [], 0.0)
    if not later:
        return dict(simulator.answer(asked))
    alike: dict[str, Result] = {}
    together = _answered(simulator, asked, alike)
    for bag in later:
        if not together["complete"]:
            break
        asked = _bag_job(job, bag, known, together["makespan_s"])
        together = _added(together, _answered(simulator, asked, alike))
    return dict(together)


def _answered(
    simulator: Simulator, asked: Mapping[str, Any], alike: dict[str, Result]
) -> Mapping[str, Any]:
    """Bags alike during which nothing happens are simulated once: there may be thousands."""
    machine = asked["machine"]
    coming = [at for _, at, *_ in (*machine["changes"], *machine["losses"]) if at > 0.0]
    calm = dict(machine)
    for kind in ("changes", "losses"):
        calm[kind] = [one for one in machine[kind] if one[1] <= 0.0]
    key = json.dumps({**asked, "machine": calm}, sort_keys=True)
    if key not in alike:
        alike[key] = simulator.answer({**asked, "machine": calm})
    found = alike[key]
    if not coming or (found["complete"] and found["makespan_s"] <= min(coming)):
        return found
    return dict(simulator.answer(asked))


def _bag_job(
    job: Mapping[str, Any], bag: Mapping[str, Any], speeds: Sequence[float], passed: float
) -> dict[str, Any]:
    """As the engine takes it, of a bag that begins when so many seconds have passed."""
    own = {name: value for name, value in job.items() if name not in _OF_ALL_BAGS}
    machine = dict(own.pop("machine"))
    machine["changes"] = _later(machine["changes"], passed)
    machine["losses"] = [[image, max(0.0, at - passed)] for image, at in machine["losses"]]
    return {**own, **bag, "machine": machine, "speeds": list(speeds)}


def _later(changes: Sequence[Sequence[float]], passed: float) -> list[list[float]]:
    """In the order of their times, as the last of those that are over holds."""
    in_order = sorted(changes, key=lambda change: change[1])
    return [[device, max(0.0, at - passed), factor] for device, at, factor in in_order]


def _added(before: Result, after: Result) -> Result:
    passed = before["makespan_s"]
    together = dict(after)
    for name in ("makespan_s", "ideal_s", "claims", "steals", "operations", "messages"):
        together[name] = before[name] + after[name]
    together["workers"] = [
        {**one, **{name: one[name] + two[name] for name in _WORKER_SUMS}}
        for one, two in zip(before["workers"], after["workers"], strict=True)
    ]
    together["spans"] = before["spans"] + [
        [worker, kind, begin + passed, end + passed, items]
        for worker, kind, begin, end, items in after["spans"]
    ]
    return together
