# SPDX-License-Identifier: Apache-2.0
"""What the launcher of a job says of this process, without loading the engine."""

from __future__ import annotations

import os
import signal
import sys

IMAGE_VARIABLES = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK")
"""Where launchers leave which process of a job this is (src/makespan/pgas/job/launch.cpp)."""


def is_later_image() -> bool:
    """Whether this is a process of a job other than its first, told without loading the engine."""
    return any(rank > 0 for rank in _ranks())


def is_image() -> bool:
    """Whether a launcher started this process, told in the same way."""
    return bool(_ranks())


def image_launched() -> int:
    """Which image of its job this process is; 0 if it was not launched."""
    return max(_ranks(), default=0)


def _ranks() -> list[int]:
    found = (os.environ.get(name, "") for name in IMAGE_VARIABLES)
    return [int(rank) for rank in found if rank.isdecimal()]


def end_by_interrupt() -> None:
    """Ends this process by SIGINT where it is an image that Ctrl-C ends before MPI has begun.

    Launchers do not notice when such a process exits (MPICH's, seen with 4.0), and the others would
    wait for it in MPI_Init for ever; they do notice a process that a signal ends.
    """
    engine = sys.modules.get("makespan._core")
    if is_image() and (engine is None or engine.mpi_library() is None):
        sys.stdout.flush()
        sys.stderr.flush()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
