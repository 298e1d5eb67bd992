# SPDX-License-Identifier: Apache-2.0
"""What a run has found stays with its caller where only a file of it cannot be written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from makespan.base.errors import InputError


@contextmanager
def kept_result(made: Callable[[], Any]) -> Iterator[None]:
    """Gives an `InputError` of the files that are written within the `result` that `made` makes."""
    try:
        yield
    except InputError as error:
        error.result = made()
        raise
