# SPDX-License-Identifier: Apache-2.0
"""The axes of a user's arrays, and those of the engine's grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from makespan.equations.operations import Offset

NAMES = {1: ("x",), 2: ("y", "x"), 3: ("z", "y", "x")}
"""Of the axes of arrays, by how many there are: the last one is x."""
_ENGINE = {1: (0,), 2: (2, 0), 3: (2, 1, 0)}
"""Which of the engine's axes each is: grids are cut along its z, so that is y in a plane."""


@dataclass(frozen=True, slots=True)
class Space:
    """Axes in the order of the arrays', with the distance from point to point along each."""

    shape: tuple[int, ...]
    spacing: tuple[float, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Of the axes, the last of which is x."""
        return NAMES[len(self.shape)]

    @property
    def engine_axes(self) -> tuple[int, ...]:
        """0 for x, 1 for y, 2 for z of the engine's grid, by axis."""
        return _ENGINE[len(self.shape)]

    def engine_triple(self, given: Sequence[int], missing: int) -> tuple[int, int, int]:
        """Along the engine's x, y, z; `missing` along axes that the arrays have not."""
        triple = [missing, missing, missing]
        for axis, value in zip(self.engine_axes, given, strict=True):
            triple[axis] = value
        return triple[0], triple[1], triple[2]

    def engine_offset(self, given: Sequence[int]) -> Offset:
        """Of a neighbour."""
        return self.engine_triple(given, 0)
