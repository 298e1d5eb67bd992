# SPDX-License-Identifier: Apache-2.0
"""Surfaces of local volatilities by name, as the rows of a book refer to them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Surface:
    """One surface; `volatility` has shape (times, log_moneyness)."""

    name: str
    time: Floats
    log_moneyness: Floats
    volatility: Floats


@dataclass(frozen=True, slots=True)
class Surfaces:
    """All surfaces of a table."""

    source: str
    surfaces: tuple[Surface, ...] = ()

    @property
    def names(self) -> list[str]:
        """In the order of the table."""
        return [one.name for one in self.surfaces]

    def problem_of(self, column: str, name: str) -> str | None:
        """What is wrong with a name in a column; None: nothing."""
        if not self.surfaces:
            return f"{column} names '{name}', but no surfaces were given; give them with --surfaces"
        if name in self.names:
            return None
        known = ", ".join(self.names[:8]) + (", ..." if len(self.names) > 8 else "")
        return f"{column} '{name}' is not in {self.source}, which has {known}"


NO_SURFACES = Surfaces("surfaces")
