# SPDX-License-Identifier: Apache-2.0
"""What messages call a setting: its flag on a command line, else its keyword in Python."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_BY_FLAGS = ContextVar("by_flags", default=False)


def called(name: str) -> str:
    """`network_latency_us`, or `--network-latency-us` while a command runs."""
    return f"--{name.replace('_', '-')}" if _BY_FLAGS.get() else name


@contextmanager
def by_flags() -> Iterator[None]:
    """While a command runs: what is wrong is told by its flags."""
    before = _BY_FLAGS.set(True)
    try:
        yield
    finally:
        _BY_FLAGS.reset(before)
