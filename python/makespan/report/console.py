# SPDX-License-Identifier: Apache-2.0
"""The console of commands that print tables."""

from __future__ import annotations

from rich.console import Console


class StdoutConsole(Console):
    """rich's; a reader that has gone comes out as for other commands, and not as an exit code."""

    def __init__(self, width: int) -> None:
        super().__init__(width=width, highlight=False)

    def on_broken_pipe(self) -> None:
        """As rich calls it."""
        raise BrokenPipeError
