# SPDX-License-Identifier: Apache-2.0
"""Simulations, several at a time, each in a process of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

from makespan.base.errors import EngineError
from makespan.job.interrupts import Interrupts
from makespan.sim.subprocess_run import Simulator

Result = Mapping[str, Any]
Job = Callable[[], Mapping[str, Any]]
"""Makes a job where it is run: of many tasks and ways not all have room at once."""
Heard = Callable[[int], None]
"""Is told how many simulations are done, each time that one is."""

WAIT_S = 0.1
"""Between two looks for Ctrl-C."""
_OF_ALL_BAGS = ("bags", "knows_speeds", "worker_speeds")
_SUMS = ("makespan_s", "ideal_s", "claims", "steals", "operations", "messages")
_WORKER_SUMS = ("running_s", "claiming_s", "waiting_s", "items")


class StoppedError(Exception):
    """Ctrl-C: what was done until then, by the number of the job."""

    def __init__(self, results: Mapping[int, Result]) -> None:
        super().__init__("stopped")
        self.results = results


def ignored(_done: int) -> None:
    """The callback that does nothing."""


def simulate_each(
    jobs: Sequence[Job], heard: Heard = ignored, at_a_time: int | None = None
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


def _simulated(simulator: Simulator, made: Job) -> Result:
    """All bags of a job, one after the other; what came of them together."""
    job = made()
    first, *later = job["bags"]
    known = job["worker_speeds"]
    asked = _bag_job(job, first, known if job["knows_speeds"] else [], 0.0)
    if not later:
        return dict(simulator.answer(asked))
    alike = _Alike(simulator)
    together = _Together.of(alike.answer(first, asked), job["spans_kept"])
    for bag in later:
        if not together.result["complete"]:
            break
        if simulator.is_ended:  # as a process of it would say, of which bags alike need none
            raise EngineError("simulations were ended")
        asked = _bag_job(job, bag, known, together.result["makespan_s"])
        together.add(alike.answer(bag, asked))
    return together.result


class _Alike:
    """Bags alike during which nothing happens are simulated once: there may be thousands."""

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        self._texts: dict[int, str] = {}
        self._found: dict[tuple[str, bool, str], Result] = {}

    def answer(self, bag: Mapping[str, Any], asked: Mapping[str, Any]) -> Result:
        """What the engine says to `asked`, which is of that bag of the job's."""
        machine = asked["machine"]
        coming = [at for _, at, *_ in (*machine["changes"], *machine["losses"]) if at > 0.0]
        over = {
            kind: [one for one in machine[kind] if one[1] <= 0.0] for kind in ("changes", "losses")
        }
        # All else is the same for all bags of a job, but for speeds, which only the first may lack.
        key = (self._text(bag), bool(asked["speeds"]), json.dumps(over))
        if key not in self._found:
            calm = {**asked, "machine": {**machine, **over}}
            self._found[key] = self._simulator.answer(calm)
        found = self._found[key]
        if not coming or (found["complete"] and found["makespan_s"] <= min(coming)):
            return found
        answer: Result = self._simulator.answer(asked)
        return answer

    def _text(self, bag: Mapping[str, Any]) -> str:
        """Of a bag that lives as long as this: once for all turns that it stands for."""
        text = self._texts.get(id(bag))
        if text is None:
            text = self._texts[id(bag)] = json.dumps(bag, sort_keys=True)
        return text


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


@dataclass(slots=True)
class _Together:
    """What came of bags, one after the other: of the last, but for what is added up."""

    result: dict[str, Any]
    spans_kept: int

    @staticmethod
    def of(first: Result, spans_kept: int) -> _Together:
        """Of the first one, which stays as it is."""
        workers = [dict(one) for one in first["workers"]]
        return _Together({**first, "workers": workers, "spans": [*first["spans"]]}, spans_kept)

    def add(self, after: Result) -> None:
        """What came of the next one."""
        before = self.result
        passed, workers, spans = (before[name] for name in ("makespan_s", "workers", "spans"))
        for one, two in zip(workers, after["workers"], strict=True):
            for name in _WORKER_SUMS:
                one[name] += two[name]
        room = max(0, self.spans_kept - len(spans))
        spans += [
            [worker, kind, begin + passed, end + passed, items]
            for worker, kind, begin, end, items in after["spans"][:room]
        ]
        sums = {name: before[name] + after[name] for name in _SUMS}
        self.result = {**after, **sums, "workers": workers, "spans": spans}
