# SPDX-License-Identifier: Apache-2.0
"""Events of traces in the Trace Event format, which ui.perfetto.dev and chrome://tracing open."""

from __future__ import annotations

from typing import Any

MICROSECONDS = 1e6
"""In a second: what times of written traces count."""


def named(kind: str, where: tuple[int, int], name: str) -> dict[str, Any]:
    """The event that gives a process or a thread, numbered (process, thread), its name."""
    process, thread = where
    return {"ph": "M", "pid": process, "tid": thread, "name": kind, "args": {"name": name}}
