# SPDX-License-Identifier: Apache-2.0
"""Folders in which one run at a time writes: two would drop each other's files as older ones.

The lock is the system's (flock) on a file in the folder, so it ends with the process, however that
ends. Where a file system has no locks, none is taken.
"""

from __future__ import annotations

import errno
import fcntl
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from makespan.base.errors import InputError
from makespan.files.atomic import make_folder

NAME = ".makespan.lock"
_BUSY = (errno.EAGAIN,)
_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL, errno.EBADF)
_WORDS_MAX = 200


@contextmanager
def locked_folder(flag: str, folder: Path) -> Iterator[None]:
    """Makes the folder if need be, and keeps other runs out of it.

    Raises `InputError` that begins with `flag` where another run is in it, or none can write.
    """
    path = folder / NAME
    try:
        make_folder(folder)
        descriptor = _locked(path)
    except OSError as error:
        raise InputError(f"{flag} {folder}: {_why(error, path)}; name another folder") from error
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(descriptor)


def _locked(path: Path) -> int:
    """A descriptor that holds the lock of the file that has this name, now and afterwards."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
        try:
            _lock(descriptor)
            if _is_at(path, descriptor):
                os.truncate(descriptor, 0)
                os.write(descriptor, f"process {os.getpid()} on {platform.node()}".encode())
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # its run has ended and removed it between our two calls


def _lock(descriptor: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        there = path.lstat()
    except FileNotFoundError:
        return False
    mine = os.fstat(descriptor)
    return (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino)


def _why(error: OSError, path: Path) -> str:
    if error.errno not in _BUSY:
        return f"no run can write there ({error.strerror})"
    try:
        with path.open("rb") as file:
            holder = file.read(_WORDS_MAX).decode(errors="replace").strip()
    except OSError:
        return f"no run can write there ({error.strerror})"
    by = f" ({holder})" if holder.isprintable() and holder else ""
    return f"another run{by} writes there now: wait for it"
