# SPDX-License-Identifier: Apache-2.0
"""Where an output really goes, and who may read it there.

In a folder that others may write to, a link under the name of an output could be theirs, and point
to a file of the user that they may not write themselves. So a link is followed only if it is the
user's own, or root's; all others are refused. (Linux does the same where its
`protected_symlinks` is on, in folders like /tmp; we do it anywhere.)

`/dev/stdout` leads to a link of procfs, and from there to the file that the shell has redirected
to: a rename would replace it, with all that was and will be written there. So links of procfs are
refused, and the files of the standard streams under any name.

A file that is replaced keeps its permissions, but for those that would let in more than it did.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from makespan.base.errors import InputError

LINKS_MAX = 40
"""As many as Linux follows."""

_STREAMS = ("input", "output", "error output")


def output_target(path: Path) -> Path:
    """The file that `path` stands for, links followed.

    Raises `InputError` for links of others and of procfs, and for files of standard streams.
    """
    found = path
    for _ in range(LINKS_MAX):
        try:
            state = found.lstat()
        except FileNotFoundError:
            return found
        except OSError as error:
            raise InputError(
                f"cannot write {path}: {error.strerror}; choose another place"
            ) from error
        if not stat.S_ISLNK(state.st_mode):
            _expect_no_stream(path, state)
            return found
        if state.st_uid not in (os.geteuid(), 0):
            raise InputError(
                f"cannot write {path}: it is a link that another user made (it may point "
                "anywhere); remove it, or name another file"
            )
        if _is_in_procfs(found):
            raise InputError(
                f"cannot write {path}: it is a link to what a program has open, which it would "
                "replace; name another file"
            )
        found = found.parent / found.readlink()
    raise InputError(f"cannot write {path}: links to links that do not end; name another file")


def _expect_no_stream(path: Path, state: os.stat_result) -> None:
    if not stat.S_ISREG(state.st_mode):
        return
    for descriptor, name in enumerate(_STREAMS):
        with contextlib.suppress(OSError):
            if os.path.samestat(os.fstat(descriptor), state):
                raise InputError(
                    f"cannot write {path}: it is the program's standard {name}, which it would "
                    "replace; name another file"
                )


def _is_in_procfs(link: Path) -> bool:
    with contextlib.suppress(OSError):
        # Where none is mounted there is no such name.
        return link.parent.stat().st_dev == Path("/proc/self").stat().st_dev
    return False


def take_permissions(descriptor: int, target: Path) -> None:
    """Gives a new file those of the one that it will replace; without one it keeps its own.

    If the old file is another user's, the new one gets no more permissions than a new file has, and
    not its group. If it has another group than the old one, that gets only what all users may do.
    """
    try:
        old = target.lstat()
    except OSError:
        return
    new = os.fstat(descriptor)
    mode = stat.S_IMODE(old.st_mode) & 0o777
    is_ours = old.st_uid == new.st_uid
    if not is_ours:
        mode &= stat.S_IMODE(new.st_mode)
    if old.st_gid != new.st_gid:
        if is_ours:
            with contextlib.suppress(OSError):
                os.fchown(descriptor, -1, old.st_gid)
        if os.fstat(descriptor).st_gid != old.st_gid:
            mode &= 0o707 | (mode & 0o007) << 3
    os.fchmod(descriptor, mode | stat.S_IRUSR | stat.S_IWUSR)
