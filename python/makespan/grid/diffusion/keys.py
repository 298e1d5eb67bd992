# SPDX-License-Identifier: Apache-2.0
"""What an input file of a diffusion may say."""

from __future__ import annotations

from typing import Any

from makespan.grid.calcium.keys import AXES
from makespan.settings.keys import (
    ABOVE,
    FROM_0,
    STEPS_MAX,
    Key,
    example_text,
    is_finite,
    is_list,
    is_triple,
    is_whole,
    one_of,
)

STARTS = ("gaussian", "point", "mode", "uniform", "file")
STEPS_AT_ONCE_MAX = 8


def _are_boundaries(value: Any) -> bool:
    """Of one axis: two of "no-flux" and numbers, or "periodic" twice."""
    if value == ["periodic", "periodic"]:
        return True
    return is_list(lambda end: end == "no-flux" or is_finite(end), 2)(value)


def _is_side(value: Any) -> bool:
    # Of these even the squares are numbers.
    return is_finite(value) and 1e-100 <= value <= 1e100


_ENDS = (
    _are_boundaries,
    'give two of "no-flux" and numbers, as ["no-flux", 1.5], or ["periodic", "periodic"]',
)
_SPACING = (
    lambda value: _is_side(value) or is_list(_is_side, 3)(value),
    "give a number from 1e-100 to 1e100, or three",
)
_CENTRE = (
    lambda value: value == [] or is_list(is_finite, 3)(value),
    "give three numbers, or [] for the middle",
)
_EVERY = (is_whole(0, STEPS_MAX), "give a whole number of steps, 0 for none")
_FINITE = (is_finite, "give a finite number")

KEYS = (
    Key(
        "grid",
        "points",
        [128, 128, 128],
        is_triple(1),
        "give three whole numbers of at least 1, as [128, 128, 128]",
        "along x, y, z",
    ),
    Key("grid", "spacing", 1.0, *_SPACING, "from point to point; three numbers for each axis"),
    Key("grid", "x_boundary", ["no-flux", "no-flux"], *_ENDS, '"no-flux", "periodic" or a value'),
    Key("grid", "y_boundary", ["no-flux", "no-flux"], *_ENDS, "likewise"),
    Key("grid", "z_boundary", ["no-flux", "no-flux"], *_ENDS, "likewise"),
    Key("run", "diffusion", 1.0, *FROM_0, "constant D, in the units of spacing and time_step"),
    Key("run", "time_step", 0.1, *ABOVE, "up to h^2/(6 D) where the three spacings are h"),
    Key(
        "run",
        "steps",
        1000,
        is_whole(0, STEPS_MAX),
        "give a whole number of steps, 0 or more",
        "in all; those before a checkpoint count",
    ),
    Key(
        "run",
        "steps_at_once",
        1,
        is_whole(1, STEPS_AT_ONCE_MAX),
        f"give a whole number from 1 to {STEPS_AT_ONCE_MAX}",
        "for one exchange between devices; 3 is faster where the field is larger than the caches",
    ),
    Key("start", "start", "gaussian", *one_of(STARTS), ", ".join(f'"{one}"' for one in STARTS)),
    Key("start", "height", 1.0, *_FINITE, "of the peak, the wave, or everywhere"),
    Key("start", "background", 0.0, *_FINITE, "added to it"),
    Key("start", "centre", [], *_CENTRE, "of peak or point, from the domain's corner"),
    Key("start", "width", 8.0, *ABOVE, "standard deviation of a gaussian"),
    Key("start", "mode", [1, 1, 1], is_triple(0), "give three whole numbers", "half waves by axis"),
    Key(
        "start",
        "file",
        "",
        lambda value: isinstance(value, str),
        "give the name of a file",
        "numpy's .npy of (z, y, x), or a .vtkhdf of ours",
    ),
    Key("output", "table_steps", 100, *_EVERY, "from one line of the table to the next"),
    Key("output", "slice_steps", 200, *_EVERY, "from one picture of a slice to the next"),
    Key("output", "slice_axis", "z", *one_of(AXES), "which it is cut across, in the middle"),
    Key("output", "state_steps", 0, *_EVERY, "from one file for ParaView to the next"),
    Key("output", "checkpoint_steps", 200, *_EVERY, "with --checkpoint"),
)

_HEAD = """\
# Diffusion of one field for `makespan diffuse` (docs/how-to/diffuse.md). These are all keys, each
# with its default, which is taken where a key is left out.
"""


def diffuse_example() -> str:
    """An input file that says what is the default anyway."""
    return example_text(_HEAD, KEYS)
