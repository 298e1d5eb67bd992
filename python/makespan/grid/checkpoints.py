# SPDX-License-Identifier: Apache-2.0
"""Folders of checkpoints: the last two are kept, and no run writes among those of another."""

from __future__ import annotations

from pathlib import Path

from makespan.base.errors import InputError

_PREFIX = "step-"
SUFFIX = ".vtkhdf"
KEPT = 2


def checkpoint_path(folder: Path, step: int) -> Path:
    """That of a step."""
    return folder / f"{_PREFIX}{step}{SUFFIX}"


def checkpoints_in(folder: Path) -> list[Path]:
    """The complete ones, the oldest first."""
    found = [one for one in folder.glob(f"{_PREFIX}*{SUFFIX}") if _number(one).isdecimal()]
    return sorted(found, key=lambda one: int(_number(one)))


def drop_old(folder: Path, step: int) -> None:
    """All but the last two up to this step.

    A run that goes on from an earlier checkpoint may find later ones: it keeps them until it has
    reached their steps.
    """
    mine = [one for one in checkpoints_in(folder) if int(_number(one)) <= step]
    for one in mine[:-KEPT]:
        one.unlink(missing_ok=True)


def check_folder(folder: Path, restart_from: Path | None, out: Path | None = None) -> None:
    """Raises `InputError` if checkpoints would lie among those of another run.

    `out` is a folder that will have been made before the first one.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--checkpoint {folder}: it is a file; name a folder")
    if not folder.parent.is_dir() and folder.parent != out:
        raise InputError(f"--checkpoint {folder}: folder {folder.parent} does not exist; create it")
    others = checkpoints_in(folder) if folder.is_dir() else []
    is_own = restart_from is not None and restart_from.resolve().parent == folder.resolve()
    if others and not is_own:
        raise InputError(
            f"--checkpoint {folder}: it holds those of an earlier run; go on with "
            f"--restart-from {others[-1]}, or name another folder"
        )


def _number(path: Path) -> str:
    return path.name[len(_PREFIX) : -len(SUFFIX)]
