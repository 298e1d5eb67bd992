# SPDX-License-Identifier: Apache-2.0
"""The exit code of a Python program that an `Interrupted` ends.

Python ends by the signal itself where a `KeyboardInterrupt` comes out, and with 1 for classes that
are made of it.
"""

from __future__ import annotations

import sys
from types import TracebackType

from makespan.base.errors import ExitCode, Interrupted

_before = sys.excepthook


def exit_as_interrupted() -> None:
    """From now on an `Interrupted` that nothing catches ends the program with 130."""
    global _before  # noqa: PLW0603
    if sys.excepthook is not _on_uncaught:
        _before = sys.excepthook
        sys.excepthook = _on_uncaught


def _on_uncaught(
    kind: type[BaseException], error: BaseException, traceback: TracebackType | None
) -> None:
    _before(kind, error, traceback)
    is_asked_by_hand = hasattr(sys, "ps1")  # the prompt goes on
    if issubclass(kind, Interrupted) and not is_asked_by_hand:
        sys.exit(ExitCode.INTERRUPTED)
