# SPDX-License-Identifier: Apache-2.0
"""A message for users while MPI or a job begins, since all images wait for the last one there.

An image may come late for good reasons. It may also have ended, which MPICH's launcher does not
notice of one that had not begun MPI, and no image of one that ends between two jobs; and neither
MPI_Init nor what begins a job can be given up.
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

LATE_AGAIN_S = 300.0
"""From a program's second call on, which may well do something else before on one image."""

_SPEAKERS = 2
"""One would be silent if it were the one that is missing."""


@contextmanager
def told_if_late() -> Iterator[None]:
    """While open: after some time it is said what is waited for."""
    engine = load_engine()
    if engine.images_launched() == 1 or image_launched() >= _SPEAKERS:
        yield
        return
    is_first = engine.mpi_library() is None
    what = (LATE_S, "begin MPI") if is_first else (LATE_AGAIN_S, "come to the same call")
    timer = threading.Timer(what[0], _tell, what)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _tell(seconds: float, what: str) -> None:
    said = sys.__stderr__ or sys.stderr  # commands keep what later images say from the user
    said.write(
        f"makespan: image {image_launched()} has waited {seconds:.0f} s for the other images of "
        f"the job to {what}, and goes on to wait (one is late, or has ended before): if one has "
        "ended, end the job\n"
    )
    said.flush()
