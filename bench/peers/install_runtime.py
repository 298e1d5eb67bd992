# SPDX-License-Identifier: Apache-2.0
"""Install what the bench of the runtime is compared with, apart from makespan itself.

``python3 bench/peers/install_runtime.py [FOLDER]`` installs the packages of packages.txt beside it
and compiles FOLDER/coarray_counter (default build/bench) with OpenCoarrays on MPICH. Does nothing
that is already done. A machine without those packages gets a message, and the bench a gap.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

PEERS = Path(__file__).resolve().parent
ROOT = PEERS.parents[1]
SOURCE = PEERS / "coarray_counter.f90"
COMPILER = "mpif90.mpich"
FLAGS = ("-O2", "-fcoarray=lib")
LIBRARY = "-lcaf_mpich"


def install_packages() -> None:
    """Install the packages that are missing."""
    setup = [str(ROOT / "tools" / "setup.sh"), "packages", str(PEERS / "packages.txt")]
    subprocess.run(setup, check=True, cwd=ROOT)


def compile_counter(program: Path) -> None:
    """Compile the coarray program unless it is newer than its source."""
    if program.is_file() and program.stat().st_mtime > SOURCE.stat().st_mtime:
        return
    if shutil.which(COMPILER) is None:
        print(f"no {COMPILER}: the bench goes without OpenCoarrays", file=sys.stderr)
        return
    program.parent.mkdir(parents=True, exist_ok=True)
    command = [COMPILER, *FLAGS, str(SOURCE), "-o", str(program), LIBRARY]
    subprocess.run(command, check=True)


def main() -> None:
    """Install into the folder named by the first argument."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/bench").resolve()
    install_packages()
    compile_counter(folder / "coarray_counter")


if __name__ == "__main__":
    main()
