# SPDX-License-Identifier: Apache-2.0
"""Speeds as a command line lists them."""

from __future__ import annotations

from makespan.base.errors import InputError

_HINT = "list a number above 0 for each place, as in 1,1,0.25 or 4*1,4*0.25"


def speeds_from(text: str) -> list[float]:
    """1,1,0.25 or 4*1,4*0.25. Raises `InputError`, which names --speeds."""
    speeds: list[float] = []
    for part in text.split(","):
        count, star, value = part.rpartition("*")
        try:
            times, speed = int(count) if star else 1, float(value)
        except ValueError:
            times, speed = 0, 0.0
        if times < 1 or not 0 < speed < float("inf"):
            raise InputError(f"--speeds: '{part.strip()}' (no speed): {_HINT}")
        speeds += [speed] * times
    return speeds
