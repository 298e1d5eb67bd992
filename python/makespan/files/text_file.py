# SPDX-License-Identifier: Apache-2.0
"""Text files that people name, read whole."""

from __future__ import annotations

import os
from pathlib import Path

from makespan.base.errors import InputError

_BYTE_ORDER_MARK = "\ufeff"
"""As some editors begin files with; no language of ours has it."""


def file_text(path: Path, bytes_max: int, hint: str) -> str:
    """Returns the file's text, without a byte order mark. Raises as `whole_text`."""
    return whole_text(path, bytes_max, hint).removeprefix(_BYTE_ORDER_MARK)


def whole_text(path: Path, bytes_max: int, hint: str) -> str:
    """Returns the file's text, of which digests are. Raises `InputError`, which ends with `hint`.

    One that is longer than `bytes_max` (whole MiB) is read no further.
    """
    # Not path.is_dir(), which raises where the name is too long.
    if os.path.isdir(path):  # noqa: PTH112
        raise InputError(f"{path}: it is a folder; name a file in it")
    try:
        with path.open("rb") as file:
            data = file.read(bytes_max + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); {hint}") from error
    except ValueError as error:  # of a name that can be no file's: with a zero byte in it
        raise InputError(f"{str(path)!r}: cannot be read ({error}); {hint}") from error
    if len(data) > bytes_max:
        raise InputError(f"{path}: it is larger than {bytes_max >> 20} MiB; {hint}")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}, line {line}: it is no UTF-8 text; {hint}") from error
