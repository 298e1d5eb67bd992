# SPDX-License-Identifier: Apache-2.0
"""What a Python program gives: settings, as an input file would have them, and MPI that stays."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from makespan.engine import Engine, load_engine
from makespan.errors import InputError
from makespan.inputs.key_file import KeyFile, KeyValues
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


def engine_for(threads: int | None) -> Engine:
    """The engine, for a run with `threads`, after which the program may begin another one.

    Raises `InputError` for what is no number of threads.
    """
    engine = load_engine()
    check_threads(threads)
    if engine.images_launched() > 1:
        from makespan.tasks import hold_mpi

        hold_mpi()
    return engine


def values_given(
    file: KeyFile, source: str | PathLike[str] | None, keys: Mapping[str, Any]
) -> KeyValues:
    """What the input file `source` says, where there is one; `keys` come before that."""
    given = file.defaults() if source is None else file.read(Path(source))
    chosen = file.known({name: plain(value) for name, value in keys.items()})
    return given.with_values(chosen, {})
