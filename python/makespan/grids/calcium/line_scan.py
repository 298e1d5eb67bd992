# SPDX-License-Identifier: Apache-2.0
"""What a confocal microscope sees of a dye while it scans a line along x again and again.

A line is the dye's field blurred by the microscope's point spread: a Gaussian along each axis, its
variances those of Walker et al., Biophys. J. 107 (2014) 3009 (code mwalker174/srs,
DefaultScan.xml). The optical axis is z. Lengths are in um, times in ms.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

SIGMAS_MAX = 4.0
"""Beyond so many standard deviations a voxel gives no light: 6e-5 of it, along one axis."""


@dataclass(frozen=True, slots=True)
class PointSpread:
    """Variances of the light that comes from beside a point [um^2]."""

    x: float = 0.0289  # full width at half maximum 0.40 um
    y: float = 0.0289
    z: float = 0.1154  # 0.80 um

    def __iter__(self) -> Iterator[float]:
        return iter((self.x, self.y, self.z))


CONFOCAL = PointSpread()


def spread_weights(variance: float, spacing: float) -> list[float]:
    """Of voxels at and beside a point, by how many voxels they are away; not normalised."""
    reach = math.floor(SIGMAS_MAX * math.sqrt(variance) / spacing)
    return [math.exp(-((spacing * away) ** 2) / (2 * variance)) for away in range(reach + 1)]


def scanned_box(
    points: Sequence[int], spacing: float, line: Sequence[int], spread: PointSpread = CONFOCAL
) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Begin and end (x, y, z) of the voxels that give light to the line through voxels (y, z)."""
    reach_y, reach_z = (len(spread_weights(each, spacing)) - 1 for each in (spread.y, spread.z))
    y, z = line
    begin = (0, max(0, y - reach_y), max(0, z - reach_z))
    end = (points[0], min(points[1], y + reach_y + 1), min(points[2], z + reach_z + 1))
    return begin, end


def scanned_line(
    values: Numbers, spacing: float, line: Sequence[int], spread: PointSpread = CONFOCAL
) -> Numbers:
    """The light of each voxel of a line, shape (x), in the unit of `values`, shape (z, y, x).

    `line` is (y, z) of its voxels in the array. Where voxels hold no dye their values are 0. At the
    array's ends the weights are those of what is there, their sum 1: so nothing shows of a whole
    grid's end, or of that of a `scanned_box`. Adds in one order: the same values give the same
    bits.
    """
    y, z = line
    plane = _weighted(values, z, spread_weights(spread.z, spacing))
    row = _weighted(plane, y, spread_weights(spread.y, spacing))
    return _blurred(row, spread_weights(spread.x, spacing))


def middles(voxels: int, spacing: float) -> Numbers:
    """Positions of a line's voxels, shape (voxels)."""
    import numpy as np

    return (np.arange(voxels, dtype=np.float64) + 0.5) * spacing


def _weighted(values: Numbers, at: int, weights: Sequence[float]) -> Numbers:
    """The mean around `at` along the first axis."""
    import numpy as np

    begin, end = max(0, at - len(weights) + 1), min(len(values), at + len(weights))
    light = np.zeros(values.shape[1:])
    for index in range(begin, end):
        light += weights[abs(index - at)] * values[index]
    return light / math.fsum(weights[abs(index - at)] for index in range(begin, end))


def _blurred(row: Numbers, weights: Sequence[float]) -> Numbers:
    """The mean around each value."""
    import numpy as np

    light, total = weights[0] * row, np.full(len(row), weights[0])
    for away, weight in enumerate(weights[1 : len(row)], start=1):
        light[away:] += weight * row[:-away]
        light[:-away] += weight * row[away:]
        total[away:] += weight
        total[:-away] += weight
    blurred: Numbers = light / total
    return blurred


@dataclass(frozen=True, slots=True)
class ScanImage:
    """Lines that were scanned one after the other, over the light at rest."""

    times: Numbers
    """[ms], shape (time)."""
    positions: Numbers
    """Middles of voxels [um], shape (x)."""
    light: Numbers
    """F/F0, shape (time, x)."""


class LineScan:
    """Collects lines, after those of an earlier run if there was one."""

    def __init__(self, positions: Numbers, rest: Numbers | float, earlier: ScanImage | None = None):
        """`rest` is the light of a line without a spark: one number, or shape (x)."""
        self._positions = positions
        self._rest = rest
        self._times = [] if earlier is None else earlier.times.tolist()
        self._lines = [] if earlier is None else list(earlier.light)

    def __len__(self) -> int:
        return len(self._lines)

    def add(self, time: float, light: Numbers) -> None:
        """The next line, shape (x); times increase."""
        if light.shape != self._positions.shape:
            raise ValueError(f"a line of shape {light.shape}, not {self._positions.shape}")
        if self._times and not time > self._times[-1]:
            raise ValueError(f"a line at {time} ms after one at {self._times[-1]} ms")
        self._times.append(float(time))
        self._lines.append(relative(light, self._rest))

    @property
    def image(self) -> ScanImage:
        """All lines so far."""
        import numpy as np

        light = np.array(self._lines).reshape(len(self), len(self._positions))
        return ScanImage(np.array(self._times), self._positions, light)


def relative(light: Numbers, rest: Numbers | float) -> Numbers:
    """F/F0; 1 where there is no light at rest."""
    import numpy as np

    at_rest = np.broadcast_to(rest, light.shape)
    found = np.ones(light.shape)
    np.divide(light, at_rest, out=found, where=at_rest > 0)
    return found
