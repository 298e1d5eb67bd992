# SPDX-License-Identifier: Apache-2.0
"""Folders of checkpoints: which there are, and that those of two runs do not mix."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from makespan.base.setting_names import called
from makespan.files.checkpoint_folder import CheckpointNames
from makespan.files.folder_lock import locked_folder

CHECKPOINTS = CheckpointNames("phase-")


def last_checkpoint(folder: Path | None) -> Path | None:
    """The one with the most phases."""
    return None if folder is None else next(reversed(CHECKPOINTS.all_in(folder)), None)


def check_checkpoints(folder: Path | None, restart_from: Path | None) -> None:
    """Raises `InputError` if checkpoints would lie among those of another run."""
    if folder is not None:
        CHECKPOINTS.check(folder, restart_from)


@contextmanager
def locked_checkpoints(folder: Path | None, restart_from: Path | None) -> Iterator[None]:
    """Keeps other runs out of the folder. Raises `InputError` as `check_checkpoints` does."""
    if folder is None:
        yield
        return
    with locked_folder(called("checkpoint"), folder):
        check_checkpoints(folder, restart_from)  # a run may have ended since it was looked at
        yield
