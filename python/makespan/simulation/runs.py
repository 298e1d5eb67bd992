# SPDX-License-Identifier: Apache-2.0
"""Simulations, several at a time, each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

from makespan.errors import EngineError, InputError, NotConfiguredError

Result = Mapping[str, Any]


def simulate_each(
    jobs: Sequence[Mapping[str, Any]], heard: Callable[[int, Result], None] = lambda *_: None
) -> list[Result]:
    """Results in the order of the jobs; `heard` is told of each as it comes.

    Raises `InputError` for a job that makes no sense, `NotConfiguredError` in a build without
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
    command = [sys.executable, "-m", "makespan.simulation.one_run"]
    ended = subprocess.run(
        command, input=json.dumps(job), capture_output=True, text=True, check=False
    )
    if ended.returncode == 2:
        raise InputError(ended.stderr)
    if ended.returncode == 3:
        raise NotConfiguredError(ended.stderr)
    if ended.returncode != 0:
        raise EngineError(f"a simulation ended with {ended.returncode}: {ended.stderr[-500:]}")
    result: Result = json.loads(ended.stdout)
    return result
