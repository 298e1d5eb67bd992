# SPDX-License-Identifier: Apache-2.0
"""What disks and copies do to files: one bit is another, or the end is missing."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

IN_SUITE = 200
LONG = 10_000


def damaged(data: bytes, count: int, seed: int = 1) -> Iterator[tuple[str, bytes]]:
    """What was done, and what is left: three of four have a flipped bit, one is cut."""
    draw = random.Random(seed)  # noqa: S311 - nothing secret
    for number in range(count):
        if number % 4:
            bit = draw.randrange(8 * len(data))
            flipped = bytearray(data)
            flipped[bit // 8] ^= 1 << bit % 8
            yield f"bit {bit}", bytes(flipped)
        else:
            size = draw.randrange(len(data))
            yield f"cut to {size}", data[:size]


COUNTS = pytest.mark.parametrize(
    "count", [IN_SUITE, pytest.param(LONG, marks=pytest.mark.slow)], ids=["few", "many"]
)
