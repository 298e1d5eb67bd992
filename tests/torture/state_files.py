# SPDX-License-Identifier: Apache-2.0
"""Checkpoints that are looked at from outside."""

from __future__ import annotations

from pathlib import Path

from makespan.base.errors import InputError
from makespan.grids.state_file import open_state

from tests.torture.fault import Fault


def checkpoints_of(folder: Path, prefix: str, suffix: str) -> list[Path]:
    """By their numbers, the oldest first; none without a folder."""
    found = {}
    for path in folder.glob(f"{prefix}*{suffix}") if folder.is_dir() else ():
        number = path.name[len(prefix) : len(path.name) - len(suffix)]
        if number.isdecimal():
            found[int(number)] = path
    return [found[number] for number in sorted(found)]


def check_state_file(path: Path) -> None:
    """Raises `Fault` if a value cannot be read, or is not the one that was written."""
    try:
        with open_state(path) as state:
            for field in range(len(state.head.fields)):
                state.read(field, 0, state.head.points[2])
    except InputError as error:
        raise Fault(f"{path.name} cannot be read: {error}") from error
