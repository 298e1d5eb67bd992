# SPDX-License-Identifier: Apache-2.0
"""Heat in a box: `python examples/equations/heat.py`.

A cosine of a box without flux is an eigenvector of the stencil: each step multiplies it by the same
number, which is known. What to notice: 100 steps later the field is that number's 100th power times
the first values, to rounding.
"""

from __future__ import annotations

import numpy as np

import makespan

STEPS, SHAPE, MODE = 100, (24, 32, 40), (1, 2, 3)
DIFFUSION, TIME_STEP = 1.0, 0.15


def heat(u, rate):
    """u_t = D (u_xx + u_yy + u_zz), by a forward Euler step."""
    return {"u": u + rate * u.laplacian()}


def main() -> None:
    """A mode of the box decays as the discrete equation says."""
    halves = [
        np.pi * mode * (np.arange(size) + 0.5) / size
        for mode, size in zip(MODE, SHAPE, strict=True)
    ]
    start = np.prod(np.meshgrid(*map(np.cos, halves), indexing="ij"), axis=0)
    box = makespan.grid(
        heat, {"u": start}, parameters={"rate": DIFFUSION * TIME_STEP}, time_step=TIME_STEP
    )

    after = box.run(STEPS).fields["u"]

    sines = [np.sin(np.pi * mode / 2 / size) ** 2 for mode, size in zip(MODE, SHAPE, strict=True)]
    exact = (1 - 4 * DIFFUSION * TIME_STEP * sum(sines)) ** STEPS * start
    error = np.abs(after - exact).max()
    print(f"a mode of a box has decayed to {after.max():.6f}, off by {error:.1e}")
    assert error < 1e-13


if __name__ == "__main__":
    main()
