# SPDX-License-Identifier: Apache-2.0
"""Pictures of grids: what is where on them, and that the same data are the same bytes."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from makespan.base.errors import InputError
from makespan.grids.calcium.line_scan import ScanImage, middles
from makespan.grids.calcium.scan_picture import edges, write_scan
from makespan.grids.calcium.spark_figure import PeakSlice, measures_text, write_spark
from makespan.grids.calcium.spark_measures import measured
from makespan.grids.slice_picture import (
    ColourScale,
    FieldSlice,
    ScaleKind,
    SliceLook,
    SliceRegions,
    outline,
    scale_of,
    write_slice,
)
from matplotlib.image import imread
from sparks import calm, spark

LOOK = SliceLook("Ca²⁺", "µM", scale=ColourScale(0.1, 1000, ScaleKind.LOG))


def some_slice() -> FieldSlice:
    """Across the optical axis: 40 voxels to the right, 30 up; larger to the right."""
    values = np.broadcast_to(np.geomspace(0.01, 1800, 40), (30, 40))
    return FieldSlice(values, (0.05, 0.05), ("x", "y"), "z", 1.025, 10.0)


def some_regions() -> SliceRegions:
    numbers = np.zeros((30, 40), dtype=np.uint8)
    numbers[10:20] = 3
    numbers[22:25, 10:30] = 4
    return SliceRegions(numbers, {3: "T-tubule", 4: "junctional SR", 9: "nowhere"}, frozenset({4}))


def test_the_same_data_are_the_same_bytes(tmp_path: Path) -> None:
    """Also where the user's own settings of matplotlib are others."""
    shown = PeakSlice(some_slice(), LOOK, some_regions())

    write_spark(tmp_path / "a.png", spark(), shown)
    with mpl.rc_context({"axes.facecolor": "black", "font.size": 20, "savefig.dpi": 50}):
        write_spark(tmp_path / "b.png", spark(), shown)

    data = (tmp_path / "a.png").read_bytes()
    assert data == (tmp_path / "b.png").read_bytes()
    assert b"tEXt" not in data
    assert b"tIME" not in data


def test_drawing_leaves_no_trace(tmp_path: Path) -> None:
    """Goal: programs that draw for themselves are not disturbed; no display is looked for."""
    before = dict(mpl.rcParams)

    write_scan(tmp_path / "a.png", spark())

    assert dict(mpl.rcParams) == before
    code = (
        "import sys; from pathlib import Path; from sparks import spark\n"
        "from makespan.grids.calcium.scan_picture import write_scan\n"
        f"write_scan(Path({str(tmp_path / 'b.png')!r}), spark())\n"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parent)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_brighter_is_more(tmp_path: Path) -> None:
    """The middle row of pixels of the plane itself: from black to yellow, to the right."""
    write_slice(tmp_path / "a.png", some_slice(), LOOK)

    pixels = imread(tmp_path / "a.png")[..., :3].sum(axis=2)

    row = pixels[len(pixels) // 2]
    steps = np.flatnonzero(np.diff(row))
    inside = row[140:700]
    assert len(steps) > 30
    assert inside[-1] > 2.0
    assert inside[10] < 0.2
    assert (np.diff(inside) > -0.05).all()


@pytest.mark.parametrize(
    "values",
    [
        np.zeros((4, 5)),
        np.full((4, 5), 7.0),
        np.full((1, 1), -3.0),
        np.full((4, 5), np.nan),
        np.where(np.eye(4, 5) > 0, np.nan, -1.0),
        np.linspace(-1e300, 1e300, 20).reshape(4, 5),
        np.ones((2, 400)),
        np.ones((400, 2)),
    ],
)
@pytest.mark.parametrize("kind", ScaleKind)
def test_any_values_can_be_shown(tmp_path: Path, values: np.ndarray, kind: ScaleKind) -> None:
    shown = replace(some_slice(), values=values)
    look = SliceLook("u", length_unit="", time_unit="", scale=scale_of(values, kind))

    write_slice(tmp_path / "a.png", shown, look)

    height, width, _ = imread(tmp_path / "a.png").shape
    assert 300 < height < 1500
    assert width in (919, 920)  # matplotlib before 3.11 cuts 919.99… off


def test_regions_may_hide_all(tmp_path: Path) -> None:
    numbers = np.full((30, 40), 4)

    write_slice(
        tmp_path / "a.png", some_slice(), SliceLook("u"), SliceRegions(numbers, {}, frozenset({4}))
    )

    assert (tmp_path / "a.png").exists()


@pytest.mark.parametrize("image", [spark(), calm()])
@pytest.mark.parametrize("lines", [1, 2, 161])
def test_any_scan_can_be_shown(tmp_path: Path, image: ScanImage, lines: int) -> None:
    begun = ScanImage(image.times[:lines], image.positions, image.light[:lines])

    write_scan(tmp_path / "a.png", begun)
    write_spark(tmp_path / "b.png", begun)

    assert imread(tmp_path / "b.png").shape == (1080, 1440, 4)


def test_a_scale_fits_the_values() -> None:
    values = np.array([[-2.0, 0.5], [np.nan, 8.0]])

    assert scale_of(values) == ColourScale(-2.0, 8.0)
    assert scale_of(values, ScaleKind.LOG) == ColourScale(0.5, 8.0, ScaleKind.LOG)


def test_an_outline_goes_around_voxels() -> None:
    """Method: a voxel, an L of three, and one in the corner, on a plane of 4 x 6."""
    inside = np.zeros((4, 6), dtype=bool)
    inside[1, 1] = True
    assert drawn(inside) == {((1, 1), (2, 1)), ((1, 2), (2, 2)), ((1, 1), (1, 2)), ((2, 1), (2, 2))}

    inside[:] = False
    inside[1, 1:3] = inside[2, 1] = True
    assert drawn(inside) == {
        *{((1, 1), (3, 1)), ((2, 2), (3, 2)), ((1, 3), (2, 3))},
        *{((1, 1), (1, 3)), ((3, 1), (3, 2)), ((2, 2), (2, 3))},
    }

    inside[:] = False
    inside[3, 5] = True
    assert drawn(inside) == {((5, 3), (6, 3)), ((5, 3), (5, 4))}
    assert drawn(np.ones((3, 3), dtype=bool)) == set()


def drawn(inside: np.ndarray) -> set[tuple[tuple[float, ...], ...]]:
    """Lines in units of voxels, which are 2 wide and 0.5 high."""
    lines = outline(inside, (2.0, 0.5)) / np.array([2.0, 0.5])
    return {(tuple(begin), tuple(end)) for begin, end in lines.tolist()}


def test_each_line_of_a_scan_is_around_its_time() -> None:
    assert edges(np.array([0.0, 1.0, 3.0])).tolist() == [-0.5, 0.5, 2.0, 4.0]
    assert edges(np.array([2.0])).tolist() == [1.5, 2.5]
    assert edges(middles(3, 0.5)).tolist() == [0.0, 0.5, 1.0, 1.5]


def test_measures_are_told() -> None:
    whole = spark()
    begun = ScanImage(whole.times[:44], whole.positions, whole.light[:44])

    assert measures_text(measured(whole)) == (
        "Peak F/F₀ 3.5,   time to peak 10 ms,   FWHM 0.942 µm,   FDHM 10.5 ms"
    )
    assert measures_text(measured(begun)).endswith("FWHM 0.942 µm")
    assert measures_text(measured(calm())) == "No spark"


def test_a_disk_that_refuses_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot write .*nowhere/a\.png"):
        write_scan(tmp_path / "nowhere" / "a.png", spark())
