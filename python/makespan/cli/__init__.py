# SPDX-License-Identifier: Apache-2.0
"""The command `makespan`."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line and returns its exit code."""
    try:
        from makespan.cli.app import run

        return run(sys.argv[1:] if arguments is None else list(arguments))
    except KeyboardInterrupt:
        from makespan.errors import ExitCode

        return ExitCode.INTERRUPTED
