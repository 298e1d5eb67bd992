# SPDX-License-Identifier: Apache-2.0
"""What an input file of a melt may say: each key with its default, its limits and its meaning."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

INT32_MAX = 2**31 - 1
STEPS_MAX = 2**53
FIRST_MAPS = ("block", "round-robin")
BALANCE_WORDS = ("auto", "never")


@dataclass(frozen=True, slots=True)
class Key:
    """One line of an input file. `fits` tells whether a value can be used, `right` what can."""

    section: str
    name: str
    default: Any
    fits: Callable[[Any], bool]
    right: str
    meaning: str


def _is_whole(least: int, most: int) -> Callable[[Any], bool]:
    # TOML's true is a Python int.
    return lambda value: type(value) is int and least <= value <= most


def _is_number(*, above_zero: bool) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        if type(value) not in (int, float) or not math.isfinite(value):
            return False
        return bool(value > 0 if above_zero else value >= 0)

    return fits


def _is_triple(least: int) -> Callable[[Any], bool]:
    fits = _is_whole(least, INT32_MAX)
    return lambda value: isinstance(value, list) and len(value) == 3 and all(map(fits, value))


def _is_balance(value: Any) -> bool:
    return value in BALANCE_WORDS or _is_whole(1, STEPS_MAX)(value)


_ABOVE = (_is_number(above_zero=True), "give a number above 0")
_FROM_0 = (_is_number(above_zero=False), "give a number, 0 or above")
_COUNT = (_is_whole(1, INT32_MAX), "give a whole number of at least 1")
_STEPS = (_is_whole(1, STEPS_MAX), "give a whole number of steps, at least 1")

KEYS = (
    Key(
        "system",
        "lattice_cells",
        [20, 20, 20],
        _is_triple(1),
        "give three whole numbers of at least 1, as [20, 20, 20]",
        "the crystal along x, y, z; 4 atoms each (region)",
    ),
    Key("system", "density", 0.8442, *_ABOVE, "atoms per sigma^3 (lattice fcc)"),
    Key("system", "temperature", 1.44, *_FROM_0, "of the first step (velocity create)"),
    Key(
        "system",
        "seed",
        87287,
        _is_whole(0, 2**63 - 1),
        "give a whole number from 0 to 2^63 - 1",
        "of the velocities",
    ),
    Key("force", "cutoff", 2.5, *_ABOVE, "pairs from here on have no force (pair_style lj/cut)"),
    Key("force", "skin", 0.3, *_FROM_0, "lists hold pairs up to cutoff + skin (neighbor)"),
    Key("force", "rebuild_steps", 20, *_COUNT, "lists are made anew so often (neigh_modify every)"),
    Key("run", "time_step", 0.005, *_ABOVE, "in units of sigma sqrt(m/epsilon) (timestep)"),
    Key(
        "run",
        "steps",
        100,
        _is_whole(0, STEPS_MAX),
        "give a whole number of steps, 0 or more",
        "in all (run); those before a checkpoint count",
    ),
    Key("run", "thermo_steps", 100, *_STEPS, "from one line of the table to the next (thermo)"),
    Key("run", "frame_steps", 20, *_STEPS, "from one frame of --trajectory to the next (dump)"),
    Key(
        "objects",
        "cells",
        [5, 5, 5],
        _is_triple(3),
        "give three whole numbers of at least 3, as [5, 5, 5]",
        "the box is cut into so many; each gives 15 objects",
    ),
    Key("objects", "phase_steps", 20, *_STEPS, "from one look at loads to the next"),
    Key(
        "objects",
        "checkpoint_phases",
        10,
        *_COUNT,
        "phases from one checkpoint to the next, with --checkpoint",
    ),
    Key(
        "objects",
        "first_map",
        "block",
        lambda value: value in FIRST_MAPS,
        'give "block" or "round-robin"',
        'where objects are at first: "block" or "round-robin"',
    ),
    Key(
        "objects",
        "balance",
        "auto",
        _is_balance,
        'give "auto", "never", or a number of phases from one move to the next',
        'when objects move: "auto", "never", or after so many phases',
    ),
    Key(
        "objects",
        "balancer",
        "makespan",
        lambda value: isinstance(value, str) and value != "",
        "give the name of a balancer (`makespan balance --list` shows them)",
        "who says where to (makespan balance --list)",
    ),
)

BY_NAME = {key.name: key for key in KEYS}
SECTIONS = tuple(dict.fromkeys(key.section for key in KEYS))

_HEAD = """\
# A melt of Lennard-Jones atoms for `makespan melt`: LAMMPS's bench in.lj. These are all keys, each
# with its default, which is taken where a key is left out; LAMMPS's command is in parentheses.
# All numbers are in Lennard-Jones units.
"""


def example_text() -> str:
    """An input file that says what is the default anyway."""
    lines = [_HEAD]
    for section in SECTIONS:
        keys = [key for key in KEYS if key.section == section]
        texts = [f"{key.name} = {toml_text(key.default)}" for key in keys]
        width = max(map(len, texts)) + 2
        lines.append(f"\n[{section}]\n")
        lines += [f"{text:{width}}# {key.meaning}\n" for text, key in zip(texts, keys, strict=True)]
    return "".join(lines)


def toml_text(value: object) -> str:
    """A value as it stands in a file, shortened where it is long."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        text = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    elif isinstance(value, list):
        text = f"[{', '.join(map(toml_text, value))}]"
    else:
        text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."
