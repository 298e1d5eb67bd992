# SPDX-License-Identifier: Apache-2.0
"""Goal: doctor tells what is wrong with a machine. Method: facts of machines that are not here."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from makespan.doctor.compilers import CompilerFacts, gather_compilers, probe_compilers
from makespan.doctor.cores import CoreFacts, cpu_quota, probe_cores
from makespan.doctor.engine_probe import (
    TRIAL_PRICE,
    EngineFacts,
    TrialFacts,
    probe_engine,
    probe_isas,
    probe_trial,
)
from makespan.doctor.examination import findings
from makespan.doctor.extras_probe import ExtraFacts, probe_extras
from makespan.doctor.finding import Status
from makespan.doctor.folders import (
    FolderFacts,
    can_write,
    gather_folders,
    probe_cache,
    probe_current,
)
from makespan.doctor.gpus import probe_gpus
from makespan.doctor.libraries import (
    LibraryFacts,
    gather_libraries,
    probe_hwloc,
    probe_partitioners,
    probe_simgrid,
    probe_ucx,
)
from makespan.doctor.mpi_facts import (
    MpiFacts,
)
from makespan.doctor.package import PYTHON_LEAST, PackageFacts, probe_makespan, probe_python
from makespan.doctor.shared_memory import probe_shared_memory
from sound_machine import SOUND

ROOT = Path(__file__).resolve().parents[2]
OK, WARNING, MISSING = Status.OK, Status.WARNING, Status.MISSING
H100 = {"has_driver": True, "listed": ("H100",)}


def test_nothing_is_wrong_with_a_sound_machine() -> None:
    found = findings(SOUND)

    assert {finding.status for finding in found} == {OK}
    assert {finding.mend for finding in found} == {None}
    assert len({finding.name for finding in found}) == len(found)


def test_what_is_not_ok_says_what_is_lost() -> None:
    """And, but where nothing can be done, how it is mended."""
    bare = replace(
        SOUND,
        package=PackageFacts("1.2.3", None, None, (3, 10, 0), "PyPy", "/usr/bin/pypy"),
        engine=EngineFacts("libmpich.so.12: cannot open shared object file"),
        trial=TrialFacts(None, "NotConfiguredError: no engine"),
        cores=CoreFacts(8, 2, 1.5, is_launched=False),
        shared_memory=replace(SOUND.shared_memory, free_bytes=1 << 20),
        mpi=MpiFacts(None, (), None),
        libraries=LibraryFacts(None),
        compilers=CompilerFacts(),
        extras=ExtraFacts({}),
        folders=replace(
            SOUND.folders, cache=None, cache_is_writable=False, current_is_writable=False
        ),
    )

    for finding in findings(bare):
        if finding.name not in ("GPUs", "makespan"):
            assert finding.status is not OK, finding
            assert finding.meaning
        if finding.name not in ("GPUs", "makespan", "MPI library", "instruction sets"):
            assert finding.mend, finding


def test_python_is_what_pyproject_promises() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == f">={'.'.join(map(str, PYTHON_LEAST))}"

    old = probe_python(replace(SOUND.package, python=(3, 10, 9)))

    assert old.status is MISSING
    assert old.found == "CPython 3.10.9 (/usr/bin/python3)"


def test_an_engine_of_another_version_is_a_warning() -> None:
    found = probe_makespan(replace(SOUND.package, engine_version="1.2.2"))

    assert found.status is WARNING
    assert found.found == "1.2.3 (commit abc), with an engine of 1.2.2"


def test_an_engine_that_does_not_load_says_why() -> None:
    facts = EngineFacts("libmpich.so.12: cannot open shared object file")

    assert probe_engine(facts).found == facts.why_not
    assert probe_engine(facts).status is probe_isas(facts).status is MISSING


def test_slow_engines_are_warned_of() -> None:
    slow = EngineFacts(None, "Debug, GNU 12", ("one_lane",), "Debug")

    assert probe_engine(slow).status is probe_isas(slow).status is WARNING


@pytest.mark.parametrize(
    ("trial", "status"),
    [
        (TrialFacts(TRIAL_PRICE), OK),
        (TrialFacts(TRIAL_PRICE + 1e-15), WARNING),
        (TrialFacts(None, "ImportError: numpy"), MISSING),
    ],
)
def test_a_price_is_right_to_the_last_bit(trial: TrialFacts, status: Status) -> None:
    assert probe_trial(trial).status is status


@pytest.mark.parametrize(
    ("facts", "status", "mend"),
    [
        (CoreFacts(8, 8, None, is_launched=False), OK, None),
        (CoreFacts(8, 8, 8.0, is_launched=False), OK, None),
        (CoreFacts(8, 2, None, is_launched=True), OK, None),
        (CoreFacts(8, 2, None, is_launched=False), WARNING, "taskset -pc 0-7"),
        (CoreFacts(8, 8, 2.5, is_launched=False), WARNING, "--threads 2"),
        (CoreFacts(8, 8, 0.5, is_launched=False), WARNING, "--threads 1"),
    ],
)
def test_cores(facts: CoreFacts, status: Status, mend: str | None) -> None:
    found = probe_cores(facts)

    assert found.status is status
    assert mend is None or mend in (found.mend or "")


def test_quotas_of_cgroups(tmp_path: Path) -> None:
    """Version 2: the least of the group and those above. Version 1: under its controller."""

    def write(path: str, text: str) -> None:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)

    assert cpu_quota(tmp_path) is None
    write("proc/self/cgroup", "0::/pod/box\n")
    write("sys/fs/cgroup/pod/box/cpu.max", "400000 100000\n")
    assert cpu_quota(tmp_path) == 4.0
    write("sys/fs/cgroup/pod/cpu.max", "150000 100000\n")
    assert cpu_quota(tmp_path) == 1.5
    write("sys/fs/cgroup/pod/cpu.max", "max 100000\n")
    assert cpu_quota(tmp_path) == 4.0
    write("proc/self/cgroup", "4:cpu,cpuacct:/docker/1\n1:name=systemd:/\n")
    write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000\n")
    write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n")
    assert cpu_quota(tmp_path) == 0.5


@pytest.mark.parametrize(
    ("facts", "status", "said"),
    [
        ({}, OK, "heaps of 8 processes (32 MiB each) have room"),
        ({"free_bytes": 64 << 20}, WARNING, "room for the heaps of 2 processes"),
        ({"free_bytes": 40 << 20}, WARNING, "room for the heaps of 1 process of"),
        ({"free_bytes": 1 << 20}, WARNING, "room for the heaps of not one process"),
        ({"is_writable": False}, MISSING, "several processes on this machine cannot"),
        ({"total_bytes": None}, MISSING, "several processes on this machine cannot"),
    ],
)
def test_shared_memory(facts: dict[str, Any], status: Status, said: str) -> None:
    found = probe_shared_memory(replace(SOUND.shared_memory, **facts))

    assert found.status is status
    assert said in found.meaning
    if status is WARNING:
        assert "--shm-size" in (found.mend or "")
        assert "MAKESPAN_HEAP_MIB" in (found.mend or "")


def test_an_engine_without_libraries_says_what_is_lost() -> None:
    bare = LibraryFacts(frozenset())

    for probe, word in (
        (probe_ucx, "libucx-dev"),
        (probe_hwloc, "libhwloc-dev"),
        (probe_simgrid, "libsimgrid-dev"),
        (probe_partitioners, "libscotch-dev libmetis-dev"),
    ):
        found = probe(bare)
        assert found.status is MISSING
        assert (found.mend or "").endswith(word)


def test_a_simulator_that_does_not_load_is_a_warning() -> None:
    found = probe_simgrid(LibraryFacts(frozenset({"simgrid"}), why_no_simulator="no libsimgrid.so"))

    assert found.status is WARNING
    assert found.found.endswith("no libsimgrid.so")
    assert "libsimgrid-dev" in (found.mend or "")


def test_an_older_engine_does_not_tell() -> None:
    found = probe_hwloc(LibraryFacts(None))

    assert found.status is MISSING
    assert found.found == "not known (no engine, or an older one)"


def test_infiniband_without_ucx_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "infiniband" / "mlx5_0").mkdir(parents=True)
    (tmp_path / "net" / "lo").mkdir(parents=True)
    devices = gather_libraries(tmp_path)
    assert (devices.infiniband, devices.network) == (("mlx5_0",), ())

    found = probe_ucx(LibraryFacts(frozenset(), devices.infiniband))

    assert found.status is WARNING
    assert "InfiniBand mlx5_0" in found.found


@pytest.mark.parametrize(
    ("facts", "status", "said"),
    [
        ({}, OK, "without CUDA"),
        ({"built_with_cuda": True, "why_none": "no driver"}, OK, "with CUDA"),
        ({**H100, "built_with_cuda": True, "usable": ("H100",)}, OK, "H100, by CUDA"),
        (H100, WARNING, "H100 by nvidia-smi; the engine is"),
        (
            {"has_driver": True, "built_with_cuda": True, "why_none": "too old"},
            WARNING,
            "the engine sees none: too old",
        ),
    ],
)
def test_gpus(facts: dict[str, Any], status: Status, said: str) -> None:
    found = probe_gpus(replace(SOUND.gpus, **facts))

    assert found.status is status
    assert said in found.found


@pytest.mark.parametrize(
    ("facts", "status", "said"),
    [
        ({}, OK, "/usr/bin/c++"),
        ({"gpu": "/opt/nvcc"}, OK, "/usr/bin/c++, /opt/nvcc"),
        ({"cpu": ""}, MISSING, "no c++, g++ or clang++"),
        ({"has_gpus": True}, MISSING, "no nvcc"),
        ({"has_gpus": True, "gpu": "/opt/nvcc"}, OK, "/opt/nvcc"),
        ({"cpu": "", "has_gpus": True}, MISSING, "no c++, g++ or clang++ in PATH, and no nvcc"),
        ({"troubles": ("MAKESPAN_NVCC=c",)}, WARNING, "MAKESPAN_NVCC=c; /usr/bin/c++"),
    ],
)
def test_compilers(facts: dict[str, Any], status: Status, said: str) -> None:
    found = probe_compilers(replace(SOUND.compilers, **facts))

    assert found.status is status
    assert said in found.found


def test_compilers_are_those_that_the_engine_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nvcc = tmp_path / "cuda" / "bin" / "nvcc"
    nvcc.parent.mkdir(parents=True)
    nvcc.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("MAKESPAN_CXX", raising=False)
    monkeypatch.delenv("MAKESPAN_NVCC", raising=False)
    monkeypatch.setenv("CUDA_HOME", str(tmp_path / "cuda"))

    assert gather_compilers().cpu == ""
    assert gather_compilers().gpu == str(nvcc)
    monkeypatch.setenv("MAKESPAN_NVCC", "/no/nvcc")
    (trouble,) = gather_compilers().troubles
    assert trouble.startswith("MAKESPAN_NVCC=/no/nvcc (there is no such program")


def test_extras_that_are_missing_say_what_installs_them() -> None:
    found = probe_extras(ExtraFacts({"plotly": "6.0", "h5py": "3.12"}))

    assert [finding.status for finding in found] == [OK, MISSING, MISSING, MISSING, MISSING]
    assert found[1].found == "no matplotlib"
    assert found[1].mend == 'pip install "makespan[grids]"'


def test_folders_that_cannot_be_written() -> None:
    facts = FolderFacts(
        Path("/c"), cache_is_writable=False, current=Path("/d"), current_is_writable=False
    )

    assert probe_cache(facts).found == "/c cannot be written"
    assert "XDG_CACHE_HOME" in (probe_cache(facts).mend or "")
    assert probe_current(facts).status is WARNING
    assert probe_cache(replace(facts, cache=None)).found == "none for this user"


def test_a_folder_can_be_made_where_its_parent_is_ours(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert can_write(tmp_path / "new" / "newer")
    assert not can_write(tmp_path / "file" / "new")
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


def test_folders_that_cannot_be_looked_at_are_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The home of another user; a working folder that was removed; a name that is too long."""
    home = tmp_path / "root"
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(home))
    exists = Path.exists

    def of_another_user(path: Path) -> bool:
        if home in path.parents:
            raise PermissionError(13, "Permission denied", str(path))
        return exists(path)

    monkeypatch.setattr(Path, "exists", of_another_user)
    monkeypatch.chdir(gone)
    gone.rmdir()

    facts = gather_folders()
    monkeypatch.chdir(tmp_path)

    assert facts == FolderFacts(
        home / ".cache" / "makespan",
        cache_is_writable=False,
        current=None,
        current_is_writable=False,
    )
    assert probe_cache(facts).status is WARNING
    assert probe_current(facts).status is WARNING
    assert not can_write(tmp_path / ("x" * 300))
