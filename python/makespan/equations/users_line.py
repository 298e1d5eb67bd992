# SPDX-License-Identifier: Apache-2.0
"""Errors that name the line of the user's update."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np

from makespan.base.errors import InputError

_PACKAGE = str(Path(__file__).resolve().parents[1]) + os.sep
_NUMPY = str(Path(np.__file__).parent) + os.sep


def users_line() -> str:
    """The innermost line that is not makespan's, as "wave.py, line 7"."""
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith((_PACKAGE, _NUMPY)):
            return f"{Path(name).name}, line {frame.f_lineno}"
        if frame.f_back is None:
            break
        frame = frame.f_back
    return "update"


def refused(problem: str) -> InputError:
    """An error about what the user's line says."""
    return InputError(f"{users_line()}: {problem}")
