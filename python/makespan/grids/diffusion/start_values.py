# SPDX-License-Identifier: Apache-2.0
"""What a diffusion begins with: a formula, or a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from makespan.base import portable_math
from makespan.base.errors import InputError
from makespan.base.extras import require
from makespan.grids.diffusion.input import points_of, spacing_of
from makespan.settings.input_file import InputValues

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

    Planes = Callable[[int, int], Values]
    """Of planes from z_begin up to z_end: an array of (z, y, x)."""


def start_planes(given: InputValues) -> Planes:
    """Raises `InputError` for a file that does not fit, now or when its planes are asked for."""
    if given["start"] == "file":
        return _file_planes(given)
    if given["file"]:
        raise InputError(
            f"{given.blamed}: file = {given['file']} (start = {given['start']} needs none): let "
            "start be file, or leave it out"
        )
    if given["start"] == "point":
        return _point_planes(given)
    height, background = float(given["height"]), float(given["background"])

    @cache
    def factors() -> list[Values]:  # not before the engine has accepted the grid's size
        return _factors(given)

    def planes(z_begin: int, z_end: int) -> Values:
        import numpy as np

        x, y, z = factors()
        with np.errstate(over="ignore"):  # the run tells where
            return background + height * (
                z[z_begin:z_end, None, None] * y[None, :, None] * x[None, None, :]
            )

    return planes


def planes_of(values: Values) -> Planes:
    """Of an array of (z, y, x)."""
    return lambda z_begin, z_end: values[z_begin:z_end]


def _middles(given: InputValues) -> list[Values]:
    """Of the points along each axis, from the domain's corner."""
    import numpy as np

    return [
        (np.arange(count, dtype=np.float64) + 0.5) * spacing
        for count, spacing in zip(points_of(given), spacing_of(given), strict=True)
    ]


def _centre(given: InputValues) -> list[float]:
    sides = [
        count * spacing for count, spacing in zip(points_of(given), spacing_of(given), strict=True)
    ]
    return given["centre"] or [side / 2 for side in sides]


def _factors(given: InputValues) -> list[Values]:
    """Of formulas that are a product of three, by axis."""
    import numpy as np

    middles = _middles(given)
    if given["start"] == "gaussian":
        width = float(given["width"])
        return [
            portable_math.exp(-0.5 * ((at - centre) / width) ** 2)
            for at, centre in zip(middles, _centre(given), strict=True)
        ]
    if given["start"] == "mode":
        counts = points_of(given)
        return [
            portable_math.cos(np.pi * number * (np.arange(count) + 0.5) / count)
            for number, count in zip(given["half_waves"], counts, strict=True)
        ]
    return [np.ones(len(at)) for at in middles]


def _point_planes(given: InputValues) -> Planes:
    import numpy as np

    points = points_of(given)
    places = [
        place / spacing for place, spacing in zip(_centre(given), spacing_of(given), strict=True)
    ]
    if not all(0 <= place < count for place, count in zip(places, points, strict=True)):
        raise InputError(
            f"{given.blamed}: [start] centre = {given['centre']} lies outside of the domain: give "
            "a place between its corners"
        )

    at = [int(place) for place in places]

    def planes(z_begin: int, z_end: int) -> Values:
        values = np.full((z_end - z_begin, points[1], points[0]), float(given["background"]))
        if z_begin <= at[2] < z_end:
            values[at[2] - z_begin, at[1], at[0]] += float(given["height"])
        return values

    return planes


def _file_planes(given: InputValues) -> Planes:
    path = Path(given["file"])
    if not given["file"]:
        raise InputError(f'{given.blamed}: [start] start = "file" needs file: name it')
    if path.suffix not in _READERS:
        raise InputError(
            f"{path}: '{path.suffix}' tells no format (known: {', '.join(_READERS)}): name one of "
            "these"
        )
    values = _READERS[path.suffix](path, points_of(given))

    def planes(z_begin: int, z_end: int) -> Values:
        return _finite(path, values[z_begin:z_end], z_begin)

    return planes


def _check_shape(path: Path, shape: tuple[int, ...], points: tuple[int, int, int]) -> None:
    if shape != points[::-1]:
        raise InputError(
            f"{path}: it holds values of shape {shape}, and the grid's (z, y, x) is "
            f"{points[::-1]}: give it as many"
        )


def _array(path: Path, points: tuple[int, int, int]) -> Values:
    import numpy as np

    try:
        values = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError as error:
        raise InputError(f"{path}: there is no such file; name numpy's .npy") from error
    except Exception as error:  # numpy reads the head by Python's parser, which raises anything
        why = str(error).partition("\n")[0]
        raise InputError(f"{path}: it cannot be read as numpy's .npy ({why})") from error
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "fiu":
        raise InputError(f"{path}: it holds no array of numbers; save one by numpy.save")
    _check_shape(path, values.shape, points)
    return values


def _field(path: Path, points: tuple[int, int, int]) -> Values:
    from makespan.grids.state_file import open_state

    require("grids", for_=str(path))
    with open_state(path) as state:
        if len(state.head.fields) != 1:
            raise InputError(
                f"{path}: it holds {len(state.head.fields)} fields; give a file of one"
            )
        # Before they are read: a small file may say that it has any number.
        _check_shape(path, state.head.points[::-1], points)
        return state.read(0, 0, state.head.points[2])


_READERS = {".npy": _array, ".vtkhdf": _field}


def _finite(path: Path, values: Values, z_begin: int) -> Values:
    import numpy as np

    planes = np.ascontiguousarray(values, dtype=np.float64)
    if not np.isfinite(planes).all():
        z, y, x = np.argwhere(~np.isfinite(planes))[0]
        raise InputError(
            f"{path}: the value at (x, y, z) = ({x}, {y}, {z_begin + z}) is {planes[z, y, x]}: "
            "give finite numbers"
        )
    return planes
