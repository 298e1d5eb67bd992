# SPDX-License-Identifier: Apache-2.0
"""What is said of a spark by numbers: how bright, when, how wide, how long."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from makespan.grids.calcium.line_scan import ScanImage

    Numbers = NDArray[np.float64]

RISE_MIN = 1e-6
"""Of F/F0 over 1; below this there is no spark, but rounding."""


@dataclass(frozen=True, slots=True)
class Peak:
    """The brightest place of a line scan; the first in time, then along the line."""

    line: int
    voxel: int
    time: float
    """[ms]"""
    position: float
    """[um]"""
    light: float
    """F/F0"""


@dataclass(frozen=True, slots=True)
class HalfSpan:
    """Where what rises above 1 is at least half of its peak."""

    begin: float
    end: float
    half: float
    """F/F0 at either end."""

    @property
    def length(self) -> float:
        """From one end to the other."""
        return self.end - self.begin


@dataclass(frozen=True, slots=True)
class SparkMeasures:
    """Each None where there is none: no spark, or one that the scan does not hold to its half."""

    peak: Peak | None
    time_to_peak: float | None
    """[ms], from when release began."""
    width: HalfSpan | None
    """Along the line at the time of the peak: its length is the full width at half maximum [um]."""
    duration: HalfSpan | None
    """At the peak's position: its length is the full duration at half maximum [ms]."""


def measured(image: ScanImage, release: float = 0.0) -> SparkMeasures:
    """Measures the brightest spark of a scan; `release` is when it began [ms]."""
    peak = _peak(image)
    if peak is None:
        return SparkMeasures(None, None, None, None)
    return SparkMeasures(
        peak=peak,
        time_to_peak=peak.time - release,
        width=half_span(image.positions, image.light[peak.line], peak.voxel),
        duration=half_span(image.times, image.light[:, peak.voxel], peak.line),
    )


def _peak(image: ScanImage) -> Peak | None:
    import numpy as np

    if not image.light.size or not image.light.max() > 1 + RISE_MIN:
        return None
    line, voxel = (int(at) for at in np.unravel_index(image.light.argmax(), image.light.shape))
    return Peak(
        line=line,
        voxel=voxel,
        time=float(image.times[line]),
        position=float(image.positions[voxel]),
        light=float(image.light[line, voxel]),
    )


def half_span(places: Numbers, light: Numbers, peak: int) -> HalfSpan | None:
    """From `peak` both ways to where F/F0 - 1 is half of what it is there.

    Between two values by a straight line; None if it is not reached on both sides. Shapes (n).
    """
    half = 1 + (float(light[peak]) - 1) / 2
    begin = _crossing(places[peak::-1], light[peak::-1], half)
    end = _crossing(places[peak:], light[peak:], half)
    return None if begin is None or end is None else HalfSpan(begin, end, half)


def _crossing(places: Numbers, light: Numbers, half: float) -> float | None:
    """Where light that begins above `half` first comes down to it."""
    import numpy as np

    below = np.flatnonzero(light <= half)
    if not below.size:
        return None
    at = int(below[0])
    part = (float(light[at - 1]) - half) / float(light[at - 1] - light[at])
    return float(places[at - 1] + part * (places[at] - places[at - 1]))
