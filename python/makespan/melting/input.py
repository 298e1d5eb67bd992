# SPDX-License-Identifier: Apache-2.0
"""The settings of melts, each declared once, and the input files that have them as keys."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

from makespan.base.engine import Engine
from makespan.base.errors import InputError
from makespan.melting.virtual import VIRTUAL_SETTINGS
from makespan.settings.from_python import values_given
from makespan.settings.input_file import InputFile, InputValues
from makespan.settings.kinds import (
    ABOVE_0,
    COUNT,
    FROM_0,
    STEPS,
    STEPS_OR_NONE,
    FilePath,
    OneOf,
    OrElse,
    Whole,
    triple,
)
from makespan.settings.setting import Setting, toml_text
from makespan.settings.shared import (
    BALANCER,
    CHECKPOINT,
    GATHER,
    OUTPUT,
    RECORD,
    REPORT,
    RESTART_FROM,
    RUN_MACHINE,
    SEED,
    THREADS_OF_RUN,
    TRACE,
)

FIRST_MAPS = ("block", "round-robin")
WHEN_WORDS = ("auto", "never")

INPUT = Setting(
    "input", FilePath(), help="TOML file; --example shows one.", is_argument=True, only_flag=True
)

_SYSTEM = (
    Setting(
        "lattice_cells",
        triple(Whole(1), "three whole numbers of at least 1"),
        default=[20, 20, 20],
        help="Crystal along x, y, z; 4 atoms each (region).",
    ),
    Setting("density", ABOVE_0, default=0.8442, help="Atoms per sigma^3 (lattice fcc)."),
    Setting("temperature", FROM_0, default=1.44, help="Of the first step (velocity create)."),
    SEED.but(default=87287, help="Of the velocities."),
)
_FORCE = (
    Setting(
        "cutoff",
        ABOVE_0,
        default=2.5,
        help="Pairs from here on have no force (pair_style lj/cut).",
    ),
    Setting("skin", FROM_0, default=0.3, help="Lists hold pairs up to cutoff + skin (neighbor)."),
    Setting(
        "rebuild_steps",
        COUNT,
        default=20,
        help="Lists are made anew so often (neigh_modify every).",
    ),
)
_STEPS = (
    Setting(
        "time_step",
        ABOVE_0,
        default=0.005,
        help="In units of sigma sqrt(m/epsilon) (timestep).",
    ),
    Setting(
        "steps",
        STEPS_OR_NONE,
        default=100,
        help="In all (run); those before a checkpoint count.",
    ),
)
_TOLD = (
    Setting(
        "thermo_steps",
        STEPS,
        default=100,
        help="From one line of the table to the next (thermo).",
    ),
    Setting(
        "frame_steps", STEPS, default=20, help="From one frame of the output to the next (dump)."
    ),
)
_CELLS = Setting(
    "cells",
    triple(Whole(3), "three whole numbers of at least 3"),
    default=[5, 5, 5],
    help="The box is cut into so many; each gives 15 objects.",
)
_OBJECTS = (
    Setting("phase_steps", STEPS, default=20, help="From one look at loads to the next."),
    Setting(
        "checkpoint_phases",
        COUNT,
        default=10,
        help="Phases from one checkpoint to the next, where there are some.",
    ),
    Setting(
        "first_map",
        OneOf(FIRST_MAPS),
        default="block",
        help="Where objects are at first: block or round-robin.",
    ),
    Setting(
        "when",
        OrElse(OneOf(WHEN_WORDS), STEPS, "auto|never|N"),
        default="auto",
        help="When objects move: auto (if that pays), never, or after every N phases.",
    ),
    BALANCER.but(help="What decides where objects go (--list); options as in name:option=1."),
    RUN_MACHINE,
)


def _keys(section: str, settings: tuple[Setting, ...], *, in_bits: bool = False) -> list[Setting]:
    return [one.but(section=section, in_bits=in_bits) for one in settings]


KEYS = (
    *_keys("system", _SYSTEM, in_bits=True),
    *_keys("force", _FORCE, in_bits=True),
    *_keys("run", _STEPS, in_bits=True),
    *_keys("run", _TOLD),
    *_keys("objects", (_CELLS,), in_bits=True),
    *_keys("objects", _OBJECTS),
)
"""All that an input file can say."""

_HEAD = """\
# A melt of Lennard-Jones atoms for `makespan melt`: LAMMPS's bench in.lj. These are all keys, each
# with its default, which is taken where a key is left out; LAMMPS's command is in parentheses.
# All numbers are in Lennard-Jones units.
"""

MELT_FILE = InputFile("melt", KEYS, _HEAD)


def _over_file(key: Setting) -> Setting:
    usual = toml_text(key.default).strip('"')
    return key.but(default=None, help=f"{key.help} [default: the file's, or {usual}]")


OVER_FILE = tuple(map(_over_file, KEYS))
"""The same as flags and keywords, which come before what a file says; None: not given."""

FILE_SETTINGS = (
    OUTPUT.but(help="Write frames here: .xyz (extended XYZ) or .dcd (CHARMM's)."),
    RECORD,
    TRACE.but(help="Write how long phases took, and places in them; ui.perfetto.dev opens it."),
    REPORT.but(help="Write a page: loads of objects and places, phases."),
    CHECKPOINT,
    RESTART_FROM.but(help="Go on from this checkpoint, such as saved/phase-20."),
)
"""What is read and written besides the input."""

MELT_SETTINGS = (
    *OVER_FILE,
    *FILE_SETTINGS,
    THREADS_OF_RUN.but(
        help="Places of each process; all its cores by default, under mpiexec its share of them."
    ),
    *VIRTUAL_SETTINGS,
)
"""All that `makespan melt` and `makespan.melt` have in common."""

PYTHON_SETTINGS = (*MELT_SETTINGS, GATHER)


def given_melt(source: str | PathLike[str] | None, given: Mapping[str, Any]) -> InputValues:
    """What an input file says, and of `given` the keys that come before it; raises `InputError`."""
    return values_given(MELT_FILE, source, {one.name: given[one.name] for one in KEYS})


def melt_settings(values: InputValues) -> dict[str, Any]:
    """What the engine is told of the melt: what the physics is made of, and lines of the table."""
    return {one.name: values[one.name] for one in KEYS if one.in_bits or one.name == "thermo_steps"}


def melt_system(values: InputValues, engine: Engine) -> Mapping[str, Any]:
    """What the engine knows of the melt before it runs. Raises `InputError`."""
    try:
        return engine.melt_system(melt_settings(values))
    except ValueError as error:
        raise InputError(f"{values.blamed}: {error}") from error
