# SPDX-License-Identifier: Apache-2.0
"""All facts gathered, all probes made, in the order in which they are told."""

from __future__ import annotations

from dataclasses import dataclass

from makespan.doctor.compilers import CompilerFacts, gather_compilers, probe_compilers
from makespan.doctor.cores import CoreFacts, gather_cores, probe_cores
from makespan.doctor.engine_probe import (
    EngineFacts,
    TrialFacts,
    gather_engine,
    gather_trial,
    probe_engine,
    probe_isas,
    probe_trial,
)
from makespan.doctor.extras_probe import ExtraFacts, gather_extras, probe_extras
from makespan.doctor.finding import Finding
from makespan.doctor.folders import FolderFacts, gather_folders, probe_cache, probe_current
from makespan.doctor.gpus import GpuFacts, gather_gpus, probe_gpus
from makespan.doctor.libraries import (
    LibraryFacts,
    gather_libraries,
    probe_hwloc,
    probe_partitioners,
    probe_simgrid,
    probe_ucx,
)
from makespan.doctor.mpi_facts import MpiFacts, gather_mpi
from makespan.doctor.mpi_probe import probe_launched, probe_launcher, probe_mpi_library
from makespan.doctor.package import PackageFacts, gather_package, probe_makespan, probe_python
from makespan.doctor.shared_memory import (
    SharedMemoryFacts,
    gather_shared_memory,
    probe_shared_memory,
)


@dataclass(frozen=True, slots=True)
class Facts:
    """All that is known of a machine and an installation."""

    package: PackageFacts
    engine: EngineFacts
    trial: TrialFacts
    cores: CoreFacts
    shared_memory: SharedMemoryFacts
    mpi: MpiFacts
    libraries: LibraryFacts
    gpus: GpuFacts
    compilers: CompilerFacts
    extras: ExtraFacts
    folders: FolderFacts


def gather() -> Facts:
    """Of this one. Takes a second or two: a book is priced, and launchers are asked."""
    mpi = gather_mpi()
    cores = gather_cores(is_launched=mpi.launched_by is not None)
    return Facts(
        package=gather_package(),
        engine=gather_engine(),
        trial=gather_trial(),
        cores=cores,
        shared_memory=gather_shared_memory(cores.allowed),
        mpi=mpi,
        libraries=gather_libraries(),
        gpus=gather_gpus(),
        compilers=gather_compilers(),
        extras=gather_extras(),
        folders=gather_folders(),
    )


def findings(facts: Facts) -> list[Finding]:
    """What the facts mean; what a run needs first comes first."""
    found = [
        probe_makespan(facts.package),
        probe_python(facts.package),
        probe_engine(facts.engine),
        probe_trial(facts.trial),
        probe_isas(facts.engine),
        probe_cores(facts.cores),
        probe_shared_memory(facts.shared_memory),
        probe_mpi_library(facts.mpi),
        probe_launcher(facts.mpi),
        probe_launched(facts.mpi),
        probe_ucx(facts.libraries),
        probe_hwloc(facts.libraries),
        probe_gpus(facts.gpus),
        probe_compilers(facts.compilers),
        probe_simgrid(facts.libraries),
        probe_partitioners(facts.libraries),
        *probe_extras(facts.extras),
        probe_cache(facts.folders),
        probe_current(facts.folders),
    ]
    return [finding for finding in found if finding is not None]
