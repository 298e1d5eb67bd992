# SPDX-License-Identifier: Apache-2.0
"""Files that appear whole or not at all.

Each file is written under a temporary name in its own folder, forced to the disk (but for what may
be lost, `replace_text`), and then renamed. A process killed in between leaves the old file as it
was (and perhaps a `.tmp` file). Temporary names are random, since two machines or containers on
one folder have the same process numbers, and are created by us or not at all.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import BinaryIO

from makespan.base.errors import InputError
from makespan.files.output_target import output_target, take_permissions
from makespan.files.resolved_path import resolved

Writer = Callable[[Path], None]

_NO_FOLDER_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EBADF)
"""What file systems say that cannot force a folder to the disk."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


def text_writer(text: str) -> Writer:
    """Writes a text, in UTF-8; bytes of file names that are none as escapes."""

    def write(path: Path) -> None:
        path.write_text(text, encoding="utf-8", errors="backslashreplace")

    return write


def check_writable(path: Path) -> None:
    """Raises `InputError` when `path` cannot be created or replaced; leaves nothing behind."""
    target = output_target(path)
    if target.is_dir():
        raise InputError(f"cannot write {path}: it is a folder; name a file in it")
    if target.exists() and not target.is_file():
        raise InputError(f"cannot write {path}: it is not a regular file; name another one")
    if not target.parent.is_dir():
        raise InputError(f"cannot write {path}: folder {target.parent} does not exist; create it")
    try:
        probe = _New(target)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}; choose another place") from error
    probe.drop()


def check_outputs(written: Iterable[Path | None], read: Iterable[Path | None]) -> None:
    """Raises `InputError` when a file cannot be written, or is one that is read or written too.

    None stands for a file that is not asked for.
    """
    used = {resolved(path) for path in read if path is not None}
    for path in written:
        if path is None:
            continue
        found = resolved(path)
        if found in used:
            raise InputError(
                f"{path} would be written over what is read or written; name another file"
            )
        used.add(found)
        check_writable(path)


def write_files(writers: Mapping[Path, Writer]) -> None:
    """Writes every file in full first, then renames them one right after the other.

    Raises `InputError` when the disk refuses; no target has changed then, unless it refuses one of
    the renames, or to force a folder to the disk, which the error says.
    """
    staged: list[_New] = []
    try:
        for path, write in writers.items():
            new = _New(output_target(path))
            staged.append(new)
            write(new.path)
            new.sync()
        for new in staged:
            new.rename()
        _sync_names({new.target.parent for new in staged})
    except OSError as error:
        raise InputError(f"cannot write {', '.join(map(str, writers))}: {error}") from error
    finally:
        for new in staged:
            new.drop()


def replace_text(path: Path, text: str) -> None:
    """A text that is there whole or not at all, as far as a power failure does not cut it.

    For what is ignored when it is damaged: forcing it to the disk would take longer than making it
    again. `OSError` when the disk refuses.
    """
    # A name of its own also among the nodes that share a home folder.
    descriptor, temporary = tempfile.mkstemp(
        prefix=f".{path.name}.", suffix=".tmp", dir=path.parent
    )
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise


def make_folder(path: Path) -> None:
    """A folder that a power failure does not take away; the one around it is there.

    `OSError` as `Path.mkdir` has it, but for a folder that exists.
    """
    path.mkdir(exist_ok=True)
    # Also of one that exists: a run that was killed may not have come to it.
    _sync_folder(path.parent)


def make_output_folder(path: Path) -> None:
    """The same of a folder that a run writes into. Raises `InputError`."""
    try:
        make_folder(path)
    except OSError as error:
        why = error.strerror or str(error)
        raise InputError(f"cannot write {path}: {why}; name another folder") from error


class StagedFile:
    """A file that grows under a temporary name, until it is kept or dropped.

    `InputError` when the disk refuses; what stood under the name stays then.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        target = output_target(path)
        try:
            self._new = _New(target)
            self._file = self._new.opened()
        except OSError as error:
            raise self._refused(error) from error

    def write(self, data: bytes) -> None:
        """Appends."""
        try:
            self._file.write(data)
        except OSError as error:
            raise self._refused(error) from error

    def write_at(self, offset: int, data: bytes) -> None:
        """Writes over what is there."""
        try:
            self._file.seek(offset)
            self._file.write(data)
            self._file.seek(0, os.SEEK_END)
        except OSError as error:
            raise self._refused(error) from error

    def keep(self) -> None:
        """Gives the file its name."""
        try:
            self._file.close()
            self._new.sync()
            self._new.rename()
            _sync_names({self._new.target.parent})
        except OSError as error:
            raise self._refused(error) from error

    def drop(self) -> None:
        """Leaves nothing behind; after `keep` it does nothing."""
        with contextlib.suppress(OSError):
            self._file.close()
        self._new.drop()

    def _refused(self, error: OSError) -> InputError:
        return InputError(f"cannot write {self._path}: {error}")


class _New:
    """An empty file that will replace `target`; in the same folder, hence on the same disk.

    It has the permissions of what it replaces, or those of the user's umask.
    """

    def __init__(self, target: Path) -> None:
        self.target = target
        _expect_readable(target.parent)
        suffix = f".{secrets.token_hex(8)}.tmp"
        try:
            self._create(f".{target.name}{suffix}")
        except OSError as error:
            if error.errno != errno.ENAMETOOLONG:
                raise
            # The target's name leaves no room for more.
            self._create(suffix)
        self._is_ours = True
        try:
            take_permissions(self._descriptor, target)
        except BaseException:
            self.drop()
            raise

    def _create(self, name: str) -> None:
        self.path = self.target.with_name(name)
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        self._descriptor = os.open(self.path, flags, 0o666)

    def opened(self) -> BinaryIO:
        """For reading and writing."""
        return os.fdopen(os.dup(self._descriptor), "r+b")

    def sync(self) -> None:
        """Onto the disk. `OSError` if the name is another file's by now."""
        os.fsync(self._descriptor)
        mine, there = os.fstat(self._descriptor), self.path.lstat()
        if (mine.st_dev, mine.st_ino) != (there.st_dev, there.st_ino):
            self._is_ours = False
            raise OSError(errno.ESTALE, "another program replaced it while it was written")

    def rename(self) -> None:
        """Gives it the target's name."""
        self.path.replace(self.target)
        self._is_ours = False

    def drop(self) -> None:
        """Leaves nothing behind, but what has the target's name; may be called again."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        if self._is_ours:
            self._is_ours = False
            with contextlib.suppress(OSError):
                self.path.unlink()


def _expect_readable(folder: Path) -> None:
    """`PermissionError` for a folder in which no name could be forced to the disk."""
    try:
        os.close(os.open(folder, _FOLDER))
    except PermissionError as error:
        raise PermissionError(
            error.errno, f"its folder cannot be opened for reading: {error.strerror}"
        ) from error


def _sync_names(folders: Iterable[Path]) -> None:
    """Of files that have been renamed. `OSError` says that they are there."""
    try:
        for folder in folders:
            _sync_folder(folder)
    except OSError as error:
        raise OSError(
            error.errno or errno.EIO,
            "the new file is there, but a crash may take it, since its folder cannot be forced to "
            f"the disk: {error.strerror}",
        ) from error


def _sync_folder(path: Path) -> None:
    descriptor = os.open(path, _FOLDER)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise
    finally:
        os.close(descriptor)
