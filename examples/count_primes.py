# SPDX-License-Identifier: Apache-2.0
"""Count primes in blocks of numbers with `makespan.map`: a task that is not pricing.

    python count_primes.py             # on the threads of this process
    mpiexec -n 4 python count_primes.py  # by four processes, on one machine or several

What to notice: later blocks take longer, and `costs` says so, so that they come first; fast and
slow processes end together, whatever else their cores do; the first process gets the counts.
"""

from __future__ import annotations

import sys

import makespan

NUMBERS = 200_000
BLOCK = 2_000


def primes_in(first: int) -> int:
    """How many of the numbers first .. first + BLOCK - 1 are prime."""
    return sum(
        number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))
        for number in range(first, first + BLOCK)
    )


def main() -> None:
    """Count, and say how many there are."""
    blocks = range(0, NUMBERS, BLOCK)
    counts = makespan.map(primes_in, blocks, costs=[(1 + first) ** 0.5 for first in blocks])
    if counts is not None:
        sys.stdout.write(f"{sum(counts)} primes below {NUMBERS}\n")


if __name__ == "__main__":
    main()
