# SPDX-License-Identifier: Apache-2.0
"""Settings of calcium sparks: the keys of their input files, and what the engine is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from makespan.base.engine import Engine
from makespan.base.errors import InputError
from makespan.grids.boundary import AXES, NO_FLUX, PERIODIC, REST, Boundary
from makespan.grids.engine_keys import ENGINE_KEYS
from makespan.grids.input import FIELDS, GRID_SETTINGS, PYTHON_SETTINGS, flags_of, not_given
from makespan.grids.steps import StepClock
from makespan.settings.input_file import InputFile, InputValues
from makespan.settings.kinds import (
    ABOVE_0,
    COUNT,
    FROM_0,
    STEPS_MAX,
    Checked,
    ListOf,
    Number,
    OneOf,
    OrElse,
    Switch,
    Whole,
    is_finite,
    triple,
)
from makespan.settings.setting import Setting
from makespan.settings.shared import SEED

SPECIES = ("hake", "walker", "smith")
LAYOUTS = ("release-unit", "plain")
TIME_MAX = 1e9
TIME_STEP_MIN = 1e-9
"""Between these [ms] steps can be counted."""

_INDEX = Whole(0)
_TIME = Number(least=0.0, most=TIME_MAX)
_ON_SIDE = Whole(0, 1000)
_INTERVAL = Number(above=0.0, most=TIME_MAX)
_VOLTAGE = Number(least=-1000.0, most=1000.0)


def _is_index(value: Any) -> bool:
    """Whole numbers, also as floats: arrays of numpy have one type for all columns."""
    is_whole = type(value) is float and value.is_integer()
    return _INDEX.fits(int(value) if is_whole else value)


def _is_span(value: list[Any]) -> bool:
    return all(map(FROM_0.fits, value)) and bool(value[0] <= value[1])


def _is_opening(value: Any) -> bool:
    return (
        isinstance(value, list) and len(value) == 3 and _is_index(value[0]) and _is_span(value[1:])
    )


def _is_current(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 6
        and all(map(_is_index, value[:3]))
        and is_finite(value[3])
        and _is_span(value[4:])
    )


_OPENINGS = ListOf(
    Checked(_is_opening, "a row"), what="rows of [channel, from ms, to ms], as [[24, 0, 10]]"
)
_CURRENTS = ListOf(Checked(_is_current, "a row"), what="rows of [x, y, z, pA, from ms, to ms]")
_BUFFER_UNITS = "[total uM, diffusion um2/ms, on 1/(uM ms), off 1/ms]"
_BUFFER = OrElse(
    ListOf(FROM_0, 4, _BUFFER_UNITS),
    ListOf(FROM_0, 0, "[] for the set's"),
)
_SET = Checked(lambda value: value == "set", '"set" for the set\'s')
_OF_SET = OrElse(FROM_0, _SET)

POINTS_KEY = Setting(
    "points",
    triple(COUNT, "three whole numbers of at least 1, as [176, 136, 136]"),
    [176, 136, 136],
    "voxels along x, y, z; the T-tubule runs along x",
    "grid",
)
GRID_KEYS = (
    POINTS_KEY,
    Setting("spacing", ABOVE_0, 0.015, "side of a voxel [um]", "grid"),
    Setting(
        "boundary",
        Boundary((NO_FLUX, REST, PERIODIC), has_numbers=False, is_by_axis=False),
        NO_FLUX,
        '"no-flux", "rest" (as it is at rest) or "periodic", beyond all ends',
        "grid",
    ),
)
RUN_KEYS = (
    Setting("duration", _TIME, 30.0, "[ms], from the beginning", "run"),
    Setting(
        "time_step",
        Number(least=TIME_STEP_MIN, most=TIME_MAX),
        1.5e-4,
        "[ms]; up to h^2/(6 D), less beside open channels",
        "run",
    ),
)
RELEASE_KEYS = (
    Setting("layout", OneOf(LAYOUTS), "release-unit", '"plain": cytosol alone', "release"),
    Setting("ryr_open", _OPENINGS, [[24, 0.0, 10.0]], "RyR: [channel, from, to ms]", "release"),
    Setting(
        "gating_ms",
        _TIME,
        0.0,
        "RyR open and close by chance, so often drawn; 0: only as said above",
        "release",
    ),
    SEED.but(section="release", help="of what is drawn"),
    Setting("lcc_open", _OPENINGS, [], "LCC: [channel, from, to ms]", "release"),
    Setting(
        "currents",
        _CURRENTS,
        [],
        "into single voxels: [x, y, z, pA, from, to ms]",
        "release",
    ),
    Setting("ryr_conductance", FROM_0, 7.752e-4, "of an open RyR [um3/ms]", "release"),
    Setting("lcc_current", FROM_0, 0.1, "of an open LCC [pA]", "release"),
)
GEOMETRY_KEYS = tuple(
    Setting(name, kind, default, text, "geometry")
    for name, kind, default, text in (
        ("tubule_radius", ABOVE_0, 0.11, "[um], as all of these"),
        ("cleft_height", ABOVE_0, 0.015, "between T-tubule and SR"),
        ("jsr_length", ABOVE_0, 0.465, "of the junctional SR, along the tubule"),
        ("jsr_width", ABOVE_0, 0.465, "around it"),
        ("jsr_thickness", ABOVE_0, 0.040, "from its inner face to its outer one"),
        ("troponin_radius", FROM_0, 0.20, "none nearer to the tubule's axis"),
        ("ryr_per_side", _ON_SIDE, 7, "of the square of release channels"),
        ("ryr_pitch", ABOVE_0, 0.031, "from one to the next"),
        ("lcc_count", _ON_SIDE, 7, "channels of the tubule, below them"),
    )
)
SPECIES_KEYS = (
    Setting("species", OneOf(SPECIES), "hake", 'a set: "hake", "walker" or "smith"', "species"),
    *(
        Setting(name, kind, default, text, "species")
        for name, kind, default, text in (
            ("ca_diffusion", _OF_SET, "set", "in the cytosol [um2/ms]"),
            ("ca_rest", _OF_SET, "set", "in the cytosol [uM]"),
            ("atp", _BUFFER, [], f"ATP: {_BUFFER_UNITS}"),
            ("cmdn", _BUFFER, [], f"calmodulin: {_BUFFER_UNITS}"),
            ("trpn", _BUFFER, [], f"troponin: {_BUFFER_UNITS}"),
            ("fluo", _BUFFER, [], f"the dye: {_BUFFER_UNITS}"),
            ("csqn", _BUFFER, [], f"calsequestrin, in the SR: {_BUFFER_UNITS}"),
            ("sr_ca_diffusion", _OF_SET, "set", "in the SR [um2/ms]"),
            ("sr_ca_rest", _OF_SET, "set", "in the SR [uM]"),
            ("t_tubule_ca", _OF_SET, "set", "kept [uM]"),
            ("refill_rate", _OF_SET, "set", "of the SR [1/ms]"),
            ("network_sr_ca", _OF_SET, "set", "from which it is refilled [uM]"),
            ("serca_total", _OF_SET, "set", "SERCA in the cytosol [uM]"),
            ("membrane_pump_max", _OF_SET, "set", "of the membrane's pump [pA/pF]"),
            ("exchanger_max", _OF_SET, "set", "of the exchanger [pA/pF]"),
            ("membrane_voltage", OrElse(_VOLTAGE, _SET), "set", "of the T-tubule [mV]"),
        )
    ),
)
PUMP_KEYS = (
    *(
        Setting(name, Switch(), default, text, "pumps")
        for name, default, text in (
            ("serca", False, "SERCA pumps calcium into the network SR, where troponin is"),
            ("membrane_pump", False, "the T-tubule's membrane pumps it out"),
            ("exchanger", False, "sodium is exchanged for it there"),
            ("leaks", True, "as much comes back as these take at rest"),
            ("network_sr", False, "the network SR fills and empties; else its calcium is kept"),
        )
    ),
    Setting("network_sr_share", ABOVE_0, 0.0538, "its volume, of the cytosol's", "pumps"),
    Setting("network_sr_ms", _INTERVAL, 0.5, "how often its calcium is found anew", "pumps"),
)
OUTPUT_KEYS = (
    Setting("table_ms", _TIME, 1.0, "from one line of the table to the next", "output"),
    Setting("scan_ms", _TIME, 0.5, "from one line of the line scan to the next", "output"),
    Setting("slice_ms", _TIME, 5.0, "from one picture of a slice to the next", "output"),
    Setting("slice_axis", OneOf(AXES), "z", "which it is cut across, in the middle", "output"),
    Setting("state_ms", _TIME, 0.0, "from one file for ParaView to the next", "output"),
    Setting("checkpoint_ms", _TIME, 2.0, "with --checkpoint", "output"),
)
KEYS = (
    *(*GRID_KEYS, *RUN_KEYS, *RELEASE_KEYS, *GEOMETRY_KEYS, *SPECIES_KEYS, *PUMP_KEYS),
    *(*OUTPUT_KEYS, *ENGINE_KEYS),
)
"""In the order of the example."""

CALCIUM_FILE = InputFile(
    "calcium",
    KEYS,
    """\
