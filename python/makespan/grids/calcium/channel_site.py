# SPDX-License-Identifier: Apache-2.0
"""Calcium on both sides of a release unit's channels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from makespan.grids.calcium.input import CalciumUnit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from makespan.base.engine import Engine

_SR_REACH_UM = 0.05
"""Around the channels, which sit on the SR's inner face: its thickness, or more."""


class ChannelSite:
    """Where the channels are; on image 0."""

    def __init__(self, engine: Engine, unit: CalciumUnit) -> None:
        voxels = unit.channels or (unit.middle,)
        reach = round(_SR_REACH_UM / unit.spacing) + 1
        lows, highs = (tuple(end(axis) for axis in zip(*voxels, strict=True)) for end in (min, max))
        self._field = unit.fields.index("ca")
        self._begin = tuple(max(0, low - reach) for low in lows)
        self._end = tuple(
            min(count, high + reach + 1) for high, count in zip(highs, unit.points, strict=True)
        )
        regions = engine.calcium_regions(unit.settings, self._begin, self._end)
        self._sr = regions == unit.regions.index("jsr")
        self._mouths = tuple(
            [voxel[axis] - self._begin[axis] for voxel in voxels] for axis in (2, 1, 0)
        )

    def mouths(self, team: Any) -> tuple[NDArray[np.float64], float]:
        """Calcium at each channel in the cleft, by number, and in the SR beside them [uM]."""
        ca = team.gather(self._field, self._begin, self._end)
        return ca[self._mouths], float(ca[self._sr].mean())

    def concentrations(self, team: Any) -> dict[str, float | None]:
        """Means [uM]: at the channels in the cleft, and in the SR beside them, if there is one."""
        ca = team.gather(self._field, self._begin, self._end)
        return {
            "cleft_ca": float(ca[self._mouths].mean()),
            "sr_ca": float(ca[self._sr].mean()) if self._sr.any() else None,
        }
