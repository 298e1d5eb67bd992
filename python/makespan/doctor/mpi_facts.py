# SPDX-License-Identifier: Apache-2.0
"""MPI as it is found: what the engine can use, launchers on PATH, and the one that runs us."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NAMES = {"mpich": "MPICH", "openmpi": "Open MPI"}
"""Of the two families: libraries of one are no use to launchers of the other."""
PROGRAMS = ("mpiexec", "mpirun", "mpiexec.mpich", "mpiexec.hydra", "mpiexec.openmpi")
VERSION_S_MAX = 20


@dataclass(frozen=True, slots=True)
class EngineMpi:
    """What the engine can use."""

    abis: tuple[str, ...]
    """Families that it has a plugin for; empty: it was built without MPI."""
    libraries: Mapping[str, str]
    """By family, the path of the library that would be loaded; those that are there."""

    def usable(self) -> tuple[str, ...]:
        """Families with a plugin and a library."""
        return tuple(abi for abi in self.abis if abi in self.libraries)


@dataclass(frozen=True, slots=True)
class Launcher:
    """A program that starts several processes."""

    command: str
    """As one types it."""
    path: str
    """Behind links, as Debian's alternatives are."""
    abi: str | None
    version: str


@dataclass(frozen=True, slots=True)
class MpiFacts:
    """All that is known."""

    engine: EngineMpi | None
    """None without engine."""
    launchers: tuple[Launcher, ...]
    """In the order in which one would try them."""
    launched_by: str | None
    """The family of the launcher that runs us, or "pmix" for any that speaks it; None: none."""


def gather_mpi(environment: Mapping[str, str] = os.environ) -> MpiFacts:
    """Of this process and its PATH."""
    return MpiFacts(_engine_mpi(), tuple(_launchers(environment)), launched_by(environment))


def launched_by(environment: Mapping[str, str]) -> str | None:
    """As src/makespan/pgas/job/launch.cpp tells, from the inside out."""
    if "OMPI_COMM_WORLD_RANK" in environment:
        return "openmpi"
    if "PMI_RANK" in environment:
        # Slurm's own PMI sets the same variable, and serves MPICH as well.
        return "mpich"
    return "pmix" if "PMIX_RANK" in environment else None


def _engine_mpi() -> EngineMpi | None:
    from makespan.base.engine import load_engine
    from makespan.base.errors import NotConfiguredError

    try:
        return engine_mpi_of(load_engine())
    except NotConfiguredError:
        return None


def engine_mpi_of(engine: Any) -> EngineMpi:
    """What the engine would load, without loading it."""
    found = engine.find_mpi()
    return EngineMpi(
        tuple(one["abi"] for one in found if one["has_plugin"]),
        {one["abi"]: one["path"] for one in found if one["path"]},
    )


def _launchers(environment: Mapping[str, str]) -> Iterator[Launcher]:
    """Those on PATH, and those beside this Python, where pip puts them; each program once."""
    folders = [environment.get("PATH", os.defpath), str(Path(sys.prefix) / "bin")]
    seen = set()
    for place, folder in enumerate(folders):
        for program in PROGRAMS:
            found = shutil.which(program, path=folder)
            if found is None or (real := os.path.realpath(found)) in seen:
                continue
            seen.add(real)
            abi, version = told_version(_version_text(found, environment))
            yield Launcher(program if place == 0 else found, real, abi, version)


def _version_text(program: str, environment: Mapping[str, str]) -> str:
    # A launcher that is run by a launcher takes its variables for its own.
    clean = {
        name: value
        for name, value in environment.items()
        if not name.startswith(("OMPI_", "PMI", "PRTE_", "HYDI_"))
    }
    command: Sequence[str] = (program, "--version")
    try:
        ended = subprocess.run(
            command,
            env=clean,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=VERSION_S_MAX,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return ""
    return ended.stdout + ended.stderr


def told_version(text: str) -> tuple[str | None, str]:
    """Family and version, from what `mpiexec --version` prints."""
    number = re.search(r"\d+\.\d+[\w.]*", text)
    version = number[0] if number else "of unknown version"
    if re.search(r"open[- ]?mpi|openrte|prrte", text, re.IGNORECASE):
        return "openmpi", f"Open MPI {version}"
    if re.search(r"hydra|mpich|intel\(r\) mpi|mvapich", text, re.IGNORECASE):
        kind = "Intel MPI" if "ntel(R)" in text else "MPICH"
        return "mpich", f"{kind} {version}"
    return None, "no MPI that is known here"
