# SPDX-License-Identifier: Apache-2.0
"""An image that comes late to the beginning of MPI, or never, is waited for, and that is said."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from job_programs import MPIEXEC, needs_mpi

RUN_S_MAX = 60


PROGRAM = """
import os, sys, time, makespan
from makespan.job import late_images

late_images.LATE_S = late_images.LATE_AGAIN_S = float(sys.argv[1])
image = int(os.environ["PMI_RANK"])
if sys.argv[3] == "second":
    late_images.LATE_S = 60.0
    makespan.map(abs, range(10))
if image == int(sys.argv[2]):
    # Until the others have said what they wait for.
    end = time.monotonic() + 30
    while time.monotonic() < end and not os.path.exists("heard"): time.sleep(0.05)
print(len(makespan.map(abs, range(10), gather="all")))
"""


def started(
    folder: Path, late_s: float, late_image: int, call: str = "first"
) -> subprocess.Popen[str]:
    (folder / "program.py").write_text(PROGRAM)
    command = [sys.executable, "program.py", str(late_s), str(late_image), call]
    return subprocess.Popen(
        [str(MPIEXEC), "-n", "3", *command],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@needs_mpi
@pytest.mark.parametrize(
    ("late_image", "speaker", "call", "what"),
    [
        (0, 1, "first", "begin MPI"),
        (1, 0, "first", "begin MPI"),
        (1, 0, "second", "come to the same call"),
    ],
)
def test_who_waits_says_so_and_goes_on(
    tmp_path: Path, late_image: int, speaker: int, call: str, what: str
) -> None:
    run = started(tmp_path, 0.5, late_image, call)
    assert run.stderr is not None
    said = run.stderr.readline()
    (tmp_path / "heard").touch()
    printed, _ = run.communicate(timeout=RUN_S_MAX)

    assert said.startswith(f"makespan: image {speaker} has waited 0 s for the other images")
    assert f" of the job to {what}, and goes on to wait" in said
    assert said.endswith("if one has ended, end the job\n")
    assert (run.returncode, printed.count("10")) == (0, 3)


@needs_mpi
def test_nothing_is_said_where_all_come(tmp_path: Path) -> None:
    printed, said = started(tmp_path, 60, -1).communicate(timeout=RUN_S_MAX)

    assert printed.count("10") == 3
    assert "has waited" not in said
