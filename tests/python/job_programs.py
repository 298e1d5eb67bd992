# SPDX-License-Identifier: Apache-2.0
"""Python programs that a launcher starts several times."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mpi_launcher import mpich_launcher

MPIEXEC = mpich_launcher()
RUN_S_MAX = 240

needs_mpi = pytest.mark.skipif(MPIEXEC is None, reason="no mpiexec of MPICH here")


def end_of_program(folder: Path, text: str, images: int) -> subprocess.CompletedProcess[str]:
    """How a program ends, with so many images; 1: without a launcher."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "program.py").write_text(text)
    launch = [str(MPIEXEC), "-n", str(images)] if images > 1 else []
    return subprocess.run(
        [*launch, sys.executable, "program.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )


def run_program(folder: Path, text: str, images: int) -> str:
    """What it prints. It ends with success."""
    ended = end_of_program(folder, text, images)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout
