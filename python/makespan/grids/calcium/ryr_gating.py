# SPDX-License-Identifier: Apache-2.0
"""Release channels that open and close by chance.

A channel opens at the rate k c^eta phi, where c is calcium at its mouth in the cleft, and closes at
a constant rate; phi falls as the SR beside it empties (Walker et al., Biophys. J. 107 (2014) 3009,
without coupling between channels; code mwalker174/srs). Concentrations in uM, rates in 1/ms.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from makespan.base import portable_math

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

OPENING = 1.107e-4
ETA = 2.1
CLOSING = 0.5
_FULL_SR = 1000.0
_HALF_SR = 1500.0


def opening_rate(cleft: Numbers, sr: float) -> Numbers:
    """Of channels with so much calcium at their mouths, beside an SR with so much."""
    fullness = 1 - (_FULL_SR / _HALF_SR) ** 4 + (sr / _HALF_SR) ** 4
    rate: Numbers = OPENING * portable_math.power(cleft, ETA) * fullness
    return rate


def draws(seed: int, step: int, count: int) -> Numbers:
    """Uniform in [0, 1): a function of these, whatever was drawn before."""
    import numpy as np

    bits = np.random.Philox(key=seed, counter=step << 64).random_raw(count)
    return np.asarray(bits >> 11, dtype=np.float64) * 2.0**-53


class RyrGating:
    """Which channels are open; those that are held open stay so as long as they are held."""

    def __init__(self, channels: int, seed: int, interval_ms: float) -> None:
        self.open = [False] * channels
        self.step = -1
        """At which they last had the chance to change."""
        self._seed = seed
        self._interval = interval_ms

    def advance(self, step: int, cleft: Numbers, sr: float, held: Sequence[int]) -> bool:
        """Draws for the interval that begins at `step`; whether any channel has changed.

        Asked again at the same step, it draws nothing.
        """
        if step == self.step:
            return False
        import numpy as np

        is_open = np.array(self.open)
        rate = np.where(is_open, CLOSING, opening_rate(cleft, sr))
        changes = draws(self._seed, step, len(is_open)) < -portable_math.expm1(
            -rate * self._interval
        )
        after = is_open ^ changes
        after[list(held)] = True
        self.step = step
        has_changed = bool((after != is_open).any())
        self.open = after.tolist()
        return has_changed

    @property
    def open_channels(self) -> list[int]:
        """Their numbers."""
        return [channel for channel, is_open in enumerate(self.open) if is_open]
