# SPDX-License-Identifier: Apache-2.0
"""Target architectures for Scotch: `gmap GRAPH ARCHITECTURE MAPPING`."""

from __future__ import annotations

from collections.abc import Sequence

from makespan.machines.weights.part import Part, WeightedParts
from makespan.machines.weights.whole_numbers import whole_numbers

_NEAREST = 10
"""Distance of the two parts that are nearest: distances are whole numbers."""


def scotch_text(weighted: WeightedParts) -> str:
    """`cmpltw`, all parts equally far; `deco 0` if latencies between all parts are known.

    Scotch and libScotch User's Guide, section "Target files": decomposition-defined architectures,
    and the built-in complete weighted one; acpl(1), amk_grf(1) and atst(1) of Scotch write and read
    the first.
    """
    weights = whole_numbers(weighted.speeds)
    if weighted.latencies_s is None or len(weights) == 1:
        return f"cmpltw\n{len(weights)} {' '.join(map(str, weights))}\n"
    domains = _domain_numbers(weighted.parts)
    lines = ["deco", "0", f"{len(weights)} {max(domains)}"]
    rows = zip(weights, domains, strict=True)
    lines += [f"{part} {weight} {domain}" for part, (weight, domain) in enumerate(rows)]
    lines += [" ".join(map(str, row)) for row in _distances(weighted.latencies_s)]
    return "\n".join(lines) + "\n"


def _distances(latencies_s: Sequence[Sequence[float]]) -> list[list[int]]:
    """Below the diagonal, from the second row on."""
    below = [list(row[:number]) for number, row in enumerate(latencies_s)][1:]
    least = min(value for row in below for value in row)
    return [[round(_NEAREST * value / least) for value in row] for row in below]


def _domain_numbers(parts: Sequence[Part]) -> list[int]:
    """Of each part: its place in the tree of halves, where 1 is all and 2 n, 2 n + 1 halve n.

    Scotch's memory grows with the square of the largest number, which is below 8 times the parts.
    """
    numbers = [1] * len(parts)

    def halve(first: int, last: int, number: int, levels: int) -> None:
        if last - first == 1:
            numbers[first] = number
            return
        middle = _middle(parts[first:last], 1 << (levels - 1))
        halve(first, first + middle, 2 * number, levels - 1)
        halve(first + middle, last, 2 * number + 1, levels - 1)

    halve(0, len(parts), 1, (len(parts) - 1).bit_length() + 1)
    return numbers


def _middle(parts: Sequence[Part], most: int) -> int:
    """Where to halve: between two domains if neither half then has more than `most` parts."""
    half = len(parts) // 2
    borders = [
        at
        for at in range(1, len(parts))
        if parts[at].domain != parts[at - 1].domain and max(at, len(parts) - at) <= most
    ]
    return min(borders, key=lambda at: abs(at - half), default=half)
