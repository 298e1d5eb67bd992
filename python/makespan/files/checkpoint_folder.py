# SPDX-License-Identifier: Apache-2.0
"""Folders of checkpoints, which have numbers in their names: those of two runs do not mix."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from makespan.base.errors import InputError
from makespan.base.setting_names import called
from makespan.files.resolved_path import resolved


@dataclass(frozen=True, slots=True)
class CheckpointNames:
    """How checkpoints of one kind are called: `step-20.vtkhdf`, `phase-3`."""

    prefix: str
    suffix: str = ""

    def path(self, folder: Path, number: int) -> Path:
        """Of this number."""
        return folder / f"{self.prefix}{number}{self.suffix}"

    def number(self, path: Path) -> int | None:
        """In the name; None for what is called otherwise."""
        name = path.name
        if not (name.startswith(self.prefix) and name.endswith(self.suffix)):
            return None
        digits = name[len(self.prefix) : len(name) - len(self.suffix)]
        return int(digits) if digits.isdecimal() else None

    def all_in(self, folder: Path) -> list[Path]:
        """The complete ones, the oldest first; none where there is no folder."""
        found = {one: self.number(one) for one in folder.glob(f"{self.prefix}*{self.suffix}")}
        return sorted(
            (one for one, number in found.items() if number is not None),
            key=lambda one: found[one] or 0,
        )

    def check(self, folder: Path, restart_from: Path | None, made: Path | None = None) -> None:
        """Raises `InputError` if checkpoints would lie among those of another run.

        `made` is a folder that will have been made before the first one. Also for a folder that
        may not be looked into.
        """
        there = resolved(folder)
        if there.exists() and not there.is_dir():
            raise InputError(f"{called('checkpoint')} {folder}: it is a file; name a folder")
        if not folder.parent.is_dir() and folder.parent != made:
            raise InputError(
                f"{called('checkpoint')} {folder}: folder {folder.parent} does not exist; create it"
            )
        others = self.all_in(folder)
        is_own = restart_from is not None and resolved(restart_from).parent == there
        if others and not is_own:
            raise InputError(
                f"{called('checkpoint')} {folder}: it holds those of an earlier run; give "
                f"{called('restart_from')} {others[-1]}, or name another folder"
            )
