# SPDX-License-Identifier: Apache-2.0
"""How far a run is, on stderr: a bar, or a line now and then. Late to come, and gone at the end."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from makespan.base.number_text import duration_text

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

    from makespan.job.progress import Progress

SILENT_S = 1.0
"""What takes less than this shows nothing, and pays for nothing."""
LINES_S = 10.0
"""Between two lines."""


def progress_bar(given: Mapping[str, Any]) -> ProgressBar:
    """As the flags --progress and --quiet ask for it."""
    word = "none" if given["quiet"] else given["progress"]
    if word == "auto":
        word = "bar" if sys.stderr.isatty() else "none"
    return ProgressBar(word)


class ProgressBar:
    """Takes every `Progress`; `how` is bar, lines or none."""

    def __init__(self, how: str) -> None:
        self._how = how
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None
        self._next_line_s = LINES_S

    def __call__(self, progress: Progress) -> None:
        """Shows how far the run is."""
        if self._how == "bar" and progress.elapsed_s >= SILENT_S:
            self._draw(progress)
        elif self._how == "lines" and progress.elapsed_s >= self._next_line_s:
            sys.stderr.write(f"makespan: {progress.share:.0%}, {progress_text(progress)}\n")
            self._next_line_s = progress.elapsed_s + LINES_S

    def clear(self) -> None:
        """The terminal is free for a line; the bar comes back below it."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _draw(self, progress: Progress) -> None:
        text = progress_text(progress)
        if self._bar is None or self._task is None:
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn
            from rich.progress import Progress as RichProgress

            self._bar = RichProgress(
                BarColumn(bar_width=20),
                TextColumn("{task.percentage:>3.0f} %"),
                TextColumn("{task.description}", markup=False),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._bar.add_task(text, total=1.0)
            self._bar.start()
        known = progress.total is not None
        self._bar.update(
            self._task,
            description=text,
            completed=progress.share if known else 0.0,
            total=1.0 if known else None,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.clear()


def progress_text(progress: Progress) -> str:
    """What is done, how fast, and the time left, in a few words."""
    of = "" if progress.total is None else f"/{progress.total}"
    parts = [f"{progress.done}{of} {progress.unit}"]
    if progress.note:
        parts.append(progress.note)
    if progress.left_s is not None:
        parts.append(f"{duration_text(progress.left_s)} left")
    return ", ".join(parts)
