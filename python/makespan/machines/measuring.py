# SPDX-License-Identifier: Apache-2.0
"""Measures this machine, and what lies between the images of a job."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from makespan.base.engine import Engine
from makespan.base.errors import EngineError, InputError, Interrupted, NotConfiguredError
from makespan.job.interrupts import Interrupts
from makespan.job.progress import OnProgress, Progress
from makespan.job.stopping import stop, stopped_on_error
from makespan.job.teams import joined
from makespan.machines.known_machine import KnownMachine

LOOK_S = 0.1
_OTHER_MACHINES = ("HWLOC_XMLFILE", "HWLOC_SYNTHETIC", "HWLOC_FSROOT")
"""By which hwloc reads another machine than this one."""


def measure(
    engine: Engine, machine: KnownMachine, seconds: float, meter: Any, on_progress: OnProgress
) -> None:
    """Adds matrices to the machine; with a meter what lies between images, too. On image 0.

    Blocks. Ctrl-C ends it after the step under way, and raises `Interrupted`.
    """
    _check_is_here(machine)
    watch = _Watch(on_progress, stages=1 if meter is None else 2)
    run = engine.MachineMeasurement(machine.engine_machine, seconds, messages=meter is None)
    watch.until_over(run, None, "messages, cores and memory")
    _keep(run)
    machine.sampling = run.sampling
    if meter is not None:
        # pgas/measure/image_costs.hpp
        between = engine.ImageMeasurement(meter, seconds)
        watch.until_over(between, meter, "images")
        try:
            machine.network = between.costs()
        except RuntimeError as error:
            raise EngineError(str(error)) from error


def _check_is_here(machine: KnownMachine) -> None:
    if machine.engine_machine.is_this_one:
        return
    named = [name for name in _OTHER_MACHINES if os.environ.get(name)]
    raise InputError(
        f"{' and '.join(named) or 'hwloc'} (describes a machine that need not be this one, so that "
        "it cannot be measured): unset it, or set HWLOC_THISSYSTEM=1 if it is this one"
    )


def _keep(run: Any) -> None:
    """Adds what was found to the machine. Messages go through a runtime, which reads variables."""
    try:
        run.keep()
    except ValueError as error:
        raise InputError(str(error)) from error
    except NotImplementedError as error:
        raise NotConfiguredError(str(error)) from error
    except RuntimeError as error:
        raise EngineError(str(error)) from error


class _Watch:
    """Waits for measurements, one after the other."""

    def __init__(self, on_progress: OnProgress, stages: int) -> None:
        self._on_progress = on_progress
        self._stages = stages
        self._over = 0
        self._start = time.perf_counter()

    def until_over(self, run: Any, meter: Any, what: str) -> None:
        """Tells what is measured, and how far that is."""
        with Interrupts() as interrupts, stopped_on_error(run, meter):
            is_over = False
            while not is_over:
                is_over = run.wait(LOOK_S)
                done, total = run.steps()
                if not is_over:
                    self._on_progress(self._progress(done, total, what))
                if interrupts.asked:
                    stop(run, meter)
                    raise Interrupted(done, total, "steps")
        self._over += 1

    def _progress(self, done: int, total: int, what: str) -> Progress:
        share = (self._over + (done / total if total else 0.0)) / self._stages
        elapsed_s = time.perf_counter() - self._start
        left_s = elapsed_s * (1.0 - share) / share if share > 0 else None
        return Progress(done, total or None, "steps", elapsed_s, share, left_s, what)


@contextmanager
def joined_meter(engine: Engine) -> Iterator[Any]:
    """Joins the job that this process was launched as a part of; None if it was not.

    Collective over its images, both ways.
    """
    if engine.images_launched() == 1:
        yield None
        return
    with joined(engine.ImageMeter) as meter:
        yield meter
