# SPDX-License-Identifier: Apache-2.0
"""Input files of diffusions."""

from __future__ import annotations

from typing import Any

from makespan.grid.diffusion.keys import KEYS
from makespan.grid.steps import StepClock
from makespan.settings.key_file import KeyFile, KeyValues

DIFFUSE_FILE = KeyFile("diffuse", KEYS)

FIELD = "u"
"""Name of the only field."""

_Triple = tuple[float, float, float]


def spacing_of(given: KeyValues) -> _Triple:
    """By axis."""
    spacing = given["spacing"]
    x, y, z = spacing if isinstance(spacing, list) else (spacing,) * 3
    return float(x), float(y), float(z)


def points_of(given: KeyValues) -> tuple[int, int, int]:
    """By axis."""
    x, y, z = given["points"]
    return x, y, z


def clock_of(given: KeyValues) -> StepClock:
    """The run's steps."""
    time_step = float(given["time_step"])
    return StepClock(time_step, given["steps"] * time_step)


def diffusion_settings(given: KeyValues) -> dict[str, Any]:
    """What the engine is told: lambda = D dt / h^2 by axis, and the faces, x's low one first."""
    ends = [end for axis in "xyz" for end in given[f"{axis}_boundary"]]
    factor = float(given["diffusion"]) * float(given["time_step"])
    return {
        "points": given["points"],
        "lambdas": [factor / spacing**2 for spacing in spacing_of(given)],
        "faces": [end if isinstance(end, str) else "value" for end in ends],
        "values": [0.0 if isinstance(end, str) else float(end) for end in ends],
        "steps_at_once": given["steps_at_once"],
    }
