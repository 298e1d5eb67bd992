# SPDX-License-Identifier: Apache-2.0
"""The acoustic wave equation, of order 8 in space: `python examples/equations/wave.py`.

Two time levels are two fields. A plane wave on a periodic plane goes at a speed that is known for
this scheme and this wave; what to notice: that is within 1e-6 of the speed of sound, where the
scheme of order 2 is off by a hundredth.
"""

from __future__ import annotations

import numpy as np

import makespan

SIZE, WAVES, STEPS = 64, (6, 4), 400  # 13 points per wave
COURANT = 0.1  # speed of sound times step over spacing
WEIGHTS = {
    2: (-2.0, 1.0),
    8: (-205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560),
}


def wave(now, before, courant):
    """p_tt = c² (p_xx + p_yy), by leapfrog."""
    return {"now": 2 * now - before + courant**2 * now.laplacian(order=8), "before": now}


def angle_per_step(order: int) -> float:
    """How far the wave turns in a step: sin²(w/2) = -(courant/2)² (symbol of the Laplacian)."""
    symbol = 0.0
    for count in WAVES:
        first, *others = WEIGHTS[order]
        k = 2 * np.pi * count / SIZE
        symbol += first + 2 * sum(w * np.cos(n * k) for n, w in enumerate(others, 1))
    return 2 * np.arcsin(COURANT / 2 * np.sqrt(-symbol))


def main() -> None:
    """A plane wave's phase after its steps, against the discrete dispersion relation."""
    y, x = np.mgrid[:SIZE, :SIZE] * (2 * np.pi / SIZE)
    phase = WAVES[0] * y + WAVES[1] * x
    turn = angle_per_step(8)
    start = {"now": np.cos(phase), "before": np.cos(phase + turn)}
    plane = makespan.grid(wave, start, boundary="periodic", parameters={"courant": COURANT})

    after = plane.run(STEPS).fields["now"]

    error = np.abs(after - np.cos(phase - STEPS * turn)).max()
    sound = COURANT * 2 * np.pi * np.hypot(*WAVES) / SIZE
    print(f"phase after {STEPS} steps as the dispersion relation has it, off by {error:.1e}")
    print(
        f"speed / speed of sound - 1: {turn / sound - 1:+.1e} (order 2 in space: "
        f"{angle_per_step(2) / sound - 1:+.1e})"
    )
    assert error < 1e-10


if __name__ == "__main__":
    main()
