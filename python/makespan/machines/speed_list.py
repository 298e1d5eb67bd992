# SPDX-License-Identifier: Apache-2.0
"""Speeds as a command line lists them."""

from __future__ import annotations

from typing import Any

from makespan.settings.from_python import plain
from makespan.settings.kinds import ABOVE_0, Checked

SPEEDS_MAX = 1 << 20
"""More are a mistake of typing, that would fill the memory."""
_LEAST, _GREATEST = 1e-30, 1e30
"""Ratios and sums of others would not be numbers."""


def speeds_from(text: str) -> list[float]:
    """1,1,0.25 or 4*1,4*0.25. Raises `ValueError` for what is no number, for none, for too many."""
    speeds: list[float] = []
    for part in text.split(","):
        count, star, value = part.rpartition("*")
        times = int(count) if star else 1
        if times < 1 or len(speeds) + times > SPEEDS_MAX:
            raise ValueError(text)
        speeds += [float(value)] * times
    return speeds


def are_speeds(values: Any) -> bool:
    """Whether it is a list, or an array, of numbers above 0, all of usable size."""
    numbers = plain(values)
    return (
        isinstance(numbers, list)
        and numbers != []
        and all(ABOVE_0.fits(number) and _LEAST <= number <= _GREATEST for number in numbers)
    )


SPEEDS = Checked(
    are_speeds,
    "a number from 1e-30 to 1e30 for each, as in 1,1,0.25 or 4*1,4*0.25 (in Python a list)",
    speeds_from,
    "A,B,...",
)
"""A flag's text, or a list in Python."""
