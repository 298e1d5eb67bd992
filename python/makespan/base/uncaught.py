# SPDX-License-Identifier: Apache-2.0
"""The exit code of a Python program that an exception of ours ends.

Python ends by the signal itself where a `KeyboardInterrupt` comes out, and with 1 for classes that
are made of it.
"""

from __future__ import annotations

import os
import sys
import traceback as tracebacks
from types import TracebackType

_codes: dict[type[BaseException], int] = {}
_before = sys.excepthook


def exit_uncaught(kind: type[BaseException], code: int) -> None:
    """From now on one that nothing catches ends the program with this code."""
    global _before  # noqa: PLW0603
    if not _codes:
        _before = sys.excepthook
        sys.excepthook = _on_uncaught
    _codes[kind] = code


def _on_uncaught(
    kind: type[BaseException], error: BaseException, traceback: TracebackType | None
) -> None:
    _before(kind, error, traceback)
    if kind not in _codes or _goes_on():
        return
    # What their frames hold would be there when the modules of the engine go.
    for one in _chain(error):
        tracebacks.clear_frames(one.__traceback__)
    sys.exit(_codes[kind])


def _chain(error: BaseException) -> list[BaseException]:
    """It, and all that it came of."""
    found = [error]
    for one in found:
        more = (one.__cause__, one.__context__)
        found += [other for other in more if other is not None and other not in found]
    return found


def _goes_on() -> bool:
    """Whether a prompt follows."""
    asks = sys.flags.interactive or sys.flags.inspect or os.environ.get("PYTHONINSPECT")
    return bool(asks) or hasattr(sys, "ps1")
