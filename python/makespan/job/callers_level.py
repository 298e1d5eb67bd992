# SPDX-License-Identifier: Apache-2.0
"""Which line of a program a warning is of."""

from __future__ import annotations

import sys
from types import FrameType


def callers_level() -> int:
    """Where the program stands that has called makespan, as this function's caller counts."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and is_inside(frame):
        level, frame = level + 1, frame.f_back
    return level


def is_inside(frame: FrameType) -> bool:
    """Whether it is makespan's own, and no user's function that makespan has called."""
    package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    return package in ("makespan", "contextlib")
