# SPDX-License-Identifier: Apache-2.0
"""Questions to the simulator, each in a process of its own: it has one engine in each."""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
from collections.abc import Mapping
from typing import Any

from makespan.base.errors import EngineError, InputError, NotConfiguredError
from makespan.base.own_python import python_command

_FRAME = re.compile(r"\s*(-> +#|#)\d+ |Backtrace ")


class DiedError(EngineError):
    """The process ended by a signal, without a word that could be passed on."""


class Simulator:
    """Asks the engine, in processes that can be ended together."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[str]] = set()
        self._is_ended = False

    def answer(self, job: Mapping[str, Any]) -> Any:
        """What the engine says to a bag's job, or to `{"platform": path}`; blocks.

        Callable from any thread. Raises `InputError` for an invalid job, `NotConfiguredError` in a
        build without SimGrid, `EngineError` where there is no answer.
        """
        process = self._started("platform" if "platform" in job else "bag")
        try:
            said, complaint = process.communicate(json.dumps(job))
        except BaseException:  # Ctrl-C, in the main thread
            process.kill()
            process.communicate()
            raise
        finally:
            with self._lock:
                self._running.discard(process)
        if process.returncode == 2:
            raise InputError(complaint)
        if process.returncode == 3:
            raise NotConfiguredError(complaint)
        if process.returncode != 0:
            died = DiedError if process.returncode < 0 else EngineError
            raise died(f"a simulation ended with {process.returncode}: {_last_words(complaint)}")
        return json.loads(said)

    def _started(self, what: str) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        with self._lock:
            if self._is_ended:
                raise EngineError("simulations were ended")
            process = subprocess.Popen(
                python_command("-m", "makespan.sim.one_run", str(os.getpid()), what),
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                text=True,
                process_group=0,  # Ctrl-C is for this process, which ends those that it has begun
            )
            self._running.add(process)
        return process

    @property
    def is_ended(self) -> bool:
        """Whether nothing new begins."""
        return self._is_ended

    def end(self) -> None:
        """Ends all that runs, and lets nothing new begin."""
        with self._lock:
            self._is_ended = True
            for process in self._running:
                process.kill()


def _last_words(complaint: str) -> str:
    """Its last line that is none of a backtrace."""
    lines = [line for line in complaint.splitlines() if line.strip() and not _FRAME.match(line)]
    return lines[-1].strip() if lines else "it has said nothing"


def answer(job: Mapping[str, Any]) -> Any:
    """One question: `Simulator.answer`."""
    return Simulator().answer(job)
