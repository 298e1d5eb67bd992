# SPDX-License-Identifier: Apache-2.0
"""What happens to a job at a moment that was drawn."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from random import Random

from tests.torture.job import Job, send

STOPPED_S = 3.0


class Kind(Enum):
    """Names as users read them."""

    KILL_ONE = "kill-one"
    KILL_ALL = "kill-all"
    INTERRUPT = "interrupt"
    INTERRUPT_TWICE = "interrupt-twice"
    TERMINATE = "terminate"
    ALARM = "alarm"
    """A signal whose handler raises; only for scripts that have one."""
    STOP = "stop"


_TO_ONE = {
    Kind.KILL_ONE: signal.SIGKILL,
    Kind.ALARM: signal.SIGALRM,
    Kind.STOP: signal.SIGSTOP,
}


@dataclass(frozen=True)
class Disturbance:
    """A kind of it, and everything that is drawn for it, from 0 to 1."""

    kind: Kind
    moment: float
    """Of the undisturbed run's duration."""
    victim: float
    gap: float
    """Seconds between the two of `interrupt-twice`."""

    def __str__(self) -> str:
        return f"{self.kind.value} at {self.moment:.4f}"


def drawn(rng: Random, kinds: Sequence[Kind]) -> Disturbance:
    """One of these kinds."""
    return Disturbance(rng.choice(list(kinds)), rng.random(), rng.random(), rng.random())


def disturb(job: Job, what: Disturbance) -> bool:
    """Does it; whether it met a process: a job that is over is left alone."""
    match what.kind:
        case Kind.KILL_ALL:
            return any([send(pid, signal.SIGKILL) for pid in job.processes()])  # noqa: C419 - to all
        case Kind.TERMINATE:
            return not job.is_over() and send(job.leader, signal.SIGTERM)
        case Kind.INTERRUPT:
            return _ctrl_c(job)
        case Kind.INTERRUPT_TWICE:
            is_met = _ctrl_c(job)
            job.wait(what.gap)
            _ctrl_c(job)
            return is_met
        case _:
            return _disturb_one(job, what)


def _disturb_one(job: Job, what: Disturbance) -> bool:
    found = sorted(job.pythons())
    if not found:
        return False
    victim = found[int(what.victim * len(found))]
    is_met = send(victim, _TO_ONE[what.kind])
    if is_met and what.kind is Kind.STOP:
        time.sleep(STOPPED_S)
        send(victim, signal.SIGCONT)
    return is_met


def _ctrl_c(job: Job) -> bool:
    """A terminal sends it to the launcher and to what it started."""
    if not job.is_over():
        with contextlib.suppress(ProcessLookupError):
            os.killpg(job.leader, signal.SIGINT)
            return True
    return False
