# SPDX-License-Identifier: Apache-2.0
"""Install the Fortran programs that makespan is compared with, apart from makespan itself.

``python3 bench/peers/install_runtime.py [FOLDER [LIBRARY]]`` installs the packages of packages.txt
beside it and compiles FOLDER/coarray_counter (default build/bench) with OpenCoarrays on MPICH; with
LIBRARY, the build's libasian_sums.so, FOLDER/coarray_book instead. Does nothing that is already
done. A machine without those packages gets a message, and the bench a gap.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

PEERS = Path(__file__).resolve().parent
MODULE = PEERS / "peer_process.f90"
ROOT = PEERS.parents[1]
COMPILER = "mpif90.mpich"
FLAGS = ("-O2", "-fcoarray=lib")
LIBRARY = "-lcaf_mpich"


def install_packages() -> None:
    """Install the packages that are missing."""
    setup = [str(ROOT / "tools" / "setup.sh"), "packages", "bench", str(PEERS / "packages.txt")]
    subprocess.run(setup, check=True, cwd=ROOT)


def compile_program(program: Path, link: Sequence[str] = ()) -> None:
    """Compile the coarray program of that name unless it is newer than its sources."""
    sources = (MODULE, PEERS / f"{program.name}.f90")
    newest = max(source.stat().st_mtime for source in sources)
    if program.is_file() and program.stat().st_mtime > newest:
        return
    if shutil.which(COMPILER) is None:
        print(f"no {COMPILER}: the bench goes without OpenCoarrays", file=sys.stderr)
        return
    program.parent.mkdir(parents=True, exist_ok=True)
    modules = ("-J", str(program.parent))
    files = [str(source) for source in sources]
    command = [COMPILER, *FLAGS, *modules, *files, "-o", str(program), *link, LIBRARY]
    subprocess.run(command, check=True)


def main() -> None:
    """Install into the folder named by the first argument."""
    if len(sys.argv) > 1 and sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/bench").resolve()
    install_packages()
    if len(sys.argv) > 2:
        sums = Path(sys.argv[2]).resolve()
        compile_program(folder / "coarray_book", [str(sums), f"-Wl,-rpath,{sums.parent}"])
    else:
        compile_program(folder / "coarray_counter")


if __name__ == "__main__":
    main()
