# SPDX-License-Identifier: Apache-2.0
"""The network SR as one store, which SERCA fills and the junctional SR and the leak empty.

Calcium moves along it by 2 um in 3 ms, and it fills and empties within hundreds: it has one
concentration. That is found anew from time to time, of all voxels, with the trapezoidal rule;
between two times it is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from makespan.grids.calcium.input import CalciumUnit
from makespan.settings.input_file import InputValues

if TYPE_CHECKING:
    from makespan.base.engine import Engine

_POINTS_AT_ONCE = 1 << 22
"""Voxels that image 0 looks at together."""


class NetworkSr:
    """Its calcium; on image 0."""

    def __init__(self, engine: Engine, unit: CalciumUnit, share: float) -> None:
        self.ca = unit.network_sr_ca
        """[uM]"""
        self._step: int | None = None
        self._rate = 0.0  # [uM/ms], at that step
        self._engine = engine
        self._unit = unit
        self._share = share

    def advance(self, team: Any, step: int) -> None:
        """Its calcium at this step; asked again at the same one, it is as it was."""
        if step == self._step:
            return
        if self._step is not None:
            span = (step - self._step) * self._unit.steps.time_step
            # Of what it gained while it was kept.
            gained = span * (self._rate + self._rate_at(team)) / 2
            self.ca = max(0.0, self.ca + gained)
            team.set_network_sr(self.ca)
        self._rate = self._rate_at(team)
        self._step = step

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {
            "network_sr_ca": self.ca,
            "network_sr_rate": self._rate,
            "network_sr_step": self._step,
        }

    def take_state(self, team: Any, state: Mapping[str, Any]) -> None:
        """The same from a checkpoint."""
        self.ca = state["network_sr_ca"]
        self._rate = state["network_sr_rate"]
        self._step = state["network_sr_step"]
        team.set_network_sr(self.ca)

    def _rate_at(self, team: Any) -> float:
        """What it gains of all voxels [uM/ms]: some planes after the others, in order."""
        x, y, z = self._unit.points
        planes = max(1, _POINTS_AT_ONCE // (x * y))
        field = self._unit.fields.index("ca")
        rate, cytosol = 0.0, 0
        for begin in range(0, z, planes):
            ca = team.gather(field, (0, 0, begin), (x, y, min(begin + planes, z)))
            gained, voxels = self._engine.calcium_network_gain(
                self._unit.settings, self.ca, (0, 0, begin), ca
            )
            rate += gained
            cytosol += voxels
        return rate / (self._share * cytosol) if cytosol else 0.0


def network_sr_of(engine: Engine, given: InputValues, unit: CalciumUnit) -> NetworkSr | None:
    """None where its calcium is kept."""
    if not given["network_sr"]:
        return None
    return NetworkSr(engine, unit, given["network_sr_share"])
