# SPDX-License-Identifier: Apache-2.0
"""How any grid is cut and run: keys of input files, flags and keywords alike; no bit depends on it.

A kind of grid adds `ENGINE_KEYS` to the keys of its file and `ENGINE_FLAGS` to its flags, and gives
the engine what `RunOptions.of_team` makes of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from makespan.base.errors import InputError
from makespan.settings.input_file import InputValues
from makespan.settings.kinds import (
    ABOVE_0,
    STEPS_OR_NONE,
    ListOf,
    Number,
    OneOf,
    OrElse,
    Whole,
    triple,
)
from makespan.settings.setting import Setting, toml_text

SECTION = "engine"
FREE = "free"
CORES, MEASURED = "cores", "measured"
STEPS_AT_ONCE_MAX = 8
FIRST_LOOK_STEPS = 20
"""Of a run whose speeds are measured, before it is cut anew."""

_THICKNESS = Whole(0, 1 << 30)

STEPS_AT_ONCE = Setting(
    "steps_at_once",
    Whole(1, STEPS_AT_ONCE_MAX),
    1,
    "for one exchange between devices; 3 is faster where the field is larger than the caches",
    "run",
)
"""Of kinds whose kernel makes several; not among `ENGINE_KEYS`."""

TUNE = Setting(
    "tune",
    OneOf(("auto", "off", "now")),
    "auto",
    "auto: before runs of two minutes and more, try ways to run and keep the fastest; now: at once",
    SECTION,
)
TUNE_SHARE = Setting(
    "tune_share", Number(least=0.0, most=0.5), 0.02, "of the run's time, for trials", SECTION
)

ENGINE_KEYS = (
    Setting(
        "schedule",
        OneOf(("overlap", "pipeline", "none")),
        "overlap",
        "overlap: halos travel while devices compute; pipeline: in blocks; none: devices wait",
        SECTION,
    ),
    Setting("blocks", Whole(1, 1 << 10), 4, "of each boundary, with pipeline", SECTION),
    Setting(
        "block_order",
        OneOf(("far-first", "near-first")),
        "far-first",
        "first what other processes wait for, or what this one's devices do; with pipeline",
        SECTION,
    ),
    Setting(
        "route",
        OneOf(("direct", "relayed")),
        "direct",
        "of halos: from device to device, or relayed by both hosts",
        SECTION,
    ),
    Setting(
        "cut",
        OneOf(("auto", "slabs", "boxes")),
        "auto",
        "how processes divide the grid; auto: slabs for up to 5 of them",
        SECTION,
    ),
    Setting(
        "host",
        OneOf(("device", "none", "front-back", "left-right", "all")),
        "device",
        "what a process's first device has: a slab, nothing, or boundaries of the others",
        SECTION,
    ),
    Setting(
        "host_thickness",
        OrElse(OneOf((FREE,)), OrElse(_THICKNESS, triple(_THICKNESS, "three, along x, y, z"))),
        FREE,
        "points of these boundaries; free: as many as cost nothing",
        SECTION,
    ),
    Setting(
        "device_speeds",
        OrElse(OneOf((CORES, MEASURED)), ListOf(ABOVE_0, what="numbers above 0")),
        CORES,
        "of devices: by their cores, measured, or one for each of a process or of all",
        SECTION,
    ),
    Setting(
        "plane_weights",
        ListOf(ABOVE_0, what="numbers above 0"),
        [],
        "what each plane along z costs beside the others; [] for all the same",
        SECTION,
    ),
    Setting(
        "rebalance_steps",
        STEPS_OR_NONE,
        0,
        "steps from one look at devices' speeds to the next; 0: never",
        SECTION,
    ),
    TUNE,
    TUNE_SHARE,
)
ENGINE_FLAGS = tuple(one.name for one in ENGINE_KEYS)
"""All of them are flags."""

# Axes x, y, z along which the host has layers.
_SIDES = {"front-back": (0, 0, 1), "left-right": (0, 1, 0), "all": (1, 1, 1)}
# And along which it may be told to have some.
_SIDES_ALLOWED = {**_SIDES, "left-right": (1, 1, 0)}


def engine_options(given: InputValues) -> dict[str, Any]:
    """As the engine takes them. Raises `InputError` for a thickness that means nothing."""
    speeds = given["device_speeds"]
    is_listed = not isinstance(speeds, str)
    return {
        **{name: given[name] for name in ("schedule", "blocks", "block_order", "route", "cut")},
        **_host(given),
        "speeds": [float(speed) for speed in speeds] if is_listed else [],
        "plane_weights": [float(weight) for weight in given["plane_weights"]],
        "steps_at_once": given.values.get(STEPS_AT_ONCE.name, 1),
        "rebalance_steps": given["rebalance_steps"],
        "first_look": FIRST_LOOK_STEPS if speeds == MEASURED else 0,
    }


def _host(given: InputValues) -> Mapping[str, Any]:
    host, thickness = given["host"], given["host_thickness"]
    if host not in _SIDES:
        if thickness != FREE:
            raise _refused(given, f"host = {toml_text(host)} has no boundaries")
        return {"host": host}
    # Left and right are ends of the other devices' rows and of their planes.
    share = "front-back" if host == "left-right" else host
    sides = _SIDES[host]
    if thickness == FREE:
        # Rows that end in the midst of a halo several steps wide need a rule there.
        is_deep = given.values.get(STEPS_AT_ONCE.name, 1) > 1
        free = [0 if is_deep else sides[0], *sides[1:]]
        return {"host": share, "host_thickness": free, "host_is_free": True}
    by_axis = [thickness * side for side in sides] if isinstance(thickness, int) else thickness
    if any(one and not side for one, side in zip(by_axis, _SIDES_ALLOWED[host], strict=True)):
        axes = " and ".join(a for a, side in zip("xyz", _SIDES_ALLOWED[host], strict=True) if side)
        raise _refused(given, f"host = {toml_text(host)} has them along {axes}")
    return {"host": share, "host_thickness": list(by_axis)}


def _refused(given: InputValues, why: str) -> InputError:
    text = toml_text(given["host_thickness"])
    return InputError(
        f"{given.source}: [{SECTION}] host_thickness = {text} ({why}): leave it out, or give a "
        "host that has such boundaries"
    )
