# SPDX-License-Identifier: Apache-2.0
"""The line scan of a running release unit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.grids.calcium.input import CalciumUnit
from makespan.grids.calcium.line_scan import (
    LineScan,
    ScanImage,
    middles,
    relative,
    scanned_box,
    scanned_line,
)
from makespan.grids.calcium.line_scan_file import read_line_scan, write_line_scan

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from makespan.base.engine import Engine

    Numbers = NDArray[np.float64]

SCAN = "line-scan.csv"
DYE = "ca_fluo"
DARK = ("jsr", "t_tubule")
"""Regions without dye: in the SR its field holds calsequestrin."""


class SparkScan:
    """Lines along x through the middle of the unit, as F/F0; on image 0."""

    def __init__(self, engine: Engine, unit: CalciumUnit) -> None:
        import numpy as np

        _, y, z = unit.middle
        self._field = unit.fields.index(DYE)
        self._spacing = unit.spacing
        self._begin, self._end = scanned_box(unit.points, unit.spacing, (y, z))
        self._line = (y - self._begin[1], z - self._begin[2])
        regions = engine.calcium_regions(unit.settings, self._begin, self._end)
        self._dark = np.isin(regions, [unit.regions.index(name) for name in DARK])
        self._rest = self._seen(np.full(regions.shape, unit.rest[DYE]))
        self._positions = middles(unit.points[0], unit.spacing)
        self._scan = LineScan(self._positions, self._rest)
        self._most = 0.0
        self._last: tuple[int, Numbers] | None = None

    def brightness(self, team: Any, step: int) -> float:
        """F/F0 now, where it is most."""
        return float(relative(self._light(team, step), self._rest).max())

    def add(self, team: Any, step: int, time: float) -> bool:
        """The line of now; whether it is brighter than all before."""
        self._scan.add(time, self._light(team, step))
        brightness = self.brightness(team, step)
        is_brightest = brightness > self._most
        self._most = max(brightness, self._most)
        return is_brightest

    @property
    def image(self) -> ScanImage:
        """All lines so far."""
        return self._scan.image

    def write(self, out: Path) -> Path:
        """As CSV; returns the file."""
        write_line_scan(out / SCAN, self.image)
        return out / SCAN

    def going_on(self, out: Path, time: float) -> None:
        """Takes up the lines before this time that an earlier run wrote. Raises `InputError`."""
        earlier = read_line_scan(out / SCAN, self._positions, time)
        self._scan = LineScan(self._positions, self._rest, earlier)
        if earlier is not None:
            self._most = float(earlier.light.max(initial=0.0))

    def _light(self, team: Any, step: int) -> Numbers:
        if self._last is None or self._last[0] != step:
            self._last = step, self._seen(team.gather(self._field, self._begin, self._end))
        return self._last[1]

    def _seen(self, dye: Numbers) -> Numbers:
        import numpy as np

        return scanned_line(np.where(self._dark, 0.0, dye), self._spacing, self._line)
