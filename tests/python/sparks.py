# SPDX-License-Identifier: Apache-2.0
"""Line scans of sparks whose measures are known."""

from __future__ import annotations

import numpy as np
from makespan.grids.calcium.line_scan import ScanImage, middles

SPACING = 0.02
RISE = 2.5
"""Of F/F0 over 1, at the peak."""
SIGMA_UM = 0.4
DECAY_MS = 8.0
PEAK_MS = 10.0


def exact_width() -> float:
    """Full width at half maximum of a Gaussian [um]."""
    return 2 * SIGMA_UM * float(np.sqrt(2 * np.log(2)))


def exact_duration() -> float:
    """From half of a straight rise to half of an exponential decay [ms]."""
    return PEAK_MS / 2 + DECAY_MS * float(np.log(2))


def spark() -> ScanImage:
    """A Gaussian along the line, which rises by a straight line and decays exponentially."""
    positions = middles(201, SPACING)
    times = np.arange(0, 40.01, 0.25)
    course = np.where(times < PEAK_MS, times / PEAK_MS, np.exp((PEAK_MS - times) / DECAY_MS))
    profile = np.exp(-((positions - positions[100]) ** 2) / (2 * SIGMA_UM**2))
    return ScanImage(times, positions, 1 + RISE * np.outer(course, profile))


def calm() -> ScanImage:
    """A line scan without a spark."""
    sparkling = spark()
    return ScanImage(
        sparkling.times, sparkling.positions, 1 + 1e-9 * np.random.default_rng(1).random((161, 201))
    )
