# SPDX-License-Identifier: Apache-2.0
"""Spots that divide until they fill the plane: `python examples/equations/gray_scott.py`.

J. E. Pearson, Science 261 (1993) 189. Pictures are written into the folder `spots`.
"""

import numpy as np

import makespan

NUMBERS = {"feed": 0.035, "kill": 0.065}


def gray_scott(u, v, feed, kill):
    """Feed u, and let v make more of itself of it, until it is taken away."""
    reaction = u * v * v
    u_new = u + 0.16 * u.laplacian() - reaction + feed * (1 - u)
    return {"u": u_new, "v": v + 0.08 * v.laplacian() + reaction - (feed + kill) * v}


v = np.pad(np.full((16, 16), 0.25), 56)
start = {"u": 1 - 2 * v, "v": v}
plane = makespan.grid(gray_scott, start, boundary="periodic", parameters=NUMBERS)
spots = plane.run(6000, output="spots", slice_steps=2000).fields
after = makespan.grid(gray_scott, spots, boundary="periodic", parameters=NUMBERS).run(1).fields
fed = NUMBERS["feed"] * (1 - spots["u"].mean() - spots["v"].mean())
gained = sum(after[name].mean() - spots[name].mean() for name in "uv")
left = gained - (fed - NUMBERS["kill"] * spots["v"].mean())
assert abs(left) < 1e-14, f"{left} of a step's gain has no source"
