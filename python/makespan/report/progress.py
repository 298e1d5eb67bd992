# SPDX-License-Identifier: Apache-2.0
"""A progress bar on stderr with rate and time left, for runs of more than a second."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self

from makespan.report.numbers import duration_text, rate_text

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

    from makespan.run import Progress

SILENT_S = 1.0
"""A run shorter than this shows no bar, and pays for none."""


class ProgressBar:
    """Takes the engine's progress; draws nothing when `enabled` is false."""

    def __init__(self, *, enabled: bool) -> None:
        self._enabled = enabled
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None

    def __call__(self, progress: Progress) -> None:
        """Shows how far the run is."""
        if not self._enabled or progress.elapsed_s < SILENT_S:
            return
        if self._bar is None or self._task is None:
            self._bar, self._task = _started()
        total = max(progress.work_total, progress.work_done, 1.0)
        fields = {"said": said(progress)}
        self._bar.update(self._task, completed=progress.work_done, total=total, **fields)  # type: ignore[arg-type]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


def said(progress: Progress) -> str:
    """Options done, rate and time left, in a few words."""
    options = f"{progress.options_done}/{progress.options_total}"
    if progress.elapsed_s <= 0 or progress.work_done <= 0:
        return options
    rate = progress.path_steps / progress.elapsed_s
    left_s = progress.elapsed_s * (progress.work_total / progress.work_done - 1.0)
    return f"{options}, {rate_text(rate)}, {duration_text(max(left_s, 0.0))} left"


def _started() -> tuple[RichProgress, TaskID]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as RichProgress

    bar = RichProgress(
        BarColumn(bar_width=20),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[said]}"),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("pricing", said="")
    bar.start()
    return bar, task
