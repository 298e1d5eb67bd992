# SPDX-License-Identifier: Apache-2.0
"""A message for users while MPI begins, since all images wait for the last one there.

An image may come late for good reasons. It may also have ended, which MPICH's launcher does not
notice of one that had not begun MPI; and MPI_Init cannot be given up.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from makespan.base.engine import load_engine
from makespan.job.launcher import image_launched

LATE_S = 30.0
"""Python, its libraries and the slowest file system have begun by then."""

_SPEAKERS = 2
"""One would be silent if it were the one that is missing."""


@contextmanager
def told_if_late() -> Iterator[None]:
    """While open, and MPI has not begun: after some time it is said what is waited for."""
    engine = load_engine()
    is_needed = engine.images_launched() > 1 and engine.mpi_library() is None
    if not is_needed or image_launched() >= _SPEAKERS:
        yield
        return
    timer = threading.Timer(LATE_S, _tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _tell() -> None:
    said = sys.__stderr__ or sys.stderr  # commands keep what later images say from the user
    said.write(
        f"makespan: image {image_launched()} has waited {LATE_S:.0f} s for the other images of the "
        "job to begin MPI, and goes on to wait (one is late, or has ended before): if one has "
        "ended, end the job\n"
    )
    said.flush()
