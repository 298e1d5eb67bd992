# SPDX-License-Identifier: Apache-2.0
"""Events of traces in the Trace Event format, which ui.perfetto.dev and chrome://tracing open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MICROSECONDS = 1e6
"""In a second: what times of written traces count."""


def named(kind: str, where: tuple[int, int], name: str) -> dict[str, Any]:
    """The event that gives a process or a thread, numbered (process, thread), its name."""
    process, thread = where
    return {"ph": "M", "pid": process, "tid": thread, "name": kind, "args": {"name": name}}


def spent(
    phase: str, where: tuple[int, int], begin: float, end: float, more: Mapping[str, Any]
) -> dict[str, Any]:
    """The event that a thread, numbered (process, thread), was in a phase from then to then [s]."""
    process, thread = where
    return {
        "ph": "X",
        "pid": process,
        "tid": thread,
        "cat": phase,
        "name": phase,
        "ts": round(begin * MICROSECONDS, 3),
        "dur": round((end - begin) * MICROSECONDS, 3),
        "args": dict(more),
    }
