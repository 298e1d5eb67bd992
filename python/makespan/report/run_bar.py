# SPDX-License-Identifier: Apache-2.0
"""How far a run of steps is, beside a table that grows on the same terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from makespan.number_text import duration_text
from makespan.report.bar import Bar

if TYPE_CHECKING:
    from rich.progress import ProgressColumn


class RunBar(Bar):
    """Takes steps done, steps in all, and seconds since the run began."""

    def __init__(self, *, enabled: bool) -> None:
        super().__init__(enabled=enabled)
        self._first: tuple[int, float] | None = None

    def __call__(self, done: int, total: int, elapsed_s: float) -> None:
        """Shows how far the run is."""
        if self._first is None:
            self._first = (done, elapsed_s)
        self._draw(elapsed_s, done, total, self._said(done, total, elapsed_s))

    def clear(self) -> None:
        """The terminal is free for a line; the bar comes back below it."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _said(self, done: int, total: int, elapsed_s: float) -> str:
        """Since the first phase was over, so that steps before a checkpoint do not count."""
        text = f"step {done}/{total}"
        first, first_s = self._first or (done, elapsed_s)
        if done == first or elapsed_s <= first_s:
            return text
        rate = (done - first) / (elapsed_s - first_s)
        return f"{text}, {rate:.3g} steps/s, {duration_text((total - done) / rate)} left"

    def _columns(self) -> list[ProgressColumn]:
        from rich.progress import BarColumn, TextColumn

        return [
            BarColumn(bar_width=20),
            TextColumn("{task.percentage:>3.0f} %"),
            TextColumn("{task.description}"),
        ]
