# SPDX-License-Identifier: Apache-2.0
"""Parts of machines that get work in proportion to their speeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LEVELS = ("core", "numa", "package", "machine")
"""What a part can be."""


@dataclass(frozen=True, slots=True)
class Part:
    """`speed` has any unit, the same for all parts; `cores` and `domain` are places of the tree.

    Parts of one domain share a memory.
    """

    label: str
    speed: float
    cores: tuple[int, ...] = ()
    domain: int = 0


@dataclass(frozen=True, slots=True)
class WeightedParts:
    """All parts, in the order in which other programs number them.

    `nodes`: the name of each machine, where its format asks for it. `latencies_s`: between parts,
    row by row; None if they are not all known.
    """

    parts: Sequence[Part]
    nodes: Sequence[str] = ()
    latencies_s: Sequence[Sequence[float]] | None = None

    @property
    def speeds(self) -> list[float]:
        """By part."""
        return [part.speed for part in self.parts]
