# SPDX-License-Identifier: Apache-2.0
"""Processes that were forked while polars had threads: these stay behind, and it waits for them.

It has them once it has computed anything that it divides. `multiprocessing` forks by default on
Linux, up to Python 3.13.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from makespan.base.errors import EngineError

_OF_POLARS = re.compile(r"polars-\d+\s")
_TASKS = Path("/proc/self/task")

_parents: list[bool] = []
"""Of the parent, when it last forked: whether polars had threads."""
_left_behind: list[bool] = []


def _has_threads_of_polars() -> bool:
    with suppress(OSError):
        for task in _TASKS.iterdir():
            with suppress(OSError):  # it has ended
                if _OF_POLARS.match((task / "comm").read_text()):
                    return True
    return False


def _before_fork() -> None:
    _parents[:] = [_has_threads_of_polars()]


def _in_child() -> None:
    if any(_parents):
        _left_behind[:] = [True]


os.register_at_fork(before=_before_fork, after_in_child=_in_child)


def expect_polars(caller: str) -> None:
    """Raises `EngineError` in a process in which polars would wait for ever."""
    if _left_behind:
        raise EngineError(
            f"{caller} (this process was forked from one in which polars had begun its threads, "
            "and would wait for them for ever): begin processes by "
            "multiprocessing.get_context('spawn')"
        )
