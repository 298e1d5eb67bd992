# SPDX-License-Identifier: Apache-2.0
"""SQLite files whose content is run when it is read: only their user can have written them.

SQLite reads the logs that lie beside a file as well, whichever user made them. A stranger who may
create files there must not be able to slip one in.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from makespan.base.errors import JournalError
from makespan.files.journal_request import JournalRequest

_LOGS = ("", "-wal", "-journal")
_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def make_own(request: JournalRequest) -> None:
    """Makes a new journal such that no other user can write to it; looks at one that is there.

    Raises `JournalError` of `expect_own`. What else is wrong is said where it is opened.
    """
    if not request.resume:
        with contextlib.suppress(OSError):
            path = os.path.realpath(request.path)
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    expect_own(request.path)


def expect_own(path: Path) -> None:
    """Raises `JournalError` where another user can have written to it, or to its logs."""
    real = os.path.realpath(path)
    folder = _status(Path(real).parent)
    if folder is not None and folder.st_mode & stat.S_IWOTH and not folder.st_mode & stat.S_ISVTX:
        raise JournalError(
            f"journal {path} lies in a folder in which any user can replace it (mode "
            f"{stat.S_IMODE(folder.st_mode):o}); {_WHY}; name another folder"
        )
    for file in (Path(f"{real}{end}") for end in _LOGS):
        found = _status(file)
        if found is None or stat.S_ISDIR(found.st_mode):
            continue
        if found.st_uid != os.geteuid() or found.st_mode & _OTHERS:
            raise JournalError(
                f"{file} is another user's, or others may write to it (mode "
                f"{stat.S_IMODE(found.st_mode):o}); {_WHY}; chmod 600 what is yours, or name "
                "another file"
            )


_WHY = "it holds pickles, which could run any code"


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.lstat()
    except OSError:
        return None
