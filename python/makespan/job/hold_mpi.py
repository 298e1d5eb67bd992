# SPDX-License-Identifier: Apache-2.0
"""MPI, which a process can begin and end once only, stays until the interpreter ends."""

from __future__ import annotations

import atexit
import signal
import sys
from typing import Any

from makespan.base.engine import Engine
from makespan.job.collective import Collective, is_left
from makespan.job.late_images import told_if_late

_held: list[Any] = []


def hold_mpi_in_job(engine: Engine) -> None:
    """For a program that was launched: its next run may begin when this one has ended."""
    if engine.images_launched() > 1:
        hold_mpi(engine)


def hold_mpi(engine: Any) -> None:
    """Collective, the first time."""
    if not _held:
        with Collective(), told_if_late():
            _held.append(engine.ProcessHold())
            atexit.register(_let_go, engine)


def _let_go(engine: Any) -> None:
    failed = hasattr(sys, "last_exc") or hasattr(sys, "last_value")
    if failed or is_left():
        engine.end_job()  # the others may wait for this process for ever
    sys.stdout.flush()
    sys.stderr.flush()
    # The wait for the other images is the engine's: from here on Ctrl-C ends the process, as it
    # does any program's. As an exception it would be told as one of this function, after the wait.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    _held.pop().finish()
    engine.exit_without_finalize_at_exit()
