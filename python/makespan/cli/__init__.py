# SPDX-License-Identifier: Apache-2.0
"""The command `makespan`."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

_INTERRUPTED = 130  # makespan.base.errors.ExitCode, which need not be loaded yet


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line and returns its exit code. Without arguments: the process's, its last.

    Ctrl-C then ends the process at once: nothing is left but Python's own end, which would answer
    with a traceback.
    """
    try:
        code = _code(sys.argv[1:] if arguments is None else list(arguments))
        if arguments is None:
            _end_by_ctrl_c_from_now_on()
    except KeyboardInterrupt:
        if arguments is None:
            _ignore_interrupts()
        from makespan.command.exit import interrupted

        code = interrupted()
    if code == _INTERRUPTED and arguments is None:
        from makespan.job.launcher import end_by_interrupt

        end_by_interrupt()
    return code


def _code(arguments: list[str]) -> int:
    instruction = os.environ.get("_MAKESPAN_COMPLETE")
    if instruction:
        from makespan.cli.completion import complete

        return complete(instruction)
    from makespan.cli.app import run

    return run(arguments)


# A second Ctrl-C would be answered with a traceback. Only the main thread may set this.
def _ignore_interrupts() -> None:
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _end_by_ctrl_c_from_now_on() -> None:
    # A caller that ignores Ctrl-C goes on to do so.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
