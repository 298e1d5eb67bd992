# SPDX-License-Identifier: Apache-2.0
"""Reads DCD by its definition, for tests of what makespan writes.

Written from what CHARMM's documentation and VMD's plug-in (dcdplugin) say of the format: Fortran
records, each between two copies of its length; a control record of "CORD" and 20 numbers; titles
of 80 letters; the number of atoms; then for each frame, if the eleventh number is 1, the box as
A, gamma, B, beta, alpha, C in double precision, and x, y and z in single.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Dcd:
    """The content of a file; positions of shape (frames, atoms, 3)."""

    first: int
    every: int
    steps: int
    time_step: float
    version: int
    titles: list[str]
    boxes: np.ndarray
    positions: np.ndarray


def records(data: bytes) -> list[bytes]:
    """All of them; fails if lengths do not agree."""
    found = []
    at = 0
    while at < len(data):
        (length,) = struct.unpack_from("<i", data, at)
        (again,) = struct.unpack_from("<i", data, at + 4 + length)
        assert length == again
        found.append(data[at + 4 : at + 4 + length])
        at += length + 8
    return found


def read_dcd(path: Path) -> Dcd:
    control, title, count, *frames = records(path.read_bytes())
    assert control[:4] == b"CORD"
    numbers = struct.unpack("<20i", control[4:])
    (time_step,) = struct.unpack("<f", control[4 + 36 : 4 + 40])
    (titles,) = struct.unpack_from("<i", title)
    (atoms,) = struct.unpack("<i", count)
    assert len(title) == 4 + 80 * titles
    assert numbers[10] == 1
    assert numbers[8] == 0  # no atoms are fixed
    assert len(frames) == 4 * numbers[0]
    boxes = np.array([np.frombuffer(frame, "<f8") for frame in frames[::4]])
    columns = [
        np.array([np.frombuffer(frame, "<f4") for frame in frames[axis::4]]) for axis in (1, 2, 3)
    ]
    positions = np.stack(columns, axis=-1).reshape(-1, atoms, 3)
    return Dcd(
        first=numbers[1],
        every=numbers[2],
        steps=numbers[3],
        time_step=time_step,
        version=numbers[19],
        titles=[title[4 + 80 * k : 84 + 80 * k].decode() for k in range(titles)],
        boxes=boxes,
        positions=positions,
    )
