# SPDX-License-Identifier: Apache-2.0
"""Questions to the simulator, each in a process of its own: it has one engine in each."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from typing import Any

from makespan.base.errors import EngineError, InputError, NotConfiguredError
from makespan.base.own_python import python_command


class DiedError(EngineError):
    """The process ended by a signal, without a word that could be passed on."""


def answer(job: Mapping[str, Any]) -> Any:
    """What the engine says to a bag's job, or to `{"platform": path}`; blocks.

    Raises `InputError` for an invalid job, `NotConfiguredError` in a build without SimGrid,
    `EngineError` where there is no answer.
    """
    command = python_command("-m", "makespan.sim.one_run")
    ended = subprocess.run(
        command, input=json.dumps(job), capture_output=True, text=True, check=False
    )
    if ended.returncode == 2:
        raise InputError(ended.stderr)
    if ended.returncode == 3:
        raise NotConfiguredError(ended.stderr)
    if ended.returncode != 0:
        died = DiedError if ended.returncode < 0 else EngineError
        raise died(f"a simulation ended with {ended.returncode}: {ended.stderr[-500:]}")
    return json.loads(ended.stdout)
