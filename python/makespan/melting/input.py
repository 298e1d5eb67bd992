# SPDX-License-Identifier: Apache-2.0
"""Input files of melts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from makespan.base.engine import Engine
from makespan.base.errors import InputError
from makespan.melting.keys import KEYS
from makespan.settings.key_file import KeyFile, KeyValues, unknown

MELT_FILE = KeyFile("melt", KEYS)

# Those that the physics is made of; the engine's settings have the same names.
_SETTINGS = (
    *("lattice_cells", "density", "temperature", "seed", "cutoff", "skin", "rebuild_steps"),
    *("time_step", "steps", "thermo_steps", "cells"),
)


def melt_settings(given: KeyValues) -> dict[str, Any]:
    """What the engine is told of the melt."""
    return {name: given[name] for name in _SETTINGS}


def checked_melt(given: KeyValues, engine: Engine) -> Mapping[str, Any]:
    """What the engine knows of the melt before it runs. Raises `InputError`."""
    known = [entry["name"] for entry in engine.balancers()]
    if given["balancer"] not in known:
        raise InputError(f"{given.source}: {unknown('balancer', given['balancer'], known)}")
    try:
        system: Mapping[str, Any] = engine.melt_system(melt_settings(given))
    except ValueError as error:
        raise InputError(f"{given.source}: {error}") from error
    return system
