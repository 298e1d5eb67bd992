# SPDX-License-Identifier: Apache-2.0
"""Which MPI is there, and whether it is the engine's: facts of machines that are not here."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from makespan.base.engine import load_engine
from makespan.doctor import mpi_facts
from makespan.doctor.finding import Status
from makespan.doctor.mpi_facts import (
    EngineMpi,
    Launcher,
    engine_mpi_of,
    gather_mpi,
    launched_by,
    told_version,
)
from makespan.doctor.mpi_probe import probe_launched, probe_launcher, probe_mpi_library
from sound_machine import SOUND

ROOT = Path(__file__).resolve().parents[2]
OK, WARNING, MISSING = Status.OK, Status.WARNING, Status.MISSING
MPICH = Launcher("mpiexec.mpich", "/usr/bin/mpiexec.hydra", "mpich", "MPICH 4.2.0")
OPEN_MPI = Launcher("mpiexec", "/usr/bin/orterun", "openmpi", "Open MPI 4.1.4")


def test_the_wrong_mpiexec_is_told_with_the_right_one() -> None:
    facts = replace(SOUND.mpi, launchers=(OPEN_MPI, MPICH))

    found = probe_launcher(facts)

    assert found.status is WARNING
    assert found.found == "mpiexec is Open MPI 4.1.4 (/usr/bin/orterun)"
    assert "would not be one job: the engine has MPICH" in found.meaning
    assert found.mend == "mpiexec.mpich -n 4 makespan ..."


def test_where_no_launcher_is_right_one_is_installed() -> None:
    only_open_mpi = replace(SOUND.mpi, launchers=(OPEN_MPI,))

    assert (probe_launcher(only_open_mpi).mend or "").startswith("pip install mpich")
    assert probe_launcher(replace(SOUND.mpi, launchers=())).status is MISSING


def test_a_process_that_open_mpi_started_does_not_reach_mpich() -> None:
    facts = replace(SOUND.mpi, launchers=(OPEN_MPI, MPICH), launched_by="openmpi")

    found = probe_launched(facts)

    assert found is not None
    assert found.status is WARNING
    assert "the engine has MPICH: the processes are no job" in found.meaning
    assert found.mend == "mpiexec.mpich -n 4 makespan ..."


@pytest.mark.parametrize("by", ["mpich", "pmix"])
def test_a_process_that_its_own_launcher_started_is_well(by: str) -> None:
    found = probe_launched(replace(SOUND.mpi, launched_by=by))

    assert found is not None
    assert found.status is OK


def test_a_process_alone_says_nothing_of_launchers() -> None:
    assert probe_launched(SOUND.mpi) is None


@pytest.mark.parametrize(
    ("engine", "status", "mend"),
    [
        (EngineMpi(("mpich",), {"mpich": "/lib/libmpich.so.12"}), OK, None),
        (EngineMpi((), {}), MISSING, "--no-binary"),
        (EngineMpi(("mpich", "openmpi"), {}), MISSING, "makespan[mpi]"),
        (EngineMpi(("mpich",), {"openmpi": "/lib/libmpi.so.40"}), WARNING, "makespan[mpi]"),
    ],
)
def test_libraries_of_mpi(engine: EngineMpi, status: Status, mend: str | None) -> None:
    found = probe_mpi_library(replace(SOUND.mpi, engine=engine))

    assert found.status is status
    assert mend is None or mend in (found.mend or "")


@pytest.mark.parametrize(
    ("text", "abi", "version"),
    [
        ("mpiexec (OpenRTE) 4.1.4\n\nReport bugs to", "openmpi", "Open MPI 4.1.4"),
        ("mpirun (Open MPI) 5.0.7\n", "openmpi", "Open MPI 5.0.7"),
        ("HYDRA build details:\n    Version:    4.0.2\n", "mpich", "MPICH 4.0.2"),
        ("Intel(R) MPI Library for Linux* OS, Version 2021.11", "mpich", "Intel MPI 2021.11"),
        ("slurm 23.02", None, "no MPI that is known here"),
        ("", None, "no MPI that is known here"),
    ],
)
def test_launchers_tell_who_they_are(text: str, abi: str | None, version: str) -> None:
    assert told_version(text) == (abi, version)


def test_launchers_are_known_by_what_they_set() -> None:
    assert launched_by({}) is None
    assert launched_by({"PMI_RANK": "0"}) == "mpich"
    assert launched_by({"OMPI_COMM_WORLD_RANK": "0", "PMIX_RANK": "0"}) == "openmpi"
    assert launched_by({"PMIX_RANK": "0"}) == "pmix"


def test_either_launcher_will_do_where_both_libraries_are() -> None:
    both = EngineMpi(("mpich", "openmpi"), {"mpich": "/m.so.12", "openmpi": "/o.so.40"})
    facts = replace(SOUND.mpi, engine=both, launchers=(OPEN_MPI, MPICH), launched_by="openmpi")

    launched = probe_launched(facts)

    assert probe_launcher(facts).status is OK
    assert launched is not None
    assert launched.status is OK


def test_the_engine_tells_what_it_would_load() -> None:
    told = [
        {"abi": "mpich", "path": "", "plugin": "/p/mpich.so", "has_plugin": True},
        {"abi": "openmpi", "path": "/x/libmpi.so.40", "plugin": "/p/o.so", "has_plugin": False},
    ]

    engine = engine_mpi_of(SimpleNamespace(find_mpi=lambda: told))

    assert engine == EngineMpi(("mpich",), {"openmpi": "/x/libmpi.so.40"})
    assert engine.usable() == ()


def test_the_real_engine_is_understood() -> None:
    engine = engine_mpi_of(load_engine())

    assert set(engine.abis) <= {"mpich", "openmpi"}
    assert all(Path(path).exists() for path in engine.libraries.values())


def test_launchers_on_path_are_found_once_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "mpiexec.hydra"
    program.write_text("#!/bin/sh\nenv | grep -q PMI_ && exit 1\necho HYDRA Version: 4.2.1\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "mpiexec").symlink_to(program)
    monkeypatch.setattr(mpi_facts.sys, "prefix", str(tmp_path / "nowhere"))
    path = f"{tmp_path}{os.pathsep}/bin{os.pathsep}/usr/bin"

    facts = gather_mpi({"PATH": path, "PMI_RANK": "1"})

    assert facts.launched_by == "mpich"
    assert facts.launchers[0] == Launcher("mpiexec", str(program), "mpich", "MPICH 4.2.1")
    assert [one.path for one in facts.launchers].count(str(program)) == 1
