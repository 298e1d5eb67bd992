# SPDX-License-Identifier: Apache-2.0
"""Tuples that know how often they were gone through: for looks that should take no time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Counted(tuple[Any, ...]):
    """A tuple; `looks` counts."""

    looks: int

    def __new__(cls, items: tuple[Any, ...]) -> Counted:
        """None yet."""
        made = super().__new__(cls, items)
        made.looks = 0
        return made

    def __iter__(self) -> Iterator[Any]:
        """As of any tuple."""
        self.looks += 1
        return super().__iter__()
