# SPDX-License-Identifier: Apache-2.0
"""A pulse along a nerve (FitzHugh-Nagumo): `python examples/equations/fitzhugh_nagumo.py`.

Without recovery the equation is Nagumo's, whose front goes at sqrt(D/2) (1 - 2 a). What to notice:
it does, to 1 in 1000; with recovery a pulse goes a little slower, and leaves the nerve at rest.

J. D. Murray, Mathematical Biology I (2002), section 13.4, for the front's speed.
"""

from __future__ import annotations

import numpy as np

import makespan

POINTS, SPACING, TIME_STEP = 400, 0.25, 0.01
A, GAMMA = 0.1, 1.0


def nerve(v, w, a, epsilon, gamma, dt):
    """v_t = v_xx + v (1 - v) (v - a) - w, w_t = epsilon (v - gamma w)."""
    current = v.laplacian(order=4) + v * (1 - v) * (v - a) - w
    return {"v": v + dt * current, "w": w + dt * epsilon * (v - gamma * w)}


def run(epsilon, steps):
    """From a nerve that is stimulated at its low end, with a frame every 1000 steps."""
    x = (np.arange(POINTS) + 0.5) * SPACING
    v = np.where(x < 10, 1.0, 0.0)
    numbers = {"a": A, "epsilon": epsilon, "gamma": GAMMA, "dt": TIME_STEP}
    fibre = makespan.grid(
        nerve, {"v": v, "w": 0 * v}, parameters=numbers, spacing=SPACING, time_step=TIME_STEP
    )
    return fibre.run(steps, frames_steps=1000, threads=1).frames


def place(frame):
    """Where v falls below a half, seen from the high end."""
    v = frame.fields["v"]
    last = np.flatnonzero(v > 0.5)[-1]
    return (last + 0.5 + (v[last] - 0.5) / (v[last] - v[last + 1])) * SPACING


def speed(frames):
    """Between two times."""
    first, second = frames[5], frames[10]
    return (place(second) - place(first)) / ((second.step - first.step) * TIME_STEP)


def main() -> None:
    """A front's speed against the exact one, then a pulse."""
    exact = np.sqrt(0.5) * (1 - 2 * A)
    front, pulse = speed(run(0.0, 10_000)), run(0.005, 45_000)
    print(f"a front goes at {front:.5f}, exactly {exact:.5f}")
    print(f"a pulse goes at {speed(pulse):.5f}, and leaves {abs(pulse[-1].fields['v']).max():.1e}")
    assert abs(front / exact - 1) < 1e-3
    assert 0.8 * exact < speed(pulse) < exact
    assert abs(pulse[-1].fields["v"]).max() < 0.05


if __name__ == "__main__":
    main()
