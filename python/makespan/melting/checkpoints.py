# SPDX-License-Identifier: Apache-2.0
"""Folders of checkpoints: which there are, and that those of two runs do not mix."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from makespan.base.errors import InputError
from makespan.files.folder_lock import locked_folder


def checkpoints_in(folder: Path) -> list[Path]:
    """The complete ones, the oldest first."""
    found = [one for one in folder.glob("phase-*") if one.name[len("phase-") :].isdecimal()]
    return sorted(found, key=lambda one: int(one.name[len("phase-") :]))


def last_checkpoint(folder: Path | None) -> Path | None:
    """The one with the most phases."""
    return None if folder is None else next(reversed(checkpoints_in(folder)), None)


def phases_done(checkpoint: Path | None) -> int:
    """Phases that were over, of the first forces not counted; 0 where the name does not say."""
    number = "" if checkpoint is None else checkpoint.name.removeprefix("phase-")
    return int(number) - 1 if number.isdecimal() and int(number) > 0 else 0


def check_checkpoints(folder: Path | None, restart_from: Path | None) -> None:
    """Raises `InputError` if checkpoints would lie among those of another run."""
    if folder is None:
        return
    if folder.exists() and not folder.is_dir():
        raise InputError(f"checkpoint {folder}: it is a file; name a folder")
    if not folder.parent.is_dir():
        raise InputError(f"checkpoint {folder}: folder {folder.parent} does not exist; create it")
    others = checkpoints_in(folder)
    is_own = restart_from is not None and restart_from.resolve().parent == folder.resolve()
    if others and not is_own:
        raise InputError(
            f"checkpoint {folder}: it holds those of an earlier run; restart from {others[-1]}, or "
            "name another folder"
        )


@contextmanager
def locked_checkpoints(folder: Path | None, restart_from: Path | None) -> Iterator[None]:
    """Keeps other runs out of the folder. Raises `InputError` as `check_checkpoints` does."""
    if folder is None:
        yield
        return
    with locked_folder("checkpoint", folder):
        check_checkpoints(folder, restart_from)  # a run may have ended since it was looked at
        yield
