# SPDX-License-Identifier: Apache-2.0
"""Measures this machine, and what lies between the images of a job."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from makespan.base.engine import Engine
from makespan.base.errors import EngineError
from makespan.job.stopping import stopped_on_error
from makespan.job.teams import joined
from makespan.machines.known_machine import KnownMachine

LOOK_S = 0.1

Progress = Callable[[str, int, int], None]
"""What is measured, steps done, steps in all (0: not known yet)."""


def measure_machine(
    engine: Engine, machine: KnownMachine, seconds: float, progress: Progress
) -> None:
    """Adds matrices to the machine. Ctrl-C ends it after the step under way."""
    run = engine.MachineMeasurement(machine.engine_machine, seconds)
    with stopped_on_error(run, None):
        _watch(run, "cores and memory", progress)
    run.keep()
    machine.sampling = run.sampling


def measure_network(meter: Any, engine: Engine, seconds: float, progress: Progress) -> Any:
    """What lies between the images: see `pgas/measure/image_costs.hpp`. On image 0.

    Ctrl-C ends it after the pair under way.
    """
    run = engine.ImageMeasurement(meter, seconds)
    with stopped_on_error(run, meter):
        _watch(run, "images", progress)
    try:
        return run.costs()
    except RuntimeError as error:
        raise EngineError(str(error)) from error


def _watch(run: Any, what: str, progress: Progress) -> None:
    while not run.wait(LOOK_S):
        progress(what, *run.steps())


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
