# SPDX-License-Identifier: Apache-2.0
"""Devito's seven-point diffusion step: prints a line of JSON with points per second.

``python devito_diffusion.py EXTENT PLANES``, by the environment that install.py makes; threads by
OMP_NUM_THREADS. Double precision, second order in space, forward in time, as a user would write it.
"""

from __future__ import annotations

import json
import sys

import numpy as np
from devito import Eq, Grid, Operator, TimeFunction, solve

STEPS = 10
REPEATS = 2


def main() -> None:
    """Compile, warm up, run."""
    extent, planes = int(sys.argv[1]), int(sys.argv[2])
    shape = (planes, extent, extent)
    grid = Grid(shape=shape, extent=tuple(float(n - 1) for n in shape), dtype=np.float64)
    u = TimeFunction(name="u", grid=grid, space_order=2, dtype=np.float64)
    u.data[:] = 0.0
    update = Eq(u.forward, solve(Eq(u.dt, u.laplace), u.forward))
    step = Operator([update])
    step.apply(time_M=STEPS - 1, dt=0.1)
    for _ in range(REPEATS):
        summary = step.apply(time_M=STEPS - 1, dt=0.1)
        seconds = sum(entry.time for entry in summary.values())
        points = STEPS * extent * extent * planes
        print(json.dumps({"contestant": "Devito", "points_per_s": points / seconds}), flush=True)


main()
