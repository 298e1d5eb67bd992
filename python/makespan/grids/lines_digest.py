# SPDX-License-Identifier: Apache-2.0
"""What tells that lines of a table are those that a run wrote before its checkpoint."""

from __future__ import annotations

import hashlib
from pathlib import Path

from makespan.base.errors import InputError

_DIGEST_BYTES = 16


def lines_digest(path: Path, end: float) -> str | None:
    """Of the bytes of the head, and of the lines whose first cell is below `end`.

    None without a file. Raises `InputError` for one that cannot be read.
    """
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    try:
        with path.open("rb") as file:
            digest.update(file.readline())
            for line in file:
                if _is_below(line.partition(b",")[0], end):
                    digest.update(line)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{path}: it cannot be read ({error.strerror}); move it away") from error
    return digest.hexdigest()


def expect_lines(path: Path, end: float, written: str | None) -> None:
    """Raises `InputError` unless the lines are those of this digest; None: it is not known.

    A file that was moved away is no mistake.
    """
    found = lines_digest(path, end)
    if written is None or found is None or found == written:
        return
    raise InputError(
        f"{path}: its lines before the checkpoint are not those that were written with it (the "
        "file is damaged, or another run's); move it away, or go on from another checkpoint"
    )


def _is_below(cell: bytes, end: float) -> bool:
    try:
        return float(cell) < end
    except ValueError:
        return True  # what is damaged counts
