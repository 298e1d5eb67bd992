# SPDX-License-Identifier: Apache-2.0
"""Settings of diffusions: the keys of their input files, and what the engine is told."""

from __future__ import annotations

from os import PathLike
from typing import Any

from makespan.grids.boundary import AXES, NO_FLUX, Boundary, ends_of
from makespan.grids.engine_keys import ENGINE_KEYS, STEPS_AT_ONCE
from makespan.grids.input import GRID_SETTINGS, PYTHON_SETTINGS, flags_of, not_given
from makespan.grids.steps import StepClock
from makespan.settings.input_file import InputFile, InputValues
from makespan.settings.kinds import (
    ABOVE_0,
    COUNT,
    FINITE,
    FROM_0,
    STEPS_OR_NONE,
    Checked,
    ListOf,
    Number,
    OneOf,
    OrElse,
    Whole,
    triple,
)
from makespan.settings.setting import Setting

FIELD = "u"
"""Name of the only field."""
STARTS = ("gaussian", "point", "mode", "uniform", "file")
SIDE = Number(least=1e-100, most=1e100)
"""Of these even the squares are numbers."""
TIME_STEP = Number(above=0.0, most=1e290)
"""Of as many steps as can be counted, the time is a number."""

_Triple = tuple[float, float, float]

POINTS_KEY = Setting(
    "points",
    triple(COUNT, "three whole numbers of at least 1, as [128, 128, 128]"),
    [128, 128, 128],
    "along x, y, z",
    "grid",
)
GRID_KEYS = (
    POINTS_KEY,
    Setting(
        "spacing",
        OrElse(SIDE, triple(SIDE, "three")),
        1.0,
        "from point to point; three numbers for each axis",
        "grid",
    ),
    Setting(
        "boundary",
        Boundary(),
        NO_FLUX,
        '"no-flux", "periodic" or a value beyond all ends; or by axis: {x = [0.0, "no-flux"]}',
        "grid",
    ),
)
RUN_KEYS = (
    Setting("diffusion", FROM_0, 1.0, "constant D, in the units of spacing and time_step", "run"),
    Setting("time_step", TIME_STEP, 0.1, "up to h^2/(6 D) where the three spacings are h", "run"),
    Setting("steps", STEPS_OR_NONE, 1000, "in all; those before a checkpoint count", "run"),
    STEPS_AT_ONCE,
)
START_KEYS = (
    Setting("start", OneOf(STARTS), "gaussian", ", ".join(f'"{one}"' for one in STARTS), "start"),
    Setting("height", FINITE, 1.0, "of the peak, the wave, or everywhere", "start"),
    Setting("background", FINITE, 0.0, "added to it", "start"),
    Setting(
        "centre",
        OrElse(triple(FINITE, "three numbers"), ListOf(FINITE, 0, "[] for the middle")),
        [],
        "of peak or point, from the domain's corner",
        "start",
    ),
    Setting("width", ABOVE_0, 8.0, "standard deviation of a gaussian", "start"),
    Setting(
        "half_waves",
        triple(Whole(0), "three whole numbers"),
        [1, 1, 1],
        "of a mode, by axis",
        "start",
    ),
    Setting(
        "file",
        Checked(
            lambda value: isinstance(value, str | PathLike), "the name of a file", metavar="FILE"
        ),
        "",
        "numpy's .npy of (z, y, x), or a .vtkhdf of ours",
        "start",
    ),
)
OUTPUT_KEYS = (
    Setting("table_steps", STEPS_OR_NONE, 100, "from line to line of the table", "output"),
    Setting("slice_steps", STEPS_OR_NONE, 200, "from picture to picture of a slice", "output"),
    Setting("slice_axis", OneOf(AXES), "z", "which it is cut across, in the middle", "output"),
    Setting("state_steps", STEPS_OR_NONE, 0, "from one file for ParaView to the next", "output"),
    Setting("checkpoint_steps", STEPS_OR_NONE, 200, "with --checkpoint", "output"),
)
KEYS = (*GRID_KEYS, *RUN_KEYS, *START_KEYS, *OUTPUT_KEYS, *ENGINE_KEYS)

DIFFUSE_FILE = InputFile(
    "diffuse",
    KEYS,
    """\
# Diffusion of one field for `makespan diffuse` (docs/how-to/diffuse.md). These are all keys, each
# with its default, which is taken where a key is left out. Steps of 0 under [output]: none.
""",
)
FLAGS = flags_of(KEYS)
"""Keys that are flags of the command."""
COMMAND_SETTINGS = (*not_given([one for one in KEYS if one.name in FLAGS]), *GRID_SETTINGS)
PYTHON_KEYS = (*not_given(KEYS), *PYTHON_SETTINGS)


def spacing_of(given: InputValues) -> _Triple:
    """By axis."""
    spacing = given["spacing"]
    x, y, z = spacing if isinstance(spacing, list) else (spacing,) * 3
    return float(x), float(y), float(z)


def points_of(given: InputValues) -> tuple[int, int, int]:
    """By axis."""
    x, y, z = given["points"]
    return x, y, z


def clock_of(given: InputValues) -> StepClock:
    """The run's steps."""
    time_step = float(given["time_step"])
    return StepClock(time_step, given["steps"] * time_step)


def diffusion_settings(given: InputValues) -> dict[str, Any]:
    """What the engine is told: lambda = D dt / h^2 by axis, and the faces, x's low one first."""
    ends = [end for pair in ends_of(given["boundary"]) for end in pair]
    factor = float(given["diffusion"]) * float(given["time_step"])
    return {
        "points": given["points"],
        "lambdas": [factor / spacing**2 for spacing in spacing_of(given)],
        "faces": [end if isinstance(end, str) else "value" for end in ends],
        "values": [0.0 if isinstance(end, str) else end for end in ends],
        "steps_at_once": given["steps_at_once"],
    }
