# SPDX-License-Identifier: Apache-2.0
"""The peer of images: Coarray Fortran whose images claim blocks of the book from one counter.

It runs makespan's kernel (``bench/bag/asian_sums.cpp``) on the same blocks of paths, so only the
order of the sums is its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.runtime.program import ProgramError

PROGRAM = "coarray_book"
BOOK = "book.csv"
PRICE_TOLERANCE = 1e-13
"""Relative. Sums of 2400 blocks in two orders differ by some last places (2.2e-16)."""


@dataclass(frozen=True)
class CoarrayRun:
    """How long a run took from its first claim to its last price [s], and what it priced."""

    seconds: float
    prices: list[float]


def run_of(launch: Callable[[], str]) -> CoarrayRun:
    """Launch the program, and read what it printed.

    A launch that fails counts all the same if all was printed: the images end without
    MPI_Finalize, where the first to be gone can make mpiexec kill those that are just ending.
    """
    try:
        return parse_run(launch())
    except ProgramError as error:
        if '"seconds"' not in error.printed:
            raise
        return parse_run(error.printed)


def parse_run(printed: str) -> CoarrayRun:
    r"""Read what image 1 printed.

    >>> parse_run('{"price": 2.5}\n{"price": 3.5}\n{"seconds": 1.0}\n')
    CoarrayRun(seconds=1.0, prices=[2.5, 3.5])
    """
    replies = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    prices = [float(reply["price"]) for reply in replies if "price" in reply]
    seconds = [float(reply["seconds"]) for reply in replies if "seconds" in reply]
    if len(seconds) != 1:
        msg = f"{PROGRAM} printed {len(seconds)} times, and not one"
        raise ProgramError(msg)
    return CoarrayRun(seconds[0], prices)


def check_prices(name: str, prices: Sequence[float], reference: Sequence[float]) -> None:
    """Raise RuntimeError unless the prices are the reference's up to the order of sums."""
    if len(prices) != len(reference):
        msg = f"{name} has {len(prices)} prices, makespan {len(reference)}"
        raise RuntimeError(msg)
    for row, (price, other) in enumerate(zip(prices, reference, strict=True), start=1):
        if not abs(price - other) <= PRICE_TOLERANCE * abs(other):
            msg = f"{name} disagrees on the price of row {row}: {price!r}, and makespan {other!r}"
            raise RuntimeError(msg)


def fastest_chunk(chunks: Sequence[int], seconds_with: Callable[[int], float]) -> int:
    """Try each number of blocks for a claim once, and return the best.

    One that fails or takes too long is passed over. Raises ProgramError if all do.

    >>> fastest_chunk([1, 8, 64], {1: 3.0, 8: 1.0, 64: 2.0}.__getitem__)
    8
    """
    seconds: dict[int, float] = {}
    reasons: list[str] = []
    for chunk in chunks:
        try:
            seconds[chunk] = seconds_with(chunk)
        except ProgramError as error:
            reasons.append(str(error))
    if not seconds:
        raise ProgramError("; ".join(dict.fromkeys(reasons)))
    return min(seconds, key=lambda chunk: seconds[chunk])
