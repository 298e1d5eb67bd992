# SPDX-License-Identifier: Apache-2.0
"""A progress bar on stderr for what goes in steps, if it takes longer than a second."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from makespan.report.progress import SILENT_S

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID


class StepBar:
    """Takes what is done and how far; draws nothing when `enabled` is false."""

    def __init__(self, *, enabled: bool) -> None:
        self._enabled = enabled
        self._begin = time.monotonic()
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None

    def __call__(self, what: str, done: int, total: int) -> None:
        """Shows that `done` of `total` steps are done; a total of 0 is not known yet."""
        if not self._enabled or time.monotonic() - self._begin < SILENT_S:
            return
        if self._bar is None or self._task is None:
            from rich.console import Console
            from rich.progress import Progress as RichProgress

            self._bar = RichProgress(console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task(what)
            self._bar.start()
        self._bar.update(self._task, description=what, completed=done, total=total or None)

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
