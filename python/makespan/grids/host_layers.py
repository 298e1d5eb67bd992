# SPDX-License-Identifier: Apache-2.0
"""What the host of a grid's devices computes, as running and simulated grids are told alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from makespan.base.errors import InputError
from makespan.settings.kinds import OneOf, OrElse, Whole, triple
from makespan.settings.setting import Setting, toml_text

FREE = "free"
_THICKNESS = Whole(0, 1 << 30)


def host_keys(section: str) -> tuple[Setting, Setting]:
    """The keys `host` and `host_thickness` of that section of a file."""
    return (
        Setting(
            "host",
            OneOf(("device", "none", "front-back", "left-right", "all")),
            "device",
            "what a process's first device has: a slab, nothing, or boundaries of the others",
            section,
        ),
        Setting(
            "host_thickness",
            OrElse(OneOf((FREE,)), OrElse(_THICKNESS, triple(_THICKNESS, "three, along x, y, z"))),
            FREE,
            "points of these boundaries; free: as many as cost nothing",
            section,
        ),
    )


# Axes x, y, z along which the host has layers.
_SIDES = {"front-back": (0, 0, 1), "left-right": (0, 1, 0), "all": (1, 1, 1)}
# And along which it may be told to have some.
_SIDES_ALLOWED = {**_SIDES, "left-right": (1, 1, 0)}


def host_layers(given: Mapping[str, Any], source: str, section: str) -> Mapping[str, Any]:
    """As the engine takes them, from the values of `host_keys()` and of `steps_at_once`, if any.

    Raises `InputError`, which names the source and the section, for a thickness that means nothing.
    """
    host, thickness = given["host"], given["host_thickness"]

    def refused(why: str) -> InputError:
        return InputError(
            f"{source}: [{section}] host_thickness = {toml_text(thickness)} ({why}): leave it out, "
            "or give a host that has such boundaries"
        )

    if host not in _SIDES:
        if thickness != FREE:
            raise refused(f"host = {toml_text(host)} has no boundaries")
        return {"host": host}
    sides = _SIDES[host]
    if thickness == FREE:
        # Rows that end in the midst of a halo several steps wide need a rule there.
        is_deep = given.get("steps_at_once", 1) > 1
        free = [0 if is_deep else sides[0], *sides[1:]]
        return {"host": host, "host_thickness": free, "host_is_free": True}
    by_axis = [thickness * side for side in sides] if isinstance(thickness, int) else thickness
    allowed = _SIDES_ALLOWED[host]
    if any(one and not side for one, side in zip(by_axis, allowed, strict=True)):
        axes = " and ".join(axis for axis, side in zip("xyz", allowed, strict=True) if side)
        raise refused(f"host = {toml_text(host)} has them along {axes}")
    return {"host": host, "host_thickness": list(by_axis)}
