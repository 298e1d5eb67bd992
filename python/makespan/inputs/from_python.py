# SPDX-License-Identifier: Apache-2.0
"""Settings that a Python program gives, as an input file would have them."""

from __future__ import annotations

from typing import Any

from makespan.errors import InputError
from makespan.settings import THREADS_MAX


def plain(value: Any) -> Any:
    """Numbers and rows of them; numpy's, too."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return [plain(one) for one in value] if isinstance(value, tuple | list) else value


def check_threads(threads: int | None) -> None:
    """Raises `InputError` for what is no number of threads."""
    if threads is not None and not (type(threads) is int and 1 <= threads <= THREADS_MAX):
        raise InputError(f"threads must be a whole number from 1 to {THREADS_MAX}, got {threads!r}")
