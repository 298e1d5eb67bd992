# SPDX-License-Identifier: Apache-2.0
"""The story of `makespan machine`: find the machine, measure it, write what was asked for."""

from __future__ import annotations

from dataclasses import replace

from makespan.base.engine import Engine
from makespan.files.kept_result import kept_result
from makespan.job.launcher import is_later_image
from makespan.job.progress import OnProgress
from makespan.job.teams import engine_errors, serve
from makespan.machines.input import SECONDS_DEFAULT
from makespan.machines.known_machine import KnownMachine, known_machine
from makespan.machines.measuring import joined_meter, measure
from makespan.machines.outcome import MachineResult, result_of
from makespan.machines.outputs import MachineRequest, write_outputs


def find_machine(
    engine: Engine, request: MachineRequest, on_progress: OnProgress
) -> MachineResult | None:
    """The machine, on image 0; None on the others, which it measures what lies between.

    Collective. Raises `InputError`, whose `result` is the machine where only a file cannot be
    written, `NotConfiguredError`, `EngineError`, `Interrupted`.
    """
    request.check()
    if not request.given["measure"]:
        if is_later_image():
            return None
        request.check_outputs()
        return _written(engine, request, _found(engine, request))
    with engine_errors(), joined_meter(engine) as meter:
        if meter is not None and meter.image != 0:
            serve(meter)
            return None
        request.check_outputs()
        machines = _found(engine, request)
        measure(
            engine, machines[0], request.given["seconds"] or SECONDS_DEFAULT, meter, on_progress
        )
    return _written(engine, request, machines)


def _found(engine: Engine, request: MachineRequest) -> list[KnownMachine]:
    files = request.files or (None,)
    return [known_machine(engine, file, request.given["synthetic"]) for file in files]


def _written(
    engine: Engine, request: MachineRequest, machines: list[KnownMachine]
) -> MachineResult:
    from makespan.machines.document import record_beginning

    first, *others = map(result_of, machines)
    if request.weights is not None:
        text = request.weights.text([first, *others])
        first = replace(first, weights=text, others=tuple(others))
    first = replace(first, told=record_beginning(engine, request))
    with kept_result(lambda: first):
        write_outputs(request, machines[0], first)
    return first
