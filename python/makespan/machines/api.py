# SPDX-License-Identifier: Apache-2.0
"""`makespan.machine`: what a machine consists of, and how far apart its places are, in Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from makespan.base.engine import load_engine
from makespan.base.errors import InputError
from makespan.job.gather import gathered
from makespan.job.hold_mpi import hold_mpi_in_job
from makespan.job.progress import OnProgress, ignored
from makespan.machines.input import PYTHON_SETTINGS
from makespan.machines.outcome import MachineResult
from makespan.machines.outputs import MachineRequest
from makespan.machines.run import find_machine
from makespan.settings.keywords import takes
from makespan.settings.setting import python_text


@takes(PYTHON_SETTINGS)
def machine(
    file: str | PathLike[str] | Sequence[str | PathLike[str]] | None = None,
    *,
    on_progress: OnProgress | None = None,
    **given: Any,
) -> MachineResult | None:
    """What a machine consists of: packages, NUMA nodes, caches, cores, GPUs.

    `file`: a machine file (hwloc's XML), of `makespan.machine(output=...)` or of lstopo; for
    `weights` one or more. Without it, and without `synthetic`, it is this machine, which `measure`
    finds latencies and bandwidths of. Files are written where they are named; `output` gets the
    machine, or the weights.

    Blocks. In a program that mpiexec started: collective, by all its processes, with the same
    arguments; `measure` looks at what lies between them, too. The first gets the result, the others
    None; with `gather="all"` all get it.

    Raises `InputError` for files and settings, or with the `result` where only a file cannot be
    written at the end; `NotConfiguredError` where hwloc is not built in; `EngineError` where a
    measurement fails; `Interrupted` on Ctrl-C, without a result: what was measured by then is not
    kept.
    """
    request = MachineRequest(_paths(file), given)
    engine = load_engine()
    hold_mpi_in_job(engine)
    return gathered(lambda: find_machine(engine, request, on_progress or ignored), given["gather"])


def _paths(file: Any) -> list[Path]:
    """Of the machine files. Raises `InputError`."""
    if file is None:
        return []
    is_one = isinstance(file, str | PathLike) or not isinstance(file, Iterable)
    files = [file] if is_one else list(file)
    if not files:
        raise InputError("no file of a machine (the list is empty): name one, or give none")
    for one in files:
        if not isinstance(one, str | PathLike):
            raise InputError(
                f"file={python_text(file)} cannot be used: give the path of a machine file, or a "
                "list of paths"
            )
    return [Path(one) for one in files]
