# SPDX-License-Identifier: Apache-2.0
"""Input files of calcium sparks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from makespan.base.engine import Engine
from makespan.base.errors import InputError
from makespan.grid.calcium.keys import KEYS
from makespan.grid.steps import StepClock
from makespan.settings.key_file import KeyFile, KeyValues
from makespan.settings.keys import STEPS_MAX

CALCIUM_FILE = KeyFile("calcium", KEYS)

# What changes a run's values; the rest says how long it goes on and what is written of it.
_PHYSICS = ("grid", "release", "geometry", "species")


def calcium_settings(given: KeyValues) -> dict[str, Any]:
    """What the engine is told of the unit; what the set of species says is left to it."""
    names = [key.name for key in KEYS if key.section in _PHYSICS] + ["time_step"]
    if not given["gating_ms"]:
        names = [name for name in names if name not in ("gating_ms", "seed")]
    return {name: given[name] for name in names if given[name] not in ("set", [])}


@dataclass(frozen=True, slots=True)
class CalciumUnit:
    """What is known of a unit before it runs. Points and voxels are (x, y, z)."""

    settings: Mapping[str, Any]
    points: tuple[int, int, int]
    spacing: float
    """[um]"""
    fields: tuple[str, ...]
    regions: tuple[str, ...]
    """By number."""
    rest: Mapping[str, float]
    """Of each field in the cytosol [uM]."""
    channels: tuple[tuple[int, int, int], ...]
    """Voxels of the cleft into which release channels open."""
    steps: StepClock

    @property
    def middle(self) -> tuple[int, int, int]:
        """The voxel at the cluster of channels; that of the first current, or the grid's middle."""
        if self.channels:
            return self.channels[len(self.channels) // 2]
        currents = self.settings.get("currents")
        if currents:
            x, y, z = currents[0][:3]
            return x, y, z
        x, y, z = self.points
        return x // 2, y // 2, z // 2


def checked_calcium(given: KeyValues, engine: Engine) -> CalciumUnit:
    """Raises `InputError` for what cannot be worked with."""
    settings = calcium_settings(given)
    try:
        known = engine.calcium_unit(settings)
    except ValueError as error:
        raise InputError(f"{given.source}: {error}") from error
    clock = StepClock(float(given["time_step"]), float(given["duration"]))
    if clock.steps >= STEPS_MAX:
        raise InputError(
            f"{given.source}: [run] duration = {clock.duration:g} ms (in steps of "
            f"{clock.time_step:g} ms these are more than {STEPS_MAX}): give less"
        )
    x, y, z = given["points"]
    return CalciumUnit(
        settings=settings,
        points=(x, y, z),
        spacing=float(given["spacing"]),
        fields=tuple(known["fields"]),
        regions=tuple(known["regions"]),
        rest=dict(zip(known["fields"], known["rest"], strict=True)),
        channels=tuple(known["ryr"]),
        steps=clock,
    )
