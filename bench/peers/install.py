# SPDX-License-Identifier: Apache-2.0
"""Install the programs that makespan is compared with, apart from makespan itself.

``python3 bench/peers/install.py [FOLDER [map|grid]]`` makes FOLDER/peers-venv (default build/bench)
from bench/peers/requirements.txt, FOLDER/fypy-venv with what fypy imports, and compiles
FOLDER/mkl_asian against its MKL. Needs about 2 GB, a C++ compiler and a network; does nothing that
is already done.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

PEERS = Path(__file__).resolve().parent
REQUIREMENTS = PEERS / "requirements.txt"
SOURCES = (PEERS / "mkl_asian.cpp", PEERS.parent / "worker.hpp")
# What users of the library would take, not what makespan is built with.
FLAGS = ("-std=c++20", "-O3", "-march=native", "-ffast-math")
MKL_LAYERS = ("libmkl_intel_lp64", "libmkl_sequential", "libmkl_core")


def install_packages(environment: Path, requirements: Path = REQUIREMENTS) -> None:
    """Make the virtual environment unless it holds exactly these requirements already."""
    stamp = environment / "requirements.installed"
    wanted = requirements.read_text(encoding="utf-8")
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return
    venv.create(environment, with_pip=True, clear=True)
    pip = [str(environment / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", "-r", str(requirements)], check=True)
    stamp.write_text(wanted, encoding="utf-8")


def layer_path(libraries: Path, layer: str) -> Path:
    """Return a library of MKL's with its version, since the packages come without links."""
    found = sorted(libraries.glob(f"{layer}.so.*"))
    if not found:
        msg = f"no {layer} in {libraries} (the mkl package changed?); see {REQUIREMENTS}"
        raise FileNotFoundError(msg)
    return found[-1]


def compile_mkl_worker(environment: Path, program: Path) -> None:
    """Compile the MKL worker unless it is newer than its sources and packages."""
    stamp = environment / "requirements.installed"
    newest = max(path.stat().st_mtime for path in (*SOURCES, stamp))
    if program.is_file() and program.stat().st_mtime > newest:
        return
    libraries = environment / "lib"
    # MKL's layers call one another without saying so, hence they are all needed at run time.
    layers = [str(layer_path(libraries, layer)) for layer in MKL_LAYERS]
    compile_only = [os.environ.get("PEERS_CXX", "g++"), *FLAGS, f"-I{environment / 'include'}"]
    link = ["-Wl,--no-as-needed", *layers, f"-Wl,-rpath,{libraries}"]
    subprocess.run([*compile_only, str(SOURCES[0]), "-o", str(program), *link], check=True)


def main() -> None:
    """Install into the folder named by the first argument; with ``map`` or ``grid``, its peers."""
    if len(sys.argv) > 1 and sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/bench").resolve()
    if "map" in sys.argv[2:]:
        install_packages(folder / "map-venv", PEERS / "requirements-map.txt")
        return
    if "grid" in sys.argv[2:]:
        install_packages(folder / "devito-venv", PEERS / "requirements-grid.txt")
        return
    install_packages(folder / "peers-venv")
    install_packages(folder / "fypy-venv", PEERS / "requirements-fypy.txt")
    compile_mkl_worker(folder / "peers-venv", folder / "mkl_asian")


if __name__ == "__main__":
    main()
