# SPDX-License-Identifier: Apache-2.0
"""Facts, as doctor gathers them, of a machine with which nothing is wrong."""

from __future__ import annotations

from pathlib import Path

from makespan.base.extras import EXTRAS
from makespan.doctor.compilers import CompilerFacts
from makespan.doctor.cores import CoreFacts
from makespan.doctor.engine_probe import (
    TRIAL_PRICE,
    EngineFacts,
    TrialFacts,
)
from makespan.doctor.examination import Facts
from makespan.doctor.extras_probe import ExtraFacts
from makespan.doctor.folders import FolderFacts
from makespan.doctor.gpus import GpuFacts
from makespan.doctor.libraries import (
    LibraryFacts,
)
from makespan.doctor.mpi_facts import (
    EngineMpi,
    Launcher,
    MpiFacts,
)
from makespan.doctor.package import PackageFacts
from makespan.doctor.shared_memory import SharedMemoryFacts

ROOT = Path(__file__).resolve().parents[2]
NO_GPU = GpuFacts(has_driver=False, listed=(), built_with_cuda=False, usable=(), why_none="")
SOUND = Facts(
    package=PackageFacts("1.2.3", "abc", "1.2.3", (3, 13, 1), "CPython", "/usr/bin/python3"),
    engine=EngineFacts(None, "Release, GNU 12", ("avx512", "avx2", "one_lane")),
    trial=TrialFacts(TRIAL_PRICE),
    cores=CoreFacts(8, 8, None, is_launched=False),
    shared_memory=SharedMemoryFacts(
        8 << 30, 8 << 30, is_writable=True, heap_bytes=32 << 20, processes=8
    ),
    mpi=MpiFacts(
        EngineMpi(("mpich",), {"mpich": "/usr/lib/libmpich.so.12"}),
        (Launcher("mpiexec", "/usr/bin/mpiexec.hydra", "mpich", "MPICH 4.2.0"),),
        None,
    ),
    libraries=LibraryFacts(
        frozenset({"mpi", "ucx", "hwloc", "simgrid", "scotch", "metis"}), ("mlx5_0",), ("eth0",)
    ),
    gpus=NO_GPU,
    compilers=CompilerFacts("/usr/bin/c++"),
    extras=ExtraFacts({module: "1.0" for extra in EXTRAS.values() for module in extra.modules}),
    folders=FolderFacts(
        Path("/home/me/.cache/makespan"),
        cache_is_writable=True,
        current=Path("/home/me"),
        current_is_writable=True,
    ),
)
