# SPDX-License-Identifier: Apache-2.0
"""What every command does with its last words."""

from __future__ import annotations

import os
import sys


def say(text: str) -> None:
    """One message to people; stdout is for results."""
    sys.stderr.write(f"makespan: {text}\n")


def forget_stdout() -> None:
    """The reader has gone: what is left of the output must not complain when Python ends."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, sys.stdout.fileno())
    os.close(sink)
