# SPDX-License-Identifier: Apache-2.0
"""A progress bar with rate and time left, for runs of more than a second."""

from __future__ import annotations

from typing import TYPE_CHECKING

from makespan.number_text import duration_text, rate_text
from makespan.report.bar import Bar

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

    from makespan.run import Progress


class ProgressBar(Bar):
    """Takes the engine's progress."""

    def __call__(self, progress: Progress) -> None:
        """Shows how far the run is."""
        total = max(progress.work_total, progress.work_done, 1.0)
        self._draw(progress.elapsed_s, progress.work_done, total, said(progress))

    def _columns(self) -> list[ProgressColumn]:
        from rich.progress import BarColumn, TextColumn

        return [
            BarColumn(bar_width=20),
            TextColumn("{task.percentage:>3.0f} %"),
            TextColumn("{task.description}"),
        ]


def said(progress: Progress) -> str:
    """Options done, rate and time left, in a few words."""
    options = f"{progress.options_done}/{progress.options_total}"
    if progress.elapsed_s <= 0 or progress.work_done <= 0:
        return options
    rate = progress.path_steps / progress.elapsed_s
    left_s = progress.elapsed_s * (progress.work_total / progress.work_done - 1.0)
    return f"{options}, {rate_text(rate)}, {duration_text(max(left_s, 0.0))} left"
