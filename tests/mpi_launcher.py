# SPDX-License-Identifier: Apache-2.0
"""MPICH's launcher: `mpiexec.mpich` is Debian's name alone, `mpiexec` may be Open MPI's."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

VERSION_S_MAX = 20
_NAMES = ("mpiexec.mpich", "mpiexec", "mpiexec.hydra")


@functools.cache
def mpich_launcher() -> str | None:
    """Of PATH, or beside this Python, where pip and conda put it; None if there is none."""
    places = os.pathsep.join((os.environ.get("PATH", os.defpath), str(Path(sys.prefix) / "bin")))
    found = (shutil.which(name, path=places) for name in _NAMES)
    return next((one for one in found if one is not None and _is_of_mpich(one)), None)


def _is_of_mpich(program: str) -> bool:
    try:
        told = subprocess.run(
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=VERSION_S_MAX,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return re.search("hydra|mpich", told.stdout, re.IGNORECASE) is not None
