# SPDX-License-Identifier: Apache-2.0
"""Frames of a melt as files that other programs read: extended XYZ, and CHARMM's DCD.

Atoms are in the order of their ids and wrapped into the box, in single precision. A file grows
under a temporary name, and gets its own when the run is over.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from makespan.base.errors import InputError
from makespan.files.atomic import StagedFile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Positions = NDArray[np.float64]

SUFFIXES = (".xyz", ".extxyz", ".dcd")
ELEMENT = "Ar"
"""What the atoms are called: the pair potential was made for argon."""


class Trajectory(Protocol):
    """A file of frames that is being written."""

    frames: int

    def write(self, step: int, positions: Positions) -> None:
        """Appends a frame; positions of shape (atoms, 3)."""

    def keep(self) -> None:
        """The file gets its name. Raises `InputError` if the disk refuses."""

    def drop(self) -> None:
        """No file is left."""


def check_trajectory(path: Path) -> None:
    """Raises `InputError` if no format goes with the file's name."""
    if path.suffix not in SUFFIXES:
        raise InputError(
            f"{path}: '{path.suffix}' tells no format (known: {', '.join(SUFFIXES)}): name the "
            "file with one of them"
        )


def new_trajectory(
    path: Path, atoms: int, box: Sequence[float], every: int, time_step: float
) -> Trajectory:
    """Begins a file, in the format of its suffix. `every`: steps from one frame to the next."""
    check_trajectory(path)
    if path.suffix == ".dcd":
        return DcdFile(path, atoms, box, every, time_step)
    return XyzFile(path, box, time_step)


def wrapped(positions: Positions, box: Sequence[float]) -> NDArray[np.float32]:
    """In the box, each coordinate in [0, side) in single precision, too."""
    import numpy as np

    sides = np.array(box)
    inside = np.mod(positions, sides).astype(np.float32)
    return np.where(inside >= sides.astype(np.float32), np.float32(0), inside)


class XyzFile:
    """Extended XYZ: a line with the number of atoms, one with the box, one for each atom."""

    def __init__(self, path: Path, box: Sequence[float], time_step: float) -> None:
        self.frames = 0
        self._box = tuple(box)
        self._time_step = time_step
        self._file = StagedFile(path)

    def write(self, step: int, positions: Positions) -> None:
        """Appends a frame."""
        x, y, z = self._box
        head = (
            f'{len(positions)}\nLattice="{x:.9g} 0 0 0 {y:.9g} 0 0 0 {z:.9g}" '
            f"Properties=species:S:1:pos:R:3 Step={step} Time={step * self._time_step:.9g} "
            'pbc="T T T"\n'
        )
        line = f"{ELEMENT} %.8g %.8g %.8g\n"
        rows = wrapped(positions, self._box).tolist()
        self._file.write((head + "".join([line % tuple(row) for row in rows])).encode())
        self.frames += 1

    def keep(self) -> None:
        """The file gets its name."""
        self._file.keep()

    def drop(self) -> None:
        """No file is left."""
        self._file.drop()


class DcdFile:
    """DCD as CHARMM and NAMD write it: records with their lengths around them, little-endian."""

    def __init__(
        self,
        path: Path,
        atoms: int,
        box: Sequence[float],
        every: int,
        time_step: float,
    ) -> None:
        self.frames = 0
        self._atoms = atoms
        self._box = tuple(box)
        self._first = 0
        self._every = every
        self._time_step = time_step
        self._file = StagedFile(path)
        self._file.write(self._head())

    def write(self, step: int, positions: Positions) -> None:
        """Appends a frame: the box and its angles (as cosines), then all x, all y, all z."""
        if not self.frames:
            self._first = step
        x, y, z = self._box
        columns = wrapped(positions, self._box).astype("<f4").T
        cell = struct.pack("<6d", x, 0.0, y, 0.0, 0.0, z)
        self._file.write(b"".join(map(_record, (cell, *(one.tobytes() for one in columns)))))
        self.frames += 1

    def keep(self) -> None:
        """The head gets the number of frames, the file its name."""
        self._file.write_at(0, self._head())
        self._file.keep()

    def drop(self) -> None:
        """No file is left."""
        self._file.drop()

    def _head(self) -> bytes:
        numbers = [0] * 20
        numbers[0] = self.frames
        numbers[1] = _int32(self._first)
        numbers[2] = _int32(self._every)
        numbers[3] = _int32(self.frames * self._every)
        numbers[10] = 1  # frames begin with the box
        numbers[19] = 24  # as CHARMM 24 writes it
        # The tenth is a number with a point: the time step.
        control = struct.pack("<9if10i", *numbers[:9], self._time_step, *numbers[10:])
        title = b"makespan melt: Lennard-Jones units, atoms wrapped into the box".ljust(80)
        return b"".join(
            map(
                _record,
                (
                    b"CORD" + control,
                    struct.pack("<i", 1) + title,
                    struct.pack("<i", self._atoms),
                ),
            )
        )


def _record(data: bytes) -> bytes:
    length = struct.pack("<i", len(data))
    return length + data + length


def _int32(value: int) -> int:
    """The format has no room for more."""
    return min(value, 2**31 - 1)
