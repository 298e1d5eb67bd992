# SPDX-License-Identifier: Apache-2.0
"""Reads Parquet books where pyarrow is not installed: by polars, tried in another process first.

On one damaged file in 10 000 polars asks for more memory than there is, which ends its process
without a chance to say why. The other process ends then, not ours (docs/decisions/0081).
"""

from __future__ import annotations

import io
import signal
import subprocess
from pathlib import Path

from makespan.base.own_python import python_command
from makespan.pricing.book.source import RawBook, check_names_unique, unreadable

_TRIAL = """
import io, sys
import polars
polars.read_parquet(io.BytesIO(sys.stdin.buffer.read()), hive_partitioning=False)
"""
TRIAL_S_MAX = 600
"""A book of a gigabyte takes seconds; what takes longer than this reads in circles."""


def read_parquet_by_polars(path: Path) -> RawBook:
    """All columns of a Parquet file; raises `BookError`."""
    import polars as pl

    data = path.read_bytes()
    _try_elsewhere(path.name, data)
    frame = pl.read_parquet(io.BytesIO(data), hive_partitioning=False)
    check_names_unique(path.name, frame.columns)
    return RawBook(path.name, frame)


def _try_elsewhere(name: str, data: bytes) -> None:
    """Raises `BookError` where reading ends badly, whichever way."""
    try:
        trial = subprocess.run(
            python_command("-c", _TRIAL),
            input=data,
            capture_output=True,
            timeout=TRIAL_S_MAX,
            check=False,
        )
    except subprocess.TimeoutExpired:
        why = f"reading it takes more than {TRIAL_S_MAX} s"
    else:
        if trial.returncode == 0:
            return
        why = _last_words(trial)
    raise unreadable(name, f"not a whole Parquet file ({why}); write it again")


def _last_words(trial: subprocess.CompletedProcess[bytes]) -> str:
    """The exception that ended the trial, or the signal."""
    if trial.returncode < 0:
        return f"reading it ends by {signal.Signals(-trial.returncode).name}"
    lines = trial.stderr.decode(errors="replace").split("\n")
    told = [line for line in lines if line.strip()]
    return told[-1].rpartition("exceptions.")[2] if told else f"exit code {trial.returncode}"
