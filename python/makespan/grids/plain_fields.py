# SPDX-License-Identifier: Apache-2.0
"""What applications have in common whose state is their fields, and whose outputs go by steps."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from makespan.grids.grid_run import BadValue
from makespan.grids.saving import GridOfFields
from makespan.settings.input_file import InputValues

_TURN_POINTS = 1 << 22
"""Values that are looked at at once."""


class PlainFields:
    """The part of a `field_run.Application` that keeps nothing but its table."""

    grid: GridOfFields
    given: InputValues

    @property
    def stated(self) -> Mapping[str, Any] | None:
        """None: the input says all."""
        return None

    @property
    def costs(self) -> Mapping[str, Any]:
        """What the time of a step depends on besides the points: nothing."""
        return {}

    def going_on(self, out: Path, step: int) -> None:
        """Pictures before are there already."""

    def record(self, out: Path) -> None:
        """Nothing but its table."""

    def recorded(self, _step: int) -> dict[str, float]:
        """None."""
        return {}

    def state(self) -> dict[str, Any]:
        """Nothing but the fields."""
        return {}

    def take_state(self, team: Any, state: Mapping[str, Any]) -> None:
        """There is none."""

    def bad_text(self, bad: BadValue) -> str:
        """By its voxel."""
        return str(bad)

    @property
    def table_every(self) -> int:
        """As its user says."""
        return int(self.given["table_steps"])

    @property
    def view_every(self) -> int:
        """As its user says."""
        return int(self.given["state_steps"])

    @property
    def checkpoint_every(self) -> int:
        """As its user says."""
        return int(self.given["checkpoint_steps"])

    def turns(self) -> list[tuple[int, int]]:
        """Planes that are looked at at once, from the first up to, but not at, the second."""
        return plane_turns(self.grid.points)


def plane_turns(points: tuple[int, int, int]) -> list[tuple[int, int]]:
    """Planes of a grid of (x, y, z) points that are looked at at once: begins and ends."""
    x, y, z = points
    turn = max(1, _TURN_POINTS // (x * y))
    return [(begin, min(begin + turn, z)) for begin in range(0, z, turn)]
