# SPDX-License-Identifier: Apache-2.0
"""Starts processes on chosen cores and measures whole runs of commands."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

MEASURING_PROGRAM = Path(__file__).with_name("child_usage.py")


@dataclass(frozen=True)
class Usage:
    """What a finished command took."""

    wall_s: float
    processor_s: float
    peak_bytes: int


@contextlib.contextmanager
def pinned(cores: set[int]) -> Iterator[None]:
    """Let processes that are started inside run on `cores` only, from their first instruction on.

    Setting it afterwards would miss the threads that a library starts when it is loaded.
    """
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def measured(command: Sequence[str | Path], cores: set[int]) -> Usage:
    """Run a command on `cores` and return its usage; a failure is a RuntimeError with its text."""
    words = [sys.executable, "-I", "-S", str(MEASURING_PROGRAM), *map(str, command)]
    with pinned(cores):
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last_words = " ".join(done.stderr.strip().splitlines()[-3:])
        msg = f"'{' '.join(map(str, command))}' failed (code {done.returncode}): {last_words}"
        raise RuntimeError(msg)
    return Usage(**json.loads(done.stdout))
