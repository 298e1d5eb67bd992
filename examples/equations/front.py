# SPDX-License-Identifier: Apache-2.0
"""A front that is carried along, by upwind differences: `python examples/equations/front.py`.

A step takes a share c of what is upwind: what was at one point is spread as a binomial distribution
of the number of steps. What to notice: the front's middle goes c points a step, and it is smeared
over sqrt(c (1 - c) n) points, exactly; this is the scheme's numerical diffusion.
"""

from __future__ import annotations

import numpy as np

import makespan

POINTS, EDGE, STEPS = 600, 100, 500
SHARE = 0.6  # speed times step over spacing


def upwind(u, share):
    """u_t + v u_x = 0 with v > 0."""
    return {"u": u - share * (u - u[-1])}


def main() -> None:
    """Mean and variance of the front, against those of the binomial distribution."""
    start = np.where(np.arange(POINTS) < EDGE, 1.0, 0.0)
    sides = {"x": ({"u": 1.0}, "no-flux")}  # what comes in, what goes out
    channel = makespan.grid(upwind, {"u": start}, boundary=sides, parameters={"share": SHARE})

    after = channel.run(STEPS).fields["u"]

    here = np.arange(POINTS) - EDGE + 1.0
    density = -np.diff(after, append=0.0)
    mean = (density * here).sum()
    variance = (density * (here - mean) ** 2).sum()
    exact = STEPS * SHARE, STEPS * SHARE * (1 - SHARE)
    print(f"the front has gone {mean:.6f} points (exactly {exact[0]:g})")
    print(f"and has a variance of {variance:.6f} points² (exactly {exact[1]:g})")
    assert abs(mean - exact[0]) < 1e-9
    assert abs(variance - exact[1]) < 1e-8


if __name__ == "__main__":
    main()
