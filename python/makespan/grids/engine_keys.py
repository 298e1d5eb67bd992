# SPDX-License-Identifier: Apache-2.0
"""How any grid is cut and run: keys of input files, flags and keywords alike; no bit depends on it.

A kind of grid adds `ENGINE_KEYS` to the keys of its file, of which flags are made, and gives the
engine what `RunOptions.of_team` makes of them.
"""

from __future__ import annotations

from typing import Any

from makespan.grids.host_layers import host_keys, host_layers
from makespan.settings.input_file import InputValues
from makespan.settings.kinds import (
    ABOVE_0,
    STEPS_OR_NONE,
    ListOf,
    Number,
    OneOf,
    OrElse,
    Whole,
)
from makespan.settings.setting import Setting

SECTION = "engine"
CORES, MEASURED = "cores", "measured"
STEPS_AT_ONCE_MAX = 8
FIRST_LOOK_STEPS = 20
"""Of a run whose speeds are measured, before it is cut anew."""

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

SCHEDULE = Setting(
    "schedule",
    OneOf(("overlap", "pipeline", "none")),
    "overlap",
    "overlap: halos travel while devices compute; pipeline: in blocks; none: devices wait",
    SECTION,
)
ROUTE = Setting(
    "route",
    OneOf(("direct", "relayed")),
    "direct",
    "of halos: from device to device, or relayed by both hosts",
    SECTION,
)
CUT = Setting(
    "cut",
    OneOf(("auto", "slabs", "boxes")),
    "auto",
    "how processes divide the grid; auto: slabs for up to 5 of them",
    SECTION,
)
REBALANCE_STEPS = Setting(
    "rebalance_steps",
    STEPS_OR_NONE,
    0,
    "steps from one look at devices' speeds to the next; 0: never",
    SECTION,
)
"""These four, `STEPS_AT_ONCE` and `host_keys()` are keys of simulated grids, too."""

ENGINE_KEYS = (
    SCHEDULE,
    Setting("blocks", Whole(1, 1 << 10), 4, "of each boundary, with pipeline", SECTION),
    Setting(
        "block_order",
        OneOf(("far-first", "near-first")),
        "far-first",
        "first what other processes wait for, or what this one's devices do; with pipeline",
        SECTION,
    ),
    ROUTE,
    CUT,
    *host_keys(SECTION),
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
    REBALANCE_STEPS,
    TUNE,
    TUNE_SHARE,
)


def engine_options(given: InputValues) -> dict[str, Any]:
    """As the engine takes them. Raises `InputError` for a thickness that means nothing."""
    speeds = given["device_speeds"]
    is_listed = not isinstance(speeds, str)
    return {
        **{name: given[name] for name in ("schedule", "blocks", "block_order", "route", "cut")},
        **host_layers(given.values, given.blamed, SECTION),
        "speeds": [float(speed) for speed in speeds] if is_listed else [],
        "plane_weights": [float(weight) for weight in given["plane_weights"]],
        "steps_at_once": given.values.get(STEPS_AT_ONCE.name, 1),
        "rebalance_steps": given["rebalance_steps"],
        "first_look": FIRST_LOOK_STEPS if speeds == MEASURED else 0,
    }
