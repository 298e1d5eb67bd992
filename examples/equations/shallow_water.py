# SPDX-License-Identifier: Apache-2.0
"""Shallow water on a plane, by Lax-Wendroff in two half steps: `python .../shallow_water.py`.

The first half step is of the corners between four cells, and the second one of the cells; an update
is plain Python, so that both are functions of it. What to notice: a low wave goes at sqrt(g h), to
4 in 1000, and the mass of a high one is kept to rounding.
"""

from __future__ import annotations

import numpy as np

import makespan

SIZE, G, DEPTH = 96, 9.81, 2.0
NUMBERS = {"ratio": 0.1, "g": G}  # of time step over spacing
WAVE = (2, 1)  # whole waves along y and x


def flows(h, p, q, g):
    """Along x and along y, of height and of momentum along x and y."""
    pressure = 0.5 * g * h * h
    return (p, p * p / h + pressure, p * q / h), (q, p * q / h, q * q / h + pressure)


def shallow_water(h, p, q, ratio, g):
    """h_t + p_x + q_y = 0, and momentum's equations."""

    def step(part, cells, share):
        """Four cells' mean, less a share of the flows out between them."""
        low_low, low_high, high_low, high_high = cells
        along_x, along_y = ([flows(*one, g)[axis][part] for one in cells] for axis in (0, 1))
        out = along_x[1] + along_x[3] - along_x[0] - along_x[2]
        out = out + along_y[2] + along_y[3] - along_y[0] - along_y[1]
        mean = (low_low[part] + low_high[part] + high_low[part] + high_high[part]) / 4
        return mean, share / 2 * out

    def corner(dy, dx):
        around = [(h[j, i], p[j, i], q[j, i]) for j in (dy, dy + 1) for i in (dx, dx + 1)]
        parts = [step(part, around, ratio / 2) for part in range(3)]
        return tuple(mean - out for mean, out in parts)

    corners = [corner(dy, dx) for dy in (-1, 0) for dx in (-1, 0)]
    return {
        name: field - step(part, corners, ratio)[1]
        for part, (name, field) in enumerate({"h": h, "p": p, "q": q}.items())
    }


def run(height, p, q, steps):
    """What heights above the rest become."""
    start = {"h": DEPTH + height, "p": p, "q": q}
    return (
        makespan.grid(shallow_water, start, boundary="periodic", parameters=NUMBERS)
        .run(steps)
        .fields
    )


def main() -> None:
    """A low wave's speed, and a high one's mass."""
    y, x = np.mgrid[:SIZE, :SIZE] * (2 * np.pi / SIZE)
    low = 1e-6 * np.cos(WAVE[0] * y + WAVE[1] * x)
    sound, number = np.sqrt(G * DEPTH), np.hypot(*WAVE)
    steps = 80  # less than one wave long
    after = run(low, sound * WAVE[1] / number * low, sound * WAVE[0] / number * low, steps)["h"]
    turned = -np.angle(np.fft.fft2(after)[WAVE]) / (2 * np.pi * number / SIZE)
    speed = (turned % (SIZE / number)) / (steps * NUMBERS["ratio"])
    print(f"a low wave goes at {speed:.5f}, sqrt(g h) is {sound:.5f}")

    hump = 0.8 * np.exp(-((x - np.pi) ** 2) - (y - np.pi) ** 2)
    water = run(hump, 0 * hump, 0 * hump, 40)["h"]
    change = water.mean() - (DEPTH + hump).mean()
    print(f"a hump has become {water.max() - DEPTH:.3f} high, its mass has changed by {change:.1e}")
    assert abs(speed / sound - 1) < 4e-3
    assert abs(change) < 1e-13
    assert water.max() < DEPTH + 0.4


if __name__ == "__main__":
    main()
