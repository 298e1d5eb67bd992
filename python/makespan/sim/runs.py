# SPDX-License-Identifier: Apache-2.0
"""Simulations, several at a time, each in a process of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

from makespan.sim.subprocess_run import answer

Result = Mapping[str, Any]


_OF_ALL_BAGS = ("bags", "knows_speeds", "worker_speeds")
_WORKER_SUMS = ("running_s", "claiming_s", "waiting_s", "items")


def simulate_each(
    jobs: Sequence[Mapping[str, Any]], heard: Callable[[int, Result], None] = lambda *_: None
) -> list[Result]:
    """Results in the order of the jobs; `heard` is told of each as it comes.

    Raises `InputError` for an invalid job, `NotConfiguredError` in a build without
    SimGrid, `EngineError` where a simulation ends without a result.
    """
    results: dict[int, Result] = {}
    with ThreadPoolExecutor(max_workers=min(len(jobs), os.cpu_count() or 1) or 1) as pool:
        running = {pool.submit(_simulated, job): at for at, job in enumerate(jobs)}
        try:
            for ended in as_completed(running):
                at = running[ended]
                results[at] = ended.result()
                heard(at, results[at])
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return [results[at] for at in range(len(jobs))]


def _simulated(job: Mapping[str, Any]) -> Result:
    """All bags of a job, one after the other; what came of them together."""
    first, *later = job["bags"]
    known = job["worker_speeds"]
    together = _one_bag(_bag_job(job, first, known if job["knows_speeds"] else [], 0.0))
    for bag in later:
        if not together["complete"]:
            break
        result = _one_bag(_bag_job(job, bag, known, together["makespan_s"]))
        together = _added(together, result)
    return together


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
    return [[device, max(0.0, at - passed), factor] for device, at, factor in changes]


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


def _one_bag(job: Mapping[str, Any]) -> Result:
    result: Result = answer(job)
    return result
