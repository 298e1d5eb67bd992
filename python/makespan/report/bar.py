# SPDX-License-Identifier: Apache-2.0
"""What every progress bar has: it is on stderr, late to come, and gone at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import ProgressColumn, TaskID

SILENT_S = 1.0
"""What takes less than this shows no bar, and pays for none."""


class Bar:
    """Draws nothing when `enabled` is false, or before `SILENT_S` have passed."""

    def __init__(self, *, enabled: bool) -> None:
        self._enabled = enabled
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None

    def _columns(self) -> list[ProgressColumn]:
        """What to draw; rich's own choice when empty."""
        return []

    def _draw(self, elapsed_s: float, done: float, total: float | None, text: str) -> None:
        """Shows that `done` of `total` (None: unknown) are done, `elapsed_s` after the start."""
        if not self._enabled or elapsed_s < SILENT_S:
            return
        if self._bar is None or self._task is None:
            from rich.console import Console
            from rich.progress import Progress as RichProgress

            self._bar = RichProgress(*self._columns(), console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task(text, total=total)
            self._bar.update(self._task, completed=done)
            self._bar.start()
        self._bar.update(self._task, description=text, completed=done, total=total)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._bar is not None:
            self._bar.stop()
