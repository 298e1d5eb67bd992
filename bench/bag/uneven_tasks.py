# SPDX-License-Identifier: Apache-2.0
"""Items of very uneven length through `makespan.map`.

``mpiexec -n K python uneven_tasks.py ITEMS LONGEST_MS SPREAD known|unknown`` prints one line of
JSON: the seconds from the call to the last result, and the bound, the length of all items over K.
The longest is SPREAD times the shortest, lengths between are even in their logarithm, and their
order is random. `known`: with the lengths as costs.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np
from makespan.base.engine import load_engine
from makespan.job.launcher import is_later_image

import makespan


def lengths_of(items: int, longest_s: float, spread: float) -> list[float]:
    """Return the length of each item [s]."""
    order = np.random.default_rng(20261121).permutation(items).tolist()
    return [longest_s * spread ** (-number / max(items - 1, 1)) for number in order]


def spin(seconds: float) -> float:
    """Compute for so long."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass
    return seconds


def main(words: list[str]) -> None:
    """Run, check and print."""
    items, longest_ms, spread, costs = words
    lengths = lengths_of(int(items), float(longest_ms) * 1e-3, float(spread))
    images = load_engine().images_launched()
    makespan.map(spin, [1e-4] * 8)  # the team is there, and the speeds are known
    begin = time.perf_counter()
    told = lengths if costs == "known" else None
    results = makespan.map(spin, lengths, costs=told, gather="all")
    taken = time.perf_counter() - begin
    if results != lengths:
        sys.exit("wrong results")
    if not is_later_image():
        print(json.dumps({"seconds": taken, "bound": sum(lengths) / images}))


if __name__ == "__main__":
    main(sys.argv[1:])
