# SPDX-License-Identifier: Apache-2.0
"""Paths without links, to see which of them are one file."""

from __future__ import annotations

from pathlib import Path

from makespan.base.errors import InputError


def resolved(path: Path) -> Path:
    """The file that `path` stands for, which need not be there.

    Raises `InputError` for a path that can be none: links in a ring, a name that is too long, one
    below a folder that may not be entered.
    """
    try:
        found = path.resolve()
        found.exists()
    except OSError as error:
        raise _unusable(path, error.strerror or str(error)) from error
    except RuntimeError as error:  # Python's word for it
        raise _unusable(path, "links to links that do not end") from error
    except ValueError as error:
        raise _unusable(path, str(error)) from error
    return found


def _unusable(path: Path, why: str) -> InputError:
    return InputError(f"{str(path)!r} cannot be used ({why}); name another file")