# A calcium spark for `makespan calcium`: channels of the sarcoplasmic reticulum open beside a
# T-tubule, and calcium spreads and is bound (docs/how-to/calcium.md). These are all keys, each with
# its default, which is taken where a key is left out. Times of 0 under [output]: none.
""",
)
FLAGS = flags_of(KEYS)
"""Keys that are flags of the command."""
COMMAND_SETTINGS = (*not_given([one for one in KEYS if one.name in FLAGS]), *GRID_SETTINGS)
PYTHON_KEYS = (*not_given(KEYS), FIELDS, *PYTHON_SETTINGS)

# What changes a run's values; the rest says how long it goes on and what is written of it.
_PHYSICS = ("grid", "release", "geometry", "species", "pumps")
_PUMPS = ("serca", "membrane_pump", "exchanger")
_INDICES = {"ryr_open": 1, "lcc_open": 1, "currents": 3}
"""So many numbers that rows begin with are channels, or voxels."""


def calcium_settings(given: InputValues) -> dict[str, Any]:
    """What the engine is told of the unit; what the set of species says is left to it."""
    names = [key.name for key in KEYS if key.section in _PHYSICS] + ["time_step"]
    off: set[str] = set()
    if not given["gating_ms"]:
        off |= {"gating_ms", "seed"}
    if not given["network_sr"]:
        off |= {"network_sr", "network_sr_share", "network_sr_ms"}
    if not any(given[name] for name in _PUMPS):
        off |= {*_PUMPS, "leaks"}
    found = {
        name: given[name] for name in names if name not in off and given[name] not in ("set", [])
    }
    for name, count in _INDICES.items():
        if name in found:
            found[name] = [[*map(int, row[:count]), *row[count:]] for row in found[name]]
    if given["gating_ms"] and "ryr_open" in found:
        found["ryr_open"] = _joined(found["ryr_open"])
    return found


def _joined(rows: Sequence[Sequence[float]]) -> list[list[float]]:
    """One for each time that a channel is held open: with gating the times of two may overlap."""
    joined: list[list[float]] = []
    for channel, begin, end in sorted(map(tuple, rows)):
        if joined and joined[-1][0] == channel and begin <= joined[-1][2]:
            joined[-1][2] = max(joined[-1][2], end)
        else:
            joined.append([channel, begin, end])
    return joined


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
    network_sr_ca: float
    """At the beginning [uM]."""
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


def checked_calcium(given: InputValues, engine: Engine) -> CalciumUnit:
    """Raises `InputError` for what cannot be worked with."""
    settings = calcium_settings(given)
    try:
        known = engine.calcium_unit(settings)
    except ValueError as error:
        raise InputError(f"{given.blamed}: {error}") from error
    clock = StepClock(float(given["time_step"]), float(given["duration"]))
    if clock.steps >= STEPS_MAX:
        raise InputError(
            f"{given.blamed}: [run] duration = {clock.duration:g} ms (in steps of "
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
        network_sr_ca=known["network_sr_ca"],
        channels=tuple(known["ryr"]),
        steps=clock,
    )
