# SPDX-License-Identifier: Apache-2.0
"""Trajectories, read back: by the format's definition, not by our writer's."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from dcd_reader import read_dcd
from makespan.base.errors import InputError
from makespan.melting.trajectory import new_trajectory, wrapped

BOX = (10.0, 20.0, 30.0)


def some_frames(frames: int = 3, atoms: int = 50) -> np.ndarray:
    """Some atoms are a little outside of the box."""
    spread = np.random.default_rng(1).uniform(-0.1, 1.1, (frames, atoms, 3))
    return np.asarray(spread * np.array(BOX))


def written(path: Path, frames: np.ndarray) -> None:
    trajectory = new_trajectory(path, frames.shape[1], BOX, 20, 0.005)
    for number, frame in enumerate(frames):
        trajectory.write(40 + 20 * number, frame)
    assert not path.exists()
    trajectory.keep()
    assert trajectory.frames == len(frames)


def read_xyz(path: Path) -> list[tuple[str, np.ndarray]]:
    """By the extended XYZ specification: comment line and columns species, x, y, z."""
    lines = path.read_text().splitlines()
    found = []
    while lines:
        count = int(lines[0])
        rows = [line.split() for line in lines[2 : 2 + count]]
        assert {row[0] for row in rows} == {"Ar"}
        found.append((lines[1], np.array([row[1:] for row in rows], dtype=float)))
        lines = lines[2 + count :]
    return found


def test_xyz_is_read_back(tmp_path: Path) -> None:
    frames = some_frames()
    written(tmp_path / "melt.xyz", frames)

    found = read_xyz(tmp_path / "melt.xyz")

    assert len(found) == 3
    for number, (comment, positions) in enumerate(found):
        assert 'Lattice="10 0 0 0 20 0 0 0 30"' in comment
        assert "Properties=species:S:1:pos:R:3" in comment
        assert 'pbc="T T T"' in comment
        assert re.search(r"Step=(\d+) Time=([\d.]+)", comment).groups() == (  # type: ignore[union-attr]
            str(40 + 20 * number),
            f"{(40 + 20 * number) * 0.005:.9g}",
        )
        np.testing.assert_allclose(positions, frames[number] % BOX, rtol=2e-7, atol=2e-6)
        assert (positions >= 0).all()
        assert (positions < BOX).all()


def test_dcd_is_read_back(tmp_path: Path) -> None:
    frames = some_frames()
    written(tmp_path / "melt.dcd", frames)

    found = read_dcd(tmp_path / "melt.dcd")

    assert (found.first, found.every, found.steps, found.version) == (40, 20, 60, 24)
    assert found.time_step == pytest.approx(0.005)
    assert "Lennard-Jones units" in found.titles[0]
    assert found.boxes.tolist() == [[10.0, 0.0, 20.0, 0.0, 0.0, 30.0]] * 3
    np.testing.assert_allclose(found.positions, frames % BOX, rtol=2e-7, atol=2e-6)


def test_no_atom_is_on_the_far_side_of_the_box() -> None:
    just_below = np.array([[np.nextafter(10.0, 0.0), -1e-12, 30.0]])

    assert wrapped(just_below, BOX).tolist() == [[0.0, 0.0, 0.0]]


def test_what_is_dropped_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "melt.dcd"
    path.write_text("old")
    trajectory = new_trajectory(path, 50, BOX, 1, 0.005)
    trajectory.write(0, some_frames()[0])

    trajectory.drop()

    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_other_names_tell_no_format(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'.pdb' tells no format"):
        new_trajectory(tmp_path / "melt.pdb", 1, BOX, 1, 0.005)


def test_a_disk_that_refuses_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot write .*nowhere/melt\.xyz"):
        new_trajectory(tmp_path / "nowhere" / "melt.xyz", 1, BOX, 1, 0.005)
