# SPDX-License-Identifier: Apache-2.0
"""What a diffusion begins with: formulas, and files with all that can be wrong with them."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from makespan.base.errors import InputError
from makespan.grids.diffusion.input import DIFFUSE_FILE
from makespan.grids.diffusion.start_values import start_planes
from makespan.grids.state_file import StateHead, write_state

X, Y, Z = 4, 3, 5
POINTS = [X, Y, Z]


def values_of(**keys: Any) -> np.ndarray:
    given = DIFFUSE_FILE.defaults().with_keywords({"points": POINTS, **keys})
    planes = start_planes(given)
    whole = planes(0, Z)
    parts = np.concatenate([planes(0, 2), planes(2, 3), planes(3, Z)])
    assert whole.shape == (Z, Y, X)
    assert np.array_equal(whole, parts)
    return np.asarray(whole)


def test_a_gaussian_is_highest_in_the_middle() -> None:
    found = values_of(start="gaussian", height=2.0, width=1.5, background=-1.0)

    for x, y, z in ((0, 0, 0), (1, 1, 2), (3, 2, 4)):
        square = (x - 1.5) ** 2 + (y - 1) ** 2 + (z - 2) ** 2
        expected = 2 * math.exp(-square / (2 * 1.5**2)) - 1
        assert found[z, y, x] == pytest.approx(expected, rel=1e-14)
    assert np.array_equal(found, found[::-1, ::-1, ::-1])


def test_a_centre_counts_from_the_corner_in_units_of_length() -> None:
    found = values_of(start="gaussian", width=0.3, spacing=[0.5, 1.0, 2.0], centre=[1.75, 0.5, 9.0])

    assert np.unravel_index(found.argmax(), found.shape) == (4, 0, 3)
    assert found.max() == 1.0


def test_a_point_is_one_voxel() -> None:
    found = values_of(start="point", height=5.0, background=1.0, spacing=0.5, centre=[0, 1.4, 2.4])

    assert found[4, 2, 0] == 6.0
    assert found.sum() == X * Y * Z + 5.0


def test_a_point_is_in_the_middle_if_nothing_is_said() -> None:
    assert values_of(start="point")[2, 1, 2] == 1.0


@pytest.mark.parametrize("centre", [[4.0, 1, 1], [-0.1, 1, 1], [1, 1, 1e308]])
def test_a_point_outside_is_refused(centre: list[float]) -> None:
    with pytest.raises(InputError, match="lies outside of the domain: give a place between"):
        values_of(start="point", centre=centre, spacing=[1.0, 1.0, 1e-50])


def test_a_mode_is_half_waves_between_faces() -> None:
    found = values_of(start="mode", half_waves=[1, 0, 2], height=3.0, background=0.5)

    for x, y, z in ((0, 0, 0), (2, 1, 3), (3, 2, 4)):
        wave = math.cos(math.pi * (x + 0.5) / X) * math.cos(2 * math.pi * (z + 0.5) / Z)
        assert found[z, y, x] == pytest.approx(0.5 + 3 * wave, abs=1e-14)


def test_uniform_is_the_same_everywhere() -> None:
    assert np.array_equal(
        values_of(start="uniform", height=2.0, background=0.25), [[[2.25] * X] * Y] * Z
    )


@pytest.mark.parametrize("kind", ["<f8", "<f4", ">f8", "<i4", "u1"])
def test_an_array_is_taken_as_it_is(tmp_path: Path, kind: str) -> None:
    values = np.arange(X * Y * Z).reshape(Z, Y, X).astype(kind)
    np.save(tmp_path / "u.npy", values)

    assert np.array_equal(values_of(start="file", file=str(tmp_path / "u.npy")), values)


def test_the_order_in_memory_does_not_matter(tmp_path: Path) -> None:
    values = np.arange(60.0).reshape(Z, Y, X)
    np.save(tmp_path / "u.npy", np.asfortranarray(values))

    assert np.array_equal(values_of(start="file", file=str(tmp_path / "u.npy")), values)


def head(fields: tuple[str, ...]) -> StateHead:
    return StateHead(
        application="diffuse",
        step=3,
        time=0.3,
        time_unit="",
        points=(X, Y, Z),
        spacing=(1.0, 1.0, 1.0),
        fields=fields,
        settings="{}",
    )


def write_fields(path: Path, fields: tuple[str, ...], values: np.ndarray) -> None:
    write_state(path, head(fields), lambda _, begin, end: values[begin:end])


def test_a_checkpoint_of_one_field_is_taken(tmp_path: Path) -> None:
    values = np.random.default_rng(1).random((Z, Y, X))
    write_fields(tmp_path / "u.vtkhdf", ("u",), values)

    assert np.array_equal(values_of(start="file", file=str(tmp_path / "u.vtkhdf")), values)


def save_nan(path: Path) -> None:
    values = np.zeros((Z, Y, X))
    values[3, 2, 1] = math.nan
    np.save(path, values)


Make = Callable[[Path], object]


@pytest.mark.parametrize(
    ("name", "make", "message"),
    [
        ("u.npy", lambda _: None, "there is no such file; name numpy's .npy"),
        ("u.npy", lambda path: path.mkdir(), "it cannot be read as numpy's .npy"),
        ("u.npy", lambda path: path.write_bytes(b""), "it cannot be read as numpy's .npy"),
        ("u.npy", lambda path: path.write_bytes(b"x" * 99), "it cannot be read as numpy's .npy"),
        (
            "u.npy",
            lambda path: np.save(path, np.zeros((X, Y, Z))),
            "values of shape (4, 3, 5), and the grid's (z, y, x) is (5, 3, 4)",
        ),
        ("u.npy", lambda path: np.save(path, np.float64(3)), "values of shape ()"),
        ("u.npy", lambda path: np.save(path, np.zeros((Z, Y, X), complex)), "no array of numbers"),
        ("u.npy", lambda path: np.save(path, np.full((Z, Y, X), "a")), "no array of numbers"),
        ("u.npy", lambda path: np.save(path, np.ones((Z, Y, X), bool)), "no array of numbers"),
        ("u.npy", save_nan, "the value at (x, y, z) = (1, 2, 3) is nan: give finite numbers"),
        ("u.csv", lambda path: path.write_text("1"), "'.csv' tells no format (known: .npy, .vtk"),
        ("u", lambda path: path.write_text("1"), "'' tells no format"),
        ("u.vtkhdf", lambda _: None, "cannot be read (No such file or directory)"),
        ("u.vtkhdf", lambda path: path.write_text("1"), "it is no HDF5 file"),
        (
            "u.vtkhdf",
            lambda path: write_fields(path, ("a", "b"), np.zeros((Z, Y, X))),
            "it holds 2 fields; give a file of one",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_said(
    tmp_path: Path, name: str, make: Make, message: str
) -> None:
    path = tmp_path / name
    make(path)

    with pytest.raises(InputError) as raised:
        values_of(start="file", file=str(path))

    assert str(raised.value).startswith(f"{path}: ")
    assert message in str(raised.value)


def test_a_file_must_be_named() -> None:
    with pytest.raises(InputError, match=r'\[start\] start = "file" needs file: name it'):
        values_of(start="file")
