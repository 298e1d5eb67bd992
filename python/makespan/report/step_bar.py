# SPDX-License-Identifier: Apache-2.0
"""A progress bar for what goes in steps, if it takes longer than a second."""

from __future__ import annotations

import time

from makespan.report.bar import Bar


class StepBar(Bar):
    """Takes what is done and how far."""

    def __init__(self, *, enabled: bool) -> None:
        super().__init__(enabled=enabled)
        self._begin = time.monotonic()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Shows that `done` of `total` steps are done; a total of 0 is not known yet."""
        self._draw(time.monotonic() - self._begin, done, total or None, what)
