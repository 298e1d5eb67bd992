# SPDX-License-Identifier: Apache-2.0
"""The values that spark_test.cpp expects of a small spark, by a program of its own.

`python golden_spark.py` prints them, a line for each voxel: free calcium, and what ATP,
calmodulin, troponin and the dye have bound [uM]. It needs numpy alone and takes minutes. It was
written from the description in docs/explanation/grids.md, shares no code with the engine, and
sums in another order than it: the twelve decimals are the same.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float64]

POINTS = 48
SPACING = 0.05
"""[um]"""
TIME_STEP = 1.5e-3
"""[ms]"""
STEPS = 3000
CA_REST = 0.14
"""[uM]"""
CA_DIFFUSION = 0.220
"""[um2/ms]"""
BUFFERS = (
    (455.0, 0.140, 0.225, 45.0),
    (24.0, 0.025, 0.034, 0.238),
    (70.0, 0.0, 0.0327, 0.0196),
    (25.0, 0.042, 0.100, 0.110),
)
"""Total [uM], diffusion [um2/ms], on [1/(uM ms)], off [1/ms]: ATP, calmodulin, troponin, dye."""
CURRENT_PA = 2.0 / 8
"""Into the corner's voxel: an octant of the whole."""
FARADAY = 96485.33212
VOXELS = ((0, 0, 0), (4, 4, 4), (20, 0, 0))


def diffused(field: Field, diffusion: float) -> Field:
    """After a step; nothing passes the faces, beyond which each voxel sees itself."""
    change = np.zeros_like(field)
    for axis in range(3):
        across = np.diff(field, axis=axis)
        low = [slice(None)] * 3
        high = [slice(None)] * 3
        low[axis], high[axis] = slice(None, -1), slice(1, None)
        change[tuple(low)] += across
        change[tuple(high)] -= across
    return field + diffusion * TIME_STEP / SPACING**2 * change


def run() -> tuple[Field, list[Field]]:
    """Free calcium, and bound calcium by buffers, after all steps."""
    shape = (POINTS,) * 3
    ca = np.full(shape, CA_REST)
    bound = [
        np.full(shape, total * on * CA_REST / (on * CA_REST + off)) for total, _, on, off in BUFFERS
    ]
    gain = CURRENT_PA * 1e6 / (2 * FARADAY) * TIME_STEP / SPACING**3
    for _ in range(STEPS):
        ca = diffused(ca, CA_DIFFUSION)
        bound = [
            diffused(one, diffusion) if diffusion else one
            for one, (_, diffusion, _, _) in zip(bound, BUFFERS, strict=True)
        ]
        ca[0, 0, 0] += gain
        free = ca.copy()
        for number, (total, _, on, off) in enumerate(BUFFERS):
            change = TIME_STEP * (on * free * (total - bound[number]) - off * bound[number])
            bound[number] = bound[number] + change
            ca -= change
    return ca, bound


def main() -> None:
    """Prints the table."""
    ca, bound = run()
    for voxel in VOXELS:
        values = " ".join(f"{float(field[voxel]):.12f}" for field in (ca, *bound))
        sys.stdout.write(f"{voxel} {values}\n")


if __name__ == "__main__":
    main()
