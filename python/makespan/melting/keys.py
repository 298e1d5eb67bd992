# SPDX-License-Identifier: Apache-2.0
"""What an input file of a melt may say: each key with its default, its limits and its meaning."""

from __future__ import annotations

from typing import Any

from makespan.settings.keys import (
    ABOVE,
    COUNT,
    FROM_0,
    STEPS,
    STEPS_MAX,
    Key,
    is_triple,
    is_whole,
    one_of,
)
from makespan.settings.keys import example_text as example_text_of

FIRST_MAPS = ("block", "round-robin")
BALANCE_WORDS = ("auto", "never")


def _is_balance(value: Any) -> bool:
    return value in BALANCE_WORDS or is_whole(1, STEPS_MAX)(value)


KEYS = (
    Key(
        "system",
        "lattice_cells",
        [20, 20, 20],
        is_triple(1),
        "give three whole numbers of at least 1, as [20, 20, 20]",
        "the crystal along x, y, z; 4 atoms each (region)",
    ),
    Key("system", "density", 0.8442, *ABOVE, "atoms per sigma^3 (lattice fcc)"),
    Key("system", "temperature", 1.44, *FROM_0, "of the first step (velocity create)"),
    Key(
        "system",
        "seed",
        87287,
        is_whole(0, 2**63 - 1),
        "give a whole number from 0 to 2^63 - 1",
        "of the velocities",
    ),
    Key("force", "cutoff", 2.5, *ABOVE, "pairs from here on have no force (pair_style lj/cut)"),
    Key("force", "skin", 0.3, *FROM_0, "lists hold pairs up to cutoff + skin (neighbor)"),
    Key("force", "rebuild_steps", 20, *COUNT, "lists are made anew so often (neigh_modify every)"),
    Key("run", "time_step", 0.005, *ABOVE, "in units of sigma sqrt(m/epsilon) (timestep)"),
    Key(
        "run",
        "steps",
        100,
        is_whole(0, STEPS_MAX),
        "give a whole number of steps, 0 or more",
        "in all (run); those before a checkpoint count",
    ),
    Key("run", "thermo_steps", 100, *STEPS, "from one line of the table to the next (thermo)"),
    Key("run", "frame_steps", 20, *STEPS, "from one frame of --trajectory to the next (dump)"),
    Key(
        "objects",
        "cells",
        [5, 5, 5],
        is_triple(3),
        "give three whole numbers of at least 3, as [5, 5, 5]",
        "the box is cut into so many; each gives 15 objects",
    ),
    Key("objects", "phase_steps", 20, *STEPS, "from one look at loads to the next"),
    Key(
        "objects",
        "checkpoint_phases",
        10,
        *COUNT,
        "phases from one checkpoint to the next, with --checkpoint",
    ),
    Key(
        "objects",
        "first_map",
        "block",
        *one_of(FIRST_MAPS),
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

_HEAD = """\
# A melt of Lennard-Jones atoms for `makespan melt`: LAMMPS's bench in.lj. These are all keys, each
# with its default, which is taken where a key is left out; LAMMPS's command is in parentheses.
# All numbers are in Lennard-Jones units.
"""


def example_text() -> str:
    """An input file that says what is the default anyway."""
    return example_text_of(_HEAD, KEYS)
