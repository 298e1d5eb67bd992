# SPDX-License-Identifier: Apache-2.0
"""What an input file of a calcium spark may say."""

from __future__ import annotations

from typing import Any

from makespan.settings.keys import (
    ABOVE,
    FROM_0,
    INT32_MAX,
    Key,
    example_text,
    is_finite,
    is_list,
    is_number,
    is_triple,
    is_whole,
    one_of,
)

ENDS = ("no-flux", "rest", "periodic")
SPECIES = ("hake", "walker", "smith")
LAYOUTS = ("release-unit", "plain")
AXES = ("x", "y", "z")

_NUMBER = is_number(above_zero=False)
_INDEX = is_whole(0, INT32_MAX)


def _is_opening(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 3 and _INDEX(value[0]) and _is_span(value[1:])


def _is_span(value: list[Any]) -> bool:
    return all(map(_NUMBER, value)) and bool(value[0] <= value[1])


def _is_current(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 6
        and all(map(_INDEX, value[:3]))
        and is_finite(value[3])
        and _is_span(value[4:])
    )


def _is_buffer(value: Any) -> bool:
    # An empty list: as the set of species has it.
    return value == [] or is_list(_NUMBER, 4)(value)


def _is_setting(value: Any) -> bool:
    return value == "set" or _NUMBER(value)


_OPENINGS = (is_list(_is_opening), "give rows of [channel, from ms, to ms], as [[24, 0, 10]]")
_BUFFER = (
    _is_buffer,
    "give [total uM, diffusion um2/ms, on 1/(uM ms), off 1/ms], or [] for the set's",
)
_SETTING = (_is_setting, 'give a number, 0 or above, or "set" for the set\'s')
TIME_MAX = 1e9
TIME_STEP_MIN = 1e-9
"""Between these [ms] steps can be counted."""


def _is_time(value: Any) -> bool:
    return _NUMBER(value) and bool(value <= TIME_MAX)


def _is_time_step(value: Any) -> bool:
    return _NUMBER(value) and bool(TIME_STEP_MIN <= value <= TIME_MAX)


_EVERY = (_is_time, f"give a time in ms up to {TIME_MAX:g}, 0 for none")

KEYS = (
    Key(
        "grid",
        "points",
        [176, 136, 136],
        is_triple(1),
        "give three whole numbers of at least 1, as [176, 136, 136]",
        "voxels along x, y, z; the T-tubule runs along x",
    ),
    Key("grid", "spacing", 0.015, *ABOVE, "side of a voxel [um]"),
    Key("grid", "ends", "no-flux", *one_of(ENDS), 'beyond: "no-flux", "rest" or "periodic"'),
    Key(
        "run",
        "duration",
        30.0,
        _is_time,
        f"give a time in ms, 0 to {TIME_MAX:g}",
        "[ms], from the beginning",
    ),
    Key(
        "run",
        "time_step",
        1.5e-4,
        _is_time_step,
        f"give a time in ms, {TIME_STEP_MIN:g} to {TIME_MAX:g}",
        "[ms]; up to h^2/(6 D), less beside open channels",
    ),
    Key("release", "layout", "release-unit", *one_of(LAYOUTS), '"plain": cytosol alone'),
    Key("release", "ryr_open", [[24, 0.0, 10.0]], *_OPENINGS, "RyR: [channel, from, to ms]"),
    Key(
        "release",
        "gating_ms",
        0.0,
        *_EVERY,
        "RyR open and close by chance, so often drawn; 0: only as said above",
    ),
    Key(
        "release",
        "seed",
        0,
        is_whole(0, 2**63 - 1),
        "give a whole number from 0 to 2^63 - 1",
        "of what is drawn",
    ),
    Key("release", "lcc_open", [], *_OPENINGS, "LCC: [channel, from, to ms]"),
    Key(
        "release",
        "currents",
        [],
        is_list(_is_current),
        "give rows of [x, y, z, pA, from ms, to ms]",
        "into single voxels: [x, y, z, pA, from, to ms]",
    ),
    Key("release", "ryr_conductance", 7.752e-4, *FROM_0, "of an open RyR [um3/ms]"),
    Key("release", "lcc_current", 0.1, *FROM_0, "of an open LCC [pA]"),
    Key("geometry", "tubule_radius", 0.11, *ABOVE, "[um], as all of these"),
    Key("geometry", "cleft_height", 0.015, *ABOVE, "between T-tubule and SR"),
    Key("geometry", "jsr_length", 0.465, *ABOVE, "of the junctional SR, along the tubule"),
    Key("geometry", "jsr_width", 0.465, *ABOVE, "around it"),
    Key("geometry", "jsr_thickness", 0.040, *ABOVE, "from its inner face to its outer one"),
    Key("geometry", "troponin_radius", 0.20, *FROM_0, "none nearer to the tubule's axis"),
    Key(
        "geometry",
        "ryr_per_side",
        7,
        is_whole(0, 1000),
        "give a whole number from 0 to 1000",
        "of the square of release channels",
    ),
    Key("geometry", "ryr_pitch", 0.031, *ABOVE, "from one to the next"),
    Key(
        "geometry",
        "lcc_count",
        7,
        is_whole(0, 1000),
        "give a whole number from 0 to 1000",
        "channels of the tubule, below them",
    ),
    Key("species", "species", "hake", *one_of(SPECIES), 'a set: "hake", "walker" or "smith"'),
    Key("species", "ca_diffusion", "set", *_SETTING, "in the cytosol [um2/ms]"),
    Key("species", "ca_rest", "set", *_SETTING, "in the cytosol [uM]"),
    *(
        Key("species", name, [], *_BUFFER, f"{what}: [total, diffusion, on, off]")
        for name, what in (
            ("atp", "ATP"),
            ("cmdn", "calmodulin"),
            ("trpn", "troponin"),
            ("fluo", "the dye"),
            ("csqn", "calsequestrin, in the SR"),
        )
    ),
    Key("species", "sr_ca_diffusion", "set", *_SETTING, "in the SR [um2/ms]"),
    Key("species", "sr_ca_rest", "set", *_SETTING, "in the SR [uM]"),
    Key("species", "t_tubule_ca", "set", *_SETTING, "kept [uM]"),
    Key("species", "refill_rate", "set", *_SETTING, "of the SR [1/ms]"),
    Key("species", "network_sr_ca", "set", *_SETTING, "from which it is refilled [uM]"),
    Key("output", "table_ms", 1.0, *_EVERY, "from one line of the table to the next"),
    Key("output", "scan_ms", 0.5, *_EVERY, "from one line of the line scan to the next"),
    Key("output", "slice_ms", 5.0, *_EVERY, "from one picture of a slice to the next"),
    Key("output", "slice_axis", "z", *one_of(AXES), "which it is cut across, in the middle"),
    Key("output", "state_ms", 0.0, *_EVERY, "from one file for ParaView to the next"),
    Key("output", "checkpoint_ms", 2.0, *_EVERY, "with --checkpoint"),
)

_HEAD = """\
# A calcium spark for `makespan calcium`: channels of the sarcoplasmic reticulum open beside a
# T-tubule, and calcium spreads and is bound (docs/how-to/calcium.md). These are all keys, each with
# its default, which is taken where a key is left out.
"""


def calcium_example() -> str:
    """An input file that says what is the default anyway."""
    return example_text(_HEAD, KEYS)
