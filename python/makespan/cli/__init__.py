# SPDX-License-Identifier: Apache-2.0
"""The command `makespan`."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

_IMAGE_VARIABLES = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK")  # makespan.job.launcher's
_INTERRUPTED = 130  # makespan.base.errors.ExitCode, which need not be loaded yet


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line and returns its exit code. Without arguments: the process's, its last.

    Ctrl-C then ends the process at once: nothing is left but Python's own end, which would answer
    with a traceback.
    """
    if arguments is None:
        _take_any_text()
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
    with _ended_by_ctrl_c():
        from makespan.cli.app import run
    return run(arguments)


def _take_any_text() -> None:
    """Names of files need not be text, nor a terminal know all letters; streams may be closed."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        elif isinstance(stream, io.TextIOWrapper) and (
            stream.errors == "strict" or _knows_few_letters(stream)
        ):
            stream.reconfigure(errors="backslashreplace")


def _knows_few_letters(stream: io.TextIOWrapper) -> bool:
    """As in the C locale, whose way with other letters fails where they are no bytes of names."""
    return stream.errors == "surrogateescape" and stream.encoding.lower() == "ascii"


def _end_now(*_: object) -> None:
    """Says it, and ends as the signal would; without an import, in whose midst this may be."""
    is_later = any(os.environ.get(name, "0") != "0" for name in _IMAGE_VARIABLES)
    if not is_later:
        os.write(2, b"makespan: interrupted; nothing was written\n")
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGINT)


@contextmanager
def _ended_by_ctrl_c() -> Iterator[None]:
    """Ctrl-C while modules load ends the process at once.

    An exception within the body of a class would come out as a RuntimeError.
    """
    is_python_s = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not is_python_s or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, _end_now)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


# A second Ctrl-C would be answered with a traceback. Only the main thread may set this.
def _ignore_interrupts() -> None:
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _end_by_ctrl_c_from_now_on() -> None:
    # A caller that ignores Ctrl-C goes on to do so.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
