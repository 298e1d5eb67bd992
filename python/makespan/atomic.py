# SPDX-License-Identifier: Apache-2.0
"""Files that appear whole or not at all.

Each file is written under a temporary name in its own folder, forced to the disk, and then
renamed. A process killed in between leaves the old file as it was (and perhaps a `.tmp` file).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from makespan.errors import InputError

Writer = Callable[[Path], None]


def check_writable(path: Path) -> None:
    """Raises `InputError` when `path` cannot be created or replaced; leaves nothing behind."""
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder; name a file in it")
    if path.exists() and not path.is_file():
        raise InputError(f"cannot write {path}: it is not a regular file; name another one")
    if not path.parent.is_dir():
        raise InputError(f"cannot write {path}: folder {path.parent} does not exist; create it")
    probe = _temporary_name(path)
    try:
        _create(probe)
    except OSError as error:
        raise InputError(
            f"cannot write {path}: {error.strerror}; choose another place with -o"
        ) from error
    probe.unlink()


def check_outputs(written: Iterable[Path | None], read: Iterable[Path | None]) -> None:
    """Raises `InputError` when a file cannot be written, or is one that is read or written too.

    None stands for a file that is not asked for.
    """
    used = {path.resolve() for path in read if path is not None}
    for path in written:
        if path is None:
            continue
        if path.resolve() in used:
            raise InputError(
                f"{path} would be written over what is read or written; name another file"
            )
        used.add(path.resolve())
        check_writable(path)


def write_files(writers: Mapping[Path, Writer]) -> None:
    """Writes every file in full first, then renames them one right after the other.

    Raises `InputError` when the disk refuses; no target has changed then.
    """
    staged: dict[Path, Path] = {}
    try:
        for path, write in writers.items():
            target = Path(os.path.realpath(path))
            staged[target] = _temporary_name(target)
            _create(staged[target])
            write(staged[target])
            _sync(staged[target])
        for target, temporary in staged.items():
            temporary.replace(target)
    except OSError as error:
        raise InputError(f"cannot write {', '.join(map(str, writers))}: {error}") from error
    finally:
        for temporary in staged.values():
            temporary.unlink(missing_ok=True)
    for folder in {target.parent for target in staged}:
        _sync(folder)


def make_folder(path: Path) -> None:
    """A folder that a power failure does not take away; the one around it is there.

    `OSError` as `Path.mkdir` has it, but for a folder that exists.
    """
    path.mkdir(exist_ok=True)
    _sync(path.parent)  # also of one that exists: a run that was killed may not have come to it


class StagedFile:
    """A file that grows under a temporary name, until it is kept or dropped.

    `InputError` when the disk refuses; what stood under the name stays then.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._target = Path(os.path.realpath(path))
        self._temporary = _temporary_name(self._target)
        try:
            _create(self._temporary)
            self._file = self._temporary.open("r+b")
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
            _sync(self._temporary)
            self._temporary.replace(self._target)
            _sync(self._target.parent)
        except OSError as error:
            raise self._refused(error) from error

    def drop(self) -> None:
        """Leaves nothing behind; after `keep` it does nothing."""
        with contextlib.suppress(OSError):
            self._file.close()
        self._temporary.unlink(missing_ok=True)

    def _refused(self, error: OSError) -> InputError:
        return InputError(f"cannot write {self._path}: {error}")


def _temporary_name(path: Path) -> Path:
    """A name that no other process uses: same folder, hence same file system."""
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


def _create(path: Path) -> None:
    """Creates an empty file with the permissions of the user's umask."""
    path.unlink(missing_ok=True)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
